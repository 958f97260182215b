// The option fields of nn, optim and data: `LinearOptions(4, 5).bias(false)`.
#pragma once
#include <utility>

/// Declares a private field `name_` with a chainable setter `name(value)` and getters `name()`; may be followed by `=
/// value`.
#define STRATA_ARG(T, name)                                      \
 public:                                                         \
  auto name(const T& new_##name)->decltype(*this) { /* NOLINT */ \
    this->name##_ = new_##name;                                  \
    return *this;                                                \
  }                                                              \
  auto name(T&& new_##name)->decltype(*this) { /* NOLINT */      \
    this->name##_ = std::move(new_##name);                       \
    return *this;                                                \
  }                                                              \
  const T& name() const noexcept { return this->name##_; }       \
  T& name() noexcept { return this->name##_; }                   \
                                                                 \
 private:                                                        \
  T name##_ /* NOLINT */
