// TORCH_LIBRARY: functions of tensors registered under names and dispatch keys, and found again by name.
#pragma once
#include <strata/strata.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>

#include "check.h"

namespace strata {
namespace compat {

/// A plain function whatever its type.
struct Kernel {
  std::type_index type;
  void (*function)();
};
/// The kernels of all registered functions: by qualified name, then by dispatch key.
inline std::map<std::string, std::map<std::string, Kernel>, std::less<>>& registered_kernels() {
  static std::map<std::string, std::map<std::string, Kernel>, std::less<>> kernels;
  return kernels;
}

template <class F>
auto plain_function(F f) {
  if constexpr (std::is_pointer_v<F>)
    return f;
  else
    return +f;  // a lambda that captures nothing
}
inline bool asks_for_gradient(const Tensor& t) { return t.defined() && t.requires_grad(); }
template <class T>
bool asks_for_gradient(const T&) {
  return false;
}
inline bool is_on_cuda(const Tensor& t) { return t.defined() && t.is_cuda(); }
template <class T>
bool is_on_cuda(const T&) {
  return false;
}

}  // namespace compat

/// Layers and devices by c10's names, as far as programs switch them off.
enum class DispatchKey {
  Undefined,
  CPU,
  CUDA,
  ADInplaceOrView,
  Autograd,
  AutogradCPU,
  AutogradCUDA,
  Autocast,
  AutocastCPU,
  AutocastCUDA
};

namespace impl {
/// Inside, a layer does nothing: no casts of autocast, or no records.
class ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(DispatchKey key)
      : cpu_(autocast::is_autocast_enabled(kCPU)),
        cuda_(autocast::is_autocast_enabled(kCUDA)),
        records_(GradMode::is_enabled()) {
    if (key >= DispatchKey::Autocast) {
      autocast::set_autocast_enabled(kCPU, false);
      autocast::set_autocast_enabled(kCUDA, false);
    } else if (key >= DispatchKey::Autograd) {
      GradMode::set_enabled(false);
    }
  }
  ~ExcludeDispatchKeyGuard() {
    autocast::set_autocast_enabled(kCPU, cpu_);
    autocast::set_autocast_enabled(kCUDA, cuda_);
    GradMode::set_enabled(records_);
  }
  ExcludeDispatchKeyGuard(const ExcludeDispatchKeyGuard&) = delete;
  ExcludeDispatchKeyGuard& operator=(const ExcludeDispatchKeyGuard&) = delete;

 private:
  bool cpu_, cuda_, records_;
};
}  // namespace impl

namespace autocast {
/// `x` in `dtype` where autocast casts it: floating, not float64, on that kind of device.
inline Tensor cached_cast(DType dtype, const Tensor& x, DeviceType device = kCUDA) {
  const bool eligible = x.defined() && x.is_floating_point() && x.dtype() != kDouble && x.device().type() == device;
  return eligible ? x.to(dtype) : x;
}
inline std::optional<Tensor> cached_cast(DType dtype, const std::optional<Tensor>& x, DeviceType device = kCUDA) {
  return x ? std::optional(cached_cast(dtype, *x, device)) : std::nullopt;
}
/// Older names of the switches.
inline bool is_enabled() { return is_autocast_enabled(kCUDA); }
inline void set_enabled(bool on) { set_autocast_enabled(kCUDA, on); }
inline DType get_autocast_gpu_dtype() { return get_autocast_dtype(kCUDA); }
inline void set_autocast_gpu_dtype(DType dtype) { set_autocast_dtype(kCUDA, dtype); }
/// How many scopes with autocast this thread is in, counted by programs that make their own, which then clear the
/// cache.
inline int& nesting() {
  thread_local int depth = 0;
  return depth;
}
inline int increment_nesting() { return ++nesting(); }
inline int decrement_nesting() { return --nesting(); }
}  // namespace autocast

/// A registered function with its type: `call` runs the kernel of the highest key that has one.
template <class F>
class TypedOperatorHandle;
template <class R, class... A>
class TypedOperatorHandle<R(A...)> {
 public:
  /// Throws where a kernel is of another type.
  explicit TypedOperatorHandle(std::string name) : name_(std::move(name)) {
    for (const auto& [key, kernel] : compat::registered_kernels().at(name_)) check(kernel);
  }
  R call(A... arguments) const {
    const bool gradient = GradMode::is_enabled() && (compat::asks_for_gradient(arguments) || ...);
    const bool cuda = (compat::is_on_cuda(arguments) || ...);
    const auto& kernels = compat::registered_kernels().at(name_);
    const bool casts = autocast::is_autocast_enabled(cuda ? kCUDA : kCPU);
    for (const char* key : {casts ? (cuda ? "AutocastCUDA" : "AutocastCPU") : "", casts && cuda ? "Autocast" : "",
                            gradient ? "Autograd" : "", gradient ? (cuda ? "AutogradCUDA" : "AutogradCPU") : "",
                            cuda ? "CUDA" : "CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd"}) {
      const auto found = kernels.find(key);
      if (found == kernels.end()) continue;
      check(found->second);
      return reinterpret_cast<R (*)(A...)>(found->second.function)(std::forward<A>(arguments)...);
    }
    throw NotImplementedError(str("Could not run '", name_, "' with arguments from the '", cuda ? "CUDA" : "CPU",
                                  "' backend: it has no kernel for it"));
  }

