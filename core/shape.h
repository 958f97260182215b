// Sizes and strides: a short vector of integers kept inline up to six dimensions, and the arithmetic on it.
#pragma once
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "array_ref.h"

namespace strata {

/// Most dimensions a tensor may have.
inline constexpr int64_t kMaxDims = 64;

/// A vector of int64 that stays inside the object up to `kInline` entries; sizes, strides, dims and padding lists.
class DimVector {
 public:
  static constexpr uint32_t kInline = 6;
  DimVector() = default;
  DimVector(IntArrayRef v) { assign(v); }
  DimVector(std::initializer_list<int64_t> v) { assign({v.begin(), v.size()}); }
  DimVector(size_t n, int64_t value) {
    resize(n);
    for (size_t i = 0; i < n; ++i) data()[i] = value;
  }
  DimVector(const DimVector& o) { assign(o); }
  DimVector(DimVector&& o) noexcept { steal(o); }
  DimVector& operator=(const DimVector& o) {
    if (this != &o) assign(o);
    return *this;
  }
  DimVector& operator=(DimVector&& o) noexcept {
    if (this == &o) return *this;
    release();
    steal(o);
    return *this;
  }
  DimVector& operator=(IntArrayRef v) {
    assign(v);
    return *this;
  }
  ~DimVector() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return capacity_ > kInline ? heap_ : inline_; }
  const int64_t* data() const { return capacity_ > kInline ? heap_ : inline_; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t& back() { return data()[size_ - 1]; }
  int64_t back() const { return data()[size_ - 1]; }
  operator IntArrayRef() const { return {data(), size_}; }

  void clear() { size_ = 0; }
  /// New entries, if any, are zero.
  void resize(size_t n) {
    int64_t* entries = n > capacity_ ? grow(n) : data();
    if (n > size_) std::memset(entries + size_, 0, (n - size_) * sizeof(int64_t));
    size_ = static_cast<uint32_t>(n);
  }
  /// New entries, if any, are for the caller to write.
  void resize_uninitialized(size_t n) {
    if (n > capacity_) grow(n);
    size_ = static_cast<uint32_t>(n);
  }
  void push_back(int64_t v) {
    int64_t* entries = size_ == capacity_ ? grow(size_ + 1) : data();
    entries[size_++] = v;
  }
  void insert(size_t at, int64_t v) {
    push_back(v);
    for (size_t i = size_ - 1; i > at; --i) std::swap(data()[i], data()[i - 1]);
  }
  void erase(size_t at) {
    for (size_t i = at; i + 1 < size_; ++i) data()[i] = data()[i + 1];
    --size_;
  }
  /// `v` may be a part of this vector from some entry on.
  void assign(IntArrayRef v) {
    if (v.size() > kInline) [[unlikely]] {
      if (v.size() > capacity_) grow(v.size());
      std::memmove(heap_, v.data(), v.size() * sizeof(int64_t));
    } else {
      copy_few(data(), v.data(), v.size());
    }
    size_ = static_cast<uint32_t>(v.size());
  }
  friend bool operator==(const DimVector& a, const DimVector& b) { return IntArrayRef(a).equals(b); }
  friend bool operator==(IntArrayRef a, const DimVector& b) { return a.equals(b); }

 private:
  /// The entries, now on the heap. They are returned because GCC does not follow that data() would give the same.
  [[gnu::noinline, gnu::cold]] int64_t* grow(size_t n) {
    auto* fresh = new int64_t[n + n / 2];
    std::memcpy(fresh, data(), size_ * sizeof(int64_t));
    release();
    heap_ = fresh;
    capacity_ = static_cast<uint32_t>(n + n / 2);
    return fresh;
  }
  void release() {
    if (capacity_ > kInline) delete[] heap_;
    capacity_ = kInline;
  }
  void steal(DimVector& o) {
    size_ = o.size_;
    if (o.capacity_ > kInline) {
      heap_ = o.heap_;
      capacity_ = o.capacity_;
      o.capacity_ = kInline;
      o.size_ = 0;
      return;
    }
    copy_few(inline_, o.inline_, size_);
  }
  /// Copies up to kInline entries. Every call of an op copies a few shapes, and a loop would become a call of memmove.
  /// (GCC does not follow that the first n entries are those that were written.)
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  template <size_t kDone = 0>
  static void copy_few(int64_t* to, const int64_t* from, size_t n) {
    if constexpr (kDone < kInline) {
      if (n <= kDone) return;
      to[kDone] = from[kDone];
      copy_few<kDone + 1>(to, from, n);
    }
  }
#pragma GCC diagnostic pop

  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  union {
    int64_t inline_[kInline];
    int64_t* heap_;
  };
};

namespace detail {
[[noreturn, gnu::cold]] void fail_size_overflow(const char* op, char sign, int64_t a, int64_t b);
[[noreturn, gnu::cold]] void fail_dim(const char* op, int64_t dim, int64_t ndim);
/// The product of sizes that do not multiply plainly: an error, unless a zero makes it zero whatever overflowed.
[[gnu::cold]] int64_t numel_of_unusual(IntArrayRef sizes);
}  // namespace detail

/// `a * b` for sizes, strides and offsets a user gave; throws `op: a * b does not fit in 63 bits` where it would wrap.
inline int64_t checked_mul(int64_t a, int64_t b, const char* op) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    detail::fail_size_overflow(op, '*', a, b);
  return product;
}
/// `a + b`, likewise.
inline int64_t checked_add(int64_t a, int64_t b, const char* op) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    detail::fail_size_overflow(op, '+', a, b);
  return sum;
}
/// `a - b`, likewise.
inline int64_t checked_sub(int64_t a, int64_t b, const char* op) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) [[unlikely]]
    detail::fail_size_overflow(op, '-', a, b);
  return difference;
}

