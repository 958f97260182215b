// Classes that programs hand to TorchScript: counted objects, the pointers to them, and `torch::class_`, which names
// them.
#pragma once
#include <strata/autograd/node.h>
#include <strata/core/intrusive.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "check.h"
#include "ivalue.h"
#include "library.h"

namespace strata {

/// An object that counts who points to it; made by make_intrusive.
class intrusive_ptr_target {
 public:
  void retain() const { references_.retain(); }
  void release() const {
    if (references_.release()) delete this;
  }
  size_t use_count() const { return references_.count(); }

 protected:
  intrusive_ptr_target() = default;
  // A copy is pointed to by nobody yet but its maker.
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target() = default;

 private:
  mutable RefCount references_;
};

namespace detail {
// A class may have a retain or release of its own, which is not meant.
inline void retain(const intrusive_ptr_target* object) { object->retain(); }
inline void release(const intrusive_ptr_target* object) { object->release(); }
inline size_t use_count(const intrusive_ptr_target* object) { return object->use_count(); }
inline void retain(autograd::Node* node) { node->retain(); }
inline void release(autograd::Node* node) { node->release(); }
inline size_t use_count(const autograd::Node* node) { return node->use_count(); }
}  // namespace detail

/// Shares an object that counts its pointers, a node of the backward graph too: c10::intrusive_ptr.
template <class T>
class intrusive_ptr {
 public:
  using element_type = T;

  intrusive_ptr() noexcept = default;
  intrusive_ptr(std::nullptr_t) noexcept {}
  intrusive_ptr(const intrusive_ptr& other) noexcept : intrusive_ptr(other.get(), Shared()) {}
  intrusive_ptr(intrusive_ptr&& other) noexcept : pointer_(other.release()) {}
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U*, T*>) intrusive_ptr(const intrusive_ptr<U>& other)
  noexcept : intrusive_ptr(other.get(), Shared()) {}
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U*, T*>) intrusive_ptr(intrusive_ptr<U>&& other)
  noexcept : pointer_(other.release()) {}
  /// A node, as Tensor::grad_fn and edges give it.
  intrusive_ptr(const std::shared_ptr<autograd::Node>& node) requires(std::is_same_v<T, autograd::Node>)
      : pointer_(autograd::shared_with_graph(node).detach()) {}
  intrusive_ptr(IntrusivePtr<autograd::Node> node) noexcept requires(std::is_same_v<T, autograd::Node>)
      : pointer_(node.detach()) {}
  operator IntrusivePtr<autograd::Node>() const requires(std::is_base_of_v<autograd::Node, T>) {
    return IntrusivePtr<autograd::Node>::share(pointer_);
  }
  intrusive_ptr& operator=(intrusive_ptr other) noexcept { return swap(other), *this; }
  ~intrusive_ptr() { reset(); }

  /// A new object of these arguments.
  template <class... A>
  static intrusive_ptr make(A&&... arguments) {
    return reclaim(new T(std::forward<A>(arguments)...));
  }
  /// Takes over a reference that `release` gave away.
  static intrusive_ptr reclaim(T* owned) {
    intrusive_ptr out;
    out.pointer_ = owned;
    return out;
  }
  /// Shares what the caller goes on pointing to.
  static intrusive_ptr reclaim_copy(T* shared) { return intrusive_ptr(shared, Shared()); }

  /// What a function keeps for its gradient.
  operator Value() const requires(std::is_base_of_v<intrusive_ptr_target, T>) { return IValue(*this); }

  T* get() const noexcept { return pointer_; }
  T& operator*() const noexcept { return *pointer_; }
  T* operator->() const noexcept { return pointer_; }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  bool defined() const noexcept { return pointer_ != nullptr; }
  size_t use_count() const noexcept { return pointer_ ? detail::use_count(pointer_) : 0; }
  bool unique() const noexcept { return use_count() == 1; }
  void reset() noexcept {
    if (T* const mine = release()) detail::release(mine);
  }
  /// Gives the reference to the caller, who gives it back by `reclaim`.
  T* release() noexcept { return std::exchange(pointer_, nullptr); }
  void swap(intrusive_ptr& other) noexcept { std::swap(pointer_, other.pointer_); }

  template <class U>
  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr<U>& b) {
    return a.get() == b.get();
  }
  friend bool operator==(const intrusive_ptr& a, std::nullptr_t) { return !a.defined(); }
  friend bool operator<(const intrusive_ptr& a, const intrusive_ptr& b) { return std::less<T*>()(a.get(), b.get()); }

 private:
  struct Shared {};
  intrusive_ptr(T* pointer, Shared) noexcept : pointer_(pointer) {
    if (pointer) detail::retain(pointer);
  }

  T* pointer_ = nullptr;
};

/// A new counted object: c10::make_intrusive.
template <class T, class... A>
intrusive_ptr<T> make_intrusive(A&&... arguments) {
  return intrusive_ptr<T>::make(std::forward<A>(arguments)...);
}
template <class To, class From>
intrusive_ptr<To> static_intrusive_pointer_cast(const intrusive_ptr<From>& from) {
  return intrusive_ptr<To>::reclaim_copy(static_cast<To*>(from.get()));
}
template <class To, class From>
intrusive_ptr<To> dynamic_intrusive_pointer_cast(const intrusive_ptr<From>& from) {
  return intrusive_ptr<To>::reclaim_copy(dynamic_cast<To*>(from.get()));
}
template <class To>
intrusive_ptr<To> static_intrusive_pointer_cast(const std::shared_ptr<autograd::Node>& from) {
  return static_intrusive_pointer_cast<To>(intrusive_ptr<autograd::Node>(from));
}
template <class To>
intrusive_ptr<To> dynamic_intrusive_pointer_cast(const std::shared_ptr<autograd::Node>& from) {
  return dynamic_intrusive_pointer_cast<To>(intrusive_ptr<autograd::Node>(from));
}

