// The public shaping functions over the primitives of ops/shaping.cpp: arguments, promotion and composites.
#include <algorithm>
#include <iterator>
#include <limits>

#include "core/called.h"
#include "core/naming.h"
#include "dispatcher/undefined.h"
#include "ops/as_result.h"
#include "ops/creation.h"
#include "ops/diagonal_def.h"
#include "ops/in_place.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/memory_format.h"
#include "ops/promote.h"
#include "ops/resample.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/shaping_def.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Far more than any memory holds, far less than what overflows.
constexpr int64_t kMostElements = int64_t{1} << 60;

bool is_skipped_by_cat(const Tensor& t) { return t.dim() == 1 && t.sizes()[0] == 0; }

/// The tensor whose shape the others of a cat have to fit; those that are skipped have none of their own.
const Tensor& shaped_for_cat(TensorList tensors) {
  for (const Tensor& t : tensors)
    if (!is_skipped_by_cat(t)) return t;
  return tensors[0];
}

/// The defined ones of tensors that a program written for libtorch joins, which may have undefined ones behind the
/// first: none where nothing is to be left out.
std::vector<Tensor> those_for_libtorch(TensorList tensors) {
  const auto is_defined = [](const Tensor& t) { return t.defined(); };
  std::vector<Tensor> some;
  if (libtorch_names() && tensors[0].defined() && !std::all_of(tensors.begin(), tensors.end(), is_defined))
    std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(some), is_defined);
  return some;
}

DType common_dtype(TensorList tensors) {
  DType type = tensors[0].dtype();
  for (const Tensor& t : tensors) type = promote_types(type, t.dtype());
  return type;
}

/// The dtype of arithmetic with all of them: tensors without dims give way to those with some.
DType ranked_dtype(TensorList tensors) {
  DType dims = DType::Undefined, zero = DType::Undefined;
  for (const Tensor& t : tensors) {
    DType& rank = t.dim() > 0 ? dims : zero;
    rank = rank == DType::Undefined ? t.dtype() : promote_types(rank, t.dtype());
  }
  if (dims == DType::Undefined || zero == DType::Undefined) return dims == DType::Undefined ? zero : dims;
  return result_type(constant(0, dims, kCPU, {1}), constant(0, zero, kCPU, {}));
}

void check_cat_shapes(const Tensor& first, const Tensor& t, size_t i, int64_t dim) {
  bool same = first.dim() == t.dim();
  for (int64_t d = 0; same && d < t.dim(); ++d) same = d == dim || first.sizes()[d] == t.sizes()[d];
  STRATA_CHECK(same,
               "cat: Sizes of tensors must match except in dimension {}, but tensor {} has shape {}, tensor 0 has {}",
               dim, i, t.sizes(), first.sizes());
}

/// At least `dims`-dim, with the new dims in front.
Tensor at_least(const Tensor& t, int64_t dims) {
  Tensor out = t;
  while (out.dim() < dims) out = unsqueeze(out, 0);
  return out;
}

void check_padding(int64_t n, int64_t low, int64_t high, std::string_view mode) {
  STRATA_CHECK(n > 0 && n + low + high >= 0, "pad: cannot pad a dim of size {} by ({}, {}) in mode {}", n, low, high,
               mode);
  if (mode == "replicate") return;
  STRATA_CHECK(
      mode != "circular" || n + std::min<int64_t>(0, low) + std::min<int64_t>(0, high) > 0 || (low <= 0 && high <= 0),
      "pad: cutting ({}, {}) from a dim of size {} leaves nothing to go round", low, high, n);
  const int64_t most = mode == "reflect" ? n - 1 : n;
  STRATA_CHECK(low <= most && high <= most, "pad: mode {} allows at most {} for a dim of size {}, got ({}, {})", mode,
               most, n, low, high);
}

Resampling padding_mode(std::string_view mode) {
  if (mode == "replicate") return Resampling::Nearest;
  return mode == "reflect" ? Resampling::Reflect : Resampling::Circular;
}

void check_padding_list(const Tensor& x, IntArrayRef padding) {
  STRATA_CHECK(padding.size() % 2 == 0 && static_cast<int64_t>(padding.size()) <= 2 * x.dim(),
               "pad: a tensor of {} dims takes up to {} pairs (before, after), got the list {}", x.dim(), x.dim(),
               padding);
  for (int64_t n : padding) STRATA_CHECK(n > -kMostElements && n < kMostElements, "pad: {} is out of range", n);
}

