// What the scheduler and the checks know about the threads of the block that runs.
#pragma once
#include <string>
#include <vector>

#include "emulator_runtime.hpp"

namespace gpuval_emulator {

enum class State { RUNNABLE, AT_BARRIER, IN_WARP, DONE };

struct Fibre {
  char* stack;
  State state;
  Index3 index;
  unsigned thread;
  const char* operation;  // what it waits in, and where
  const char* file;
  int line;
  unsigned mask;
  Barrier barrier;
  uint64_t value;
  uint64_t values[LANES];
  uint32_t clocks[LANES];  // what this lane knows of the others, by __syncwarp
};

constexpr size_t STACK = 256 * 1024;
constexpr size_t BEYOND_SHARED = 65536;  // so far past dynamic shared memory an access is taken for one of it

extern Fibre* current;  // null in the scheduler
extern std::vector<Fibre> fibres;
extern const Launch* now;
extern uint32_t interval;   // counts barriers, and never the same in two blocks
extern uint32_t block_run;  // counts blocks

void yield();            // lets another thread run
void before_volatile();  // the same, where the seed asks for it or the thread may be waiting for another
void check_time();       // fails when the launch took longer than it may
void begin_checks_of_launch(const Shared& fixed, const void* kernel);
void begin_checks_of_block(unsigned char* shared);

}  // namespace gpuval_emulator