/// Product of the sizes; throws if it (or any partial product) does not fit in 63 bits or a size is negative.
int64_t numel_of(IntArrayRef sizes);
/// Row-major strides.
DimVector contiguous_strides(IntArrayRef sizes);
/// The same into a vector that is there.
inline void set_contiguous_strides(IntArrayRef sizes, DimVector& strides) {
  strides.resize_uninitialized(sizes.size());
  int64_t* const out = strides.data();
  uint64_t running = 1;  // wraps when a size is 0 beside huge ones: those strides are never used
  for (size_t i = sizes.size(); i-- > 0;) {
    out[i] = static_cast<int64_t>(running);
    running *= static_cast<uint64_t>(sizes[i] > 1 ? sizes[i] : 1);
  }
}
/// The strides of `(N, C, ...)`, of 4 or 5 dims, whose channels lie behind the other dims.
DimVector channels_last_strides(IntArrayRef sizes);
/// Are these the strides, but for dims of size 1?
bool is_channels_last(IntArrayRef sizes, IntArrayRef strides);
/// Do the dims of 4 or 5 lie in that order, if maybe with gaps? Strides that suit both orders count as row-major.
bool looks_channels_last(IntArrayRef sizes, IntArrayRef strides);
/// Are these the row-major strides, ignoring dimensions of size 1 (and anything when a size is 0)?
bool is_contiguous(IntArrayRef sizes, IntArrayRef strides);
/// Both answers in one pass.
inline int64_t numel_of(IntArrayRef sizes, IntArrayRef strides, bool& contiguous) {
  int64_t n = 1;
  bool unusual = false, row_major = true;
  for (size_t i = sizes.size(); i-- > 0;) {
    row_major &= sizes[i] == 1 || strides[i] == n;
    unusual |= __builtin_mul_overflow(n, sizes[i], &n);
    unusual |= sizes[i] < 0;
  }
  if (unusual) [[unlikely]]
    n = detail::numel_of_unusual(sizes);
  contiguous = row_major || n == 0;
  return n;
}
/// `dim` counted from the front; throws IndexError naming `op` when it is outside [-ndim, ndim). A 0-dim tensor counts
/// as 1-dim.
inline int64_t wrap_dim(int64_t dim, int64_t ndim, const char* op) {
  const int64_t n = ndim > 1 ? ndim : 1;
  if (dim < -n || dim >= n) [[unlikely]]
    detail::fail_dim(op, dim, ndim);
  return dim < 0 ? dim + n : dim;
}
/// Sorted, distinct, non-negative dims; all dims when `dims` is empty; throws on a repeated dim.
DimVector wrap_dims(IntArrayRef dims, int64_t ndim, const char* op);
/// The broadcast of two shapes; throws `op: shapes (2, 3) and (4,) do not broadcast (dim 1: 3 vs 4)`.
DimVector broadcast_shapes(IntArrayRef a, IntArrayRef b, const char* op);

}  // namespace strata
