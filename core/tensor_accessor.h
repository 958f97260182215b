// Unchecked element access by indices, as libtorch's accessors give it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "array_ref.h"

namespace strata {

/// Unchecked access to the elements of a tensor of N dims: `a[i][j]`, valid while the tensor lives. Sizes and strides,
/// in elements, are the tensor's own and are not copied.
template <class T, size_t N, class Index = int64_t>
class TensorAccessor {
 public:
  constexpr TensorAccessor(T* data, const Index* sizes, const Index* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  constexpr decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return static_cast<T&>(data_[i * strides_[0]]);
    else
      return TensorAccessor<T, N - 1, Index>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
  }
  constexpr Index size(Index d) const { return sizes_[d]; }
  constexpr Index stride(Index d) const { return strides_[d]; }
  constexpr ArrayRef<Index> sizes() const { return {sizes_, N}; }
  constexpr ArrayRef<Index> strides() const { return {strides_, N}; }
  constexpr T* data() const { return data_; }

 private:
  T* data_;
  const Index* sizes_;
  const Index* strides_;
};

/// The same with sizes and strides of its own, to be passed to a CUDA kernel by value; nvcc compiles its members for
/// the device under --expt-relaxed-constexpr. `Index` is the type of the indices: 32 bits are faster there.
template <class T, size_t N, class Index = int64_t>
class PackedTensorAccessor {
 public:
  PackedTensorAccessor(T* data, IntArrayRef sizes, IntArrayRef strides) : data_(data) {
    for (size_t d = 0; d < N; ++d) {
      sizes_[d] = static_cast<Index>(sizes[d]);
      strides_[d] = static_cast<Index>(strides[d]);
    }
  }
  constexpr decltype(auto) operator[](Index i) const {
    return TensorAccessor<T, N, Index>(data_, sizes_.data(), strides_.data())[i];
  }
  constexpr Index size(Index d) const { return sizes_[static_cast<size_t>(d)]; }
  constexpr Index stride(Index d) const { return strides_[static_cast<size_t>(d)]; }
  constexpr T* data() const { return data_; }

 private:
  T* data_;
  std::array<Index, N> sizes_, strides_;
};
template <class T, size_t N>
using PackedTensorAccessor32 = PackedTensorAccessor<T, N, int32_t>;
template <class T, size_t N>
using PackedTensorAccessor64 = PackedTensorAccessor<T, N, int64_t>;

}  // namespace strata
