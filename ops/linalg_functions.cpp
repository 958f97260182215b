// Products that are built from several ops: contractions over any dims, chains, Kronecker products.
#include <algorithm>
#include <limits>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Non-negative `dims` in the order given; throws on a repeated one.
DimVector distinct_dims(IntArrayRef dims, const Tensor& x) {
  DimVector out;
  for (int64_t d : dims) {
    const int64_t wrapped = wrap_dim(d, x.dim(), "tensordot");
    STRATA_CHECK(std::find(out.begin(), out.end(), wrapped) == out.end(), "tensordot: dim {} appears twice in {}", d,
                 dims);
    out.push_back(wrapped);
  }
  return out;
}

DimVector dims_except(const Tensor& x, const DimVector& dims) {
  DimVector out;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) out.push_back(d);
  return out;
}

DimVector concatenated(const DimVector& a, const DimVector& b) {
  DimVector out = a;
  for (int64_t d : b) out.push_back(d);
  return out;
}

DimVector sizes_of(const Tensor& x, const DimVector& dims) {
  DimVector out;
  for (int64_t d : dims) out.push_back(x.sizes()[d]);
  return out;
}

/// Where to cut each sub-chain [i, j] for the fewest multiplications (Cormen et al., matrix-chain order). Of cuts that
/// cost the same it takes the first, but in a chain of three the last, as PyTorch does: backward then needs the same.
std::vector<std::vector<size_t>> best_cuts(const std::vector<double>& sides) {
  const size_t n = sides.size() - 1;
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> cut(n, std::vector<size_t>(n, 0));
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0, j = length; j < n; ++i, ++j) {
      cost[i][j] = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        const double total = cost[i][k] + cost[k + 1][j] + sides[i] * sides[k + 1] * sides[j + 1];
        const bool is_better = n == 3 ? total <= cost[i][j] : total < cost[i][j];
        if (is_better) cost[i][j] = total, cut[i][j] = k;
      }
    }
  }
  return cut;
}

Tensor multiply_chain(TensorList chain, const std::vector<std::vector<size_t>>& cut, size_t i, size_t j) {
  if (i == j) return chain[i];
  const size_t k = cut[i][j];
  return mm(multiply_chain(chain, cut, i, k), multiply_chain(chain, cut, k + 1, j));
}

}  // namespace

Tensor bilinear(const Tensor& x1, const Tensor& x2, const Tensor& weight, OptionalTensorRef bias) {
  STRATA_CHECK(weight.dim() == 3 && x1.dim() > 0 && x1.dim() == x2.dim(),
               "bilinear: expected inputs of equal dims and a weight (out, in1, in2), got {}, {} and {}", x1.sizes(),
               x2.sizes(), weight.sizes());
  const int64_t out = weight.sizes()[0], in1 = weight.sizes()[1], in2 = weight.sizes()[2];
  DimVector sizes = x1.sizes();
  sizes.back() = in2;
  STRATA_CHECK(x1.sizes().back() == in1 && x2.sizes().equals(sizes),
               "bilinear: inputs {} and {} do not fit the weight {}", x1.sizes(), x2.sizes(), weight.sizes());
  sizes.back() = out;
  const int64_t rows = numel_of(x1.sizes().slice(0, x1.dim() - 1));
  const Tensor w = reshape(transpose(weight, 0, 1), {in1, checked_mul(out, in2, "bilinear")});
  const Tensor left = reshape(mm(reshape(x1, {rows, in1}), w), {rows, out, in2});
  const Tensor y = as_result(reshape(matmul(left, reshape(x2, {rows, in2, 1})), sizes));
  return bias.defined() ? y.add(bias) : y;
}

