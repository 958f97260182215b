// Joining and dividing tensors: functions over cat, slices and indexing.
#include "ops/joining.h"

#include "ops/as_result.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/promote.h"
#include "ops/shaping.h"

namespace strata {
namespace {

using Pieces = std::vector<Tensor>;

Pieces split_between(const Tensor& x, IntArrayRef indices, int64_t dim) {
  Pieces pieces;
  int64_t start = 0;
  for (const int64_t end : indices) {
    pieces.push_back(slice(x, dim, start, end));
    start = end;
  }
  pieces.push_back(slice(x, dim, start));
  return pieces;
}

/// The dim that h-, v- and dsplit divide.
int64_t split_dim(const char* op, const Tensor& x, int64_t dim) {
  STRATA_CHECK(x.dim() > dim, "{}: requires a tensor with at least {} dimension, but got shape {}", op, dim + 1,
               x.sizes());
  return dim;
}

Pieces split_evenly(const char* op, const Tensor& x, int64_t sections, int64_t dim) {
  STRATA_CHECK(sections > 0 && x.sizes()[dim] % sections == 0,
               "{}: attempted to split along dimension {}, but the size of the dimension {} is not divisible by the "
               "split_size {}",
               op, dim, x.sizes()[dim], sections);
  return tensor_split(x, sections, dim);
}

template <Tensor (*f)(const Tensor&)>
Pieces for_each_of(TensorList tensors) {
  Pieces out;
  for (const Tensor& t : tensors) out.push_back(f(t));
  return out;
}

/// How many combinations of r among n there are: n over r, or n + r - 1 over r. Fails where they and their places are
/// more elements than a tensor can have.
int64_t count_combinations(int64_t n, int64_t r, bool with_replacement) {
  constexpr int64_t kMostElements = int64_t{1} << 60;
  if (n == 0 || (!with_replacement && r > n)) return 0;
  STRATA_CHECK(r < kMostElements, "combinations: those of {} elements of {} are too many for a tensor", r, n);
  const int64_t from = with_replacement ? n + r - 1 : n, k = std::min(r, from - r);
  __int128 count = 1;
  for (int64_t i = 1; i <= k && count * r < kMostElements; ++i) count = count * (from - k + i) / i;
  STRATA_CHECK(count * r < kMostElements, "combinations: those of {} elements of {} are too many for a tensor", r, n);
  return static_cast<int64_t>(count);
}

/// Writes all combinations of r >= 1 places among n in their order. The last place counts up in a loop of its own.
void write_combinations(int64_t n, int64_t r, bool with_replacement, int64_t* to) {
  const auto most = [&](int64_t i) { return with_replacement ? n - 1 : n - r + i; };
  std::vector<int64_t> places(static_cast<size_t>(r), 0);
  const auto restart = [&](int64_t i) {  // the places from i on, at their first ones behind place i - 1
    for (; i < r; ++i) places[static_cast<size_t>(i)] = places[static_cast<size_t>(i) - 1] + (with_replacement ? 0 : 1);
  };
  restart(1);
  while (true) {
    for (int64_t& last = places.back(); last <= most(r - 1); ++last)
      for (const int64_t place : places) *to++ = place;
    int64_t changed = r - 2;
    while (changed >= 0 && places[static_cast<size_t>(changed)] >= most(changed)) --changed;
    if (changed < 0) return;
    ++places[static_cast<size_t>(changed)];
    restart(changed + 1);
  }
}

}  // namespace

Pieces tensor_split(const Tensor& x, int64_t sections, int64_t dim) {
  STRATA_CHECK(x.dim() > 0, "tensor_split: expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  STRATA_CHECK(sections > 0, "tensor_split: number of sections must be larger than 0, got {}", sections);
  const int64_t d = wrap_dim(dim, x.dim(), "tensor_split"), n = x.sizes()[d], size = n / sections;
  Pieces pieces;
  for (int64_t i = 0, start = 0; i < sections; ++i) {
    const int64_t length = size + (i < n % sections ? 1 : 0);
    pieces.push_back(narrow(x, d, start, length));
    start += length;
  }
  return pieces;
}
Pieces tensor_split(const Tensor& x, IntArrayRef indices, int64_t dim) {
  STRATA_CHECK(x.dim() > 0, "tensor_split: expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  return split_between(x, indices, wrap_dim(dim, x.dim(), "tensor_split"));
}
Pieces tensor_split(const Tensor& x, const Tensor& indices_or_sections, int64_t dim) {
  const Tensor& given = indices_or_sections;
  STRATA_CHECK(given.is_cpu() && given.dtype() == kLong && given.dim() <= 1,
               "tensor_split: expected tensor_indices_or_sections to be a 0-dim or 1-dim int64 tensor on the CPU, got "
               "{} of shape {}",
               name(given.dtype()), given.sizes());
  if (given.dim() == 0) return tensor_split(x, given.item<int64_t>(), dim);
  DimVector indices;
  for (int64_t i = 0; i < given.numel(); ++i) indices.push_back(given[i].item<int64_t>());
  return tensor_split(x, IntArrayRef(indices), dim);
}

Pieces hsplit(const Tensor& x, int64_t sections) {
  return split_evenly("hsplit", x, sections, split_dim("hsplit", x, x.dim() > 1 ? 1 : 0));
}
Pieces hsplit(const Tensor& x, IntArrayRef indices) {
  return split_between(x, indices, split_dim("hsplit", x, x.dim() > 1 ? 1 : 0));
}
Pieces vsplit(const Tensor& x, int64_t sections) {
  split_dim("vsplit", x, 1);
  return split_evenly("vsplit", x, sections, 0);
}
Pieces vsplit(const Tensor& x, IntArrayRef indices) {
  split_dim("vsplit", x, 1);
  return split_between(x, indices, 0);
}
Pieces dsplit(const Tensor& x, int64_t sections) {
  return split_evenly("dsplit", x, sections, split_dim("dsplit", x, 2));
}
Pieces dsplit(const Tensor& x, IntArrayRef indices) { return split_between(x, indices, split_dim("dsplit", x, 2)); }

Tensor atleast_1d(const Tensor& x) { return x.dim() == 0 ? unsqueeze(x, 0) : x; }
Tensor atleast_2d(const Tensor& x) { return x.dim() == 0 ? reshape(x, {1, 1}) : x.dim() == 1 ? unsqueeze(x, 0) : x; }
Tensor atleast_3d(const Tensor& x) {
  if (x.dim() == 0) return reshape(x, {1, 1, 1});
  if (x.dim() == 1) return unsqueeze(unsqueeze(x, 0), -1);
  return x.dim() == 2 ? unsqueeze(x, -1) : x;
}
Pieces atleast_1d(TensorList tensors) { return for_each_of<atleast_1d>(tensors); }
Pieces atleast_2d(TensorList tensors) { return for_each_of<atleast_2d>(tensors); }
Pieces atleast_3d(TensorList tensors) { return for_each_of<atleast_3d>(tensors); }

Tensor column_stack(TensorList tensors) {
  STRATA_CHECK(!tensors.empty(), "column_stack: expected at least one tensor");
  Pieces columns;
  for (const Tensor& t : tensors) columns.push_back(t.dim() <= 1 ? reshape(t, {t.numel(), 1}) : t);
  return cat(columns, 1);
}
Tensor row_stack(TensorList tensors) { return vstack(tensors); }
Tensor dstack(TensorList tensors) {
  STRATA_CHECK(!tensors.empty(), "dstack: expected at least one tensor");
  return cat(atleast_3d(tensors), 2);
}

Tensor cartesian_prod(TensorList tensors) {
  for (const Tensor& t : tensors)
    STRATA_CHECK(t.dim() == 1, "cartesian_prod: expected 1-dim tensors, got shape {}", t.sizes());
  STRATA_CHECK(!tensors.empty(), "cartesian_prod: expected at least one tensor");
  if (tensors.size() == 1) return tensors[0];
  Pieces columns;
  for (const Tensor& grid : meshgrid(tensors, "ij")) columns.push_back(flatten(grid));
  return stack(columns, 1);
}

Tensor combinations(const Tensor& x, int64_t r, bool with_replacement) {
  STRATA_CHECK(x.dim() == 1, "combinations: expected a 1-dim tensor, got shape {}", x.sizes());
  STRATA_CHECK(r >= 0, "combinations: expected a non-negative number of elements, got {}", r);
  if (r == 0) return empty({0}, x.options());
  const int64_t n = x.numel(), count = count_combinations(n, r, with_replacement);
  const Tensor index = empty({count * r}, TensorOptions(kLong));
  if (count > 0) write_combinations(n, r, with_replacement, index.data_ptr<int64_t>());
  return as_result(view(index_select(x, 0, index.to(x.device())), {count, r}));
}

Tensor flatten_dense_tensors(TensorList tensors) {
  Pieces flat;
  for (const Tensor& t : tensors) flat.push_back(reshape(t, {-1}));
  return cat(flat);
}
Pieces unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  Pieces pieces;
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    // One without elements is no view, so that it does not grow into its neighbours' memory.
    pieces.push_back(t.numel() == 0 ? empty(t.sizes(), flat.options())
                                    : reshape(narrow(flat, 0, start, t.numel()), t.sizes()));
    start += t.numel();
  }
  return pieces;
}

Pieces Tensor::tensor_split(int64_t sections, int64_t dim) const { return strata::tensor_split(*this, sections, dim); }
Pieces Tensor::tensor_split(IntArrayRef indices, int64_t dim) const {
  return strata::tensor_split(*this, indices, dim);
}
Pieces Tensor::tensor_split(const Tensor& indices_or_sections, int64_t dim) const {
  return strata::tensor_split(*this, indices_or_sections, dim);
}
Pieces Tensor::hsplit(int64_t sections) const { return strata::hsplit(*this, sections); }
Pieces Tensor::hsplit(IntArrayRef indices) const { return strata::hsplit(*this, indices); }
Pieces Tensor::vsplit(int64_t sections) const { return strata::vsplit(*this, sections); }
Pieces Tensor::vsplit(IntArrayRef indices) const { return strata::vsplit(*this, indices); }
Pieces Tensor::dsplit(int64_t sections) const { return strata::dsplit(*this, sections); }
Pieces Tensor::dsplit(IntArrayRef indices) const { return strata::dsplit(*this, indices); }

}  // namespace strata
