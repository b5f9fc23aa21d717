// The checks of single accesses and operations, as the callbacks of g++'s sanitizers without their runtimes.
//
// A kernel is compiled with -fsanitize=thread and -fsanitize=undefined, so that it calls __tsan_read4 before each load
// and __ubsan_handle_... where an operation is undefined. Those libraries would end the process, and know nothing of
// fibres; here they are a few lines, know what a block is, and an error is one of the launch.
//
// Shared memory: two accesses of one byte by two threads, one of them a write, are a race unless __syncthreads lies
// between them, or a __syncwarp of both, or both are atomic. What no thread of the block has written must not be read.
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "emulator_fibres.hpp"

namespace gpuval_emulator {

namespace {

struct Stamp {
  uint32_t interval, clock;
  uint16_t thread;
  bool atomic;
};

struct Byte {
  Stamp write, read, other_read;  // the last reads of two threads: one of them may be who writes next
  uint32_t filled;                // the block that wrote it
};

struct Area {
  char* begin;
  uint64_t size;
  const char* name;
  std::vector<Byte> bytes;

  bool holds(const char* address) const { return address >= begin && address < begin + size; }
};

Area dynamic{nullptr, 0, "dynamic shared memory", {}}, in_library{nullptr, 0, "shared memory", {}};

struct Image {  // of a library
  const char *begin, *end;

