// A module of any type that can be called with tensors: what Sequential is made of.
#pragma once
#include <array>
#include <tuple>

#include "module.h"

namespace strata::nn {

namespace detail {

/// Some tensors on their way from one module to the next.
struct Pack {
  static constexpr size_t kMost = 6;
  std::array<Tensor, kMost> at;
  size_t size = 0;

  Pack() = default;
  Pack(Tensor t) : size(1) { at[0] = std::move(t); }
  template <class... T>
  requires(sizeof...(T) <= kMost && (std::is_same_v<T, Tensor> && ...)) Pack(std::tuple<T...> t) : size(sizeof...(T)) {
    std::apply([this](auto&... each) { take({&each...}); }, t);
  }
  static Pack of(const HookTensors& tensors) {
    Pack out;
    for (const Tensor& t : tensors) out.at[out.size++] = t;
    return out;
  }
  /// The tensors after hooks have seen them.
  HookTensors hooked(void (ForwardScope::*see)(HookTensors&), ForwardScope& scope) const {
    HookTensors list(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(size));
    (scope.*see)(list);
    return list;
  }

 private:
  void take(std::initializer_list<Tensor*> tensors) {
    size_t i = 0;
    for (Tensor* t : tensors) at[i++] = std::move(*t);
  }
};

[[noreturn]] void fail_arity(const Module& module, size_t got);
[[noreturn]] void fail_cast(const Module& module, const char* wanted);

/// Calls `forward` with N tensors or more, as many as came in.
template <size_t N, class M>
Pack forward_with(M& m, Pack& in) {
  if constexpr (N > Pack::kMost) {
    fail_arity(m, in.size);
  } else {
    if (in.size != N) return forward_with<N + 1>(m, in);
    return [&]<size_t... I>(std::index_sequence<I...>)->Pack {
      if constexpr (requires { Pack(m.forward(in.at[I]...)); })
        return Pack(m.forward(std::move(in.at[I])...));
      else
        fail_arity(m, in.size);
    }
    (std::make_index_sequence<N>());
  }
}

/// Calls `forward` with as many tensors as came in; default arguments fill up the rest.
template <class M>
Pack forward_pack(Module& module, Pack in) {
  return forward_with<1>(static_cast<M&>(module), in);
}

template <class Result>
Result unpack(Pack&& pack) {
  if constexpr (std::is_same_v<Result, Tensor>) {
    STRATA_CHECK(pack.size == 1, "forward: the last module returned {} tensors, asked for one", pack.size);
    return std::move(pack.at[0]);
  } else {
    STRATA_CHECK(pack.size == std::tuple_size_v<Result>, "forward: the last module returned {} tensors, asked for {}",
                 pack.size, std::tuple_size_v<Result>);
    return [&]<size_t... I>(std::index_sequence<I...>) { return Result(std::move(pack.at[I])...); }
    (std::make_index_sequence<std::tuple_size_v<Result>>());
  }
}

}  // namespace detail

/// Holds any module whose `forward` takes and returns tensors. Copies share the module.
class AnyModule {
 public:
  AnyModule() = default;
  template <class M>
  requires detail::is_module<M>
  explicit AnyModule(std::shared_ptr<M> module) : forward_(&detail::forward_pack<M>), module_(std::move(module)) {}
  template <class M>
  requires detail::is_module<M>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<std::remove_cvref_t<M>>(std::forward<M>(module))) {}
  template <class M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}

  /// Calls the module; `forward<std::tuple<Tensor, Tensor>>(x)` where it returns several tensors.
  template <class Result = Tensor, class... Inputs>
  Result forward(Inputs&&... inputs) {
    return detail::unpack<Result>(call(pack(std::forward<Inputs>(inputs)...)));
  }
  detail::Pack call(detail::Pack in) const {
    STRATA_CHECK(module_ != nullptr, "forward: this AnyModule is empty");
    detail::ForwardScope scope(*module_);
    if (!scope.has_hooks()) [[likely]]
      return forward_(*module_, std::move(in));
    in = detail::Pack::of(in.hooked(&detail::ForwardScope::before, scope));
    detail::Pack out = forward_(*module_, std::move(in));
    return detail::Pack::of(out.hooked(&detail::ForwardScope::after, scope));
  }
  template <class... Inputs>
  static detail::Pack pack(Inputs&&... inputs) {
    static_assert(sizeof...(Inputs) > 0 && sizeof...(Inputs) <= detail::Pack::kMost,
                  "forward takes one to six tensors");
    return detail::Pack(std::tuple<std::conditional_t<true, Tensor, Inputs>...>(std::forward<Inputs>(inputs)...));
  }

  AnyModule clone(std::optional<Device> device = std::nullopt) const {
    AnyModule copy = *this;
    if (module_) copy.module_ = module_->clone(device);
    return copy;
  }
  /// The module as a `T`, for example a LinearImpl; throws when it is none.
  template <class T>
  requires detail::is_module<T> T& get() const {
    T* m = module_ ? module_->as<T>() : nullptr;
    if (!m) detail::fail_cast(*ptr(), typeid(T).name());
    return *m;
  }
  /// The same as a holder, for example a Linear, that shares the module.
  template <class Holder>
  requires detail::is_holder<Holder>
  auto get() const -> Holder { return ptr<typename Holder::ContainedType>(); }
  std::shared_ptr<Module> ptr() const {
    STRATA_CHECK(module_ != nullptr, "this AnyModule is empty");
    return module_;
  }
  template <class T>
  std::shared_ptr<T> ptr() const {
    get<T>();
    return std::static_pointer_cast<T>(module_);
  }
  bool is_empty() const noexcept { return module_ == nullptr; }

 private:
  detail::Pack (*forward_)(Module&, detail::Pack) = nullptr;
  std::shared_ptr<Module> module_;
};

/// A module with its name, for `Sequential({{"conv", Conv2d(1, 8, 3)}, {"relu", ReLU()}})`.
class NamedAnyModule {
 public:
  template <class M>
  NamedAnyModule(std::string name, M&& module) : name_(std::move(name)), module_(to_any(std::forward<M>(module))) {}
  const std::string& name() const noexcept { return name_; }
  AnyModule& module() noexcept { return module_; }
  const AnyModule& module() const noexcept { return module_; }

 private:
  template <class M>
  static AnyModule to_any(M&& module) {
    if constexpr (std::is_same_v<std::remove_cvref_t<M>, AnyModule>)
      return std::forward<M>(module);
    else if constexpr (detail::is_holder<M>)
      return AnyModule(module.ptr());
    else
      return AnyModule(std::forward<M>(module));
  }
  std::string name_;
  AnyModule module_;
};

}  // namespace strata::nn
