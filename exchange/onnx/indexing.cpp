// ONNX's gathers and scatters.
#include <numeric>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/scatter_reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// Places as int64 from the front.
Tensor places(const Tensor& index, int64_t size) {
  const Tensor i = cast(index, kLong);
  return where(lt(i, 0), add(i, size), i);
}

Tensor gathered(A a) {
  const Tensor &x = a[0], &index = a[1];
  const int64_t axis = wrapped(a.integer("axis", 0), x.dim());
  const Tensor rows = index_select(x, axis, places(index, x.size(axis)).reshape({-1}));
  Ints sizes(x.sizes().begin(), x.sizes().begin() + axis);
  sizes.insert(sizes.end(), index.sizes().begin(), index.sizes().end());
  sizes.insert(sizes.end(), x.sizes().begin() + axis + 1, x.sizes().end());
  return reshape(rows, sizes);
}

int64_t product(IntArrayRef sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

/// Rows of `x` (the first dims flattened) that tuples in the last dim of `index` mean; `around` are dims before these
/// that x and index share.
Tensor row_numbers(const Tensor& index, IntArrayRef sizes, size_t around) {
  const int64_t width = index.size(-1), batches = product(sizes.slice(0, around));
  const Tensor tuples = cast(index, kLong).reshape({batches, -1, width});
  Tensor rows = arange(batches, kLong).reshape({batches, 1});
  for (int64_t d = 0; d < width; ++d) {
    const int64_t size = sizes[around + static_cast<size_t>(d)];
    rows = add(mul(rows, size), places(select(tuples, 2, d), size));
  }
  if (width == 0) rows = expand(rows, {batches, tuples.size(1)});
  return rows.reshape({-1});
}

Tensor gathered_nd(A a) {
  const Tensor &x = a[0], &index = a[1];
  const auto around = static_cast<size_t>(a.integer("batch_dims", 0)),
             used = around + static_cast<size_t>(index.size(-1));
  const IntArrayRef sizes = x.sizes(), rest = sizes.slice(used);
  const Tensor rows =
      index_select(x.reshape({product(sizes.slice(0, used)), product(rest)}), 0, row_numbers(index, sizes, around));
  Ints out(index.sizes().begin(), index.sizes().end() - 1);
  out.insert(out.end(), rest.begin(), rest.end());
  return rows.reshape(out);
}

std::string_view reduction_name(const std::string& onnx) {
  if (onnx == "add") return "sum";
  if (onnx == "mul") return "prod";
  if (onnx == "max") return "amax";
  if (onnx == "min") return "amin";
  STRATA_THROW("load_onnx: there is no reduction '{}'", onnx);
}

Tensor scattered_into(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& source,
                      const std::string& reduce) {
  return reduce == "none" ? scatter(x, axis, index, source)
                          : scatter_reduce(x, axis, index, source, reduction_name(reduce));
}

Tensor scattered(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", 0), x.dim());
  return scattered_into(x, axis, places(a[1], x.size(axis)), a[2], a.text("reduction", "none"));
}

Tensor scattered_nd(A a) {
  const Tensor &x = a[0], &index = a[1];
  const auto used = static_cast<size_t>(index.size(-1));
  const IntArrayRef sizes = x.sizes();
  const int64_t width = product(sizes.slice(used));
  const Tensor flat = x.reshape({product(sizes.slice(0, used)), width}), rows = row_numbers(index, sizes, 0);
  const Tensor index_of_all = expand(rows.reshape({-1, 1}), {rows.numel(), width});
  return scattered_into(flat, 0, index_of_all, a[2].reshape({rows.numel(), width}), a.text("reduction", "none"))
      .reshape(sizes);
}

/// Writes update to where write_indices says along the axis, one number for each element of the first dim.
Tensor written_into_cache(A a) {
  const Tensor &cache = a[0], &update = a[1];
  const int64_t axis = wrapped(a.integer("axis", -2), cache.dim()), most = cache.size(axis), length = update.size(axis);
  const std::string mode = a.text("mode", "linear");
  const Tensor first = a.has(2) ? cast(a[2], kLong) : zeros({cache.size(0)}, kLong);
  Ints along(static_cast<size_t>(cache.dim()), 1), of_first = along;
  along[static_cast<size_t>(axis)] = length, of_first[0] = cache.size(0);
  Tensor index = add(first.reshape(of_first), arange(length, kLong).reshape(along));
  if (mode == "circular") index = remainder(index, most);
  return scatter(cache, axis, expand(index, update.sizes()), update);
}

Tensor compressed(A a) {
  const std::optional<int64_t> axis = a.maybe_integer("axis");
  const Tensor x = axis ? a[0] : a[0].reshape({-1});
  const int64_t dim = axis ? wrapped(*axis, x.dim()) : 0;
  return index_select(x, dim, nonzero(a[1]).reshape({-1}));
}

/// Of each element along the batch's axis, the first so many in time the other way round.
Tensor reversed_sequences(A a) {
  const Tensor& x = a[0];
  const int64_t time = a.integer("time_axis", 0), batch = a.integer("batch_axis", 1), length = x.size(time);
  Ints along(static_cast<size_t>(x.dim()), 1), of_batch = along;
  along[static_cast<size_t>(time)] = length, of_batch[static_cast<size_t>(batch)] = x.size(batch);
  const Tensor at = arange(length, kLong).reshape(along), lengths = cast(a[1], kLong).reshape(of_batch);
  const Tensor from = where(lt(at, lengths), sub(sub(lengths, at), 1), at);
  return gather(x, time, expand(from, x.sizes()));
}

constexpr OpEntry kIndexingOps[] = {
    {"Gather", [](A a) { return gathered(a); }},
    {"GatherElements",
     [](A a) {
       const int64_t axis = wrapped(a.integer("axis", 0), a[0].dim());
       return gather(a[0], axis, places(a[1], a[0].size(axis)));
     }},
    {"GatherND", [](A a) { return gathered_nd(a); }},
    {"Scatter", [](A a) { return scattered(a); }},
    {"ScatterElements", [](A a) { return scattered(a); }},
    {"ScatterND", [](A a) { return scattered_nd(a); }},
    {"TensorScatter", [](A a) { return written_into_cache(a); }},
    {"Compress", [](A a) { return compressed(a); }},
    {"ReverseSequence", [](A a) { return reversed_sequences(a); }},
};

}  // namespace

std::span<const OpEntry> indexing_ops() { return kIndexingOps; }

}  // namespace strata::onnx
