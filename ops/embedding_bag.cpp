// embedding_bag: the ops with their rules, and the functions over them.
#include "ops/embedding_bag.h"

#include <algorithm>

#include "core/called.h"
#include "core/grad_mode.h"
#include "dispatcher/layer.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/embedding_bag_def.h"
#include "ops/embedding_rules.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

constexpr const char* kBagName = "embedding_bag";
constexpr int64_t kSum = 0, kMean = 1, kMax = 2;

bool can_read(const Tensor& t) { return t.device().is_cpu() && !t.keys().has(Key::Transform); }

void check_offsets(const Tensor& offsets, int64_t total, bool with_end) {
  if (!can_read(offsets) || offsets.numel() == 0) return;
  const Tensor at = offsets.contiguous();
  const int64_t *first = at.data_ptr<int64_t>(), *last = first + at.numel() - 1;
  STRATA_CHECK(*first == 0, "{}: the first offset must be 0, got {}", kBagName, *first);
  STRATA_CHECK(std::is_sorted(first, last + 1), "{}: the offsets must not fall", kBagName);
  STRATA_CHECK(*last <= total && (!with_end || *last == total), "{}: the last offset is {}, but there are {} indices",
               kBagName, *last, total);
}

/// The bag of each index and the size of each bag.
struct Bags {
  Tensor number, sizes;
  int64_t count;
};

Tensor count_up(int64_t n, const Tensor& like) { return arange(n, TensorOptions(kLong).device(like.device())); }

/// The float64 `marks` added up for each of `count` numbers.
Tensor counted(const Tensor& numbers, const Tensor& marks, int64_t count) {
  return index_add(constant(0, kDouble, numbers.device(), {count}), 0, numbers, marks);
}

Bags bags_by_offsets(const Tensor& indices, const Tensor& given, bool include_last_offset) {
  STRATA_CHECK(given.defined() && given.dim() == 1, "{}: 1-dim indices need 1-dim offsets, got {}", kBagName,
               given.defined() ? "another shape" : "none");
  const Tensor offsets = as_index(given, kBagName, kIntOrLongIndex, "offsets");
  STRATA_CHECK(!include_last_offset || offsets.numel() > 0,
               "{}: include_last_offset needs at least one offset, got none", kBagName);
  const int64_t total = indices.numel(), count = offsets.numel() - (include_last_offset ? 1 : 0);
  check_offsets(offsets, total, include_last_offset);
  STRATA_CHECK(count > 0 || total == 0, "{}: {} indices are in no bag", kBagName, total);
  const Tensor starts = narrow(offsets, 0, 0, count);
  const Tensor ends = cat({starts, constant(total, kLong, offsets.device(), {1})});
  const Tensor sizes = narrow(ends, 0, 1, count) - starts;
  if (count == 0) return {constant(0, kLong, offsets.device(), {0}), sizes, count};
  // The start of each bag but the first moves what follows on by one.
  const Tensor later = narrow(starts, 0, 1, count - 1);
  const Tensor steps = index_add(constant(0, kInt, offsets.device(), {total + 1}), 0, later,
                                 constant(1, kInt, offsets.device(), {count - 1}));
  return {cumsum(narrow(steps, 0, 0, total), 0), sizes, count};
}

Bags bags_of_rows(const Tensor& indices) {
  const int64_t count = indices.sizes()[0], length = indices.sizes()[1];
  const Tensor number = reshape(expand(unsqueeze(count_up(count, indices), 1), indices.sizes()), {-1});
  return {number, constant(length, kLong, indices.device(), {count}), count};
}

Tensor averaged(const Tensor& sums, const Tensor& sizes) {
  return sums / unsqueeze(clamp_min(sizes, 1), 1).to(sums.dtype());
}

Tensor add_rows(const Tensor& x, const Tensor& from, const Tensor& to, const Tensor& scale, const RowsParams& p) {
  return call1(add_rows_op, {&x, &from, &to, &scale}, p);
}

/// What `rows`, -1 for none, picks of each column of x.
Tensor picked(const Tensor& x, const Tensor& rows) {
  return masked_fill(gather(x, 0, clamp_min(rows, 0)), rows.lt(0), 0);
}

/// The sum over D of the rows that meet at each index, 0 where none do: the derivative in its scale.
Tensor products(const Tensor& x, const Tensor& y, const Tensor& from, const Tensor& to) {
  const Tensor met = index_select(x, 0, clamp_min(from, 0)).mul(index_select(y, 0, clamp_min(to, 0)));
  return masked_fill(sum(met, {1}), logical_or(from.lt(0), to.lt(0)), 0);
}