/// Writes first, first + kStep, first + 2 kStep, ... to n places; eight in one go, which the compiler makes vectors of.
template <int64_t kStep>
void count_up(int64_t* to, int64_t n, int64_t first) {
  constexpr int64_t kTogether = 8;
  int64_t i = 0;
  for (; i + kTogether <= n; i += kTogether)
    for (int64_t k = 0; k < kTogether; ++k) to[i + k] = first + kStep * (i + k);
  for (; i < n; ++i) to[i] = first + kStep * i;
}

/// The places (2, n) of a triangle, row after row: on and below the diagonal if `lower`, else on and above it.
Tensor triangle_indices(const char* op, int64_t rows, int64_t cols, int64_t offset, bool lower,
                        const TensorOptions& options) {
  STRATA_CHECK(rows >= 0 && cols >= 0, "{}: sizes must not be negative, got ({}, {})", op, rows, cols);
  offset = std::clamp(offset, -rows - 1, cols + 1);
  const auto begin = [&](int64_t i) { return lower ? 0 : std::clamp<int64_t>(i + offset, 0, cols); };
  const auto end = [&](int64_t i) { return lower ? std::clamp<int64_t>(i + offset + 1, 0, cols) : cols; };
  int64_t n = 0;
  for (int64_t i = 0; i < rows; ++i) n += end(i) - begin(i);
  const Tensor places = empty({2, n}, TensorOptions(kLong));
  int64_t *row = places.data_ptr<int64_t>(), *col = row + n;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t count = end(i) - begin(i);
    count_up<0>(row, count, i);
    count_up<1>(col, count, begin(i));
    row += count, col += count;
  }
  return places.to(options);
}

void check_has_dims(const char* op, const Tensor& x) {
  STRATA_CHECK(x.dim() > 0, "{}: expects at least a 1-dimensional tensor", op);
}

}  // namespace

std::vector<Tensor> split(const Tensor& x, IntArrayRef sizes, int64_t dim) {
  const Called called;
  check_has_dims("split", x);
  dim = wrap_dim(dim, x.dim(), "split");
  int64_t total = 0;
  for (int64_t s : sizes) total = checked_add(total, s, "split");
  STRATA_CHECK(total == x.size(dim), "split: sizes {} do not add up to dim {} of size {}", sizes, dim, x.size(dim));
  std::vector<Tensor> out;
  int64_t at = 0;
  for (int64_t s : sizes) {
    out.push_back(narrow(x, dim, at, s));
    at += s;
  }
  return out;
}
std::vector<Tensor> split_with_sizes(const Tensor& x, IntArrayRef sizes, int64_t dim) {
  const Called called;
  return split(x, sizes, dim);
}

std::vector<Tensor> split(const Tensor& x, int64_t size, int64_t dim) {
  const Called called;
  check_has_dims("split", x);
  const int64_t n = x.size(dim);
  STRATA_CHECK(size > 0 || (size == 0 && n == 0), "split: piece size must be positive, got {}", size);
  DimVector sizes;
  for (int64_t at = 0; at < n; at += size) sizes.push_back(std::min(size, n - at));
  if (n == 0) sizes.push_back(0);
  return split(x, sizes, dim);
}

std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim) {
  const Called called;
  check_has_dims("chunk", x);
  STRATA_CHECK(chunks > 0, "chunk: expected a positive number of chunks, got {}", chunks);
  const int64_t n = x.size(dim);
  STRATA_CHECK(n > 0 || chunks <= std::numeric_limits<int32_t>::max(), "chunk: {} pieces of nothing are too many",
               chunks);
  if (n == 0) return split(x, DimVector(static_cast<size_t>(chunks), 0), dim);
  return split(x, n / chunks + (n % chunks != 0), dim);
}

std::vector<Tensor> unbind(const Tensor& x, int64_t dim) {
  const Called called;
  std::vector<Tensor> out;
  for (int64_t i = 0, n = x.size(dim); i < n; ++i) out.push_back(select(x, dim, i));
  return out;
}

