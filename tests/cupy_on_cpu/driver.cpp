// The functions of libcuda.so.1 that CuPy's module `driver` looks up, but those that it can do without.
//
// What NVRTC would have compiled is a text here: the word "gpuval", what the library of the kernels is called, the checks
// of the emulator, and a line for each kernel. See compiler.py, which also says where the library lies (`library_of`).
#include <cuda.h>
#include <dlfcn.h>

#include <cstring>
#include <map>
#include <sstream>

#include "../engines/cuda/emulator_runtime.hpp"
#include "device.hpp"

using namespace gpuval_device;
using gpuval_emulator::Launch;
using gpuval_emulator::Region;

namespace {

using gpuval_emulator::Checks;

struct Library {
  std::string path;
  const char* (*launch)(unsigned, const Launch*, void**);
  const char* (*declared)(unsigned);
};

struct Module {
  std::string key;
  std::vector<std::string> names;
  uint64_t checks;
};

struct Function {
  const Module* module;
  unsigned number;
  int most_shared;
};

const char* (*library_of)(const char* key);
int registers = 72;
uint64_t seed;

// What a kernel is given: a copy of its arguments, as the host may change its own at once.
struct Arguments {
  std::vector<std::vector<char>> values;
  std::vector<bool> are_pointers;

  Arguments(const char* declared, void** given) {
    std::istringstream words(declared);
    for (std::string role, code; words >> role >> code; ++given) {
      const bool is_pointer = role != "scalar";
      const size_t size = is_pointer ? sizeof(void*) : std::stoul(code.substr(1));
      values.emplace_back(static_cast<char*>(*given), static_cast<char*>(*given) + size);
      are_pointers.push_back(is_pointer);
      writes.push_back(role == "out");
    }
  }

  // Where the memory lies that it may read; what was not allocated here has no end that is known.
  std::vector<Region> regions() const {
    std::vector<Region> found(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const char* address = nullptr;
      if (are_pointers[i]) std::memcpy(&address, values[i].data(), sizeof address);
      if (!address) continue;
      const Block* block = part_of(address);
      if (block) found[i] = {reinterpret_cast<const char*>(block->begin), block->size, writes[i]};
      else found[i] = {address, UNKNOWN, writes[i]};
    }
    return found;
  }

 private:
  static constexpr uint64_t UNKNOWN = uint64_t(1) << 40;
  std::vector<bool> writes;
};

// The library of a text as it is to be built now; null if there is none. Python is asked, so no lock may be held.
const Library* loaded(const std::string& key) {
  const char* path = library_of(key.c_str());
  std::lock_guard<std::recursive_mutex> held(lock);
  static std::map<std::string, Library> libraries;
  if (!path) return failed(INVALID_IMAGE, "there is no library of the image"), nullptr;
  const auto found = libraries.find(path);
  if (found != libraries.end()) return &found->second;
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return failed(INVALID_IMAGE, dlerror()), nullptr;
  Library& library = libraries[path];
  library.path = path;
  library.launch = reinterpret_cast<const char* (*)(unsigned, const Launch*, void**)>(dlsym(handle, "gpuval_launch"));
  library.declared = reinterpret_cast<const char* (*)(unsigned)>(dlsym(handle, "gpuval_declared"));
  return &library;
}

int refuse(const Function& kernel, const Launch& how) {
  const uint64_t threads = uint64_t(how.block.x) * how.block.y * how.block.z;
  if (int64_t(how.shared_bytes) > kernel.most_shared)
    return failed(INVALID_VALUE, "a launch with " + std::to_string(how.shared_bytes) + " bytes of shared memory, of which " +
                                     std::to_string(kernel.most_shared) + " are allowed");
  if (threads > gpuval_emulator::MAX_THREADS || how.block.z > 64 || !threads)
    return failed(INVALID_VALUE, "a launch with " + std::to_string(threads) + " threads of a block");
  if (!how.grid.x || !how.grid.y || !how.grid.z || how.grid.x > 2147483647u || how.grid.y > 65535 || how.grid.z > 65535)
    return failed(INVALID_VALUE, "a launch with a grid of (" + std::to_string(how.grid.x) + ", " + std::to_string(how.grid.y) +
                                     ", " + std::to_string(how.grid.z) + ") blocks");
  if (kernel.module->checks & Checks::RACES && threads * unsigned(registers) > 65536)  // CuPy's own take fewer
    return failed(OUT_OF_RESOURCES, "a launch whose blocks take " + std::to_string(threads * unsigned(registers)) + " registers");
  return SUCCESS;
}

CUresult done(int status) { return static_cast<CUresult>(status); }

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void gpuval_set_library_of(const char* (*function)(const char*)) { library_of = function; }
EXPORT void gpuval_set_registers(int number) { registers = number; }

EXPORT void gpuval_counts(long long* to) {
  std::lock_guard<std::recursive_mutex> held(lock);
  std::memcpy(to, counts, sizeof counts);
}
EXPORT const char* gpuval_launched() {
  std::lock_guard<std::recursive_mutex> held(lock);
  static std::string text;
  text.clear();
  for (const auto& name : launched) (text += name) += '\n';
  return text.c_str();
}
EXPORT void gpuval_forget() {
  std::lock_guard<std::recursive_mutex> held(lock);
  std::memset(counts, 0, sizeof counts);
  launched.clear();
  streams_launched_on.clear();
}
EXPORT int gpuval_is_only_stream(uintptr_t handle) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return streams_launched_on == std::set<uintptr_t>{handle};
}
EXPORT const char* gpuval_fault() { return fault.c_str(); }
EXPORT const char* gpuval_library_of_fault() { return library_of_fault.c_str(); }
// What lies in no memory of the device is lent to it; whether that is so.
EXPORT int gpuval_lend(void* address, size_t size) {
  std::lock_guard<std::recursive_mutex> held(lock);
  if (block_of(address)) return 0;
  lend(address, size);
  return 1;
}
EXPORT void gpuval_set_part(void* address, size_t size) {
  std::lock_guard<std::recursive_mutex> held(lock);
  set_part(address, size);
}
EXPORT void gpuval_take_back(void* address) {
  std::lock_guard<std::recursive_mutex> held(lock);
  take_back(address);
}
// Have done what stands before on a stream, without counting that somebody waits.
EXPORT int gpuval_finish(uintptr_t handle) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return finish(stream_of(handle));
}
EXPORT int gpuval_finish_all() {
  std::lock_guard<std::recursive_mutex> held(lock);
  return finish_all();
}