/// Rows (size, ...) of the examples' results as rows of one result behind the other; -1 stays.
Tensor rows_of_all(const Tensor& rows, int64_t count) {
  return where(rows.lt(0), rows, rows.add(example_numbers(rows.sizes()[0], rows).mul(Scalar(count))));
}

Tensors batch_rows(const Batch& c, const RowsParams& p) {
  const Tensor from = rules::batched(c, 1), to = rules::batched(c, 2);
  const Tensor scale = c.arity() > 3 ? rules::batched(c, 3) : Tensor();
  const auto flat = [](const Tensor& t) { return t.defined() ? reshape(t, {-1}) : t; };
  const int64_t rows = c.batched(0) ? c.in(0).sizes()[1] : 0;
  const Tensor x = c.batched(0) ? flatten(c.in(0), 0, 1) : c.in(0);
  const auto shifted = [&](const Tensor& t) { return p.skips ? rows_of_all(t, rows) : index_into_all(t, rows); };
  const Tensor at = flat(c.batched(0) ? shifted(from) : from), go = flat(rows_of_all(to, p.count)), by = flat(scale);
  const RowsParams all{c.size * p.count, p.skips};
  Tensors r = c.arity() > 3 ? call(c.op, {&x, &at, &go, &by}, all) : call(c.op, {&x, &at, &go}, all);
  for (Tensor& t : r) t = unflatten(t, 0, {c.size, p.count});
  if (r.size() > 1) r[1] = rows_of_all(r[1], -rows);
  return r;
}

}  // namespace

