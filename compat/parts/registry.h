// c10's registries: makers of objects under names that programs add where they define the classes, and names of types.
#pragma once
#include <strata/autograd/function.h>
#include <strata/core/error.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "macros.h"

namespace strata {

/// The name of a type as C++ writes it, of that which `typeid(T).name()` is.
inline std::string demangle(const char* name) { return autograd::detail::demangled(name); }
/// The same of T, kept for the rest of the program.
template <class T>
const char* demangle_type() {
  static const std::string name = demangle(typeid(T).name());
  return name.c_str();
}

/// Of two makers under one key the one of higher priority counts; of one priority there is one alone.
enum RegistryPriority { REGISTRY_FALLBACK = 1, REGISTRY_DEFAULT = 2, REGISTRY_PREFERRED = 3 };

/// Makers of objects, each under a key.
template <class Key, class Pointer, class... Args>
class Registry {
 public:
  using Creator = std::function<Pointer(Args...)>;

  void Register(const Key& key, Creator creator, RegistryPriority priority = REGISTRY_DEFAULT) {
    const std::lock_guard lock(mutex_);
    const auto at = makers_.find(key);
    if (at == makers_.end() || at->second.priority < priority)
      makers_[key] = {std::move(creator), priority};
    else if (at->second.priority == priority)
      throw Error("Registry: a key is already registered with the same priority");
  }
  void Register(const Key& key, Creator creator, const std::string& help,
                RegistryPriority priority = REGISTRY_DEFAULT) {
    Register(key, std::move(creator), priority);
    help_[key] = help;
  }
  bool Has(const Key& key) { return makers_.count(key) != 0; }
  /// Null where nothing is registered under the key.
  Pointer Create(const Key& key, Args... args) {
    return Has(key) ? makers_[key].creator(std::forward<Args>(args)...) : nullptr;
  }
  std::vector<Key> Keys() const {
    std::vector<Key> keys;
    for (const auto& [key, maker] : makers_) keys.push_back(key);
    return keys;
  }
  const std::unordered_map<Key, std::string>& HelpMessage() const { return help_; }
  /// Null where there is none.
  const char* HelpMessage(const Key& key) const {
    const auto at = help_.find(key);
    return at == help_.end() ? nullptr : at->second.c_str();
  }

 private:
  struct Maker {
    Creator creator;
    RegistryPriority priority;
  };
  std::mutex mutex_;
  std::unordered_map<Key, Maker> makers_;
  std::unordered_map<Key, std::string> help_;
};

/// Registers a maker where it is defined, which is what the macros below do.
template <class Key, class Pointer, class... Args>
class Registerer {
 public:
  using Owner = Registry<Key, Pointer, Args...>;
  Registerer(const Key& key, Owner* registry, typename Owner::Creator creator, const std::string& help = "") {
    registry->Register(key, std::move(creator), help);
  }
  Registerer(const Key& key, RegistryPriority priority, Owner* registry, typename Owner::Creator creator,
             const std::string& help = "") {
    registry->Register(key, std::move(creator), help, priority);
  }
  template <class Derived>
  static Pointer DefaultCreator(Args... args) {
    return Pointer(new Derived(args...));
  }
};

}  // namespace strata

#define C10_DECLARE_TYPED_REGISTRY(RegistryName, Key, Object, Pointer, ...)            \
  ::strata::Registry<Key, Pointer<Object> __VA_OPT__(, ) __VA_ARGS__>* RegistryName(); \
  typedef ::strata::Registerer<Key, Pointer<Object> __VA_OPT__(, ) __VA_ARGS__> Registerer##RegistryName
#define C10_DEFINE_TYPED_REGISTRY(RegistryName, Key, Object, Pointer, ...)                             \
  ::strata::Registry<Key, Pointer<Object> __VA_OPT__(, ) __VA_ARGS__>* RegistryName() {                \
    static auto* registry = new ::strata::Registry<Key, Pointer<Object> __VA_OPT__(, ) __VA_ARGS__>(); \
    return registry;                                                                                   \
  }                                                                                                    \
  static_assert(true)
#define C10_DEFINE_TYPED_REGISTRY_WITHOUT_WARNING(...) C10_DEFINE_TYPED_REGISTRY(__VA_ARGS__)
#define C10_REGISTER_TYPED_CREATOR(RegistryName, key, ...) \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(key, RegistryName(), ##__VA_ARGS__)
#define C10_REGISTER_TYPED_CREATOR_WITH_PRIORITY(RegistryName, key, priority, ...) \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(key, priority, RegistryName(), ##__VA_ARGS__)
#define C10_REGISTER_TYPED_CLASS(RegistryName, key, ...)                          \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(       \
      key, RegistryName(), Registerer##RegistryName::DefaultCreator<__VA_ARGS__>, \
      ::strata::demangle_type<__VA_ARGS__>())
#define C10_REGISTER_TYPED_CLASS_WITH_PRIORITY(RegistryName, key, priority, ...)            \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(                 \
      key, priority, RegistryName(), Registerer##RegistryName::DefaultCreator<__VA_ARGS__>, \
      ::strata::demangle_type<__VA_ARGS__>())
#define C10_DECLARE_REGISTRY(RegistryName, Object, ...) \
  C10_DECLARE_TYPED_REGISTRY(RegistryName, std::string, Object, std::unique_ptr, ##__VA_ARGS__)
#define C10_DEFINE_REGISTRY(RegistryName, Object, ...) \
  C10_DEFINE_TYPED_REGISTRY(RegistryName, std::string, Object, std::unique_ptr, ##__VA_ARGS__)
#define C10_DEFINE_REGISTRY_WITHOUT_WARNING(...) C10_DEFINE_REGISTRY(__VA_ARGS__)
#define C10_DECLARE_SHARED_REGISTRY(RegistryName, Object, ...) \
  C10_DECLARE_TYPED_REGISTRY(RegistryName, std::string, Object, std::shared_ptr, ##__VA_ARGS__)
#define C10_DEFINE_SHARED_REGISTRY(RegistryName, Object, ...) \
  C10_DEFINE_TYPED_REGISTRY(RegistryName, std::string, Object, std::shared_ptr, ##__VA_ARGS__)
#define C10_DEFINE_SHARED_REGISTRY_WITHOUT_WARNING(...) C10_DEFINE_SHARED_REGISTRY(__VA_ARGS__)
#define C10_REGISTER_CREATOR(RegistryName, key, ...) C10_REGISTER_TYPED_CREATOR(RegistryName, #key, __VA_ARGS__)
#define C10_REGISTER_CREATOR_WITH_PRIORITY(RegistryName, key, priority, ...) \
  C10_REGISTER_TYPED_CREATOR_WITH_PRIORITY(RegistryName, #key, priority, __VA_ARGS__)
#define C10_REGISTER_CLASS(RegistryName, key, ...) C10_REGISTER_TYPED_CLASS(RegistryName, #key, __VA_ARGS__)
#define C10_REGISTER_CLASS_WITH_PRIORITY(RegistryName, key, priority, ...) \
  C10_REGISTER_TYPED_CLASS_WITH_PRIORITY(RegistryName, #key, priority, __VA_ARGS__)
