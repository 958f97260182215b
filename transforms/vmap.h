// vmap: a function of single examples becomes a function of batches.
#pragma once
#include <algorithm>

#include "../autograd/custom.h"
#include "../core/communicator.h"
#include "callable.h"
#include "level.h"

namespace strata::func {

using autograd::custom_op;
using autograd::CustomParams;
using autograd::CustomRule;

/// What random ops (randn, dropout, …) do inside vmap: throw, draw for each example, or draw once for all of them.
/// Functions of `strata::random` need no such choice: their keys are arguments.
enum class Randomness { error, different, same };

struct VmapOptions {
  Dims in_dims = 0;   ///< the mapped dimension of each argument
  Dims out_dims = 0;  ///< where the mapped dimension goes in each result
  Randomness randomness = Randomness::error;
  /// Runs the function on this many examples at a time, to save memory; all at once where there is none.
  std::optional<int64_t> chunk_size = {};
  /// What collectives inside of the function call the mapped dimension: `func::psum(x, "i")`. Each example is a rank
  /// then.
  std::string axis_name = {};
};

/// A group whose ranks are the examples of a vmap; null without a name.
ProcessGroup mapped_axis(const std::string& name, int64_t size);

/// One level of vmap: values carry the mapped dimension in front, and each op's batch rule says what to do with it.
class VmapLayer final : public Layer {
 public:
  /// `axis` is `mapped_axis` of the size, or null.
  VmapLayer(int64_t size, Randomness randomness, ProcessGroup axis = nullptr)
      : size_(size), randomness_(randomness), axis_(std::move(axis)) {}
  Tensors process(const Op& op, Args args, Params params) override;
  bool takes(const Op& op, Args args, Params params) const override;
  ProcessGroup axis() const override { return axis_; }
  /// A tensor of this level without the dimension 0 of `value`, which has the mapped size.
  Tensor wrap(const Tensor& value) const;
  /// The value of `t` with the mapped dimension at `out_dim` of it; constants are repeated.
  Tensor unwrap(const Tensor& t, std::optional<int64_t> out_dim) const;
  int64_t size() const { return size_; }

 private:
  bool reduces(const Op& op, Params params) const;
  Tensors call_custom(Args values, const bool* batched, const CustomParams& custom) const;
  const int64_t size_;
  const Randomness randomness_;
  const ProcessGroup axis_;  ///< null where it has no name
};

namespace detail {

/// The tensors of the arguments in order, each with its mapped dimension in front; undefined where it has none.
struct Mapped {
  std::vector<Tensor> tensors;
  std::vector<size_t> arguments;  ///< which argument each belongs to, for errors
  void add(const Tensor& t, const std::optional<int64_t>& dim, size_t argument);
  /// The common size of the mapped dimensions; throws where there is none.
  int64_t size() const;
  Mapped chunk(int64_t start, int64_t length) const;
};

template <class Args>
Mapped map_arguments(Args& args, const Dims& in_dims) {
  constexpr size_t n = std::tuple_size_v<Args>;
  const bool listed = in_dims.is_list();
  STRATA_CHECK(!listed || in_dims.list().size() == n, "vmap: in_dims has {} entries for {} arguments",
               in_dims.list().size(), n);
  Mapped mapped;
  size_t argument = 0;
  tree::for_each_child(args, [&](auto& arg) {
    for_each_with_dims(arg, listed ? in_dims.list()[argument] : in_dims, "vmap: in_dims",
                       [&](Tensor& t, const std::optional<int64_t>& dim) { mapped.add(t, dim, argument); });
    ++argument;
  });
  return mapped;
}

template <class F, class Args>
auto vmap_run(const F& f, Args args, const Mapped& mapped, const VmapOptions& options) {
  VmapLayer layer(mapped.size(), options.randomness, mapped_axis(options.axis_name, mapped.size()));
  auto out = [&] {
    const LayerScope scope(layer);
    size_t i = 0;
    tree::for_each(args, [&](Tensor& t) {
      if (mapped.tensors[i].defined()) t = layer.wrap(mapped.tensors[i]);
      ++i;
    });
    return fresh(std::apply(f, std::move(args)));
  }();
  for_each_with_dims(out, options.out_dims, "vmap: out_dims",
                     [&](Tensor& t, const std::optional<int64_t>& dim) { t = layer.unwrap(t, dim); });
  return out;
}

/// Joins the results of one chunk to those before it.
void append_chunk(Tensor& all, const Tensor& chunk, std::optional<int64_t> dim);

template <class F, class Args>
auto vmap_run_chunks(const F& f, const Args& args, const Mapped& mapped, const VmapOptions& options) {
  const int64_t size = mapped.size(), step = *options.chunk_size;
  STRATA_CHECK(step > 0, "vmap: chunk_size is {}", step);
  STRATA_CHECK(options.axis_name.empty() || step >= size,
               "vmap: with chunk_size {} a collective over axis {} would miss examples", step, options.axis_name);
  auto out = vmap_run(f, args, mapped.chunk(0, std::min(step, size)), options);
  for (int64_t start = step; start < size; start += step) {
    const auto next = vmap_run(f, args, mapped.chunk(start, std::min(step, size - start)), options);
    const std::vector<Tensor> tensors = tree::leaves(next);
    size_t i = 0;
    for_each_with_dims(out, options.out_dims, "vmap: out_dims",
                       [&](Tensor& t, const std::optional<int64_t>& dim) { append_chunk(t, tensors[i++], dim); });
  }
  return out;
}

struct Vmap {
  VmapOptions options;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    const Mapped mapped = map_arguments(args, options.in_dims);
    return options.chunk_size ? vmap_run_chunks(f, args, mapped, options)
                              : vmap_run(f, std::move(args), mapped, options);
  }
};

}  // namespace detail

/// `vmap(f)(args...)` is `f` applied to every example along the mapped dimensions and the results stacked, in one run
/// of `f` on whole batches: `vmap(dot)(x, y)` with x and y of shape (B, N) gives shape (B,). `f` sees tensors without
/// the mapped dimension. Arguments and results are tensors, numbers and nests of them (core/tree.h). Errors: sizes of
/// mapped dimensions that differ; reading values (`item`, `if (x > 0)`); results whose shape depends on values; random
/// ops unless `randomness` says how. After JAX's and torch.func's vmap.
///
///     auto dot = [](Tensor a, Tensor b) { return (a * b).sum(); };
///     Tensor rows = vmap(dot)(x, y);                                     // x, y (B, N): (B,)
///     Tensor against = vmap(dot, {.in_dims = {0, nullopt}})(x, y[0]);    // each row of x with one of y: (B,)
///     Tensor pairs = vmap(vmap(dot, {.in_dims = {nullopt, 0}}), {.in_dims = {0, nullopt}})(x, y);  // (B, B)
///     auto noisy = vmap([](Tensor a) { return a + randn({}); }, {.randomness = Randomness::different});
template <class F>
auto vmap(F f, VmapOptions options = {}) {
  return detail::transformed(detail::Vmap{std::move(options)}, std::move(f));
}

}  // namespace strata::func
