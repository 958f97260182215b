// Memory, addresses and triangles of batches of matrices, and what stands for matrices that hold NaN.
#include "kernels/cuda/linalg/factor_batch.h"

#include <limits>

#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/linalg/factor_each.cuh"

namespace strata::cuda::linalg {
namespace {

IntArrayRef leading(IntArrayRef all) { return {all.data(), all.size() - 2}; }

/// Number i of the pieces of a batch: where it is stored, and the offset of its matrix.
struct PutAddress {
  char** to;
  char* matrices;
  int64_t item;
  Strided<2> batch;
  __device__ void operator()(int64_t i) const {
    const Offsets<2> at = batch.at(static_cast<uint32_t>(i));
    to[at[0]] = matrices + at[1] * item;
  }
};

__device__ inline bool lies_in(MatrixPart part, int64_t row, int64_t col) {
  return part == MatrixPart::kAll || (part == MatrixPart::kLower ? col <= row : col >= row);
}

template <class T>
struct KeepPart {
  T* data;
  int64_t rows, cols;
  MatrixPart part;
  __device__ void operator()(int64_t i) const {
    if (!lies_in(part, i / cols % rows, i % cols)) data[i] = T(0);
  }
};

template <class T>
struct FindBad {
  const T* data;
  int64_t rows, cols;
  MatrixPart part;
  int32_t* flags;
  __device__ void operator()(int64_t i) const {
    if (data[i] - data[i] == T(0) || !lies_in(part, i / cols % rows, i % cols)) return;
    flags[i / (rows * cols)] = 1;  // all that write, write this
  }
};

template <class T>
struct Overwrite {
  T* data;
  int64_t per_flag;
  const int32_t *flags, *info;
  T value;
  __device__ void operator()(int64_t i) const {
    const int64_t matrix = i / per_flag;
    if (flags[matrix] != 0 || info[matrix] != 0) data[i] = value;
  }
};

template <class T>
void overwrite(std::string_view op, const Tensor& t, const Tensor& flags, const Tensor& info, T value) {
  if (t.numel() == 0) return;
  const int64_t per_flag = t.numel() / flags.numel();
  for_each_index(op, t, t.numel(),
                 Overwrite<T>{t.data_ptr<T>(), per_flag, flags.data_ptr<int32_t>(), info.data_ptr<int32_t>(), value});
}

}  // namespace

Batch batch_of(const Tensor& t) {
  const IntArrayRef sizes = t.sizes();
  Batch b{sizes[sizes.size() - 2], sizes.back(), 1};
  for (int64_t size : leading(sizes)) b.count *= size;
  return b;
}

Tensor view_of(const Tensor& t, IntArrayRef sizes, IntArrayRef strides) {
  auto* const impl = new TensorImpl(t.dtype(), t.device(), t.storage());
  impl->set_geometry(sizes, strides, t.storage_offset());
  return Tensor::adopt(impl);
}

Tensor transposed(const Tensor& t) {
  DimVector sizes = t.sizes(), strides = t.strides();
  const size_t last = sizes.size() - 1;
  std::swap(sizes[last], sizes[last - 1]);
  std::swap(strides[last], strides[last - 1]);
  return view_of(t, sizes, strides);
}

Tensor corner(const Tensor& t, int64_t rows, int64_t cols) {
  DimVector sizes = t.sizes();
  sizes[sizes.size() - 2] = rows;
  sizes.back() = cols;
  return view_of(t, sizes, t.strides());
}

void fill_unit(const Tensor& t) {
  if (t.numel() == 0) return;
  fill_strided(t, 0);
  DimVector sizes = leading(t.sizes()), strides = leading(t.strides());
  const Batch b = batch_of(t);
  sizes.push_back(std::min(b.rows, b.cols));
  strides.push_back(t.strides().back() + t.strides()[t.strides().size() - 2]);
  fill_strided(view_of(t, sizes, strides), 1);
}

Tensor empty_batch(const Tensor& like, std::initializer_list<int64_t> sizes, DType dtype) {
  DimVector all = leading(like.sizes());
  for (int64_t size : sizes) all.push_back(size);
  return empty_on_device(all, dtype, like.device());
}

Tensor empty_columns(const Tensor& like, int64_t rows, int64_t cols) {
  return transposed(empty_batch(like, {cols, rows}, like.dtype()));
}

Addresses::Addresses(std::string_view op, const Tensor& matrices)
    : memory_(empty_batch(matrices, {}, kLong)) {  // as wide as an address
  static_assert(sizeof(char*) == sizeof(int64_t));
  const Geometry<2> g = collapse<2>(memory_.sizes(), {memory_.strides(), leading(matrices.strides())});
  auto** const to = reinterpret_cast<char**>(memory_.bytes());
  const int64_t item = matrices.element_size();
  for_each_piece(g, [&](const Strided<2>& batch, const int64_t(&first)[2]) {
    for_each_index(op, matrices, batch.numel,
                   PutAddress{to + first[0], matrices.bytes() + first[1] * item, item, batch});
  });
}

void keep_triangle(std::string_view op, const Tensor& row_major, MatrixPart part) {
  const Batch b = batch_of(row_major);
  visit_real(op, row_major.dtype(), [&]<class T>() {
    for_each_index(op, row_major, row_major.numel(), KeepPart<T>{row_major.data_ptr<T>(), b.rows, b.cols, part});
  });
}

Tensor take_out_bad(std::string_view op, const Tensor& row_major, MatrixPart part) {
  const Batch b = batch_of(row_major);
  const Tensor flags = empty_batch(row_major, {}, kInt);
  fill_strided(flags, 0);
  visit_real(op, row_major.dtype(), [&]<class T>() {
    T* const data = row_major.data_ptr<T>();
    for_each_index(op, row_major, row_major.numel(), FindBad<T>{data, b.rows, b.cols, part, flags.data_ptr<int32_t>()});
    overwrite<T>(op, row_major, flags, flags, 0);
  });
  return flags;
}

void spoil(std::string_view op, const Tensor& t, const Tensor& flags, const Tensor& info) {
  visit_real(op, t.dtype(), [&]<class T>() { overwrite<T>(op, t, flags, info, std::numeric_limits<T>::quiet_NaN()); });
}

}  // namespace strata::cuda::linalg
