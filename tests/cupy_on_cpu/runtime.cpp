// The functions of CUDA's runtime as CuPy's module `runtime` offers them to its other modules; that module has the true
// runtime inside, which no driver but the true one answers. runtime.py compares each name and signature with CuPy's.
#include <driver_types.h>

#include <cstring>

#include "device.hpp"

using namespace gpuval_device;

struct PyObject;
extern "C" {  // of Python, whose headers need not be here
extern PyObject _Py_NoneStruct;
void Py_IncRef(PyObject*);
void PyErr_SetObject(PyObject* type, PyObject* value);
PyObject* Py_BuildValue(const char* format, ...);
}

#define EXPORT extern "C" __attribute__((visibility("default")))
// Begins a function of the module by its result and parameters, which are also exported as text.
#define FUNCTION(result, name, ...)                                                     \
  EXPORT const char* const signature_of_##name;                                         \
  const char* const signature_of_##name = #result "(" #__VA_ARGS__ ")";                 \
  EXPORT result gpuval_##name

namespace {

PyObject* (*exception_of)(int status);
PyObject* exception_type;

struct Held : std::lock_guard<std::recursive_mutex> {
  Held() : lock_guard(lock) {}
};

// None, or null with an exception set.
PyObject* done(int status) {
  if (status) {
    PyErr_SetObject(exception_type, exception_of(status));
    return nullptr;
  }
  Py_IncRef(&_Py_NoneStruct);
  return &_Py_NoneStruct;
}

int no_stream() { return failed(INVALID_HANDLE, "what is given for a stream is none"); }
int no_event() { return failed(INVALID_HANDLE, "what is given for an event is none"); }

intptr_t allocated(size_t size, Place place) {
  const Held held;
  if (!size) return 0;
  void* address = allocate(size, place);
  if (!address) done(failed(OUT_OF_MEMORY, "the device has no " + std::to_string(size) + " bytes left"));
  return reinterpret_cast<intptr_t>(address);
}

intptr_t handle_of(void* thing) { return reinterpret_cast<intptr_t>(thing); }
void* at(intptr_t address) { return reinterpret_cast<void*>(address); }

// The host waits for a copy to or from memory of its own that is not pinned: before it returns, that is read or written.
int copy(void* to, const void* from, size_t size, intptr_t handle, bool waits) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return no_stream();
  const auto place_of = [](const void* x) { const Block* block = block_of(x); return block ? block->place : Place::HOST; };
  const Place source = place_of(from), target = place_of(to);
  if (source == Place::DEVICE) ++counts[target == Place::DEVICE ? COPIES : TO_HOST];
  else if (target == Place::DEVICE) ++counts[TO_DEVICE];
  if (!size) return SUCCESS;
  if (source == Place::HOST && !waits) {
    const char* begin = static_cast<const char*>(from);
    add(stream, [to, data = std::string(begin, begin + size)] { std::memcpy(to, data.data(), data.size()); });
    return SUCCESS;
  }
  add(stream, [=] { std::memcpy(to, from, size); });
  return waits || target == Place::HOST ? finish(stream) : SUCCESS;
}

int fill(void* at, int value, size_t size, intptr_t handle) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return no_stream();
  ++counts[FILLS];
  add(stream, [=] { std::memset(at, value, size); });
  return SUCCESS;
}

int waited(int status) {
  ++counts[WAITS];
  return status;
}

}  // namespace

EXPORT void gpuval_set_exceptions(PyObject* type, PyObject* (*of)(int)) {
  exception_type = type;
  exception_of = of;
}

// ---- the device

FUNCTION(int, driverGetVersion, int __pyx_skip_dispatch)(int) { return 13000; }
FUNCTION(int, runtimeGetVersion, int __pyx_skip_dispatch)(int) { return 13000; }
FUNCTION(int, getDevice, int __pyx_skip_dispatch)(int) { return 0; }
FUNCTION(int, getDeviceCount, int __pyx_skip_dispatch)(int) { return 1; }
FUNCTION(PyObject*, setDevice, int, int __pyx_skip_dispatch)(int device, int) {
  return done(device ? failed(INVALID_DEVICE, "there is one device, 0") : SUCCESS);
}
// Of an H100, but for a few processors of few threads: that is quicker. Other attributes are 0.
FUNCTION(int, deviceGetAttribute, int, int, int __pyx_skip_dispatch)(int attribute, int, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: return 2;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return 512;
    case cudaDevAttrMaxSharedMemoryPerBlock: return 48 << 10;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return 227 << 10;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return 228 << 10;
    case cudaDevAttrMaxRegistersPerBlock: case cudaDevAttrMaxRegistersPerMultiprocessor: return 1 << 16;
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxBlockDimX: return 1024;
    case cudaDevAttrMaxGridDimX: return 0x7fffffff;
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrComputeCapabilityMajor: return 9;
    case cudaDevAttrClockRate: return 1000000;
    case cudaDevAttrMemoryPoolsSupported: case cudaDevAttrUnifiedAddressing: return 1;
    default: return 0;
  }
}
FUNCTION(PyObject*, _ensure_context, void)() { return done(SUCCESS); }
FUNCTION(PyObject*, deviceSynchronize, int __pyx_skip_dispatch)(int) {
  const Held held;
  return done(waited(finish_all()));
}
FUNCTION(PyObject*, memGetInfo, int __pyx_skip_dispatch)(int) {
  const Held held;
  return Py_BuildValue("nn", MEMORY - used, MEMORY);
}

