// A module of any type, called with values of any types: what Sequential is made of.
#pragma once
#include <algorithm>
#include <array>
#include <tuple>
#include <typeinfo>
#include <vector>

#include "any_value.h"
#include "module.h"

namespace strata::nn {

namespace detail {

/// As many tensors go from one module to the next; other values go in a list, without such a limit.
inline constexpr size_t kMostTensors = 6;

template <class T>
inline constexpr bool is_tensors = std::is_same_v<T, Tensor>;
template <class... T>
inline constexpr bool is_tensors<std::tuple<T...>> = sizeof...(T) > 0 && sizeof...(T) <= kMostTensors &&
                                                     (std::is_same_v<T, Tensor> && ...);

/// What is on its way from one module to the next: some tensors, or values of any types.
struct Pack {
  std::array<Tensor, kMostTensors> at;
  size_t size = 0;
  std::optional<std::vector<AnyValue>> values;

  Pack() = default;
  Pack(Tensor t) : size(1) { at[0] = std::move(t); }
  template <class... T>
  requires is_tensors<std::tuple<T...>> Pack(std::tuple<T...> t) : size(sizeof...(T)) {
    std::apply([this](auto&... each) { take({&each...}); }, t);
  }
  explicit Pack(std::vector<AnyValue> v) : values(std::move(v)) {}
  static Pack of(const HookTensors& tensors) {
    Pack out;
    for (const Tensor& t : tensors) out.at[out.size++] = t;
    return out;
  }
  /// The tensors after hooks have seen them; values of other types are not shown to hooks.
  Pack hooked(void (ForwardScope::*see)(HookTensors&), ForwardScope& scope) && {
    HookTensors list(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(size));
    (scope.*see)(list);
    return values ? std::move(*this) : of(list);
  }
  /// The same as values of any types.
  std::vector<AnyValue> take_values() && {
    if (values) return std::move(*values);
    std::vector<AnyValue> out;
    for (size_t i = 0; i < size; ++i) out.emplace_back(std::move(at[i]));
    return out;
  }

 private:
  void take(std::initializer_list<Tensor*> tensors) {
    size_t i = 0;
    for (Tensor* t : tensors) at[i++] = std::move(*t);
  }
};

[[noreturn]] void fail_arity(const Module& module, size_t got);
/// The same of a module whose forward takes `least` to `most` arguments.
[[noreturn]] void fail_argument_count(const Module& module, size_t got, size_t least, size_t most);
[[noreturn]] void fail_result(const std::type_info& wanted, const std::type_info& found);
[[noreturn]] void fail_argument(const Module& module, size_t number, const std::type_info& wanted,
                                const std::type_info& found);
[[noreturn]] void fail_cast(const Module& module, const char* wanted);
[[noreturn]] void fail_count(size_t got, size_t wanted);

/// What a module declares with FORWARD_HAS_DEFAULT_ARGS: arguments by their number.
struct ForwardDefaults {
  template <class M>
  static void fill(std::vector<AnyValue>& arguments) {
    if constexpr (requires { M::strata_forward_defaults(); })
      for (auto& [number, value] : M::strata_forward_defaults())
        if (number == arguments.size()) arguments.push_back(std::move(value));
  }
  template <class M>
  static size_t count() {
    if constexpr (requires { M::strata_forward_defaults(); })
      return M::strata_forward_defaults().size();
    else
      return 0;
  }
};

template <class R>
Pack to_pack(R&& result) {
  using Value = std::decay_t<R>;
  if constexpr (is_tensors<Value>) {
    return Pack(std::forward<R>(result));
  } else {
    std::vector<AnyValue> values;
    values.emplace_back(std::forward<R>(result));
    return Pack(std::move(values));
  }
}

/// Calls `forward`, whose parameters are of the types A, with the values given; what C++ lets be left out may be.
template <class... A>
struct ForwardCall {
  template <class M>
  static Pack run(M& m, std::vector<AnyValue> values) {
    const size_t given = values.size();
    ForwardDefaults::fill<M>(values);
    return run_some(m, given, values, std::make_index_sequence<sizeof...(A) + 1>());
  }

