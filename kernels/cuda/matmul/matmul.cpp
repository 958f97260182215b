// CUDA kernels of the matrix product ops: operands as few strided batches of products, then the product engine.
#include "kernels/cuda/matmul/matmul.h"

#include <algorithm>
#include <array>

#include "core/tensor.h"
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "ops/activation_def.h"
#include "ops/linalg_def.h"
#include "ops/unary_def.h"

namespace strata::cuda::matmul {

void gemm(const Gemm& p) {
  if (!is_integral(p.dtype) && p.k > 0) {
    if (gemm_by_library(p)) return;
    STRATA_CHECK(p.epilogue == CUBLASLT_EPILOGUE_DEFAULT, "{}: cuBLASLt has no algorithm for epilogue {}", p.op,
                 static_cast<int>(p.epilogue));
    if (p.init.data && p.init.data != p.out.data) {
      Gemm start = p, onto = p;
      start.k = 0, start.beta = 1;
      gemm_plain(start);
      onto.init = p.out;
      return gemm(onto);
    }
  }
  gemm_plain(p);
}

namespace {

// Above this many calls a copy that lets all batch dims be one is cheaper.
constexpr int64_t kMostCalls = 8;
// What a grid's second number holds.
constexpr int64_t kMostBatches = 65535;

/// What an op was called with; init may be undefined.
struct Operands {
  std::string_view op;
  Tensor out, a, b, init;
  Scalar beta = 1, alpha = 1;
};

/// A batch dimension: how many products, and how far each operand moves between them.
struct BatchDim {
  int64_t size;
  int64_t a, b, init, out;
};

bool follows(const BatchDim& outer, const BatchDim& inner) {
  const int64_t n = inner.size;
  return outer.a == n * inner.a && outer.b == n * inner.b && outer.init == n * inner.init && outer.out == n * inner.out;
}

/// The products of an op: the first one and, from the outside inwards, the dims of the others.
struct Products {
  Gemm first;
  std::array<BatchDim, kMaxDims> dims;
  int rank = 0;

