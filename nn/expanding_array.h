// A fixed number of integers that one integer may stand for: kernel sizes, strides, paddings.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "../core/error.h"

namespace strata {

/// D values; `ExpandingArray<2>(3)` is {3, 3}. Throws when a list has another length.
template <size_t D, class T = int64_t>
class ExpandingArray {
 public:
  ExpandingArray(std::initializer_list<T> list) : ExpandingArray(ArrayRef<T>(list)) {}
  ExpandingArray(const std::vector<T>& list) : ExpandingArray(ArrayRef<T>(list)) {}
  ExpandingArray(ArrayRef<T> list) {
    STRATA_CHECK(list.size() == D, "Expected {} values, but instead got {}", D, list.size());
    std::copy(list.begin(), list.end(), values_.begin());
  }
  ExpandingArray(T one) { values_.fill(one); }
  ExpandingArray(const std::array<T, D>& values) : values_(values) {}

  std::array<T, D>& operator*() { return values_; }
  const std::array<T, D>& operator*() const { return values_; }
  std::array<T, D>* operator->() { return &values_; }
  const std::array<T, D>* operator->() const { return &values_; }
  T& operator[](size_t i) { return values_[i]; }
  const T& operator[](size_t i) const { return values_[i]; }
  operator ArrayRef<T>() const { return {values_.data(), D}; }
  size_t size() const { return D; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + D; }

 protected:
  std::array<T, D> values_;
};

/// The same where an entry may be left out: `{5, nullopt}` as the output size of an adaptive pool keeps the input's
/// width.
template <size_t D, class T = int64_t>
class ExpandingArrayWithOptionalElem : public ExpandingArray<D, std::optional<T>> {
 public:
  using ExpandingArray<D, std::optional<T>>::ExpandingArray;
  ExpandingArrayWithOptionalElem(std::initializer_list<T> list)
      : ExpandingArray<D, std::optional<T>>(std::vector<std::optional<T>>(list.begin(), list.end())) {}
  ExpandingArrayWithOptionalElem(const std::vector<T>& list)
      : ExpandingArray<D, std::optional<T>>(std::vector<std::optional<T>>(list.begin(), list.end())) {}
  ExpandingArrayWithOptionalElem(T one) : ExpandingArray<D, std::optional<T>>(std::optional<T>(one)) {}
};

}  // namespace strata