 private:
  template <class M, size_t... N>
  static Pack run_some(M& m, size_t given, std::vector<AnyValue>& values, std::index_sequence<N...>) {
    std::optional<Pack> out;
    (void)((values.size() == N && (out = run_with(m, values, std::make_index_sequence<N>()), true)) || ...);
    if (!out) {
      constexpr size_t kLeftOut = (size_t{0} + ... + can_run<M>(std::make_index_sequence<N>())) - 1;
      fail_argument_count(m, given, sizeof...(A) - std::max(kLeftOut, ForwardDefaults::count<M>()), sizeof...(A));
    }
    return std::move(*out);
  }
  /// Can forward be called with the first of its parameters alone?
  template <class M, size_t... I>
  static constexpr bool can_run(std::index_sequence<I...>) {
    return requires(M & m) { m.forward(std::declval<std::tuple_element_t<I, std::tuple<A...>>>()...); };
  }
  template <class M, size_t... I>
  static std::optional<Pack> run_with(M& m, std::vector<AnyValue>& values, std::index_sequence<I...>) {
    using All = std::tuple<A...>;
    if constexpr (can_run<M>(std::index_sequence<I...>())) {
      [[maybe_unused]] const auto argument =
          [&]<size_t K>(std::integral_constant<size_t, K>) -> std::tuple_element_t<K, All>&& {
        using T = std::decay_t<std::tuple_element_t<K, All>>;
        T* const value = values[K].template try_get<T>();
        if (!value) fail_argument(m, K, typeid(T), values[K].type_info());
        return static_cast<std::tuple_element_t<K, All>&&>(*value);
      };
      return to_pack(m.forward(argument(std::integral_constant<size_t, I>())...));
    } else {
      return std::nullopt;
    }
  }
};

template <class F>
struct ForwardTypes;
template <class M, class R, class... A>
struct ForwardTypes<R (M::*)(A...)> {
  using Call = ForwardCall<A...>;
  static constexpr bool is_callable =
      std::is_copy_constructible_v<std::decay_t<R>> && (std::is_copy_constructible_v<std::decay_t<A>> && ...);
};
template <class M, class R, class... A>
struct ForwardTypes<R (M::*)(A...) const> : ForwardTypes<R (M::*)(A...)> {};
template <class M, class R, class... A>
struct ForwardTypes<R (M::*)(A...) noexcept> : ForwardTypes<R (M::*)(A...)> {};
template <class M, class R, class... A>
struct ForwardTypes<R (M::*)(A...) const noexcept> : ForwardTypes<R (M::*)(A...)> {};

/// Calls `forward` with values of any types: where it is one function and no template.
template <class M>
Pack forward_values(M& m, Pack in) {
  if constexpr (requires { &M::forward; }) {
    using Types = ForwardTypes<decltype(&M::forward)>;
    if constexpr (Types::is_callable) return Types::Call::run(m, std::move(in).take_values());
  }
  fail_arity(m, in.values ? in.values->size() : in.size);
}

/// Calls `forward` with N tensors or more, as many as came in.
template <size_t N, class M>
Pack forward_with(M& m, Pack& in) {
  if constexpr (N > kMostTensors) {
    return forward_values(m, std::move(in));
  } else {
    if (in.size != N) return forward_with<N + 1>(m, in);
    return [&]<size_t... I>(std::index_sequence<I...>)->Pack {
      if constexpr (requires { Pack(m.forward(in.at[I]...)); })
        return Pack(m.forward(std::move(in.at[I])...));
      else
        return forward_values(m, std::move(in));
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
  if constexpr (!is_tensors<Result>) {
    std::vector<AnyValue> values = std::move(pack).take_values();
    if (values.size() != 1) fail_count(values.size(), 1);
    if constexpr (std::is_same_v<Result, AnyValue>)
      return std::move(values[0]);
    else if (auto* const value = values[0].template try_get<Result>())
      return std::move(*value);
    else
      fail_result(typeid(Result), values[0].type_info());
  } else if (pack.values) {
    if (pack.values->size() != 1) fail_count(pack.values->size(), 1);
    return pack.values->front().template get<Result>();
  } else if constexpr (std::is_same_v<Result, Tensor>) {
    if (pack.size != 1) fail_count(pack.size, 1);
    return std::move(pack.at[0]);
  } else {
    if (pack.size != std::tuple_size_v<Result>) fail_count(pack.size, std::tuple_size_v<Result>);
    return [&]<size_t... I>(std::index_sequence<I...>) { return Result(std::move(pack.at[I])...); }
    (std::make_index_sequence<std::tuple_size_v<Result>>());
  }
}

}  // namespace detail

/// Holds any module: `forward` may take and return values of any types, which must be given and asked for exactly.
/// Copies share the module.
class AnyModule {
 public:
  AnyModule() = default;
  template <class M>
  requires detail::is_module<M>
  explicit AnyModule(std::shared_ptr<M> module)
      : forward_(&detail::forward_pack<M>), type_(&typeid(M)), module_(std::move(module)) {}
  template <class M>
  requires detail::is_module<M>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<std::remove_cvref_t<M>>(std::forward<M>(module))) {}
  template <class M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}
  template <class M>
  requires detail::is_module<M> AnyModule& operator=(std::shared_ptr<M> module) {
    return *this = AnyModule(std::move(module));
  }