  /// Joined with the dim outside of it where that goes on where this one ends.
  void push(const BatchDim& d) {
    if (d.size == 1) return;
    if (rank > 0 && follows(dims[rank - 1], d)) {
      const int64_t size = dims[rank - 1].size * d.size;
      dims[rank - 1] = d, dims[rank - 1].size = size;
    } else {
      dims[rank++] = d;
    }
  }
  /// A batch that shares b and goes on where the rows end is just more rows.
  void join_rows() {
    Gemm& p = first;
    for (; rank > 0 && dims[rank - 1].b == 0; --rank) {
      const BatchDim& d = dims[rank - 1];
      if (p.m == 1) p.a.row = d.a, p.init.row = d.init, p.out.row = d.out;
      const bool goes_on =
          d.a == p.m * p.a.row && d.out == p.m * p.out.row && (!p.init.data || d.init == p.m * p.init.row);
      if (p.m != 1 && !goes_on) return;
      p.m *= d.size;
    }
  }
  /// The longest dim, first: it is one call.
  void longest_first() {
    const auto longer = [](const BatchDim& x, const BatchDim& y) { return x.size < y.size; };
    if (rank > 1) std::swap(dims[0], *std::max_element(dims.begin(), dims.begin() + rank, longer));
  }
  int64_t calls() const {
    int64_t n = 1;
    for (int d = 1; d < rank; ++d) n *= dims[d].size;
    return n;
  }
};
using Build = Products (*)(const Operands& x);

void move(Gemm& p, const BatchDim& d, int64_t by) {
  const int64_t bytes = by * static_cast<int64_t>(item_size(p.dtype));
  p.a.data += d.a * bytes;
  p.b.data += d.b * bytes;
  p.out.data += d.out * bytes;
  if (p.init.data) p.init.data += d.init * bytes;
}

/// All products of the dims below `rank`, from p on.
void run(const Products& products, Gemm p, int rank) {
  if (rank == 0) return gemm(p);
  const BatchDim& d = products.dims[rank - 1];
  if (rank > 1) {
    for (int64_t i = 0; i < d.size; ++i, move(p, d, 1)) run(products, p, rank - 1);
    return;
  }
  p.a.batch = d.a, p.b.batch = d.b, p.init.batch = d.init, p.out.batch = d.out;
  for (int64_t done = 0; done < d.size; done += p.batches, move(p, d, p.batches)) {
    p.batches = std::min(kMostBatches, d.size - done);
    gemm(p);
  }
}

/// A copy whose matrices are row-major; what is expanded over leading dims stays so.
Tensor packed(const Tensor& t) {
  DimVector sizes = t.sizes(), strides = t.strides();
  const auto expanded = [&](size_t d) { return d + 2 < sizes.size() && t.strides()[d] == 0; };
  const auto view = [](const Tensor& of, const DimVector& sizes, const DimVector& strides) {
    auto* const impl = new TensorImpl(of.dtype(), of.device(), of.storage());
    impl->set_geometry(sizes, strides, of.storage_offset());
    return Tensor::adopt(impl);
  };
  for (size_t d = 0; d < sizes.size(); ++d)
    if (expanded(d)) sizes[d] = 1;
  const Tensor copy = row_major(view(t, sizes, strides));
  strides = copy.strides();
  for (size_t d = 0; d < sizes.size(); ++d)
    if (expanded(d)) strides[d] = 0;
  return view(copy, t.sizes(), strides);
}

/// The products with operands as the library takes them: copies where there is no other way.
Products prepare(Operands& x, Build build) {
  Products p = build(x);
  const bool pack_a = !layout_of(p.first.a, p.first.m, p.first.k), pack_b = !layout_of(p.first.b, p.first.k, p.first.n);
  if (pack_a) x.a = packed(x.a);
  if (pack_b) x.b = packed(x.b);
  if (pack_a || pack_b) p = build(x);
  if (p.calls() <= kMostCalls) return p;
  x.a = row_major(x.a), x.b = row_major(x.b);
  return build(x);
}

/// Is out written row by row?
bool is_in_rows(const Products& p) {
  const auto layout = layout_of(p.first.out, p.first.m, p.first.n);
  return layout && !layout->transposed;
}

void multiply(Operands x, Build build) {
  if (x.out.numel() == 0) return;
  Products p = build(x);
  if (is_integral(x.a.dtype()) || p.first.k == 0) return run(p, p.first, p.rank);
  const Tensor result = x.out;
  const bool direct = is_in_rows(p);
  if (!direct) x.out = empty_on_device(result.sizes(), result.dtype(), result.device());
  p = prepare(x, build);
  run(p, p.first, p.rank);
  if (!direct) copy_strided(result, x.out);
}

Matrix matrix(const Tensor& t, int64_t row, int64_t col) { return {t.bytes(), row, col, 0}; }
Matrix last_two(const Tensor& t) {
  const IntArrayRef strides = t.strides();
  return matrix(t, strides[strides.size() - 2], strides.back());
}

Products start_of(const Operands& x) {
  Products p;
  p.first.op = x.op, p.first.dtype = x.a.dtype(), p.first.device = x.a.device().index();
  p.first.alpha = x.alpha, p.first.beta = x.beta;
  return p;
}

void finish(Products& p) {
  p.join_rows();
  p.longest_first();
}

/// a (..., m, k) times b (..., k, n), init and out (..., m, n).
Products products_of(const Operands& x) {
  Products p = start_of(x);
  const size_t lead = x.a.sizes().size() - 2;
  p.first.m = x.a.sizes()[lead], p.first.k = x.a.sizes()[lead + 1], p.first.n = x.b.sizes()[lead + 1];
  p.first.a = last_two(x.a), p.first.b = last_two(x.b), p.first.out = last_two(x.out);
  const bool has_init = x.init.defined();
  if (has_init) p.first.init = last_two(x.init);
  for (size_t d = 0; d < lead; ++d) {
    p.push(
        {x.a.sizes()[d], x.a.strides()[d], x.b.strides()[d], has_init ? x.init.strides()[d] : 0, x.out.strides()[d]});
  }
  finish(p);
  return p;
}

/// a (..., k) times b (n, k) transposed, init (n), out (..., n).
Products products_of_linear(const Operands& x) {
  Products p = start_of(x);
  const size_t lead = x.a.sizes().size() - 1;
  p.first.m = 1, p.first.n = x.b.sizes()[0], p.first.k = x.b.sizes()[1];
  p.first.a = matrix(x.a, 0, x.a.strides()[lead]);
  p.first.b = matrix(x.b, x.b.strides()[1], x.b.strides()[0]);
  p.first.out = matrix(x.out, 0, x.out.strides()[lead]);
  if (x.init.defined()) p.first.init = matrix(x.init, 0, x.init.strides()[0]);
  for (size_t d = 0; d < lead; ++d) p.push({x.a.sizes()[d], x.a.strides()[d], 0, 0, x.out.strides()[d]});
  finish(p);
  return p;
}

void matmul_cuda(Tensors& out, Args in, const NoParams&) {
  multiply({"matmul", out[0], in[0], in[1], Tensor()}, products_of);
}

void addmm_cuda(Tensors& out, Args in, const AddmmParams& p) {
  const bool reads_init = !(p.beta == Scalar(0));
  multiply({"addmm", out[0], in[1], in[2], reads_init ? in[0] : Tensor(), p.beta, p.alpha}, products_of);
}

Operands linear_operands(const Op& op, const Tensor& out, Args in) {
  return {op.name(), out, in[0], in[1], in.size() > 2 ? in[2] : Tensor()};
}

void linear_cuda(Tensors& out, Args in, const NoParams&) {
  multiply(linear_operands(linear_op, out[0], in), products_of_linear);
}

/// May the library write the values before GELU there, one row after the other?
bool is_aux(const Tensor& t) {
  return t.is_contiguous() && t.sizes().back() % 8 == 0 && reinterpret_cast<uintptr_t>(t.bytes()) % 16 == 0;
}

/// linear and an activation as one product of the library; false, with nothing done, where that does not take it.
/// `aux` may be undefined.
bool multiply_and_activate(const Operands& x, cublasLtEpilogue_t epilogue, const Tensor& aux) {
  if (!is_floating_point(x.a.dtype()) || x.out.numel() == 0 || (aux.defined() && !is_aux(aux))) return false;
  Products p = products_of_linear(x);
  if (p.rank > 0 || p.first.k == 0 || !is_in_rows(p)) return false;
  p.first.epilogue = epilogue;
  if (aux.defined()) p.first.aux = aux.bytes(), p.first.aux_row = p.first.n;
  return gemm_by_library(p.first);
}

void linear_relu_cuda(Tensors& out, Args in, const NoParams& none) {
  const Operands x = linear_operands(linear_relu_op, out[0], in);
  if (multiply_and_activate(x, CUBLASLT_EPILOGUE_RELU, {})) return;
  multiply(x, products_of_linear);
  relu_op.kernels[static_cast<int>(Key::CUDA)](out, {&out[0]}, &none);
}

void linear_gelu_cuda(Tensors& out, Args in, const NoParams&) {
  constexpr GeluParams kByTanh{true};
  if (multiply_and_activate(linear_operands(linear_gelu_op, out[0], in), CUBLASLT_EPILOGUE_GELU_AUX, out[1])) return;
  multiply(linear_operands(linear_gelu_op, out[1], in), products_of_linear);
  gelu_op.kernels[static_cast<int>(Key::CUDA)](out, {&out[1]}, &kByTanh);
}

STRATA_KERNEL(matmul_op, CUDA, matmul_cuda);
STRATA_KERNEL(addmm_op, CUDA, addmm_cuda);
STRATA_KERNEL(linear_op, CUDA, linear_cuda);
STRATA_KERNEL(linear_relu_op, CUDA, linear_relu_cuda);
STRATA_KERNEL(linear_gelu_op, CUDA, linear_gelu_cuda);

}  // namespace
}  // namespace strata::cuda::matmul