// ---- memory

FUNCTION(intptr_t, malloc, size_t, int __pyx_skip_dispatch)(size_t size, int) { return allocated(size, Place::DEVICE); }
FUNCTION(intptr_t, mallocAsync, size_t, intptr_t, int __pyx_skip_dispatch)(size_t size, intptr_t, int) { return allocated(size, Place::DEVICE); }
FUNCTION(intptr_t, hostAlloc, size_t, unsigned int, int __pyx_skip_dispatch)(size_t size, unsigned, int) { return allocated(size, Place::PINNED); }
FUNCTION(PyObject*, free, intptr_t, int __pyx_skip_dispatch)(intptr_t address, int) {
  const Held held;
  if (!address) return done(SUCCESS);
  const int status = finish_all();
  return done(release(at(address)) ? status : failed(INVALID_VALUE, "memory is given back that was not handed out"));
}
FUNCTION(PyObject*, freeHost, intptr_t, int __pyx_skip_dispatch)(intptr_t address, int) {
  const Held held;
  const int status = finish_all();
  return done(release(at(address)) ? status : failed(INVALID_VALUE, "memory is given back that was not handed out"));
}
FUNCTION(PyObject*, freeAsync, intptr_t, intptr_t, int __pyx_skip_dispatch)(intptr_t address, intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return done(no_stream());
  add(stream, [=] {
    if (!release(at(address))) work_failed("memory is given back that was not handed out");
  });
  return done(SUCCESS);
}
FUNCTION(PyObject*, memcpy, intptr_t, intptr_t, size_t, int, int __pyx_skip_dispatch)(intptr_t to, intptr_t from, size_t size, int, int) {
  return done(copy(at(to), at(from), size, 0, true));
}
FUNCTION(PyObject*, memcpyAsync, intptr_t, intptr_t, size_t, int, intptr_t, int __pyx_skip_dispatch)
(intptr_t to, intptr_t from, size_t size, int, intptr_t stream, int) { return done(copy(at(to), at(from), size, stream, false)); }
FUNCTION(PyObject*, memset, intptr_t, int, size_t, int __pyx_skip_dispatch)(intptr_t address, int value, size_t size, int) {
  return done(fill(at(address), value, size, 0));
}
FUNCTION(PyObject*, memsetAsync, intptr_t, int, size_t, intptr_t, int __pyx_skip_dispatch)(intptr_t address, int value, size_t size, intptr_t stream, int) {
  return done(fill(at(address), value, size, stream));
}

FUNCTION(int, pointerGetMemoryType, intptr_t, int __pyx_skip_dispatch)(intptr_t address, int) {
  const Held held;
  const Block* block = block_of(at(address));
  return !block ? 0 : block->place == Place::PINNED ? 1 : 2;
}

// ---- streams and events