 private:
  void check(const compat::Kernel& kernel) const {
    if (kernel.type != typeid(R(*)(A...)))
      throw Error(str("Tried to access or call an operator with a wrong signature: ", name_));
  }

  std::string name_;
};

/// A registered function before its type is given.
class OperatorHandle {
 public:
  explicit OperatorHandle(std::string name) : name_(std::move(name)) {}
  template <class F>
  TypedOperatorHandle<F> typed() const {
    return TypedOperatorHandle<F>(name_);
  }

 private:
  std::string name_;
};

/// Finds registered functions: `Dispatcher::singleton().findSchemaOrThrow("mine::add", "").typed<…>().call(a, b)`.
class Dispatcher {
 public:
  static Dispatcher& singleton() {
    static Dispatcher dispatcher;
    return dispatcher;
  }
  OperatorHandle findSchemaOrThrow(const char* name, const char* /*overload*/) const {
    if (!compat::registered_kernels().contains(name)) throw Error(str("Could not find schema for ", name, "."));
    return OperatorHandle(name);
  }
};

template <class T>
class class_;

/// What a library is given in the place of a kernel: none, so that the layer below is called.
class CppFunction {
 public:
  static CppFunction makeFallthrough() { return {}; }

 private:
  CppFunction() = default;
};
namespace autograd {
/// Has libtorch refuse the gradient of a function; here what its kernel calls is recorded.
inline CppFunction autogradNotImplementedFallback() { return CppFunction::makeFallthrough(); }
}  // namespace autograd

/// What TORCH_LIBRARY's block is given to register functions with.
class Library {
 public:
  Library(std::string space, std::string key) : space_(std::move(space)), key_(std::move(key)) {}

  /// Declares `name(…) -> …`, or a bare name, without a kernel.
  Library& def(std::string_view schema) {
    compat::registered_kernels()[qualified(schema)];
    return *this;
  }
  /// The same with a kernel for all devices.
  template <class F>
  Library& def(std::string_view schema, F f) {
    return add(schema, "CompositeImplicitAutograd", f);
  }
  /// A kernel for this block's key, or for the device named.
  template <class F>
  Library& impl(std::string_view name, F f) {
    return add(name, key_, f);
  }
  Library& impl(std::string_view /*name*/, const CppFunction& /*none*/) { return *this; }
  Library& fallback(const CppFunction& /*none*/) { return *this; }
  template <class F>
  Library& impl(std::string_view name, DeviceType device, F f) {
    return add(name, device == kCUDA ? "CUDA" : "CPU", f);
  }
  /// Tells TorchScript of a class of this library: see strata::class_.
  template <class T>
  strata::class_<T> class_(const std::string& name, const std::string& doc = "");

 private:
  std::string qualified(std::string_view schema) const {
    const std::string name(schema.substr(0, schema.find('(')));
    return name.find("::") == name.npos ? space_ + "::" + name : name;
  }
  template <class F>
  Library& add(std::string_view schema, const std::string& key, F f) {
    const auto function = compat::plain_function(f);
    compat::registered_kernels()[qualified(schema)].insert_or_assign(
        key, compat::Kernel{typeid(function), reinterpret_cast<void (*)()>(function)});
    return *this;
  }
  std::string space_, key_;
};

/// The older way to register: `static auto registry = torch::RegisterOperators().op("mine::add", &add);`.
class RegisterOperators {
 public:
  RegisterOperators() = default;
  template <class F>
  RegisterOperators(std::string_view schema, F f) {
    op(schema, f);
  }
  template <class F>
  RegisterOperators& op(std::string_view schema, F f) {
    Library("", "CompositeImplicitAutograd").def(schema, f);
    return *this;
  }
};

namespace compat {
/// Runs a block of registrations before main.
struct LibraryBlock {
  LibraryBlock(const char* space, const char* key, void (*block)(Library&)) {
    Library library(space, key);
    block(library);
  }
};
}  // namespace compat

}  // namespace strata

#define STRATA_COMPAT_LIBRARY(space, key, m, number)                                    \
  static void C10_CONCATENATE(strata_library_block_, number)(::strata::Library&);       \
  static const ::strata::compat::LibraryBlock C10_CONCATENATE(strata_library_, number)( \
      #space, key, &C10_CONCATENATE(strata_library_block_, number));                    \
  void C10_CONCATENATE(strata_library_block_, number)([[maybe_unused]] ::strata::Library & m)
#define TORCH_LIBRARY(space, m) STRATA_COMPAT_LIBRARY(space, "CompositeImplicitAutograd", m, __COUNTER__)
#define TORCH_LIBRARY_FRAGMENT(space, m) STRATA_COMPAT_LIBRARY(space, "CompositeImplicitAutograd", m, __COUNTER__)
#define TORCH_LIBRARY_IMPL(space, key, m) STRATA_COMPAT_LIBRARY(space, #key, m, __COUNTER__)
/// The same outside of a block: `auto m = MAKE_TORCH_LIBRARY(mine); m.def(...)`.
#define MAKE_TORCH_LIBRARY(space) ::strata::Library(#space, "CompositeImplicitAutograd")
#define MAKE_TORCH_LIBRARY_IMPL(space, key) ::strata::Library(#space, #key)
#define TORCH_FN(f) &f
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(schema) schema
