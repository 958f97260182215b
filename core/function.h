// A copyable callable of any type, lighter to compile than the standard library's.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace strata::detail {

template <class Signature>
class Function;

/// Owns a copy of what it was made from, or nothing. Copies of it are independent, so each thread may have its own.
template <class R, class... Args>
class Function<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::decay_t<F>, Function> && std::is_invocable_r_v<R, F&, Args...>) Function(F&& callable)
      : callable_(new Holder<std::decay_t<F>>(std::forward<F>(callable))) {}
  Function(std::nullptr_t = nullptr) {}
  Function(const Function& other) : callable_(other.callable_ ? other.callable_->clone() : nullptr) {}
  Function(Function&&) noexcept = default;
  Function& operator=(Function other) noexcept {
    callable_.swap(other.callable_);
    return *this;
  }

  explicit operator bool() const { return callable_ != nullptr; }
  /// It must not be empty.
  R operator()(Args... args) const { return callable_->call(std::forward<Args>(args)...); }

 private:
  struct Callable {
    virtual ~Callable() = default;
    virtual R call(Args... args) = 0;
    virtual std::unique_ptr<Callable> clone() const = 0;
  };
  template <class F>
  struct Holder final : Callable {
    template <class G>
    explicit Holder(G&& g) : function(std::forward<G>(g)) {}
    R call(Args... args) override { return function(std::forward<Args>(args)...); }
    std::unique_ptr<Callable> clone() const override { return std::make_unique<Holder>(function); }
    F function;
  };

  std::unique_ptr<Callable> callable_;
};

}  // namespace strata::detail
