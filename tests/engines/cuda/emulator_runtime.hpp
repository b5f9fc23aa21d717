// What the device language (emulator.hpp) asks of the scheduler (emulator.cpp) and of the checks (emulator_checks.cpp).
#pragma once
#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)  // kernels find all of it in the library of the emulator

namespace gpuval_emulator {

struct Index3 {
  unsigned x, y, z;
};

struct Region {  // an array that the kernel was given
  const char* begin;
  uint64_t size;
  uint64_t writable;
};

struct Launch {  // emulator.py has the same struct
  Index3 grid, block;
  uint64_t shared_bytes;
  uint64_t seed;
  uint64_t checks;
  double seconds;
  const Region* regions;  // of each argument; size 0 where it is a scalar
  uint64_t n_regions;
};

struct Shared {  // the shared memory of a library that is not dynamic; null if there is none
  char* begin;
  char* end;
};

enum Checks : uint64_t {
  RACES = 1,
  UNINITIALISED = 2,
  // No thread waits for another, so that plain kernels may run one thread after the other.
  SEQUENTIAL = 4,
  // Of kernels that are not gpuval's: threads that have returned count at a barrier, as devices do it, though CUDA does
  // not promise it.
  RETURNED_ARRIVE = 8
};
enum class Access { READ, WRITE, ATOMIC, VOLATILE_READ, VOLATILE_WRITE };
enum class Barrier { PLAIN, OR, AND, COUNT };

constexpr unsigned LANES = 32;
constexpr unsigned MAX_THREADS = 1024;
constexpr uint64_t MAX_SHARED = 227 * 1024;  // what a block of sm_90 may ask for; older ones have less

[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));  // ends the launch

unsigned lane();
unsigned char* shared_memory();
unsigned barrier(Barrier kind, bool predicate, const char* file, int line);  // how many predicates hold
// Waits for all lanes that the mask names; then the values of all of them, by lane.
const uint64_t* meet(const char* operation, unsigned mask, uint64_t value, const char* file, int line);
void before_atomic(const volatile void* address, size_t size, const void* pc);

// The error, or null.
const char* launch(const Launch& launch, const Shared& fixed, void (*kernel)(void**), void** arguments);

}  // namespace gpuval_emulator

#pragma GCC visibility pop
