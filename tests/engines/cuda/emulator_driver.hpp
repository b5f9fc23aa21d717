// Calls a kernel of any signature with pointers to its arguments, and says what arguments it declares.
#pragma once
#include <cstdio>
#include <type_traits>
#include <utility>

#include "emulator_runtime.hpp"

namespace gpuval_emulator {

template <class T>
constexpr char kind_of() {  // NumPy's letters
  if (std::is_same_v<T, bool>) return 'b';
  if (std::is_floating_point_v<T>) return 'f';
  if (std::is_integral_v<T>) return std::is_signed_v<T> ? 'i' : 'u';
  return 'V';
}

template <class T>
size_t describe(char* to, size_t room) {
  if constexpr (std::is_pointer_v<T>) {
    using Element = std::remove_pointer_t<T>;
    const bool writes = !std::is_const_v<Element>;
    if constexpr (std::is_void_v<Element>) {
      return size_t(std::snprintf(to, room, "%s void ", writes ? "out" : "in"));
    } else {
      using Plain = std::remove_cv_t<Element>;
      return size_t(std::snprintf(to, room, "%s %c%zu ", writes ? "out" : "in", kind_of<Plain>(), sizeof(Plain)));
    }
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "an argument of a kernel is copied bytewise");
    return size_t(std::snprintf(to, room, "scalar %c%zu ", kind_of<T>(), sizeof(T)));
  }
}

template <class... P, size_t... I>
__attribute__((no_sanitize("thread"))) void call(void (*kernel)(P...), void** arguments, const std::integer_sequence<size_t, I...>&) {
  static_cast<void>(arguments);
  kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...);
}

template <class... P>
constexpr std::index_sequence_for<P...> indices(void (*)(P...)) {
  return {};
}

template <class... P>
const char* signature(void (*)(P...)) {
  static char text[8192];
  size_t used = 0;
  text[0] = 0;
  ((used += describe<std::remove_cv_t<P>>(text + used, sizeof text - used)), ...);
  return text;
}

template <auto kernel>
struct Entry {
  static void run(void** arguments) { call(kernel, arguments, indices(kernel)); }
  static const char* declared() { return signature(kernel); }
};

}  // namespace gpuval_emulator
