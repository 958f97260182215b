// embedding_bag, of look-ups and sums over equal indices.
#include "ops/embedding_bag.h"

#include <algorithm>
#include <limits>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

constexpr const char* kName = "embedding_bag";
constexpr int64_t kSum = 0, kMean = 1, kMax = 2;

bool can_read(const Tensor& t) { return t.device().is_cpu() && !t.keys().has(Key::Transform); }

/// Where bags of 1-dim indices begin and what they hold.
struct Bags {
  Tensor starts;  ///< (N)
  Tensor number;  ///< the bag of each index, (L)
  int64_t count;
};

void check_offsets(const Tensor& offsets, int64_t total, bool with_end) {
  if (!can_read(offsets) || offsets.numel() == 0) return;
  const Tensor at = offsets.contiguous();
  const int64_t *first = at.data_ptr<int64_t>(), *last = first + at.numel() - 1;
  STRATA_CHECK(*first == 0, "{}: the first offset must be 0, got {}", kName, *first);
  STRATA_CHECK(std::is_sorted(first, last + 1), "{}: the offsets must not fall", kName);
  STRATA_CHECK(*last <= total && (!with_end || *last == total), "{}: the last offset is {}, but there are {} indices",
               kName, *last, total);
}

Tensor numbers(int64_t count, const Tensor& like) { return arange(count, TensorOptions(kLong).device(like.device())); }

Bags bags_of(const Tensor& indices, const Tensor& given, bool include_last_offset) {
  STRATA_CHECK(given.defined() && given.dim() == 1, "{}: 1-dim indices need 1-dim offsets, got {}", kName,
               given.defined() ? "another shape" : "none");
  const Tensor offsets = as_index(given, kName, kIntOrLongIndex, "offsets");
  STRATA_CHECK(!include_last_offset || offsets.numel() > 0,
               "{}: include_last_offset needs at least one offset, got none", kName);
  check_offsets(offsets, indices.numel(), include_last_offset);
  const int64_t count = offsets.numel() - (include_last_offset ? 1 : 0);
  STRATA_CHECK(count > 0 || indices.numel() == 0, "{}: {} indices are in no bag", kName, indices.numel());
  const Tensor starts = narrow(offsets, 0, 0, count);
  return {starts, searchsorted(starts, numbers(indices.numel(), indices), false, true) - 1, count};
}

/// `values` (L, ...) added up over the bags.
Tensor added_up(const Tensor& values, const Bags& bags) {
  DimVector sizes = values.sizes();
  sizes[0] = bags.count;
  return index_add(constant(0, values.dtype(), values.device(), sizes), 0, bags.number, values);
}

/// For each bag the places of its indices, as rows as long as the longest bag; `missing` behind their ends.
Tensor places(const Tensor& indices, const Bags& bags, int64_t missing) {
  const Tensor each = numbers(indices.numel(), indices);
  const Tensor within = each - index_select(bags.starts, 0, bags.number);
  const int64_t longest = indices.numel() == 0 ? 1 : within.max().item<int64_t>() + 1;
  const Tensor grid = constant(missing, kLong, indices.device(), {bags.count * longest});
  return view(scatter(grid, 0, bags.number * longest + within, each), {bags.count, longest});
}

/// The largest of rows (N, L, D) and which one it is, those without a mark in `counts` (N, L) left out.
std::tuple<Tensor, Tensor> largest(const Tensor& rows, const Tensor& counts, const Tensor& sizes) {
  const Tensor marks = unsqueeze(counts, 2), is_empty = unsqueeze(eq(sizes, 0), 1);
  const Tensor candidates = masked_fill(rows, logical_not(marks), -std::numeric_limits<double>::infinity());
  const auto [values, which] = max(candidates, 1);
  return {masked_fill(values, is_empty, 0), masked_fill(which, is_empty, -1)};
}

/// The index behind each choice of a place (N, D) among places (N, L) of `index`, which may be -1 for none.
Tensor chosen(const Tensor& index, const Tensor& which) {
  return where(ge(which, 0), gather(index, 1, clamp_min(which, 0)), -1);
}

Tensor averaged(const Tensor& sums, const Tensor& sizes) {
  return sums / unsqueeze(clamp_min(sizes, 1), 1).to(sums.dtype());
}

