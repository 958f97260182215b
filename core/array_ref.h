// Borrowed, read-only sequences: what functions take where a caller may write `{2, 3}` or pass a vector.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

namespace strata {

namespace detail {
/// Throws IndexError (error.h).
[[noreturn]] void fail_at(size_t i, size_t size);
}  // namespace detail

/// A view of `size()` consecutive values owned by somebody else; valid while they live (libtorch's ArrayRef).
template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  /// A flag is no list of dims or sizes: `sum(x, true)` does not compile.
  template <std::same_as<bool> B>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) ArrayRef(B)
  = delete;
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(end - begin) {}
  ArrayRef(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& v) : data_(v.data()), size_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&v)[N]) : data_(v), size_(N) {}
  // The list lives until the end of the full expression of the call, as long as the callee needs it.
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(const std::initializer_list<T>& v)
      : data_(v.begin() == v.end() ? nullptr : v.begin()), size_(v.size()) {}
#pragma GCC diagnostic pop

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T* cbegin() const { return begin(); }
  constexpr const T* cend() const { return end(); }
  constexpr auto rbegin() const { return std::reverse_iterator(end()); }
  constexpr auto rend() const { return std::reverse_iterator(begin()); }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  /// The same; throws IndexError from `size()` on.
  constexpr const T& at(size_t i) const {
    if (i >= size_) detail::fail_at(i, size_);
    return data_[i];
  }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr ArrayRef slice(size_t first, size_t n) const { return {data_ + first, n}; }
  constexpr ArrayRef slice(size_t first) const { return {data_ + first, size_ - first}; }
  std::vector<T> vec() const { return {begin(), end()}; }
  constexpr bool equals(ArrayRef o) const {
    if (size_ != o.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if (!(data_[i] == o.data_[i])) return false;
    return true;
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

using IntArrayRef = ArrayRef<int64_t>;
constexpr bool operator==(IntArrayRef a, IntArrayRef b) { return a.equals(b); }

}  // namespace strata
