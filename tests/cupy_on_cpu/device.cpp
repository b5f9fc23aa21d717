#include "device.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>

namespace gpuval_device {

std::recursive_mutex lock;
long long counts[N_COUNTERS];
std::vector<std::string> launched;
std::set<uintptr_t> streams_launched_on;
std::string fault, library_of_fault;
size_t used;

int failed(Status status, std::string why) {
  fault = std::move(why);
  library_of_fault.clear();
  return status;
}

// ---- memory

namespace {

constexpr unsigned char PATTERN = 0xA5;  // of memory that nobody has written since it was handed out
constexpr size_t ALIGNMENT = 512;

std::map<uintptr_t, Block> blocks;
std::map<uintptr_t, Block> parts;  // of blocks

const Block* around(const std::map<uintptr_t, Block>& known, uintptr_t at) {
  auto found = known.upper_bound(at);
  if (found == known.begin()) return nullptr;
  --found;
  return at < found->second.begin + found->second.size ? &found->second : nullptr;
}

}  // namespace

void* allocate(size_t size, Place place) {
  if (place == Place::DEVICE) ++counts[ALLOCATIONS];
  if (used + size > MEMORY) return nullptr;
  void* address = nullptr;  // of that size, whose end AddressSanitizer knows then
  if (posix_memalign(&address, ALIGNMENT, size ? size : 1)) return nullptr;
  std::memset(address, PATTERN, size);
  used += size;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  blocks[begin] = {begin, size, place};
  return address;
}

bool release(void* address) {
  const auto found = blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == blocks.end()) return false;
  std::memset(address, PATTERN, found->second.size);
  used -= found->second.size;
  parts.erase(parts.lower_bound(found->first), parts.lower_bound(found->first + found->second.size));
  blocks.erase(found);
  std::free(address);
  return true;
}

void lend(void* address, size_t size) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  blocks[begin] = {begin, size, Place::DEVICE};
}

void take_back(void* address) { blocks.erase(reinterpret_cast<uintptr_t>(address)); }

const Block* block_of(const void* address) { return around(blocks, reinterpret_cast<uintptr_t>(address)); }

void set_part(void* address, size_t size) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  parts[begin] = {begin, size, Place::DEVICE};
}

const Block* part_of(const void* address) {
  const Block* part = around(parts, reinterpret_cast<uintptr_t>(address));
  return part ? part : block_of(address);
}

// ---- streams

namespace {

struct Work {
  uint64_t number;  // in the order in which the host has asked for it, over all streams
  std::function<void()> run;
  Stream* after;  // if not null: work of this stream up to a number comes before
  uint64_t until;
};

uint64_t last_number;
std::string failure, library_of_failure;  // of a kernel, until somebody waits

}  // namespace

struct Stream {
  bool waits_for_default;
  std::deque<Work> queue;
  Graph* capture;
};

struct Event {
  Stream* stream;
  uint64_t number;
};

struct Graph {
  std::vector<std::function<void()>> work;
};

namespace {

Stream default_stream{false, {}, nullptr};
std::set<Stream*> streams;
std::set<Event*> events;

// The default stream waits for all that stands before it in streams that wait for it, and these wait for it likewise.
void run_until(Stream* stream, uint64_t number) {
  while (!stream->queue.empty() && stream->queue.front().number <= number) {
    const Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (stream == &default_stream) {
      for (Stream* other : streams)
        if (other->waits_for_default) run_until(other, work.number - 1);
    } else if (stream->waits_for_default) {
      run_until(&default_stream, work.number - 1);
    }
    if (work.after) run_until(work.after, work.until);
    work.run();
  }
}

int reported() {
  if (failure.empty()) return SUCCESS;
  std::string why;
  why.swap(failure);
  failed(LAUNCH_FAILED, why);
  library_of_fault = library_of_failure;
  return LAUNCH_FAILED;
}

int refuse_capture(const Stream* stream) {
  return stream->capture ? failed(CAPTURE_UNSUPPORTED, "the host waits for a stream that is captured") : SUCCESS;
}

}  // namespace

Stream* stream_of(uintptr_t handle) {
  static thread_local Stream* own = nullptr;
  if (handle <= 1) return &default_stream;
  if (handle == 2) return own ? own : own = new_stream(true);
  Stream* stream = reinterpret_cast<Stream*>(handle);
  return streams.count(stream) ? stream : nullptr;
}

Stream* new_stream(bool waits_for_default) {
  return *streams.insert(new Stream{waits_for_default, {}, nullptr}).first;
}

bool remove(Stream* stream) {
  if (!streams.count(stream)) return false;
  run_until(stream, last_number);
  for (Event* event : events)
    if (event->stream == stream) event->stream = nullptr;
  streams.erase(stream);
  delete stream;
  return true;
}

bool waits_for_default(Stream* stream) { return stream->waits_for_default; }

Event* new_event() { return *events.insert(new Event{nullptr, 0}).first; }

bool is_event(uintptr_t handle) { return events.count(reinterpret_cast<Event*>(handle)); }

bool remove(Event* event) {
  if (!events.erase(event)) return false;
  delete event;
  return true;
}

void record(Event* event, Stream* stream) { *event = {stream, last_number}; }

void wait(Stream* stream, Event* event) {
  if (event->stream && event->stream != stream && !stream->capture)
    stream->queue.push_back({++last_number, [] {}, event->stream, event->number});
}

void add(Stream* stream, std::function<void()> work) {
  if (stream->capture) stream->capture->work.push_back(std::move(work));
  else stream->queue.push_back({++last_number, std::move(work), nullptr, 0});
}

int finish(Stream* stream) {
  if (const int refused = refuse_capture(stream)) return refused;
  // Who waits for the default stream waits for those that wait for it.
  const uint64_t number = last_number;
  run_until(stream, number);
  if (stream == &default_stream)
    for (Stream* other : streams)
      if (other->waits_for_default) run_until(other, number);
  return reported();
}

int finish(Event* event) {
  if (event->stream) {
    if (const int refused = refuse_capture(event->stream)) return refused;
    run_until(event->stream, event->number);
  }
  return reported();
}

int finish_all() {
  for (Stream* stream : streams)
    if (const int refused = refuse_capture(stream)) return refused;
  run_until(&default_stream, last_number);
  for (Stream* stream : streams) run_until(stream, last_number);
  return reported();
}

// Who only asks is told once that it is not done; what it asked for is done then, so that nobody asks for ever.
bool is_done(Stream* stream) {
  const bool done = stream->queue.empty();
  run_until(stream, last_number);
  return done;
}

bool is_done(Event* event) {
  Stream* stream = event->stream;
  if (!stream) return true;
  const bool done = stream->queue.empty() || stream->queue.front().number > event->number;
  run_until(stream, event->number);
  return done;
}

bool is_captured(Stream* stream) { return stream->capture; }

void begin_capture(Stream* stream) { stream->capture = new Graph; }

Graph* end_capture(Stream* stream) {
  Graph* graph = stream->capture;
  stream->capture = nullptr;
  return graph;
}

void replay(Graph* graph, Stream* stream) {
  for (const auto& work : graph->work) add(stream, work);
}

void work_failed(std::string why, std::string library) {
  if (!failure.empty()) return;
  failure = std::move(why);
  library_of_failure = std::move(library);
}

}  // namespace gpuval_device
