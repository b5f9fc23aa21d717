// The scheduler: a fibre for each thread of a block, one block after another, in an order that the seed draws.
//
// A fibre runs until it waits: at a barrier, in a warp operation, and, where the seed is odd, before an atomic or a
// volatile access. Which runs next is drawn among all that can, so a barrier that is missing shows for some seed.
// The threads of a "plain" kernel that never wait need no fibres, and run one after the other.
#undef _FORTIFY_SOURCE  // with it, longjmp refuses to go to another stack
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>

#include "emulator_fibres.hpp"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// The kernel sees them as const, as CUDA's are; an object that is const here could not be set.
#pragma GCC visibility push(default)
gpuval_emulator::Index3 threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;
const int warpSize = 32;
#pragma GCC visibility pop

namespace gpuval_emulator {

Fibre* current;
std::vector<Fibre> fibres;
const Launch* now;
uint32_t interval;
uint32_t block_run;

namespace {

constexpr size_t RED_ZONE = 4096;
constexpr unsigned char POISON = 0xCD, RED = 0xA5;
constexpr int SPIN = 1000;  // after so many atomics in a row another thread runs, whatever the seed: it may wait for one

#ifdef __SANITIZE_ADDRESS__
ucontext_t scheduler;
void* scheduler_fake_stack;
const void* scheduler_bottom;
size_t scheduler_size;
#else  // left and entered by longjmp: swapcontext calls the system each time, to set the mask of signals
jmp_buf scheduler;
#endif
struct Context {
  ucontext_t begin;
  jmp_buf here;  // where it waits
  bool is_entered;
};
std::vector<Context> contexts;  // of fibres, by thread; one that has ended a block waits there for the next
std::vector<unsigned> runnable;
std::vector<unsigned char> shared;
char* stacks;
void (*entry)(void**);
void** entry_arguments;
std::string error;
uint64_t state_of_random;
unsigned n_done, n_at_barrier, n_true;
int atomics_in_a_row;
double started;

double clock_now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

uint64_t draw() {  // splitmix64
  uint64_t z = (state_of_random += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool differ(const char* a, const char* b) { return a != b && std::strcmp(a, b); }  // equal texts mostly are one literal

std::string text(const char* format, va_list arguments) {
  char buffer[1024];
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  return buffer;
}

__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string result = text(format, arguments);
  va_end(arguments);
  return result;
}

void leave(bool for_good) {
#ifdef __SANITIZE_ADDRESS__
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_stack, scheduler_bottom, scheduler_size);
  swapcontext(&contexts[current->thread].begin, &scheduler);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#else
  static_cast<void>(for_good);
  if (!_setjmp(contexts[current->thread].here)) _longjmp(scheduler, 1);
#endif
}

void wait_as(State state) {
  current->state = state;
  if (state == State::RUNNABLE) runnable.push_back(current->thread);
  leave(state == State::DONE);
}

void wake(Fibre& fibre) {
  fibre.state = State::RUNNABLE;
  runnable.push_back(fibre.thread);
}

std::string whereabouts(const Fibre& fibre) {
  std::string result = text("thread (%u, %u, %u) waits at %s (%s:%d)", fibre.index.x, fibre.index.y, fibre.index.z,
                            fibre.operation, base_name(fibre.file), fibre.line);
  if (fibre.state == State::IN_WARP) result += text(" for the lanes of the mask %#010x", fibre.mask);
  return result;
}

void open_barrier() {
  ++interval;
  for (Fibre& other : fibres) {
    other.value = n_true;
    if (other.state == State::AT_BARRIER) wake(other);
  }
  n_at_barrier = n_true = 0;
}

void thread_returned() {
  ++n_done;
  const unsigned first = current->thread / LANES * LANES, me = current->thread - first;
  for (unsigned i = first; i < std::min<size_t>(first + LANES, fibres.size()); ++i)
    if (fibres[i].state == State::IN_WARP && (fibres[i].mask >> me & 1))
      fail("%s, which names lane %u, but that has returned", whereabouts(fibres[i]).c_str(), me);
  if (now->checks & RETURNED_ARRIVE) {
    if (n_at_barrier && n_at_barrier + n_done == fibres.size()) open_barrier();
    return;
  }
  if (n_at_barrier)
    for (const Fibre& other : fibres)
      if (other.state == State::AT_BARRIER)
        fail("divergent __syncthreads: this thread has returned, and %s", whereabouts(other).c_str());
}

void trampoline() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom, &scheduler_size);
#endif
  while (true) {
    entry(entry_arguments);
    thread_returned();
    wait_as(State::DONE);
  }
}