/// The base of classes that programs register for TorchScript.
struct CustomClassHolder : intrusive_ptr_target {};

template <class T>
IValue::IValue(const intrusive_ptr<T>& object) {
  static_assert(std::is_base_of_v<CustomClassHolder, T>,
                "IValue: a class whose objects it holds derives from torch::CustomClassHolder");
  if (!object.defined()) return;
  const auto let_go = [](CustomClassHolder* held) { detail::release(held); };
  CustomClassHolder* const held = intrusive_ptr<T>(object).release();
  *this = IValue(Value::object(std::shared_ptr<CustomClassHolder>(held, let_go)));
}
template <class T>
intrusive_ptr<T> Value::toCustomClass() const {
  auto* const object = dynamic_cast<T*>(static_cast<CustomClassHolder*>(toObjectRef().get()));
  TORCH_CHECK(object != nullptr, "toCustomClass: the object is not one of ",
              autograd::detail::demangled(typeid(T).name()));
  return intrusive_ptr<T>::reclaim_copy(object);
}
/// A new object of the class as a value.
template <class T, class... A>
IValue make_custom_class(A&&... arguments) {
  return make_intrusive<T>(std::forward<A>(arguments)...);
}

namespace detail {
template <class... A>
struct ConstructorOf {};
template <class F>
struct FactoryOf {
  F make;
};
}  // namespace detail
/// What `class_::def` makes objects with: the arguments of a constructor, or a function that gives a pointer.
template <class... A>
detail::ConstructorOf<A...> init() {
  return {};
}
template <class F>
detail::FactoryOf<F> init(F make) {
  return {std::move(make)};
}
/// The name of a method's argument, and what it is when left out.
struct arg {
  explicit arg(std::string name) : name_(std::move(name)) {}
  static arg none() { return arg(""); }
  template <class T>
  arg operator=(const T&) const {
    return *this;
  }
  std::string name_;
};

/// Tells TorchScript of a class: `torch::class_<Stack>("mine", "Stack").def(torch::init<int64_t>()).def("pop",
/// &Stack::pop)`. Scripts are not run here, so nobody ever asks for what it is told: the types of constructors and
/// methods are checked, and the class goes on as any other.
template <class T>
class class_ {
  static_assert(std::is_base_of_v<CustomClassHolder, T>,
                "torch::class_<T> requires T to inherit from CustomClassHolder");

 public:
  using Pointer = intrusive_ptr<T>;
  using Defaults = std::initializer_list<arg>;

  explicit class_(const std::string& space, const std::string& name, const std::string& /*doc*/ = "") {
    TORCH_CHECK(!space.empty() && !name.empty(), "torch::class_: a class needs a namespace and a name");
  }

  template <class... A>
  class_& def(detail::ConstructorOf<A...> /*constructor*/, const std::string& /*doc*/ = "", Defaults /*given*/ = {}) {
    static_assert(std::is_constructible_v<T, A...>, "torch::init: the class has no such constructor");
    return *this;
  }
  template <class F>
  class_& def(const detail::FactoryOf<F>& /*factory*/, const std::string& /*doc*/ = "", Defaults /*given*/ = {}) {
    return *this;
  }
  template <class F>
  class_& def(const std::string& /*name*/, F /*method*/, const std::string& /*doc*/ = "", Defaults /*given*/ = {}) {
    static_assert(std::is_member_function_pointer_v<F> || std::is_class_v<F> || std::is_pointer_v<F>,
                  "torch::class_::def: not a method");
    return *this;
  }
  template <class F>
  class_& def_static(const std::string& /*name*/, F /*function*/, const std::string& /*doc*/ = "") {
    return *this;
  }
  template <class Get>
  class_& def_property(const std::string& /*name*/, Get /*get*/, const std::string& /*doc*/ = "") {
    return *this;
  }
  template <class Get, class Set>
  requires(!std::convertible_to<Set, std::string>) class_& def_property(const std::string& /*name*/, Get /*get*/,
                                                                        Set /*set*/, const std::string& /*doc*/ = "") {
    return *this;
  }
  template <class V>
  class_& def_readwrite(const std::string& /*name*/, V T::* /*member*/) {
    return *this;
  }
  template <class V>
  class_& def_readonly(const std::string& /*name*/, V T::* /*member*/) {
    return *this;
  }
  template <class Get, class Set>
  class_& def_pickle(Get /*state_of*/, Set /*object_of*/) {
    static_assert(std::is_invocable_v<Get, const Pointer&>, "torch::class_::def_pickle: __getstate__ takes the object");
    return *this;
  }
};

template <class T>
class_<T> Library::class_(const std::string& name, const std::string& doc) {
  return strata::class_<T>(space_, name, doc);
}

}  // namespace strata

template <class T>
struct std::hash<strata::intrusive_ptr<T>> {
  size_t operator()(const strata::intrusive_ptr<T>& pointer) const { return std::hash<T*>()(pointer.get()); }
};