Tensor cat(TensorList tensors, int64_t dim) {
  STRATA_CHECK_AS(ValueError, !tensors.empty(), "cat: expected a non-empty list of Tensors");
  if (const std::vector<Tensor> some = those_for_libtorch(tensors); !some.empty()) return cat(some, dim);
  dispatch::check_defined("cat", tensors);
  const DType type = common_dtype(tensors);
  const Tensor& first = shaped_for_cat(tensors);
  STRATA_CHECK(first.dim() > 0, "cat: 0-dim tensors have no dim to join along; use stack");
  // Where all that is joined is skipped, no dim is too far, as in PyTorch.
  CatParams p{is_skipped_by_cat(first) ? 0 : wrap_dim(dim, first.dim(), "cat"), {}};
  DimVector none = first.sizes();
  none[p.dim] = 0;
  std::vector<Tensor> parts;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor t = tensors[i].dtype() == type ? tensors[i] : tensors[i].to(type);
    parts.push_back(is_skipped_by_cat(t) && first.dim() > 1 ? view(t, none) : t);
    check_cat_shapes(first, parts[i], i, p.dim);
    p.lengths.push_back(parts[i].sizes()[p.dim]);
  }
  return call1(cat_op, ArgList(parts), p);
}

std::vector<Tensor> split_copy(const Tensor& x, IntArrayRef sizes, int64_t dim) {
  STRATA_CHECK(x.dim() > 0, "split_copy: a 0-dim tensor has no dim to split");
  const CatParams p{wrap_dim(dim, x.dim(), "split_copy"), sizes};
  int64_t total = 0;
  for (int64_t n : sizes) {
    STRATA_CHECK(n >= 0, "split_copy: negative size in {}", sizes);
    total = checked_add(total, n, "split_copy");
  }
  STRATA_CHECK(total == x.sizes()[p.dim], "split_copy: sizes {} do not add up to dim {} of size {}", sizes, p.dim,
               x.sizes()[p.dim]);
  if (sizes.empty()) return {};
  const Tensors parts = call(split_copy_op, {&x}, p);
  return {parts.begin(), parts.end()};
}
std::vector<Tensor> split_with_sizes_copy(const Tensor& x, IntArrayRef sizes, int64_t dim) {
  return split_copy(x, sizes, dim);
}

std::vector<Tensor> unbind_copy(const Tensor& x, int64_t dim) {
  STRATA_CHECK(x.dim() > 0, "unbind_copy: a 0-dim tensor has no dim to take apart");
  const int64_t d = wrap_dim(dim, x.dim(), "unbind_copy");
  std::vector<Tensor> parts = split_copy(x, DimVector(static_cast<size_t>(x.sizes()[d]), 1), d);
  for (Tensor& part : parts) part = as_result(squeeze(part, d));
  return parts;
}

Tensor concat(TensorList tensors, int64_t dim) { return cat(tensors, dim); }
Tensor concatenate(TensorList tensors, int64_t dim) { return cat(tensors, dim); }

Tensor stack(TensorList tensors, int64_t dim) {
  const Called called;
  STRATA_CHECK(!tensors.empty(), "stack: needs at least one tensor");
  dispatch::check_defined("stack", tensors);
  const int64_t d = wrap_dim(dim, tensors[0].dim() + 1, "stack");
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) {
    STRATA_CHECK(t.sizes() == tensors[0].sizes(),
                 "stack expects each tensor to be equal size, but tensor {} has shape {}, tensor 0 has {}",
                 parts.size(), t.sizes(), tensors[0].sizes());
    parts.push_back(unsqueeze(t, d));
  }
  return cat(parts, d);
}

Tensor hstack(TensorList tensors) {
  STRATA_CHECK(!tensors.empty(), "hstack: expects a non-empty TensorList");
  dispatch::check_defined("hstack", tensors);
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) parts.push_back(at_least(t, 1));
  return cat(parts, parts[0].dim() == 1 ? 0 : 1);
}

Tensor vstack(TensorList tensors) {
  STRATA_CHECK(!tensors.empty(), "vstack: expects a non-empty TensorList");
  dispatch::check_defined("vstack", tensors);
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) parts.push_back(at_least(t, 2));
  return cat(parts, 0);
}

Tensor constant_pad_nd(const Tensor& x, IntArrayRef padding, const Scalar& value) {
  const bool adds = std::any_of(padding.begin(), padding.end(), [](int64_t n) { return n > 0; });
  if (adds) value.check_fits("constant_pad_nd", x.dtype());
  check_padding_list(x, padding);
  PadParams p{DimVector(x.dim(), 0), DimVector(x.dim(), 0), value};
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    const int64_t d = x.dim() - 1 - static_cast<int64_t>(i);
    p.low[d] = padding[2 * i];
    p.high[d] = padding[2 * i + 1];
    const int64_t n = x.sizes()[d];
    STRATA_CHECK(n + p.low[d] + p.high[d] >= 0 && n + p.low[d] >= 0 && n + p.high[d] >= 0,
                 "pad: cutting ({}, {}) from dim {} of size {} leaves less than nothing", p.low[d], p.high[d], d, n);
  }
  return call1(pad_op, {&x}, p);
}