void enter(Fibre& fibre) {
  current = &fibre;
  Context& context = contexts[fibre.thread];
  threadIdx = fibre.index;
  atomics_in_a_row = 0;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&scheduler_fake_stack, fibre.stack, STACK);
  swapcontext(&scheduler, &context.begin);
  __sanitizer_finish_switch_fiber(scheduler_fake_stack, nullptr, nullptr);
#else
  if (!_setjmp(scheduler)) {
    if (context.is_entered) _longjmp(context.here, 1);
    context.is_entered = true;
    setcontext(&context.begin);
  }
#endif
  current = nullptr;
}

std::string deadlock() {
  std::string result = "deadlock";
  const char* before = nullptr;  // one thread of each place is enough to see it
  int line = 0, told = 0;
  for (const Fibre& fibre : fibres)
    if (fibre.state != State::DONE && (fibre.operation != before || fibre.line != line) && told < 4) {
      result += (told++ ? "; " : ": ") + whereabouts(fibre);
      before = fibre.operation;
      line = fibre.line;
    }
  return result;
}

unsigned threads_of_a_block() { return now->block.x * now->block.y * now->block.z; }

Index3 index_of(unsigned thread) {
  const Index3 size = now->block;
  return {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
}

void make_context(Context& context, char* stack) {
  getcontext(&context.begin);
  context.begin.uc_stack.ss_sp = stack;
  context.begin.uc_stack.ss_size = STACK;
  context.begin.uc_link = nullptr;
  makecontext(&context.begin, trampoline, 0);
}

void start_block() {
  const unsigned n = threads_of_a_block();
  fibres.assign(n, Fibre{});
  if (contexts.size() < n) contexts.resize(n);
  runnable.clear();
  n_done = n_at_barrier = n_true = 0;
  ++block_run;
  ++interval;
  for (unsigned t = 0; t < n; ++t) {
    Fibre& fibre = fibres[t];
    fibre.thread = t;
    fibre.index = index_of(t);
    fibre.stack = stacks + t * STACK;
    fibre.clocks[t % LANES] = 1;
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(fibre.stack, STACK);  // a launch that failed left its frames there
#endif
    if (!contexts[t].is_entered) make_context(contexts[t], fibre.stack);
    wake(fibre);
  }
  std::fill(shared.begin(), shared.end(), RED);
  std::fill(shared_memory(), shared_memory() + now->shared_bytes, POISON);
  begin_checks_of_block(shared_memory());
}

void check_red_zone() {
  const unsigned char* end = shared_memory() + now->shared_bytes;
  const unsigned char* last = shared.data() + shared.size();
  const unsigned char* hit = std::find_if(end, last, [](unsigned char c) { return c != RED; });
  if (hit != last)
    error = text("block (%u, %u, %u): wrote byte %td of its %llu bytes of dynamic shared memory", blockIdx.x,
                 blockIdx.y, blockIdx.z, hit - shared_memory(), (unsigned long long)now->shared_bytes);
}

void guard_red_zone(bool closed) {
#ifdef __SANITIZE_ADDRESS__
  unsigned char* end = shared_memory() + now->shared_bytes;
  if (closed) ASAN_POISON_MEMORY_REGION(end, size_t(shared.data() + shared.size() - end));
  else ASAN_UNPOISON_MEMORY_REGION(end, size_t(shared.data() + shared.size() - end));
#else
  static_cast<void>(closed);
#endif
}

#if defined(GPUVAL_CHECKED) || defined(__SANITIZE_ADDRESS__)
constexpr bool MAY_BE_SEQUENTIAL = false;  // races are looked for between fibres, and the stack of each is watched
#else
constexpr bool MAY_BE_SEQUENTIAL = true;
#endif

bool are_in_sequence() { return MAY_BE_SEQUENTIAL && (now->checks & SEQUENTIAL); }

// Without fibres, which take longer than such kernels do; where the seed is odd, the last thread first.
void run_in_sequence() {
  const unsigned n = threads_of_a_block();
  Fibre alone{};
  current = &alone;
#ifndef __SANITIZE_ADDRESS__
  if (!_setjmp(scheduler))  // where a thread that fails goes
#endif
    for (unsigned i = 0; i < n; ++i) {
      alone.thread = now->seed & 1 ? n - 1 - i : i;
      threadIdx = alone.index = index_of(alone.thread);
      atomics_in_a_row = 0;
      entry(entry_arguments);
    }
  current = nullptr;
}

void refuse_in_sequence(const char* operation, const char* file, int line) {
  if (are_in_sequence())
    fail("%s (%s:%d) waits, in a launch whose threads run one after the other", operation, base_name(file), line);
}

void run_block() {
  if (are_in_sequence()) return run_in_sequence();
  start_block();
  guard_red_zone(true);
  while (n_done < fibres.size() && error.empty()) {
    if (runnable.empty()) {
      error = text("block (%u, %u, %u): ", blockIdx.x, blockIdx.y, blockIdx.z) + deadlock();
      break;
    }
    const size_t next = draw() % runnable.size();
    std::swap(runnable[next], runnable.back());
    const unsigned thread = runnable.back();
    runnable.pop_back();
    enter(fibres[thread]);
  }
  guard_red_zone(false);
  if (!error.empty()) contexts.clear();  // fibres stopped inside the kernel, and begin anew
  else check_red_zone();
}

bool refused(const Launch& launch) {
  const uint64_t threads = uint64_t(launch.block.x) * launch.block.y * launch.block.z;
  const uint64_t blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  if (!threads || !blocks || launch.grid.y > 65535 || launch.grid.z > 65535 || launch.grid.x > 2147483647u)
    error = text("no device takes a grid of (%u, %u, %u) and a block of (%u, %u, %u)", launch.grid.x, launch.grid.y,
                 launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
  else if (threads > MAX_THREADS || launch.block.z > 64)
    error = text("a block has at most %u threads and 64 of them in z, got (%u, %u, %u)", MAX_THREADS, launch.block.x,
                 launch.block.y, launch.block.z);
  else if (launch.shared_bytes > MAX_SHARED)
    error = text("a block has at most %llu bytes of shared memory, got %llu", (unsigned long long)MAX_SHARED,
                 (unsigned long long)launch.shared_bytes);
  return !error.empty();
}

}  // namespace

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Index3 me = current->index;
  error = text("block (%u, %u, %u), thread (%u, %u, %u): ", blockIdx.x, blockIdx.y, blockIdx.z, me.x, me.y, me.z) +
          text(format, arguments);
  va_end(arguments);
#ifdef __SANITIZE_ADDRESS__
  leave(true);  // its frames stay as they are: the launch is over
#else
  _longjmp(scheduler, 1);
#endif
  __builtin_unreachable();
}