FUNCTION(intptr_t, streamCreate, int __pyx_skip_dispatch)(int) {
  const Held held;
  return handle_of(new_stream(true));
}
FUNCTION(intptr_t, streamCreateWithFlags, unsigned int, int __pyx_skip_dispatch)(unsigned flags, int) {
  const Held held;
  return handle_of(new_stream(!(flags & 1)));
}
FUNCTION(intptr_t, streamCreateWithPriority, unsigned int, int, int __pyx_skip_dispatch)(unsigned flags, int, int) {
  const Held held;
  return handle_of(new_stream(!(flags & 1)));
}
FUNCTION(unsigned int, streamGetFlags, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return done(no_stream()), 0;
  return uintptr_t(handle) > 2 && !waits_for_default(stream);
}
FUNCTION(PyObject*, streamDestroy, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  return done(remove(reinterpret_cast<Stream*>(handle)) ? SUCCESS : no_stream());
}
FUNCTION(PyObject*, streamSynchronize, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  return done(waited(stream ? finish(stream) : no_stream()));
}
FUNCTION(PyObject*, streamQuery, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  return Py_BuildValue("i", !stream ? no_stream() : is_done(stream) ? SUCCESS : NOT_READY);
}
FUNCTION(PyObject*, streamWaitEvent, intptr_t, intptr_t, int __pyx_skip_dispatch, struct __pyx_opt_args_13cupy_backends_4cuda_3api_7runtime_streamWaitEvent* __pyx_optional_args)
(intptr_t handle, intptr_t event, int, void*) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream || !is_event(uintptr_t(event))) return done(stream ? no_event() : no_stream());
  wait(stream, reinterpret_cast<Event*>(event));
  return done(SUCCESS);
}
FUNCTION(intptr_t, eventCreate, int __pyx_skip_dispatch)(int) {
  const Held held;
  return handle_of(new_event());
}
FUNCTION(intptr_t, eventCreateWithFlags, unsigned int, int __pyx_skip_dispatch)(unsigned, int) {
  const Held held;
  return handle_of(new_event());
}
FUNCTION(PyObject*, eventDestroy, intptr_t, int __pyx_skip_dispatch)(intptr_t event, int) {
  const Held held;
  return done(remove(reinterpret_cast<Event*>(event)) ? SUCCESS : no_event());
}
FUNCTION(PyObject*, eventRecord, intptr_t, intptr_t, int __pyx_skip_dispatch)(intptr_t event, intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream || !is_event(uintptr_t(event))) return done(stream ? no_event() : no_stream());
  record(reinterpret_cast<Event*>(event), stream);
  return done(SUCCESS);
}
FUNCTION(PyObject*, eventSynchronize, intptr_t, int __pyx_skip_dispatch)(intptr_t event, int) {
  const Held held;
  return done(waited(is_event(uintptr_t(event)) ? finish(reinterpret_cast<Event*>(event)) : no_event()));
}
FUNCTION(PyObject*, eventQuery, intptr_t, int __pyx_skip_dispatch)(intptr_t event, int) {
  const Held held;
  const bool known = is_event(uintptr_t(event));
  return Py_BuildValue("i", !known ? no_event() : is_done(reinterpret_cast<Event*>(event)) ? SUCCESS : NOT_READY);
}
FUNCTION(float, eventElapsedTime, intptr_t, intptr_t, int __pyx_skip_dispatch)(intptr_t, intptr_t, int) { return 1; }

// ---- graphs

FUNCTION(PyObject*, streamBeginCapture, intptr_t, int __pyx_skip_dispatch, struct __pyx_opt_args_13cupy_backends_4cuda_3api_7runtime_streamBeginCapture* __pyx_optional_args)
(intptr_t handle, int, void*) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream || uintptr_t(handle) <= 2) return done(stream ? failed(CAPTURE_UNSUPPORTED, "the default stream cannot be captured") : no_stream());
  begin_capture(stream);
  return done(SUCCESS);
}
FUNCTION(intptr_t, streamEndCapture, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream || !is_captured(stream)) return done(no_stream()), 0;
  return handle_of(end_capture(stream));
}
FUNCTION(int, streamIsCapturing, intptr_t, int __pyx_skip_dispatch)(intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return done(no_stream()), -1;
  return is_captured(stream);
}
FUNCTION(intptr_t, graphInstantiate, intptr_t, int __pyx_skip_dispatch)(intptr_t graph, int) { return graph; }
FUNCTION(PyObject*, graphDestroy, intptr_t, int __pyx_skip_dispatch)(intptr_t, int) { return done(SUCCESS); }
FUNCTION(PyObject*, graphExecDestroy, intptr_t, int __pyx_skip_dispatch)(intptr_t, int) { return done(SUCCESS); }
FUNCTION(PyObject*, graphUpload, intptr_t, intptr_t, int __pyx_skip_dispatch)(intptr_t, intptr_t, int) { return done(SUCCESS); }
FUNCTION(PyObject*, graphLaunch, intptr_t, intptr_t, int __pyx_skip_dispatch)(intptr_t graph, intptr_t handle, int) {
  const Held held;
  Stream* stream = stream_of(uintptr_t(handle));
  if (!stream) return done(no_stream());
  replay(reinterpret_cast<Graph*>(graph), stream);
  return done(SUCCESS);
}

// For what stands in for thrust and cuBLAS, which work at once: what is before it on the stream is done first. It counts
// as a launch, and nobody waits.
EXPORT int gpuval_before_a_library(uintptr_t handle) {
  const Held held;
  Stream* stream = stream_of(handle);
  if (!stream) return no_stream();
  ++counts[LAUNCHES];
  launched.push_back("library");
  return finish(stream);
}