Tensor pad(const Tensor& x, IntArrayRef padding, std::string_view mode, const Scalar& value) {
  if (mode == "constant") return constant_pad_nd(x, padding, value);
  STRATA_CHECK(mode == "reflect" || mode == "replicate" || mode == "circular",
               "pad: mode is constant, reflect, replicate or circular, got {}", mode);
  check_padding_list(x, padding);
  std::vector<ResampledDim> dims;
  for (size_t i = padding.size() / 2; i-- > 0;) {
    const int64_t n = x.sizes()[x.dim() - 1 - static_cast<int64_t>(i)], low = padding[2 * i], high = padding[2 * i + 1];
    if (low != 0 || high != 0) check_padding(n, low, high, mode);
    dims.push_back({n, n + low + high, 1, -static_cast<double>(low)});
  }
  if (dims.empty()) return x.clone();
  return resample(x, x.dim() - static_cast<int64_t>(dims.size()), dims, padding_mode(mode));
}

Tensor flip(const Tensor& x, IntArrayRef dims) {
  if (dims.empty()) return x.clone();
  return call1(flip_op, {&x}, FlipParams{wrap_dims(dims, x.dim(), "flip")});
}
Tensor fliplr(const Tensor& x) {
  STRATA_CHECK(x.dim() >= 2, "fliplr: needs at least 2 dims, got shape {}", x.sizes());
  return flip(x, {1});
}
Tensor flipud(const Tensor& x) {
  STRATA_CHECK(x.dim() >= 1, "flipud: needs at least 1 dim, got a 0-dim tensor");
  return flip(x, {0});
}

Tensor roll(const Tensor& x, IntArrayRef shifts, IntArrayRef dims) {
  if (dims.empty()) {
    STRATA_CHECK(shifts.size() == 1, "roll: without dims there is one shift, got {}", shifts);
    return as_result(reshape(roll(flatten(x), shifts, {0}), x.sizes()));
  }
  STRATA_CHECK(shifts.size() == dims.size(), "roll: {} shifts for {} dims", shifts.size(), dims.size());
  STRATA_CHECK_INDEX(x.dim() > 0, "roll: dims {} of a 0-dim tensor, which has none", dims);
  DimVector shift(static_cast<size_t>(x.dim()), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = wrap_dim(dims[i], x.dim(), "roll"), n = x.sizes()[d];
    if (n > 0) shift[d] = (shift[d] + (shifts[i] % n + n) % n) % n;
  }
  RollParams p;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (shift[d] == 0) continue;
    p.shifts.push_back(shift[d]);
    p.dims.push_back(d);
  }
  return p.dims.empty() ? detail::row_major_copy(x) : call1(roll_op, {&x}, p);
}

Tensor repeat(const Tensor& x, IntArrayRef repeats) {
  const Called called;
  const int64_t extra = static_cast<int64_t>(repeats.size()) - x.dim();
  STRATA_CHECK(extra >= 0, "repeat: {} repeats for a tensor of {} dims", repeats.size(), x.dim());
  DimVector with_ones, expanded, sizes;
  for (size_t i = 0; i < repeats.size(); ++i) {
    STRATA_CHECK(repeats[i] >= 0, "repeat: repeats must not be negative, got {}", repeats);
    const int64_t n = static_cast<int64_t>(i) < extra ? 1 : x.sizes()[i - extra];
    for (int64_t v : {int64_t{1}, n}) with_ones.push_back(v);
    for (int64_t v : {repeats[i], n}) expanded.push_back(v);
    sizes.push_back(numel_of({repeats[i], n}));
  }
  const Tensor copies = expand(reshape(x, with_ones), expanded);
  return as_result(reshape(detail::row_major_copy(copies), sizes));  // some expanded tensors reshape without a copy
}

Tensor tile(const Tensor& x, IntArrayRef repeats) {
  const Called called;
  DimVector all = repeats;
  while (static_cast<int64_t>(all.size()) < x.dim()) all.insert(0, 1);
  return repeat(x, all);
}

namespace {
void check_output_size(std::optional<int64_t> given, int64_t size) {
  STRATA_CHECK(!given || *given == size, "repeat_interleave: output_size is {}, the repeats make {}", given.value_or(0),
               size);
}
}  // namespace