STRATA_OP(add_rows_op) =
    op<RowsParams>("add_rows(Tensor x, Tensor from, Tensor to, Tensor? scale, int count, bool skips) -> Tensor")
        .infer([](Args in, const RowsParams& p) {
          return meta({p.count, in[0].sizes()[1]}, in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const RowsParams&) {
          Tensors grads = Tensors::undefined(4);
          if (c.needs(0)) grads[0] = add_rows(c.grad(), c.in(2), c.in(1), c.in(3), {c.in(0).sizes()[0], true});
          if (c.needs(3)) grads[3] = products(c.in(0), c.grad(), c.in(1), c.in(2));
          return grads;
        })
        .saves_for(0, saves_shape(0) | saves_in(1, 2, 3))
        .saves_for(2, saves_in(0, 1, 2))
        .jvp([](const Jvp& c, const RowsParams& p) -> Tensors {
          Tensor along;
          if (c.tangent().defined()) along = add_rows(c.tangent(), c.in(1), c.in(2), c.in(3), p);
          if (!c.tangent(3).defined()) return along;
          return rules::add_defined(along, add_rows(c.in(0), c.in(1), c.in(2), c.tangent(3), p));
        })
        .batch([](const Batch& c, const RowsParams& p) { return batch_rows(c, p); })
        .dtypes(kFloatingTypes)
        .dtypes_for(1, DTypes(kLong))
        .dtypes_for(2, DTypes(kLong) | kFloatingTypes);

STRATA_OP(max_rows_op) =
    op<RowsParams>("max_rows(Tensor x, Tensor from, Tensor to, int count, bool skips) -> (Tensor, Tensor rows)")
        .infer([](Args in, const RowsParams& p) {
          const DimVector sizes{p.count, in[0].sizes()[1]};
          return Metas(meta(sizes, in[0].dtype(), in[0].device()), meta(sizes, kLong, in[0].device()));
        })
        .vjp([](const Vjp& c, const RowsParams&) -> Tensors {
          if (!c.grad().defined()) return Tensors::undefined(3);
          const Tensor &g = c.grad(), &rows = c.out(1);
          const Tensor none = constant(0, g.dtype(), g.device(), c.in(0).sizes());
          return {scatter_add(none, 0, clamp_min(rows, 0), masked_fill(g, rows.lt(0), 0)), Tensor(), Tensor()};
        })
        .saves(saves_shape(0) | saves_out(1))
        .jvp([](const Jvp& c, const RowsParams&) -> Tensors {
          return {picked(c.tangent(), c.out(1)), Tensor()};
        })
        .batch([](const Batch& c, const RowsParams& p) { return batch_rows(c, p); })
        .dtypes(kFloatingTypes)
        .dtypes_for(1, DTypes(kLong))
        .dtypes_for(2, DTypes(kLong));

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
                                                         bool sparse, OptionalTensorRef per_sample_weights,
                                                         bool include_last_offset, std::optional<int64_t> padding_idx) {
  const Called called;
  if (sparse) warn_once("embedding_bag: gradients are dense, also where sparse ones are asked for");
  STRATA_CHECK(mode >= kSum && mode <= kMax, "{}: the mode is 0 (sum), 1 (mean) or 2 (max), got {}", kBagName, mode);
  STRATA_CHECK(weight.dim() == 2, "{}: weight must have shape (V, D), got {}", kBagName, weight.sizes());
  STRATA_CHECK(indices.dim() == 1 || indices.dim() == 2, "{}: expected 1 or 2 dims of indices, got shape {}", kBagName,
               indices.sizes());
  STRATA_CHECK(mode != kMax || (!scale_grad_by_freq && !sparse),
               "{}: the maximum has no gradient by frequency and no sparse one", kBagName);
  STRATA_CHECK(!per_sample_weights.defined() || mode == kSum, "{}: only the sum takes per_sample_weights", kBagName);
  STRATA_CHECK(!per_sample_weights.defined() || per_sample_weights->sizes() == indices.sizes(),
               "{}: per_sample_weights of shape {} for indices of shape {}, expected the same", kBagName,
               per_sample_weights->sizes(), indices.sizes());
  STRATA_CHECK(indices.dim() == 1 || !offsets.defined(), "{}: 2-dim indices take no offsets: their rows are the bags",
               kBagName);
  const int64_t count = weight.sizes()[0];
  STRATA_CHECK(!padding_idx || (*padding_idx >= -count && *padding_idx < count),
               "{}: padding_idx {} is out of range for {} rows", kBagName, padding_idx.value_or(0), count);
  const Tensor index = as_index(indices, kBagName, kIntOrLongIndex, "indices");
  const int64_t padding = !padding_idx ? -1 : *padding_idx < 0 ? *padding_idx + count : *padding_idx;
  const Tensor flat = reshape(index, {-1});
  Bags bags = indices.dim() == 2 ? bags_of_rows(index) : bags_by_offsets(index, offsets, include_last_offset);
  Tensor to = bags.number;
  if (padding >= 0) {
    const Tensor is_padding = eq(flat, padding);
    to = masked_fill(to, is_padding, -1);
    bags.sizes = bags.sizes - counted(bags.number, is_padding.to(kDouble), bags.count).to(kLong);
  }
  if (mode == kMax) {
    const Tensors r = call(max_rows_op, {&weight, &flat, &to}, RowsParams{bags.count, false});
    return {r[0], bags.number, bags.sizes, r[1]};
  }
  Tensor scale = *per_sample_weights;
  if (scale.defined()) scale = reshape(scale.dtype() == weight.dtype() ? scale : scale.to(weight.dtype()), {-1});
  // Only look-ups divide gradients by how often a row is looked up.
  const Tensor table = scale_grad_by_freq ? embedding(weight, flat, -1, true) : weight;
  const Tensor from = scale_grad_by_freq ? count_up(flat.numel(), flat) : flat;
  const Tensor sums = add_rows(table, from, to, scale, {bags.count, false});
  return {mode == kMean ? averaged(sums, bags.sizes) : sums, bags.number, bags.sizes, bags.sizes};
}

Tensor& embedding_renorm_(Tensor& weight, const Tensor& indices, double max_norm, double norm_type) {
  STRATA_CHECK(weight.dim() == 2, "embedding_renorm_: weight must have shape (V, D), got {}", weight.sizes());
  const NoGradGuard no_grad;
  const Tensor chosen = as_index(indices, "embedding_renorm_", kIntOrLongIndex, "indices").to(kLong);
  const auto shortened = [&](const Tensor& rows) {
    const Tensor norms = norm(rows, norm_type, {1}, true);
    return where(gt(norms, max_norm), rows * (max_norm / (norms + 1e-7)), rows);
  };
  if (dispatch::is_recorded()) {  // how many rows there are is not known: all of them, and the others stay
    const Tensor is_used =
        zeros({weight.size(0)}, TensorOptions(kBool).device(weight.device())).index_fill(0, chosen.flatten(), true);
    weight.copy_(where(is_used.unsqueeze(1), shortened(weight), weight));
    return weight;
  }
  const Tensor plain = weight.detach();
  const Tensor used = std::get<0>(unique(chosen));
  plain.index_copy_(0, used, shortened(index_select(plain, 0, used)));
  return weight;
}

}  // namespace strata