  bool holds(const void* address) const { return address >= begin && address < end; }
};

Image of_kernels, own;
const void* running;  // the kernel
uint32_t n_accesses;

int find_images(dl_phdr_info* info, size_t, void*) {
  const char *begin = nullptr, *end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const char* from = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    if (!begin) begin = from;
    end = from + header.p_memsz;
  }
  const Image image{begin, end};
  if (image.holds(running)) of_kernels = image;
  if (image.holds(&own)) own = image;
  return 0;
}

const Image& image_of_kernels() {  // found when it is asked for, as there may be thousands of libraries
  if (!of_kernels.holds(running)) dl_iterate_phdr(find_images, nullptr);
  return of_kernels;
}

bool ordered(const Stamp& stamp, const Fibre& me) {
  if (stamp.interval != interval || stamp.thread == me.thread) return true;
  return stamp.thread / LANES == me.thread / LANES && me.clocks[stamp.thread % LANES] >= stamp.clock;
}

const char* name_of(Access access) {
  static const char* const names[] = {"reads", "writes", "updates atomically", "reads (volatile)", "writes (volatile)"};
  return names[int(access)];
}

bool is_write(Access access) { return access != Access::READ && access != Access::VOLATILE_READ; }

unsigned long long offset_of(const void* pc) {  // emulator.py makes a line of it
  return (unsigned long long)(static_cast<const char*>(pc) - image_of_kernels().begin);
}

void check_shared(Area& area, const char* address, size_t size, Access access, const void* pc) {
  const Fibre& me = *current;
  const bool atomic = access != Access::READ && access != Access::WRITE;
  const bool writes = is_write(access), reads = !writes || access == Access::ATOMIC;
  const size_t at = size_t(address - area.begin);
  if (at + size > area.size)
    fail("%s %zu bytes at byte %zu of its %llu bytes of %s [pc %#llx]", name_of(access), size, at,
         (unsigned long long)area.size, area.name, offset_of(pc));
  const Stamp stamp{interval, me.clocks[me.thread % LANES], uint16_t(me.thread), atomic};
  for (size_t i = at; i < at + size; ++i) {
    Byte& byte = area.bytes[i];
    if (reads && (now->checks & UNINITIALISED) && byte.filled != block_run)
      fail("%s byte %zu of %s, which no thread of the block has written [pc %#llx]", name_of(access), i, area.name,
           offset_of(pc));
    const Stamp* with = nullptr;
    const char* what = "reads";
    if (!ordered(byte.write, me) && !(atomic && byte.write.atomic)) with = &byte.write, what = "writes";
    else if (writes && !ordered(byte.read, me) && !(atomic && byte.read.atomic)) with = &byte.read;
    else if (writes && !ordered(byte.other_read, me) && !(atomic && byte.other_read.atomic)) with = &byte.other_read;
    if (with && (now->checks & RACES)) {
      const Index3 other = fibres[with->thread].index;
      fail("race in %s: %s byte %zu, and thread (%u, %u, %u) %s it too, with nothing between that orders them [pc %#llx]",
           area.name, name_of(access), i, other.x, other.y, other.z, what, offset_of(pc));
    }
    if (writes) {
      byte.write = stamp;
      byte.filled = block_run;
    } else {
      if (byte.read.thread != stamp.thread) byte.other_read = byte.read;
      byte.read = stamp;
    }
  }
}

bool in_arguments(const char* address, size_t size, Access access, const void* pc) {
  for (uint64_t i = 0; i < now->n_regions; ++i) {
    const Region& region = now->regions[i];
    if (address < region.begin || address + size > region.begin + region.size) continue;
    if (is_write(access) && !region.writable)
      fail("%s argument %llu, which is read-only [pc %#llx]", name_of(access), (unsigned long long)i, offset_of(pc));
    return true;
  }
  return false;
}

[[noreturn]] void out_of_bounds(const char* address, size_t size, Access access, const void* pc) {
  long long best = -1, distance = 0;
  for (uint64_t i = 0; i < now->n_regions; ++i) {
    const Region& region = now->regions[i];
    const long long from = region.begin - address;
    const long long beyond = address + (long long)size - (region.begin + region.size);
    const long long far = std::max(from, beyond);
    if (region.begin && (best < 0 || far < distance)) best = (long long)i, distance = far;
  }
  if (best < 0 || distance > (1 << 20))
    fail("%s %zu bytes at %p, which is no memory of the kernel's [pc %#llx]", name_of(access), size,
         static_cast<const void*>(address), offset_of(pc));
  fail("%s %zu bytes at byte %lld of argument %lld, which has %llu bytes [pc %#llx]", name_of(access), size,
       (long long)(address - now->regions[best].begin), best, (unsigned long long)now->regions[best].size,
       offset_of(pc));
}

void check(const volatile void* where, size_t size, Access access, const void* pc) {
  if (!current) return;
  if (!(++n_accesses & 0xffff)) check_time();
  const char* address = static_cast<const char*>(const_cast<const void*>(where));
  if (address >= current->stack && address + size <= current->stack + STACK) return;
  if (dynamic.holds(address)) return check_shared(dynamic, address, size, access, pc);
  if (in_library.holds(address)) return check_shared(in_library, address, size, access, pc);
  if (in_arguments(address, size, access, pc)) return;
  if (image_of_kernels().holds(address) || own.holds(address)) return;  // constants, threadIdx
  const char* past = dynamic.begin + dynamic.size;
  if (address >= past && address < past + BEYOND_SHARED && dynamic.begin)
    fail("%s %zu bytes, %td past the end of its %llu bytes of dynamic shared memory [pc %#llx]", name_of(access), size,
         address - past, (unsigned long long)dynamic.size, offset_of(pc));
  out_of_bounds(address, size, access, pc);
}

struct Location {
  const char* file;
  uint32_t line, column;
};

const char* file_of(const Location* where) {
  const char* slash = where->file ? std::strrchr(where->file, '/') : nullptr;
  return slash ? slash + 1 : where->file ? where->file : "?";
}

[[noreturn]] void undefined(const char* what, const void* data) {
  const Location* where = static_cast<const Location*>(data);  // every callback's data begin with it
  if (!current) __builtin_trap();
  fail("%s (%s:%u)", what, file_of(where), where->line);
}

}  // namespace

void begin_checks_of_launch(const Shared& fixed, const void* kernel) {
  running = kernel;
  in_library.begin = fixed.begin;
  in_library.size = uint64_t(fixed.end - fixed.begin);
}

void begin_checks_of_block(unsigned char* shared) {
  dynamic.begin = reinterpret_cast<char*>(shared);
  dynamic.size = now->shared_bytes;
  for (Area* area : {&dynamic, &in_library})
    if (area->bytes.size() < area->size) area->bytes.resize(area->size);
  volatile char* poisoned = in_library.begin;
  for (uint64_t i = 0; i < in_library.size; ++i) poisoned[i] = char(0xCD);
}

void before_atomic(const volatile void* address, size_t size, const void* pc) {
#ifdef GPUVAL_CHECKED
  check(address, size, Access::ATOMIC, pc);
#else
  static_cast<void>(address), static_cast<void>(size), static_cast<void>(pc);
#endif
  before_volatile();
}

}  // namespace gpuval_emulator

using gpuval_emulator::Access;

#define GPUVAL_SEEN(name, size, access) \
  void name(void* address) { gpuval_emulator::check(address, size, access, __builtin_return_address(0)); }