Tensor repeat_interleave(const Tensor& x, int64_t repeats, std::optional<int64_t> dim,
                         std::optional<int64_t> output_size) {
  if (!dim) return repeat_interleave(flatten(x), repeats, 0, output_size);
  STRATA_CHECK(repeats >= 0, "repeat_interleave: repeats must not be negative, got {}", repeats);
  const int64_t d = wrap_dim(*dim, x.dim(), "repeat_interleave");
  DimVector expanded = x.sizes(), sizes = x.sizes();
  expanded.insert(d + 1, repeats);
  sizes[d] = numel_of({sizes[d], repeats});
  check_output_size(output_size, sizes[d]);
  const Tensor copies = expand(unsqueeze(x, d + 1), expanded);
  return as_result(reshape(detail::row_major_copy(copies), sizes));
}

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  STRATA_CHECK(repeats.dim() == 1, "repeat_interleave: expected 1-dim repeats, got shape {}", repeats.sizes());
  return repeat_interleave(arange(repeats.numel(), TensorOptions(kLong).device(repeats.device())), repeats, 0,
                           output_size);
}
Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim,
                         std::optional<int64_t> output_size) {
  if (!dim) return repeat_interleave(flatten(x), repeats, 0, output_size);
  const int64_t d = wrap_dim(*dim, x.dim(), "repeat_interleave"), n = x.sizes()[d];
  STRATA_CHECK_AS(NotImplementedError, is_integral(repeats.dtype()),
                  "repeat_interleave: repeats must be integers, got {}", name(repeats.dtype()));
  STRATA_CHECK(repeats.dim() <= 1, "repeat_interleave: repeats must be 1-dim, got shape {}", repeats.sizes());
  if (repeats.numel() == 1) return repeat_interleave(x, repeats.item<int64_t>(), d, output_size);
  STRATA_CHECK(repeats.numel() == n, "repeat_interleave: {} repeats for dim {} of size {}", repeats.numel(), d, n);
  const Tensor counts = repeats.to(Device(kCPU), kLong).contiguous();
  const int64_t* const count = counts.data_ptr<int64_t>();
  int64_t size = 0;
  for (int64_t i = 0; i < n; ++i) {
    STRATA_CHECK(count[i] >= 0, "repeat_interleave: repeats must not be negative, got {}", count[i]);
    size = checked_add(size, count[i], "repeat_interleave");
  }
  check_output_size(output_size, size);
  const Tensor from = empty_cpu({size}, kLong);
  int64_t* at = from.data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) at = std::fill_n(at, count[i], i);
  return index_select(x, d, from.to(x.device()));
}

Tensor tril(const Tensor& x, int64_t diagonal) {
  STRATA_CHECK(x.dim() >= 2, "tril: needs at least 2 dims, got shape {}", x.sizes());
  return call1(tril_op, {&x}, TriangleParams{diagonal});
}
Tensor triu(const Tensor& x, int64_t diagonal) {
  STRATA_CHECK(x.dim() >= 2, "triu: needs at least 2 dims, got shape {}", x.sizes());
  return call1(triu_op, {&x}, TriangleParams{diagonal});
}
Tensor tril_indices(int64_t rows, int64_t cols, int64_t offset, const TensorOptions& options) {
  return triangle_indices("tril_indices", rows, cols, offset, true, options);
}
Tensor triu_indices(int64_t rows, int64_t cols, int64_t offset, const TensorOptions& options) {
  return triangle_indices("triu_indices", rows, cols, offset, false, options);
}

Tensor diag(const Tensor& x, int64_t diagonal) {
  STRATA_CHECK(x.dim() == 1 || x.dim() == 2, "diag: needs 1 or 2 dims, got shape {}", x.sizes());
  return x.dim() == 1 ? diag_embed(x, diagonal, 0, 1) : strata::diagonal(x, diagonal).clone();
}

Tensor diag_embed(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  const Called called;
  STRATA_CHECK(x.dim() >= 1, "diag_embed: needs at least 1 dim");
  const int64_t a = wrap_dim(dim1, x.dim() + 1, "diag_embed"), b = wrap_dim(dim2, x.dim() + 1, "diag_embed");
  STRATA_CHECK(a != b, "diag_embed: dim1 and dim2 are both {}", a);
  STRATA_CHECK(offset > -kMostElements && offset < kMostElements, "diag_embed: offset {} is out of range", offset);
  const int64_t n = checked_add(x.sizes()[x.dim() - 1], std::abs(offset), "diag_embed");
  DimVector sizes(x.sizes().slice(0, x.dim() - 1));
  sizes.insert(std::min(a, b), n);
  sizes.insert(std::max(a, b), n);
  return diagonal_backward(x, sizes, offset, a, b);
}

