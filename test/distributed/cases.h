// Functions with collectives over the axis "i", which every kind of group has to give the bits of vmap for.
#pragma once
#include <strata/strata.h>

#include <functional>
#include <string>
#include <vector>

#include "test/same_bits.h"

namespace strata {

using Function = std::function<Tensor(const Tensor&)>;

struct Case {
  const char* name;
  Function f;
};
/// Functions of a (6 W, 2) tensor on each of W ranks.
inline std::vector<Case> cases(int64_t world) {
  std::vector<std::pair<int64_t, int64_t>> ring, open, own;
  for (int64_t r = 0; r < world; ++r) ring.emplace_back(r, (r + 1) % world);
  for (int64_t r = 0; r + 1 < world; ++r) open.emplace_back(r, r + 1);
  for (int64_t r = 0; r < world; ++r) own.emplace_back(r, r);
  const int64_t last = world - 1;
  using distributed::all_gather_into_tensor, distributed::all_reduce, distributed::all_to_all_single,
      distributed::broadcast, distributed::permute, distributed::reduce, distributed::reduce_scatter_tensor;
  return {
      {"sum", [](const Tensor& x) { return all_reduce(x, ReduceOp::SUM, "i"); }},
      {"average", [](const Tensor& x) { return all_reduce(x, ReduceOp::AVG, "i"); }},
      {"product", [](const Tensor& x) { return all_reduce(x, ReduceOp::PRODUCT, "i"); }},
      {"max", [](const Tensor& x) { return all_reduce(x, ReduceOp::MAX, "i"); }},
      {"min", [](const Tensor& x) { return all_reduce(x, ReduceOp::MIN, "i"); }},
      {"of a transposed tensor", [](const Tensor& x) { return all_reduce(x.t(), ReduceOp::SUM, "i"); }},
      {"of one number", [](const Tensor& x) { return all_reduce(x.sum(), ReduceOp::SUM, "i"); }},
      {"in place",
       [](const Tensor& x) {
         Tensor y = x * 2;
         return distributed::all_reduce_(y, ReduceOp::SUM, "i");
       }},
      {"product of equal values",
       [](const Tensor& x) { return all_reduce(broadcast(x, 0, "i"), ReduceOp::PRODUCT, "i"); }},
      {"max of equal values", [](const Tensor& x) { return all_reduce(broadcast(x, 0, "i"), ReduceOp::MAX, "i"); }},
      {"min of equal values", [=](const Tensor& x) { return all_reduce(broadcast(x, last, "i"), ReduceOp::MIN, "i"); }},
      {"broadcast of rank 0", [](const Tensor& x) { return broadcast(x, 0, "i"); }},
      {"broadcast in place",
       [=](const Tensor& x) {
         Tensor y = x * 2;
         return distributed::broadcast_(y, last, "i");
       }},
      {"broadcast", [=](const Tensor& x) { return broadcast(x, last, "i"); }},
      {"reduce", [=](const Tensor& x) { return reduce(x, last, ReduceOp::SUM, "i"); }},
      {"reduce, mean, to rank 0", [](const Tensor& x) { return reduce(x, 0, ReduceOp::AVG, "i"); }},
      {"all_gather", [](const Tensor& x) { return all_gather_into_tensor(x, "i"); }},
      {"all_gather of one number", [](const Tensor& x) { return all_gather_into_tensor(x.sum(), "i"); }},
      {"all_gather as a list", [](const Tensor& x) { return distributed::all_gather(x * 3, "i").back(); }},
      {"reduce_scatter", [](const Tensor& x) { return reduce_scatter_tensor(x, ReduceOp::SUM, "i"); }},
      {"reduce_scatter, mean", [](const Tensor& x) { return reduce_scatter_tensor(x, ReduceOp::AVG, "i"); }},
      {"reduce, max", [=](const Tensor& x) { return reduce(x, last, ReduceOp::MAX, "i"); }},
      {"reduce, min", [](const Tensor& x) { return reduce(x, 0, ReduceOp::MIN, "i"); }},
      {"reduce, product", [=](const Tensor& x) { return reduce(x, last, ReduceOp::PRODUCT, "i"); }},
      {"reduce_scatter, max", [](const Tensor& x) { return reduce_scatter_tensor(x, ReduceOp::MAX, "i"); }},
      {"reduce_scatter, min of equal values",
       [](const Tensor& x) { return reduce_scatter_tensor(broadcast(x, 0, "i"), ReduceOp::MIN, "i"); }},
      {"reduce_scatter, product", [](const Tensor& x) { return reduce_scatter_tensor(x, ReduceOp::PRODUCT, "i"); }},
      {"all_to_all", [](const Tensor& x) { return all_to_all_single(x, {}, {}, "i"); }},
      {"permute in a ring", [=](const Tensor& x) { return permute(x, ring, "i"); }},
      {"permute, all to themselves", [=](const Tensor& x) { return permute(x, own, "i"); }},
      {"permute by one pair",
       [=](const Tensor& x) {
         return permute(x, {{last, 0}}, "i");
       }},
      {"permute by no pair", [](const Tensor& x) { return permute(x, {}, "i") + x; }},
      {"permute, open", [=](const Tensor& x) { return permute(x, open, "i"); }},
      {"gather", [](const Tensor& x) { return distributed::gather(x, 0, "i"); }},
      {"gather to the last rank", [=](const Tensor& x) { return distributed::gather(x, last, "i"); }},
      {"scatter from rank 0", [](const Tensor& x) { return distributed::scatter(x, 0, "i"); }},
      {"scatter", [=](const Tensor& x) { return distributed::scatter(x, last, "i"); }},
      {"axis_index", [](const Tensor& x) { return x * distributed::axis_index("i"); }},
      {"JAX's psum of a product", [](const Tensor& x) { return func::psum(x * x, "i") * x; }},
      {"JAX's tiled all_gather", [](const Tensor& x) { return func::all_gather(x, "i", 1, true); }},
      {"JAX's all_gather", [](const Tensor& x) { return func::all_gather(x, "i", -1); }},
      {"JAX's psum_scatter", [](const Tensor& x) { return func::psum_scatter(x.t(), "i", 1, true); }},
      {"JAX's all_to_all", [](const Tensor& x) { return func::all_to_all(x, "i", 0, 1, true); }},
      {"several at once: all_reduce",
       [](const Tensor& x) {
         const auto y = distributed::all_reduce_coalesced({x, x[1], x.sum()}, ReduceOp::SUM, "i");
         return y[0] * y[1] - y[2];
       }},
      {"several at once: all_gather",
       [](const Tensor& x) {
         const auto y = distributed::all_gather_into_tensor_coalesced({x, x.t(), x.sum()}, "i");
         return y[0].flatten() * y[1].flatten() + y[2].sum();
       }},
      {"several at once: reduce_scatter",
       [](const Tensor& x) {
         const auto y = distributed::reduce_scatter_tensor_coalesced({x, x * x}, ReduceOp::AVG, "i");
         return y[0] - y[1];
       }},
      {"two after one another", [](const Tensor& x) { return func::pmax(func::pmean(x, "i") - x, "i"); }},
  };
}

/// Functions of Note [Invariant and varying tensors]. Their gradients are by that note, so that they differ from those
/// of the function of all ranks' tensors.
inline std::vector<Case> invariant_cases() {
  using distributed::all_gather_invariant, distributed::as_invariant, distributed::own_shard,
      distributed::psum_invariant, distributed::pvary;
  return {
      {"pvary", [](const Tensor& x) { return pvary(x, "i"); }},
      {"pvary of a shared value", [](const Tensor& x) { return x * pvary(psum_invariant(x, "i"), "i"); }},
      {"psum_invariant", [](const Tensor& x) { return psum_invariant(x, "i"); }},
      {"own_shard", [](const Tensor& x) { return own_shard(x, 0, "i"); }},
      {"own_shard along dim 1", [](const Tensor& x) { return own_shard(x.t(), 1, "i"); }},
      {"all_gather_invariant", [](const Tensor& x) { return all_gather_invariant(x, 0, "i"); }},
      {"all_gather_invariant along dim 1", [](const Tensor& x) { return all_gather_invariant(x, 1, "i"); }},
      {"as_invariant", [](const Tensor& x) { return as_invariant(func::pmax(x, "i"), "i"); }},
  };
}

/// A function that has no derivative.
inline Case case_of_values() {
  return {"the rank's number", [](const Tensor&) { return distributed::axis_index("i"); }};
}

/// What ranks that are threads check by: Catch's own checks are for one thread. Their groups throw it on.
inline void expect(bool holds, std::string_view what) { STRATA_CHECK(holds, "expected: {}", what); }

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// The message of what `f` throws, or nothing.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

/// What `f` gives for the rows of `x`, along the axis "i" of one process.
inline Tensor on_axis(const Function& f, const Tensor& x) {
  return vmap([&](Tensor row) { return f(row); }, {.axis_name = "i"})(x);
}

inline Tensor input(int64_t world) {
  manual_seed(world);
  return randn({world, 6 * world, 2}, kDouble);
}

}  // namespace strata
