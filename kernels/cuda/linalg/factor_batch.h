// Batches of matrices as cuSOLVER and cuBLAS take them: memory, addresses, triangles, and matrices that hold NaN.
#pragma once
#include "kernels/cuda/common/copy.h"

namespace strata::cuda::linalg {

/// Calls f.template operator()<T>() with float or double, the types that are factored.
template <class F>
void visit_real(std::string_view op, DType dtype, F&& f) {
  STRATA_CHECK_AS(NotImplementedError, dtype == kFloat || dtype == kDouble,
                  "{}: not implemented for {}; convert it with to()", op, name(dtype));
  dtype == kFloat ? f.template operator()<float>() : f.template operator()<double>();
}

/// The matrices in a tensor's last two dims.
struct Batch {
  int64_t rows, cols, count;
  int64_t elements() const { return rows * cols; }
};
Batch batch_of(const Tensor& t);

/// `t`'s memory in another geometry, from its first element on.
Tensor view_of(const Tensor& t, IntArrayRef sizes, IntArrayRef strides);
/// `t` with every matrix transposed.
Tensor transposed(const Tensor& t);
/// The first `rows` rows and `cols` columns of each matrix.
Tensor corner(const Tensor& t, int64_t rows, int64_t cols);
/// Makes all matrices ones on the diagonal and zeros elsewhere.
void fill_unit(const Tensor& t);

/// Row-major memory of `like`'s leading dims (all but the last two) and `sizes`.
Tensor empty_batch(const Tensor& like, std::initializer_list<int64_t> sizes, DType dtype);
/// The same for matrices whose columns lie one after the other.
Tensor empty_columns(const Tensor& like, int64_t rows, int64_t cols);

/// Number i of the matrices (of anything that has `elements` elements per matrix), which follow each other.
template <class T>
T* matrix_at(const Tensor& t, int64_t i, int64_t elements) {
  return t.data_ptr<T>() + i * elements;
}

/// The addresses of a tensor's matrices, whatever its strides, in memory of the device: what batched functions want.
class Addresses {
 public:
  Addresses(std::string_view op, const Tensor& matrices);
  template <class T>
  T** as() const {
    return reinterpret_cast<T**>(memory_.bytes());
  }

 private:
  Tensor memory_;
};

/// Which elements of a matrix count: all, or those of the lower or upper triangle with the diagonal.
enum class MatrixPart { kAll, kLower, kUpper };

/// Writes zeros below (above) the diagonal of row-major matrices, so that their upper (lower) part stays.
void keep_triangle(std::string_view op, const Tensor& row_major, MatrixPart part);

/// One int32 per matrix, not 0 where `part` of it holds NaN or inf; such matrices become zero, since the libraries may
/// do anything with NaN.
Tensor take_out_bad(std::string_view op, const Tensor& row_major, MatrixPart part = MatrixPart::kAll);
/// Fills what belongs to matrices for which `flags` or `info` is not 0 with NaN. `t` has one range of elements per
/// flag.
void spoil(std::string_view op, const Tensor& t, const Tensor& flags, const Tensor& info);

}  // namespace strata::cuda::linalg