using Outputs = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Outputs bags_of_rows(const Tensor& rows, const Tensor& index, const Tensor& counts, int64_t mode) {
  const Tensor sizes = sum(counts, {1});
  const int64_t bags = index.sizes()[0], length = index.sizes()[1];
  const Tensor number = reshape(expand(unsqueeze(numbers(bags, index), 1), index.sizes()), {-1});
  if (mode == kMax && length > 0) {
    const auto [values, which] = largest(rows, counts, sizes);
    return {values, number, sizes, chosen(index, which)};
  }
  const Tensor sums = sum(rows, {1});
  return {mode == kMean ? averaged(sums, sizes) : sums, number, sizes, sizes};
}

Outputs bags_by_offsets(const Tensor& rows, const Tensor& index, const Tensor& counts, const Bags& bags, int64_t mode) {
  const Tensor sizes = added_up(counts.to(kLong), bags);
  if (mode == kMax && bags.count > 0) {
    const int64_t total = index.numel();
    const Tensor none = constant(0, rows.dtype(), rows.device(), {1, rows.sizes()[1]});
    const auto with_end = [&](const Tensor& t, double end) {
      return cat({t, constant(end, t.dtype(), t.device(), {1})});
    };
    const Tensor at = places(index, bags, total), flat = reshape(at, {-1});
    const Tensor grid = view(index_select(cat({rows, none}), 0, flat), {at.sizes()[0], at.sizes()[1], -1});
    const auto [values, which] = largest(grid, take(with_end(counts, 0), at), sizes);
    return {values, bags.number, sizes, chosen(take(with_end(index, -1), at), which)};
  }
  const Tensor sums = added_up(rows, bags);
  return {mode == kMean ? averaged(sums, sizes) : sums, bags.number, sizes, sizes};
}

}  // namespace

Outputs embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq,
                      int64_t mode, bool sparse, OptionalTensorRef per_sample_weights, bool include_last_offset,
                      std::optional<int64_t> padding_idx) {
  STRATA_CHECK(mode >= kSum && mode <= kMax, "{}: the mode is 0 (sum), 1 (mean) or 2 (max), got {}", kName, mode);
  STRATA_CHECK(weight.dim() == 2, "{}: weight must have shape (V, D), got {}", kName, weight.sizes());
  STRATA_CHECK(indices.dim() == 1 || indices.dim() == 2, "{}: expected 1 or 2 dims of indices, got shape {}", kName,
               indices.sizes());
  STRATA_CHECK(mode != kMax || (!scale_grad_by_freq && !sparse),
               "{}: the maximum has no gradient by frequency and no sparse one", kName);
  STRATA_CHECK(!per_sample_weights.defined() || mode == kSum, "{}: only the sum takes per_sample_weights", kName);
  STRATA_CHECK(!per_sample_weights.defined() || per_sample_weights->sizes() == indices.sizes(),
               "{}: per_sample_weights of shape {} for indices of shape {}, expected the same", kName,
               per_sample_weights->sizes(), indices.sizes());
  STRATA_CHECK(indices.dim() == 1 || !offsets.defined(), "{}: 2-dim indices take no offsets: their rows are the bags",
               kName);
  const int64_t count = weight.sizes()[0];
  STRATA_CHECK(!padding_idx || (*padding_idx >= -count && *padding_idx < count),
               "{}: padding_idx {} is out of range for {} rows", kName, padding_idx.value_or(0), count);
  const Tensor index = as_index(indices, kName, kIntOrLongIndex, "indices");
  const int64_t padding = !padding_idx ? -1 : *padding_idx < 0 ? *padding_idx + count : *padding_idx;
  const Tensor counts = ne(index, padding);
  Tensor rows = embedding(weight, index, -1, scale_grad_by_freq, sparse);
  if (per_sample_weights.defined()) rows = rows * unsqueeze(*per_sample_weights, -1).to(rows.dtype());
  if (padding >= 0) rows = masked_fill(rows, unsqueeze(logical_not(counts), -1), 0);
  if (indices.dim() == 2) return bags_of_rows(rows, index, counts, mode);
  return bags_by_offsets(rows, index, counts, bags_of(index, offsets, include_last_offset), mode);
}

Tensor& embedding_renorm_(Tensor& weight, const Tensor& indices, double max_norm, double norm_type) {
  STRATA_CHECK(weight.dim() == 2, "embedding_renorm_: weight must have shape (V, D), got {}", weight.sizes());
  const NoGradGuard no_grad;
  const Tensor used = std::get<0>(unique(as_index(indices, "embedding_renorm_", kIntOrLongIndex, "indices")));
  const Tensor rows = index_select(weight.detach(), 0, used), norms = norm(rows, norm_type, {1}, true);
  const Tensor scaled = where(gt(norms, max_norm), rows * (max_norm / (norms + 1e-7)), rows);
  weight.detach().index_copy_(0, used, scaled);
  return weight;
}

}  // namespace strata
