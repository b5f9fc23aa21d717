// A device without a GPU: memory of the host, streams whose work waits until somebody waits for it, and counters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gpuval_device {

// Results of the driver and of the runtime, where both have the same number.
enum Status : int {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719,
  CAPTURE_UNSUPPORTED = 900,
};

enum Counter { LAUNCHES, TO_DEVICE, TO_HOST, WAITS, COPIES, FILLS, ALLOCATIONS, N_COUNTERS };

extern std::recursive_mutex lock;
extern long long counts[N_COUNTERS];
extern std::vector<std::string> launched;  // the kernels by their names
extern std::set<uintptr_t> streams_launched_on;
extern std::string fault;             // what was wrong with the last call that failed
extern std::string library_of_fault;  // that of the kernel, if one was wrong

int failed(Status status, std::string why);

// ---- memory

enum class Place { HOST, PINNED, DEVICE };
struct Block {
  uintptr_t begin;
  size_t size;
  Place place;
};

void* allocate(size_t size, Place place);  // filled with a pattern; null if there is no more
bool release(void* address);               // filled with the pattern before; false for what was not allocated
void lend(void* address, size_t size);     // memory of a library of the host passes for the device's
void take_back(void* address);
const Block* block_of(const void* address);
void set_part(void* address, size_t size);  // kernels that get this part of a block get no more of it
const Block* part_of(const void* address);  // or the block
extern size_t used;
constexpr size_t MEMORY = size_t(8) << 30;

// ---- streams: work is done in the order of its stream when somebody waits for it

struct Stream;
struct Event;
struct Graph;

Stream* stream_of(uintptr_t handle);  // null for what is no stream; 0 and 1 are the default one, 2 that of the thread
Stream* new_stream(bool waits_for_default);
bool remove(Stream* stream);
bool waits_for_default(Stream* stream);

Event* new_event();
bool is_event(uintptr_t handle);
bool remove(Event* event);
void record(Event* event, Stream* stream);
void wait(Stream* stream, Event* event);

void add(Stream* stream, std::function<void()> work);
// Do what stands before; the status is that of a kernel that failed, or of a stream that is captured.
int finish(Stream* stream);
int finish(Event* event);
int finish_all();
bool is_done(Stream* stream);
bool is_done(Event* event);

bool is_captured(Stream* stream);
void begin_capture(Stream* stream);
Graph* end_capture(Stream* stream);
void replay(Graph* graph, Stream* stream);

// To be called by work: its kernel, of a library, has failed.
void work_failed(std::string why, std::string library = "");

}  // namespace gpuval_device