Tensor block_diag(TensorList tensors) {
  if (tensors.empty()) return empty({1, 0});
  const DType type = ranked_dtype(tensors);
  std::vector<Tensor> blocks;
  for (const Tensor& t : tensors) {
    STRATA_CHECK(t.dim() <= 2, "block_diag: expected tensors of at most 2 dims, got shape {}", t.sizes());
    blocks.push_back(atleast_2d(t.dtype() == type ? t : t.to(type)));
  }
  return call1(block_diag_op, ArgList(blocks), NoParams());
}

std::vector<Tensor> meshgrid(TensorList tensors) {
  warn_once("meshgrid: in an upcoming release, it will be required to pass the indexing argument");
  return meshgrid(tensors, "ij");
}
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing) {
  STRATA_CHECK(!tensors.empty(), "meshgrid: expects a non-empty TensorList");
  STRATA_CHECK(indexing == "ij" || indexing == "xy", "meshgrid: indexing is \"ij\" or \"xy\", got {}", indexing);
  DimVector sizes;
  for (const Tensor& t : tensors) {
    STRATA_CHECK(t.dim() <= 1, "meshgrid: tensors must be 0-dim or 1-dim, got shape {}", t.sizes());
    STRATA_CHECK(t.dtype() == tensors[0].dtype(), "meshgrid: tensors must have one dtype, got {} and {}",
                 name(tensors[0].dtype()), name(t.dtype()));
    sizes.push_back(t.numel());
  }
  std::vector<Tensor> grids;
  for (size_t i = 0; i < tensors.size(); ++i) {
    DimVector shape(tensors.size(), 1);
    shape[i] = tensors[i].numel();
    Tensor grid = expand(reshape(tensors[i], shape), sizes);
    grids.push_back(indexing == "xy" && tensors.size() >= 2 ? transpose(grid, 0, 1) : grid);
  }
  return grids;
}

Tensor Tensor::flip(IntArrayRef dims) const { return strata::flip(*this, dims); }
Tensor Tensor::roll(IntArrayRef shifts, IntArrayRef dims) const { return strata::roll(*this, shifts, dims); }
Tensor Tensor::repeat(IntArrayRef repeats) const { return strata::repeat(*this, repeats); }
Tensor Tensor::repeat_interleave(int64_t repeats, std::optional<int64_t> dim,
                                 std::optional<int64_t> output_size) const {
  return strata::repeat_interleave(*this, repeats, dim, output_size);
}
Tensor Tensor::tile(IntArrayRef repeats) const { return strata::tile(*this, repeats); }
Tensor Tensor::tril(int64_t diagonal) const { return strata::tril(*this, diagonal); }
Tensor Tensor::triu(int64_t diagonal) const { return strata::triu(*this, diagonal); }
Tensor Tensor::diag(int64_t diagonal) const { return strata::diag(*this, diagonal); }
Tensor Tensor::diag_embed(int64_t offset, int64_t dim1, int64_t dim2) const {
  return strata::diag_embed(*this, offset, dim1, dim2);
}
Tensor Tensor::fliplr() const { return strata::fliplr(*this); }
Tensor Tensor::flipud() const { return strata::flipud(*this); }
Tensor Tensor::repeat_interleave(const Tensor& repeats, std::optional<int64_t> dim,
                                 std::optional<int64_t> output_size) const {
  return strata::repeat_interleave(*this, repeats, dim, output_size);
}
Tensor& Tensor::tril_(int64_t diagonal) const {
  return detail::in_place("tril_", [&]() -> Tensor& {
    STRATA_CHECK(dim() >= 2, "tril_: needs at least 2 dims, got shape {}", sizes());
    call_inplace(tril_op, self(), {this}, TriangleParams{diagonal});
    return self();
  });
}
Tensor& Tensor::triu_(int64_t diagonal) const {
  return detail::in_place("triu_", [&]() -> Tensor& {
    STRATA_CHECK(dim() >= 2, "triu_: needs at least 2 dims, got shape {}", sizes());
    call_inplace(triu_op, self(), {this}, TriangleParams{diagonal});
    return self();
  });
}

}  // namespace strata