Tensor tensordot(const Tensor& a, const Tensor& b, IntArrayRef dims_a, IntArrayRef dims_b) {
  STRATA_CHECK(dims_a.size() == dims_b.size(), "tensordot: dims {} and {} differ in number", dims_a, dims_b);
  const DimVector summed_a = distinct_dims(dims_a, a), summed_b = distinct_dims(dims_b, b);
  Tensor x = a, y = b;
  // A 1 is broadcast against the other's size: the other is summed first.
  for (size_t i = 0; i < summed_a.size(); ++i) {
    const int64_t in_a = a.sizes()[summed_a[i]], in_b = b.sizes()[summed_b[i]];
    STRATA_CHECK(in_a == in_b || in_a == 1 || in_b == 1, "tensordot: dims {} of {} and {} of {} differ in size", dims_a,
                 a.sizes(), dims_b, b.sizes());
    if (in_a == 1) y = sum(y, {summed_b[i]}, true, y.dtype());
    if (in_b == 1) x = sum(x, {summed_a[i]}, true, x.dtype());
  }
  const DimVector summed = sizes_of(x, summed_a);
  const DimVector free_a = dims_except(a, summed_a), free_b = dims_except(b, summed_b);
  const DimVector rows = sizes_of(a, free_a), cols = sizes_of(b, free_b);
  const int64_t k = numel_of(summed);
  const Tensor left = reshape(permute(x, concatenated(free_a, summed_a)), {numel_of(rows), k});
  const Tensor right = reshape(permute(y, concatenated(summed_b, free_b)), {k, numel_of(cols)});
  return as_result(reshape(mm(left, right), concatenated(rows, cols)));
}

Tensor tensordot(const Tensor& a, const Tensor& b, int64_t dims) {
  STRATA_CHECK(dims >= 0 && dims <= a.dim() && dims <= b.dim(), "tensordot: cannot sum over {} dims of {} and {}", dims,
               a.sizes(), b.sizes());
  DimVector last, first;
  for (int64_t d = 0; d < dims; ++d) last.push_back(a.dim() - dims + d), first.push_back(d);
  return tensordot(a, b, last, first);
}

Tensor chain_matmul(TensorList matrices) {
  STRATA_CHECK(!matrices.empty(), "chain_matmul: expected at least one matrix");
  std::vector<double> sides;
  for (const Tensor& m : matrices) {
    STRATA_CHECK(m.dim() == 2, "chain_matmul: expected matrices, got shape {}", m.sizes());
    sides.push_back(static_cast<double>(m.sizes()[0]));
  }
  if (matrices.size() == 1) return matrices[0].clone();
  sides.push_back(static_cast<double>(matrices.back().sizes()[1]));
  return multiply_chain(matrices, best_cuts(sides), 0, matrices.size() - 1);
}

Tensor kron(const Tensor& a, const Tensor& b) {
  const Called called;
  const int64_t dims = std::max(a.dim(), b.dim());
  DimVector apart_a, apart_b, sizes;  // (a0, 1, a1, 1, ...) times (1, b0, 1, b1, ...)
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t at_a = d - (dims - a.dim()), at_b = d - (dims - b.dim());
    const int64_t size_a = at_a >= 0 ? a.sizes()[at_a] : 1, size_b = at_b >= 0 ? b.sizes()[at_b] : 1;
    apart_a.push_back(size_a), apart_a.push_back(1);
    apart_b.push_back(1), apart_b.push_back(size_b);
    sizes.push_back(checked_mul(size_a, size_b, "kron"));
  }
  Tensor x = reshape(a, apart_a), y = reshape(b, apart_b);
  // The last dims of both become one before they meet, so that few long rows are multiplied and not many short ones.
  if (dims > 1) {
    const auto joined_last = [&](const Tensor& t) {
      DimVector wide = t.sizes(), flat(t.sizes().slice(0, t.sizes().size() - 1));
      wide[wide.size() - 2] = apart_a[wide.size() - 2], wide.back() = apart_b.back();
      flat.back() = sizes.back();
      return reshape(expand(t, wide), flat);
    };
    x = joined_last(x), y = joined_last(y);
  }
  return as_result(reshape(x.mul(y), sizes));
}

}  // namespace strata