unsigned lane() { return current->thread % LANES; }

unsigned char* shared_memory() {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(shared.data());
  return reinterpret_cast<unsigned char*>((begin + 1023) & ~uintptr_t(1023));
}

void check_time() {
  if (clock_now() - started > now->seconds) fail("did not end within %g s", now->seconds);
}

void yield() {
  check_time();
  wait_as(State::RUNNABLE);
}

void before_volatile() {
  if (!current) return;
  const bool has_spun = ++atomics_in_a_row > SPIN;
  if (are_in_sequence()) {
    if (has_spun) check_time();
  } else if ((now->seed & 1) || has_spun) {
    yield();
  }
}

unsigned barrier(Barrier kind, bool predicate, const char* file, int line) {
  static const char* const names[] = {"__syncthreads", "__syncthreads_or", "__syncthreads_and", "__syncthreads_count"};
  refuse_in_sequence(names[int(kind)], file, line);
  Fibre& me = *current;
  me.operation = names[int(kind)];
  me.file = file;
  me.line = line;
  me.barrier = kind;
  const bool returned_arrive = now->checks & RETURNED_ARRIVE;
  if (n_done && !returned_arrive)
    fail("divergent __syncthreads: arrives at %s:%d, and %u threads have returned", base_name(file), line, n_done);
  if (n_at_barrier)
    for (const Fibre& other : fibres)
      if (other.state == State::AT_BARRIER) {
        if (other.barrier != kind || other.line != line || differ(other.file, file))
          fail("divergent __syncthreads: arrives at %s (%s:%d), and %s", me.operation, base_name(file), line,
               whereabouts(other).c_str());
        break;
      }
  n_true += predicate;
  if (++n_at_barrier + (returned_arrive ? n_done : 0) < fibres.size()) {
    wait_as(State::AT_BARRIER);
    return unsigned(me.value);
  }
  open_barrier();
  wait_as(State::RUNNABLE);  // so that the last one to come is not always the first to go
  return unsigned(me.value);
}