EXPORT CUresult cuGetErrorName(CUresult status, const char** text) {
  static std::string name;
  name = "error " + std::to_string(int(status)) + " of the driver that stands in";
  *text = name.c_str();
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorString(CUresult, const char** text) {
  *text = fault.c_str();
  return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(0x100);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuStreamGetCtx(CUstream, CUcontext* context) { return cuCtxGetCurrent(context); }

EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  std::istringstream lines(static_cast<const char*>(image));
  std::string line, key, checks;
  std::getline(lines, line);
  std::getline(lines, key);
  std::getline(lines, checks);
  if (line != "gpuval") return done(failed(INVALID_IMAGE, "an image that was not compiled here"));
  if (!loaded(key)) return done(INVALID_IMAGE);
  auto* made = new Module{key, {}, std::stoul(checks)};
  while (std::getline(lines, line)) made->names.push_back(line);
  *module = reinterpret_cast<CUmodule>(made);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }  // functions of it may wait in a queue
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const auto* of = reinterpret_cast<const Module*>(module);
  for (unsigned i = 0; i < of->names.size(); ++i)
    if (of->names[i] == name) {
      *function = reinterpret_cast<CUfunction>(new Function{of, i, 48 << 10});
      return CUDA_SUCCESS;
    }
  return done(failed(NOT_FOUND, std::string("no kernel is called ") + name));
}

EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = registers; break;
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = gpuval_emulator::MAX_THREADS; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = reinterpret_cast<Function*>(function)->most_shared;
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; break;
    default: return done(failed(INVALID_VALUE, "an attribute of functions that is not known here"));
  }
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > int(gpuval_emulator::MAX_SHARED))
    return done(failed(INVALID_VALUE, "a function cannot have the attribute " + std::to_string(value)));
  reinterpret_cast<Function*>(function)->most_shared = value;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* number, CUfunction, int, size_t) {
  *number = 4;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize, size_t, int) {
  *grid = 2;
  *block = 128;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                               unsigned shared, CUstream handle, void** given, void**) {
  const auto& kernel = *reinterpret_cast<const Function*>(function);
  const Module* module = kernel.module;
  const Library* library = loaded(module->key);
  if (!library) return done(INVALID_IMAGE);
  std::lock_guard<std::recursive_mutex> held(lock);
  Stream* stream = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (!stream) return done(failed(INVALID_HANDLE, "a launch on what is no stream"));
  Launch how{{gx, gy, gz}, {bx, by, bz}, shared, ++seed, module->checks, 600, nullptr, 0};
  if (const int refused = refuse(kernel, how)) return done(refused);
  ++counts[LAUNCHES];
  launched.push_back(module->names[kernel.number]);
  streams_launched_on.insert(reinterpret_cast<uintptr_t>(handle));
  const unsigned number = kernel.number;
  add(stream, [=, arguments = Arguments(library->declared(number), given)]() mutable {
    const std::vector<Region> regions = arguments.regions();
    std::vector<void*> pointers;
    for (auto& value : arguments.values) pointers.push_back(value.data());
    how.regions = regions.data();
    how.n_regions = regions.size();
    if (const char* error = library->launch(number, &how, pointers.data()))
      work_failed(module->names[number] + ": " + error, library->path);
  });
  return CUDA_SUCCESS;
}