  /// Calls the module; `forward<std::tuple<Tensor, Tensor>>(x)` where it returns another type than a tensor.
  template <class Result = Tensor, class... Inputs>
  Result forward(Inputs&&... inputs) {
    return detail::unpack<Result>(call(pack(std::forward<Inputs>(inputs)...)));
  }
  /// The same, whatever the type of the result.
  template <class... Inputs>
  AnyValue any_forward(Inputs&&... inputs) {
    return forward<AnyValue>(std::forward<Inputs>(inputs)...);
  }
  detail::Pack call(detail::Pack in) const {
    STRATA_CHECK(module_ != nullptr, "forward: Cannot call forward() on an empty AnyModule");
    try {
      if (detail::ForwardScope::wanted(*module_)) [[unlikely]]
        return watched_call(std::move(in));
      return forward_(*module_, std::move(in));
    } catch (Error& error) {
      detail::name_module(error, *module_);
      throw;
    }
  }
  template <class... Inputs>
  static detail::Pack pack(Inputs&&... inputs) {
    if constexpr (sizeof...(Inputs) > 0 && sizeof...(Inputs) <= detail::kMostTensors &&
                  (std::is_same_v<std::remove_cvref_t<Inputs>, Tensor> && ...)) {
      return detail::Pack(std::tuple<std::remove_cvref_t<Inputs>...>(std::forward<Inputs>(inputs)...));
    } else {
      std::vector<AnyValue> values;
      (values.push_back(to_value(std::forward<Inputs>(inputs))), ...);
      return detail::Pack(std::move(values));
    }
  }

  AnyModule clone(std::optional<Device> device = std::nullopt) const {
    AnyModule copy = *this;
    if (module_) copy.module_ = module_->clone(device);
    return copy;
  }
  /// The module as a `T`, for example a LinearImpl; throws when it is none.
  template <class T>
  requires detail::is_module<T> T& get() const {
    STRATA_CHECK(module_ != nullptr, "Cannot call get() on an empty AnyModule");
    T* m = module_->as<T>();
    if (!m) detail::fail_cast(*ptr(), typeid(T).name());
    return *m;
  }
  /// The same as a holder, for example a Linear, that shares the module.
  template <class Holder>
  requires detail::is_holder<Holder>
  auto get() const -> Holder { return ptr<typename Holder::ContainedType>(); }
  std::shared_ptr<Module> ptr() const {
    STRATA_CHECK(module_ != nullptr, "Cannot call ptr() on an empty AnyModule");
    return module_;
  }
  template <class T>
  std::shared_ptr<T> ptr() const {
    const std::shared_ptr<Module> module = ptr();
    get<T>();
    return std::static_pointer_cast<T>(module);
  }
  /// The type of the module inside.
  const std::type_info& type_info() const {
    STRATA_CHECK(module_ != nullptr, "type_info: Cannot call type_info() on an empty AnyModule");
    return *type_;
  }
  bool is_empty() const noexcept { return module_ == nullptr; }

 private:
  detail::Pack watched_call(detail::Pack in) const {
    detail::ForwardScope scope(*module_);
    if (!scope.has_hooks()) return forward_(*module_, std::move(in));
    in = std::move(in).hooked(&detail::ForwardScope::before, scope);
    return forward_(*module_, std::move(in)).hooked(&detail::ForwardScope::after, scope);
  }
  template <class T>
  static AnyValue to_value(T&& input) {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, AnyValue>)
      return std::forward<T>(input);
    else
      return AnyValue(std::forward<T>(input));
  }

  detail::Pack (*forward_)(Module&, detail::Pack) = nullptr;
  const std::type_info* type_ = nullptr;
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

/// In a module's class: which arguments of `forward` an AnyModule or a Sequential fills in where they are left out, as
/// `FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(2.0)}, {2, AnyValue(true)})` by number, from the first that may be left out.
#define FORWARD_HAS_DEFAULT_ARGS(...)                  \
  friend struct ::strata::nn::detail::ForwardDefaults; \
  static std::vector<std::pair<unsigned, ::strata::nn::AnyValue>> strata_forward_defaults() { return {__VA_ARGS__}; }