const uint64_t* meet(const char* operation, unsigned mask, uint64_t value, const char* file, int line) {
  refuse_in_sequence(operation, file, line);
  Fibre& me = *current;
  const unsigned first = me.thread / LANES * LANES;
  me.operation = operation;
  me.mask = mask;
  me.value = value;
  me.file = file;
  me.line = line;
  const auto here = [&] { return text("%s (%s:%d) with the mask %#010x", operation, base_name(file), line, mask); };
  if (!(mask >> (me.thread - first) & 1)) fail("%s, which does not name the calling lane %u", here().c_str(), me.thread - first);
  bool all = true;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(mask >> i & 1)) continue;
    if (first + i >= fibres.size()) fail("%s, which names lane %u, but the block ends before it", here().c_str(), i);
    const Fibre& other = fibres[first + i];
    if (&other == &me) continue;
    if (other.state == State::DONE) fail("%s, which names lane %u, but that has returned", here().c_str(), i);
    if (other.state != State::IN_WARP || other.mask != mask) all = false;
    else if (differ(other.operation, operation)) fail("%s, but %s", here().c_str(), whereabouts(other).c_str());
  }
  if (!all) {
    wait_as(State::IN_WARP);
    return me.values;
  }
  const bool orders_memory = !std::strcmp(operation, "__syncwarp");  // votes and shuffles order nothing
  uint64_t values[LANES] = {};
  uint32_t clocks[LANES] = {};
  for (unsigned i = 0; i < LANES; ++i)
    if (mask >> i & 1) {
      values[i] = fibres[first + i].value;
      if (orders_memory)
        for (unsigned j = 0; j < LANES; ++j) clocks[j] = std::max(clocks[j], fibres[first + i].clocks[j]);
    }
  for (unsigned i = 0; i < LANES; ++i)
    if (mask >> i & 1) {
      Fibre& other = fibres[first + i];
      std::copy(values, values + LANES, other.values);
      if (orders_memory) {
        std::copy(clocks, clocks + LANES, other.clocks);
        ++other.clocks[i];
      }
      if (&other != &me) wake(other);
    }
  wait_as(State::RUNNABLE);
  return me.values;
}

const char* launch(const Launch& launch, const Shared& fixed, void (*kernel)(void**), void** arguments) {
  error.clear();
  if (refused(launch)) return error.c_str();
  if (!stacks) {
    void* memory = mmap(nullptr, MAX_THREADS * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return "no memory for the stacks";
    stacks = static_cast<char*>(memory);
  }
  now = &launch;
  entry = kernel;
  entry_arguments = arguments;
  begin_checks_of_launch(fixed, reinterpret_cast<const void*>(kernel));
  gridDim = launch.grid;
  blockDim = launch.block;
  state_of_random = launch.seed * 0x9e3779b97f4a7c15u + 1;
  started = clock_now();
  shared.reserve(1024 + launch.shared_bytes + RED_ZONE + BEYOND_SHARED);  // so that no array lies there
  shared.assign(1024 + launch.shared_bytes + RED_ZONE, RED);
  std::vector<unsigned> blocks(launch.grid.x * launch.grid.y * launch.grid.z);
  std::iota(blocks.begin(), blocks.end(), 0u);
  for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[draw() % i]);
  for (unsigned block : blocks) {
    blockIdx = {block % launch.grid.x, block / launch.grid.x % launch.grid.y, block / (launch.grid.x * launch.grid.y)};
    run_block();
    if (!error.empty()) return error.c_str();
  }
  return nullptr;
}

}  // namespace gpuval_emulator