#define GPUVAL_SEEN_VOLATILE(name, size, access)                                        \
  void name(void* address) {                                                            \
    gpuval_emulator::check(address, size, access, __builtin_return_address(0));         \
    if (gpuval_emulator::current) gpuval_emulator::before_volatile();                   \
  }
#define GPUVAL_SEEN_OF(size)                                                            \
  GPUVAL_SEEN(__tsan_read##size, size, Access::READ)                                    \
  GPUVAL_SEEN(__tsan_write##size, size, Access::WRITE)                                  \
  GPUVAL_SEEN(__tsan_unaligned_read##size, size, Access::READ)                          \
  GPUVAL_SEEN(__tsan_unaligned_write##size, size, Access::WRITE)                        \
  GPUVAL_SEEN_VOLATILE(__tsan_volatile_read##size, size, Access::VOLATILE_READ)         \
  GPUVAL_SEEN_VOLATILE(__tsan_volatile_write##size, size, Access::VOLATILE_WRITE)               \
  GPUVAL_SEEN_VOLATILE(__tsan_unaligned_volatile_read##size, size, Access::VOLATILE_READ) \
  GPUVAL_SEEN_VOLATILE(__tsan_unaligned_volatile_write##size, size, Access::VOLATILE_WRITE)

#define GPUVAL_UNDEFINED(name, what) \
  [[noreturn]] void __ubsan_handle_##name(void* data) { gpuval_emulator::undefined(what, data); }

#pragma GCC visibility push(default)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_read_range(void* address, size_t size) {
  gpuval_emulator::check(address, size, Access::READ, __builtin_return_address(0));
}
void __tsan_write_range(void* address, size_t size) {
  gpuval_emulator::check(address, size, Access::WRITE, __builtin_return_address(0));
}
GPUVAL_SEEN_OF(1)
GPUVAL_SEEN_OF(2)
GPUVAL_SEEN_OF(4)
GPUVAL_SEEN_OF(8)
GPUVAL_SEEN_OF(16)

[[noreturn]] void __ubsan_handle_type_mismatch_v1_abort(void* data, void* pointer) {
  struct Data {
    const char* file;
    uint32_t line, column;
    void* type;
    unsigned char log_alignment, kind;
  };
  const Data* seen = static_cast<const Data*>(data);
  char what[160];
  const size_t alignment = size_t(1) << seen->log_alignment;
  if (!pointer)
    std::snprintf(what, sizeof what, "access through a null pointer");
  else if (reinterpret_cast<size_t>(pointer) & (alignment - 1))
    std::snprintf(what, sizeof what, "misaligned access: needs %zu bytes, the address is %zu bytes beyond such a one",
                  alignment, reinterpret_cast<size_t>(pointer) & (alignment - 1));
  else
    std::snprintf(what, sizeof what, "access beyond its object");
  gpuval_emulator::undefined(what, data);
}
GPUVAL_UNDEFINED(out_of_bounds_abort, "index out of the bounds of its array")
GPUVAL_UNDEFINED(shift_out_of_bounds_abort, "shift by as many bits as there are, or of a negative number")
GPUVAL_UNDEFINED(add_overflow_abort, "signed overflow in a sum")
GPUVAL_UNDEFINED(sub_overflow_abort, "signed overflow in a difference")
GPUVAL_UNDEFINED(mul_overflow_abort, "signed overflow in a product")
GPUVAL_UNDEFINED(negate_overflow_abort, "signed overflow in a negation")
GPUVAL_UNDEFINED(divrem_overflow_abort, "division by zero, or of the least number by -1")
GPUVAL_UNDEFINED(pointer_overflow_abort, "overflow of a pointer")
GPUVAL_UNDEFINED(load_invalid_value_abort, "a bool that is neither 0 nor 1")
GPUVAL_UNDEFINED(vla_bound_not_positive_abort, "array of no size")
GPUVAL_UNDEFINED(nonnull_arg_abort, "null argument")
GPUVAL_UNDEFINED(nonnull_return_v1_abort, "null result")
GPUVAL_UNDEFINED(invalid_builtin_abort, "__builtin_clz or __builtin_ctz of 0")
GPUVAL_UNDEFINED(float_cast_overflow_abort, "a float that the integer cannot hold")
GPUVAL_UNDEFINED(builtin_unreachable, "reached what is unreachable")
GPUVAL_UNDEFINED(missing_return, "end of a function without its result")
}
#pragma GCC visibility pop
