// The collective ops: what they infer, how they differentiate, and what they are over a mapped dim.
#include "ops/collective.h"

#include <algorithm>
#include <cstring>

#include "core/shape.h"
#include "dispatcher/layer.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/collective_def.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata {
namespace {

template <class P>
Tensor run(const Op& op, const Tensor& x, const P& p) {
  return call1(op, {&x}, p);
}
RankReduceParams sum_in(const ProcessGroup& group) { return {group, ReduceOp::SUM}; }
AllToAllParams reversed(const AllToAllParams& p) { return {p.group, p.input_splits, p.output_splits}; }
PermuteRanksParams reversed(const PermuteRanksParams& p) { return {p.group, p.destinations, p.sources}; }
bool is_linear(ReduceOp op) { return op == ReduceOp::SUM || op == ReduceOp::AVG; }

/// The sizes of `x` with another length of dim 0.
DimVector with_length(const Tensor& x, int64_t length) {
  DimVector sizes = x.sizes();
  if (sizes.empty()) sizes.push_back(1);
  sizes[0] = length;
  return sizes;
}
int64_t length_of(const Tensor& x) { return x.dim() == 0 ? 1 : x.sizes()[0]; }

// ---- Over a mapped dim: `all` is (W, ...) with the tensors of all ranks --------------------------------------------

std::vector<Tensor> unstacked(const Tensor& all) { return unbind(all, 0); }

/// (W n, ...) of each rank as (W, n, ...) of each.
Tensor in_pieces(const Tensor& all) {
  const int64_t world = all.size(0), length = all.size(1) / world;
  DimVector sizes = all.sizes().slice(2);
  sizes.insert(0, length);
  sizes.insert(0, world);
  sizes.insert(0, world);
  return all.reshape(sizes);
}
/// (W, n, ...) as (W n, ...).
Tensor joined(const Tensor& pieces, int64_t dim = 0) {
  return pieces.dim() > dim + 1 ? pieces.flatten(dim, dim + 1) : pieces;
}

/// `value` on one rank, zeros on the others.
Tensor on_rank(const Tensor& value, int64_t root, int64_t world) {
  std::vector<Tensor> each(static_cast<size_t>(world), rules::zero_like(value));
  each[static_cast<size_t>(root)] = value;
  return stack(each);
}

Tensor reduced(const Tensor& all, ReduceOp op) { return distributed::reduce_in_pairs(unstacked(all), op); }

Tensor permuted(const Tensor& all, const PermuteRanksParams& p) {
  const std::vector<Tensor> sent = unstacked(all);
  std::vector<Tensor> got(sent.size(), rules::zero_like(sent[0]));
  for (size_t i = 0; i < p.sources.size(); ++i)
    got[static_cast<size_t>(p.destinations[i])] = sent[static_cast<size_t>(p.sources[i])];
  return stack(got);
}

Tensor exchanged(const Tensor& all, const AllToAllParams& p) {
  STRATA_CHECK(p.output_splits.empty() && p.input_splits.empty(),
               "all_to_all: pieces of different sizes over an axis of vmap");
  return joined(in_pieces(all).transpose(0, 1), 1);
}

/// The tensors of all ranks, one behind the other.
Tensor gathered(const Tensor& all, const GroupParams&) { return joined(all); }

/// The own piece of each rank.
Tensor own_pieces(const Tensor& all, const GroupParams&) { return in_pieces(all).diagonal(0, 0, 1).movedim(-1, 0); }

/// Does an op treat elements one by one, or dim 0 as a list with a part for each rank?
enum class Along { kElements, kDim0 };

/// The rule of vmap: `OverAxis` where the mapped dim is the axis itself; elsewhere the examples travel together, as the
/// last dim where dim 0 is the op's.
template <class P, Tensor (*OverAxis)(const Tensor&, const P&), Along kAlong>
Tensors batch_rule(const Batch& c, const P& p) {
  const Tensor all = rules::batched(c, 0);
  if (p.group.get() == c.axis) return OverAxis(all, p);
  if (kAlong == Along::kElements) return run(c.op, all, p);
  return run(c.op, all.dim() == 1 ? all.unsqueeze(0) : all.movedim(0, -1), p).movedim(-1, 0);
}

template <class P, Tensor (*OverAxis)(const Tensor&, const P&), Along kAlong = Along::kElements>
constexpr Builder<P> collective(const char* schema) {
  return op<P>(schema)
      .flag(kCollective)
      .infer([](Args in) { return meta_like(in[0]); })
      .batch([](const Batch& c, const P& p) { return batch_rule<P, OverAxis, kAlong>(c, p); })
      .jvp(linear_rule)
      .dtypes(kAllTypes);
}

// ---- Derivatives of the reductions that are not linear --------------------------------------------------------------

/// Of MIN and MAX: which elements were taken, as shares of one.
Tensor share(const Tensor& x, const Tensor& y, const ProcessGroup& group) {
  const Tensor taken = (x == y).to(x.dtype());
  return taken / run(all_reduce_op, taken, sum_in(group));
}

/// Of PRODUCT: the product of what the other ranks have. No division, so zeros are no special case.
Tensor product_of_others(const Tensor& x, const GroupParams& p) {
  const int64_t world = p.group->size();
  const Tensor all = run(all_gather_op, x.unsqueeze(0), p);
  const Tensor index = call1(axis_index_op, {}, p).to(x.device());
  DimVector sizes(static_cast<size_t>(all.dim()), 1);
  sizes[0] = world;
  const Tensor own = (arange(world, TensorOptions(kLong).device(x.device())) == index).reshape(sizes);
  return where(own, constant(1, x.dtype(), x.device(), {}), all).prod(0);
}

Tensor derivative(const Tensor& x, const Tensor& y, const RankReduceParams& p) {
  return p.op == ReduceOp::PRODUCT ? product_of_others(x, {p.group}) : share(x, y, p.group);
}

// ---- Between invariant and varying tensors --------------------------------------------------------------------------

/// A number that two tensors share only if they are the same bits, or by a chance of 2^-64.
int64_t fingerprint(const Tensor& x) {
  const Tensor host = x.to(kCPU).contiguous();
  uint64_t hash = 14695981039346656037u;  // FNV-1a, eight bytes at a time
  for (size_t i = 0; i < host.nbytes(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(host.data_ptr()) + i, std::min<size_t>(8, host.nbytes() - i));
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 29;
  }
  return static_cast<int64_t>(hash);
}

void check_invariant(const Tensor& x, const ProcessGroup& group) {
  const Tensor all = distributed::all_gather_into_tensor(scalar_tensor(fingerprint(x), kLong), group);
  for (int64_t r = 1; r < group->size(); ++r)
    STRATA_CHECK(all[r].item<int64_t>() == all[0].item<int64_t>(),
                 "as_invariant: a value that should be the same along {} differs between its ranks 0 and {}",
                 group->name(), r);
}

/// `x` on rank 0, zeros on the others.
Tensor on_first_rank(const Tensor& x, const GroupParams& p) {
  const Tensor rank = call1(axis_index_op, {}, p).to(x.device());
  return where(rank == 0, run(pvary_op, x, p), zeros_like(x));
}

}  // namespace

STRATA_OP(all_reduce_op) =
    collective<RankReduceParams, [](const Tensor& all, const RankReduceParams& p) { return reduced(all, p.op); }>(
        "all_reduce(Tensor x, str group, str op) -> Tensor")
        .flag(kUpdatesInput0 | kSameOnAllRanks)
        .vjp([](const Vjp& c, const RankReduceParams& p) -> Tensors {
          if (is_linear(p.op)) return run(c.op, c.grad(), p);
          return run(c.op, c.grad(), sum_in(p.group)) * conj(derivative(c.in(0), c.out(), p));
        })
        .saves(saves_in(0) | saves_out(0))
        .jvp([](const Jvp& c, const RankReduceParams& p) -> Tensors {
          if (is_linear(p.op)) return run(c.op, c.tangent(), p);
          return run(c.op, c.tangent() * derivative(c.in(0), c.out(), p), sum_in(p.group));
        });

STRATA_OP(broadcast_op) =
    collective<RootParams, [](const Tensor& all, const RootParams& p) { return all.select(0, p.root); }>(
        "broadcast(Tensor x, str group, int root) -> Tensor")
        .flag(kUpdatesInput0 | kSameOnAllRanks)
        .vjp([](const Vjp& c, const RootParams& p) -> Tensors {
          return run(reduce_op, c.grad(), RootReduceParams{p.group, ReduceOp::SUM, p.root});
        });

STRATA_OP(reduce_op) = collective<RootReduceParams,
                                  [](const Tensor& all, const RootReduceParams& p) {
                                    return on_rank(reduced(all, p.op), p.root, all.size(0));
                                  }>("reduce(Tensor x, str group, str op, int root) -> Tensor")
                           .vjp([](const Vjp& c, const RootReduceParams& p) -> Tensors {
                             const Tensor all = run(broadcast_op, c.grad(), RootParams{p.group, p.root});
                             return p.op == ReduceOp::AVG ? all / p.group->size() : all;
                           });

STRATA_OP(all_gather_op) = collective<GroupParams, &gathered, Along::kDim0>("all_gather(Tensor x, str group) -> Tensor")
                               .flag(kSameOnAllRanks)
                               .infer([](Args in, const GroupParams& p) {
                                 return meta(with_length(in[0], p.group->size() * length_of(in[0])), in[0].dtype(),
                                             in[0].device());
                               })
                               .vjp([](const Vjp& c, const GroupParams& p) -> Tensors {
                                 return run(reduce_scatter_op, c.grad(), sum_in(p.group)).reshape(c.in(0).sizes());
                               })
                               .saves(saves_shape(0));

STRATA_OP(reduce_scatter_op) =
    collective<RankReduceParams,
               [](const Tensor& all, const RankReduceParams& p) { return reduced(in_pieces(all), p.op); },
               Along::kDim0>("reduce_scatter(Tensor x, str group, str op) -> Tensor")
        .infer([](Args in, const RankReduceParams& p) {
          return meta(with_length(in[0], length_of(in[0]) / p.group->size()), in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const RankReduceParams& p) -> Tensors {
          const Tensor all = run(all_gather_op, c.grad(), GroupParams{p.group});
          return p.op == ReduceOp::AVG ? all / p.group->size() : all;
        });

STRATA_OP(all_to_all_op) = collective<AllToAllParams, &exchanged, Along::kDim0>(
                               "all_to_all(Tensor x, str group, int[] output_splits, int[] input_splits) -> Tensor")
                               .infer([](Args in, const AllToAllParams& p) {
                                 int64_t length = p.output_splits.empty() ? length_of(in[0]) : 0;
                                 for (int64_t n : p.output_splits) length += n;
                                 return meta(with_length(in[0], length), in[0].dtype(), in[0].device());
                               })
                               .vjp([](const Vjp& c, const AllToAllParams& p) -> Tensors {
                                 return run(c.op, c.grad(), reversed(p));
                               });

STRATA_OP(permute_ranks_op) = collective<PermuteRanksParams, &permuted>(
                                  "permute_ranks(Tensor x, str group, int[] sources, int[] destinations) -> Tensor")
                                  .vjp([](const Vjp& c, const PermuteRanksParams& p) -> Tensors {
                                    return run(c.op, c.grad(), reversed(p));
                                  });

STRATA_OP(gather_ranks_op) =
    collective<RootParams,
               [](const Tensor& all, const RootParams& p) { return on_rank(joined(all), p.root, all.size(0)); },
               Along::kDim0>("gather_ranks(Tensor x, str group, int root) -> Tensor")
        .infer([](Args in, const RootParams& p) {
          return meta(with_length(in[0], p.group->size() * length_of(in[0])), in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const RootParams& p) -> Tensors {
          return run(scatter_ranks_op, c.grad(), p).reshape(c.in(0).sizes());
        })
        .saves(saves_shape(0));

STRATA_OP(scatter_ranks_op) =
    collective<RootParams, [](const Tensor& all, const RootParams& p) { return in_pieces(all).select(0, p.root); },
               Along::kDim0>("scatter_ranks(Tensor x, str group, int root) -> Tensor")
        .infer([](Args in, const RootParams& p) {
          return meta(with_length(in[0], length_of(in[0]) / p.group->size()), in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const RootParams& p) -> Tensors { return run(gather_ranks_op, c.grad(), p); });

STRATA_OP(axis_index_op) =
    op<GroupParams>("axis_index(str group) -> Tensor")
        .flag(kCollective | kNotDifferentiable)
        .infer([](Args, const GroupParams&) { return meta({}, kLong, kCPU); })
        .decompose([](Args, const GroupParams& p) -> Tensors { return scalar_tensor(p.group->rank(), kLong); })
        .batch([](const Batch& c, const GroupParams&) -> Tensors { return arange(c.size, kLong); });

STRATA_OP(pvary_op) = collective<GroupParams, [](const Tensor& all, const GroupParams&) { return all; }>(
                          "pvary(Tensor x, str group) -> Tensor")
                          .decompose([](Args in, const GroupParams&) -> Tensors { return in[0].clone(); })
                          .vjp([](const Vjp& c, const GroupParams& p) -> Tensors {
                            return run(psum_invariant_op, c.grad(), p);
                          });

STRATA_OP(psum_invariant_op) =
    collective<GroupParams, [](const Tensor& all, const GroupParams&) { return reduced(all, ReduceOp::SUM); }>(
        "psum_invariant(Tensor x, str group) -> Tensor")
        .flag(kSameOnAllRanks)
        .decompose([](Args in, const GroupParams& p) -> Tensors { return run(all_reduce_op, in[0], sum_in(p.group)); })
        .vjp([](const Vjp& c, const GroupParams& p) -> Tensors { return run(pvary_op, c.grad(), p); });

STRATA_OP(own_shard_op) = collective<GroupParams, &own_pieces, Along::kDim0>("own_shard(Tensor x, str group) -> Tensor")
                              .infer([](Args in, const GroupParams& p) {
                                return meta(with_length(in[0], length_of(in[0]) / p.group->size()), in[0].dtype(),
                                            in[0].device());
                              })
                              .decompose([](Args in, const GroupParams& p) -> Tensors {
                                const int64_t length = length_of(in[0]) / p.group->size();
                                return in[0].narrow(0, p.group->rank() * length, length).clone();
                              })
                              .vjp([](const Vjp& c, const GroupParams& p) -> Tensors {
                                return run(all_gather_invariant_op, c.grad(), p);
                              });

STRATA_OP(all_gather_invariant_op) =
    collective<GroupParams, &gathered, Along::kDim0>("all_gather_invariant(Tensor x, str group) -> Tensor")
        .flag(kSameOnAllRanks)
        .infer([](Args in, const GroupParams& p) {
          return meta(with_length(in[0], p.group->size() * length_of(in[0])), in[0].dtype(), in[0].device());
        })
        .decompose([](Args in, const GroupParams& p) -> Tensors { return run(all_gather_op, in[0], p); })
        .vjp([](const Vjp& c, const GroupParams& p) -> Tensors { return run(own_shard_op, c.grad(), p); });

STRATA_OP(as_invariant_op) =
    collective<GroupParams, [](const Tensor& all, const GroupParams&) { return all.select(0, 0); }>(
        "as_invariant(Tensor x, str group) -> Tensor")
        .flag(kSameOnAllRanks)
        .decompose([](Args in, const GroupParams& p) -> Tensors {
          check_invariant(in[0], p.group);
          return in[0].clone();
        })
        .vjp([](const Vjp& c, const GroupParams& p) -> Tensors { return on_first_rank(c.grad(), p); });

namespace {

/// The group among params of type `P`, if these are.
template <class P>
const ProcessGroup* group_in(Params params) {
  return &params.type() == &params_type<P> ? &params.as<P>().group : nullptr;
}
template <class... P>
const ProcessGroup& group_in_one_of(Params params) {
  const ProcessGroup* found = nullptr;
  ((found = found ? found : group_in<P>(params)), ...);
  STRATA_CHECK(found, "group_of_collective: these are not the params of a collective");
  return *found;
}

}  // namespace

const ProcessGroup& group_of_collective(Params params) {
  return group_in_one_of<GroupParams, RankReduceParams, RootParams, RootReduceParams, AllToAllParams,
                         PermuteRanksParams>(params);
}

namespace distributed {
namespace {

GroupParams params_of(const Group& group) { return {group.get()}; }

RootParams params_of(const Group& group, int64_t root, const char* who) {
  const ProcessGroup all = group.get();
  STRATA_CHECK(root >= 0 && root < all->size(), "{}: there is no rank {} among {}", who, root, all->size());
  return {all, root};
}

void check_splits(const Tensor& x, const ProcessGroup& group, const char* who) {
  const int64_t n = length_of(x), world = group->size();
  STRATA_CHECK(n % world == 0, "{}: dim 0 has length {}, which {} ranks cannot share equally", who, n, world);
}

int64_t sum_of_splits(IntArrayRef splits, int64_t world, const char* which) {
  STRATA_CHECK(static_cast<int64_t>(splits.size()) == world, "all_to_all_single: {} {} for {} ranks", splits.size(),
               which, world);
  int64_t sum = 0;
  for (int64_t n : splits) {
    STRATA_CHECK(n >= 0, "all_to_all_single: a negative length among the {}", which);
    sum += n;
  }
  return sum;
}

/// An op of dim 0 along another one.
Tensor run_along(const Op& op, const Tensor& x, int64_t dim, const GroupParams& p) {
  return dim == 0 ? run(op, x, p) : run(op, x.movedim(dim, 0), p).movedim(0, dim).contiguous();
}

Tensor combine(const Tensor& a, const Tensor& b, ReduceOp op) {
  switch (op) {
    case ReduceOp::PRODUCT:
      return a * b;
    case ReduceOp::MIN:
      return minimum(a, b);
    case ReduceOp::MAX:
      return maximum(a, b);
    default:
      return a + b;
  }
}

/// (W, ...) to (...) for the reductions that are not linear: their derivatives need all ranks' numbers, so those come
/// here before they are reduced.
Tensor reduce_rows(const Tensor& all, ReduceOp op) {
  switch (op) {
    case ReduceOp::MIN:
      return all.amin(0);
    case ReduceOp::MAX:
      return all.amax(0);
    default:
      return reduce_in_pairs(unbind(all, 0), op);
  }
}

void combine_into(Tensor& out, const Tensor& a, const Tensor& b, ReduceOp op) {
  switch (op) {
    case ReduceOp::PRODUCT:
      mul_out(out, a, b);
      return;
    case ReduceOp::MIN:
      minimum_out(out, a, b);
      return;
    case ReduceOp::MAX:
      maximum_out(out, a, b);
      return;
    default:
      add_out(out, a, b);
  }
}

}  // namespace

ProcessGroup Group::get() const {
  if (group_) return group_;
  for (const dispatch::Layer* layer = thread_state.top_layer; layer && !name_.empty(); layer = layer->below()) {
    const ProcessGroup axis = layer->axis();
    if (axis && axis->name() == name_) return axis;
  }
  return find_group(name_);
}

ProcessGroup Group::find() const { return group_ || !name_.empty() ? get() : find_default_group(); }

Tensor reduce_in_pairs(std::vector<Tensor> tensors, ReduceOp op) {
  STRATA_CHECK(!tensors.empty(), "reduce_in_pairs: there are no tensors");
  const auto count = static_cast<int64_t>(tensors.size());
  while (tensors.size() > 1) {
    size_t pairs = 0;
    for (; 2 * pairs + 1 < tensors.size(); ++pairs)
      tensors[pairs] = combine(tensors[2 * pairs], tensors[2 * pairs + 1], op);
    if (tensors.size() % 2 == 1) tensors[pairs++] = tensors.back();
    tensors.resize(pairs);
  }
  return op == ReduceOp::AVG && count > 1 ? div(tensors[0], Scalar(count)).to(tensors[0].dtype()) : tensors[0];
}

void reduce_in_pairs_(std::vector<Tensor> tensors, ReduceOp op, Tensor& out) {
  STRATA_CHECK(!tensors.empty(), "reduce_in_pairs_: there are no tensors");
  const NoGradGuard no_grad;
  const auto count = static_cast<int64_t>(tensors.size());
  while (tensors.size() > 1) {
    size_t pairs = 0;
    for (; 2 * pairs + 1 < tensors.size(); ++pairs) {
      Tensor& to = tensors.size() == 2 ? out : tensors[2 * pairs];
      combine_into(to, tensors[2 * pairs], tensors[2 * pairs + 1], op);
      tensors[pairs] = to;
    }
    if (tensors.size() % 2 == 1) tensors[pairs++] = tensors.back();
    tensors.resize(pairs);
  }
  if (tensors[0].data_ptr() != out.data_ptr()) out.copy_(tensors[0]);
  if (op != ReduceOp::AVG || count == 1) return;
  if (is_floating_point(out.dtype()) || is_complex(out.dtype()))
    out.div_(Scalar(count));
  else
    out.copy_(div(out, Scalar(count)).to(out.dtype()));
}

Tensor all_reduce(const Tensor& x, ReduceOp op, const Group& group) {
  return run(all_reduce_op, x, RankReduceParams{group.get(), op});
}
Tensor& all_reduce_(Tensor& x, ReduceOp op, const Group& group) {
  return detail::in_place(all_reduce_op, [&]() -> Tensor& {
    call_inplace(all_reduce_op, x, {&x}, RankReduceParams{group.get(), op});
    return x;
  });
}
Tensor broadcast(const Tensor& x, int64_t src, const Group& group) {
  return run(broadcast_op, x, params_of(group, src, "broadcast"));
}
Tensor& broadcast_(Tensor& x, int64_t src, const Group& group) {
  return detail::in_place(broadcast_op, [&]() -> Tensor& {
    call_inplace(broadcast_op, x, {&x}, params_of(group, src, "broadcast"));
    return x;
  });
}
Tensor reduce(const Tensor& x, int64_t dst, ReduceOp op, const Group& group) {
  const RootParams p = params_of(group, dst, "reduce");
  return is_linear(op) ? run(reduce_op, x, RootReduceParams{p.group, op, p.root})
                       : reduce_rows(run(gather_ranks_op, x.unsqueeze(0), p), op);
}
Tensor all_gather_into_tensor(const Tensor& x, const Group& group) { return run(all_gather_op, x, params_of(group)); }
std::vector<Tensor> all_gather(const Tensor& x, const Group& group) {
  return unbind(run(all_gather_op, x.unsqueeze(0), params_of(group)), 0);
}
Tensor reduce_scatter_tensor(const Tensor& x, ReduceOp op, const Group& group) {
  const RankReduceParams p{group.get(), op};
  check_splits(x, p.group, "reduce_scatter_tensor");
  if (is_linear(op)) return run(reduce_scatter_op, x, p);
  const Tensor pieces = run(all_to_all_op, x, AllToAllParams{p.group, {}, {}});
  DimVector sizes = with_length(pieces, length_of(pieces) / p.group->size());
  sizes.insert(0, p.group->size());
  return reduce_rows(pieces.reshape(sizes), op);
}
Tensor all_to_all_single(const Tensor& x, IntArrayRef output_split_sizes, IntArrayRef input_split_sizes,
                         const Group& group) {
  AllToAllParams p{group.get(), {}, {}};
  if (output_split_sizes.empty() && input_split_sizes.empty()) {
    check_splits(x, p.group, "all_to_all_single");
    return run(all_to_all_op, x, p);
  }
  const int64_t world = p.group->size(), n = length_of(x);
  const DimVector equal(static_cast<size_t>(world), n / world);
  p.output_splits = output_split_sizes.empty() ? equal : DimVector(output_split_sizes);
  p.input_splits = input_split_sizes.empty() ? equal : DimVector(input_split_sizes);
  sum_of_splits(p.output_splits, world, "output_split_sizes");
  const int64_t sum = sum_of_splits(p.input_splits, world, "input_split_sizes");
  STRATA_CHECK(sum == n, "all_to_all_single: the pieces that go have {} rows together, dim 0 has {}", sum, n);
  return run(all_to_all_op, x, p);
}
Tensor gather(const Tensor& x, int64_t dst, const Group& group) {
  return run(gather_ranks_op, x, params_of(group, dst, "gather"));
}
Tensor scatter(const Tensor& x, int64_t src, const Group& group) {
  const RootParams p = params_of(group, src, "scatter");
  check_splits(x, p.group, "scatter");
  return run(scatter_ranks_op, x, p);
}
Tensor permute(const Tensor& x, const std::vector<std::pair<int64_t, int64_t>>& pairs, const Group& group) {
  PermuteRanksParams p{group.get(), {}, {}};
  const int64_t world = p.group->size();
  std::vector<bool> sends(static_cast<size_t>(world)), gets(static_cast<size_t>(world));
  for (const auto& [src, dst] : pairs) {
    STRATA_CHECK(src >= 0 && src < world && dst >= 0 && dst < world, "permute: a pair ({}, {}) among {} ranks", src,
                 dst, world);
    STRATA_CHECK(!sends[static_cast<size_t>(src)] && !gets[static_cast<size_t>(dst)],
                 "permute: rank {} sends, or rank {} is sent to, twice", src, dst);
    sends[static_cast<size_t>(src)] = gets[static_cast<size_t>(dst)] = true;
    p.sources.push_back(src);
    p.destinations.push_back(dst);
  }
  return run(permute_ranks_op, x, p);
}
Tensor axis_index(const Group& group) { return call1(axis_index_op, {}, params_of(group)); }

Tensor pvary(const Tensor& x, const Group& group) { return run(pvary_op, x, params_of(group)); }
Tensor psum_invariant(const Tensor& x, const Group& group) { return run(psum_invariant_op, x, params_of(group)); }
Tensor own_shard(const Tensor& x, int64_t dim, const Group& group) {
  const GroupParams p = params_of(group);
  const int64_t along = wrap_dim(dim, x.dim(), "own_shard"), n = x.size(along), world = p.group->size();
  STRATA_CHECK(n % world == 0, "own_shard: dim {} has length {}, which {} ranks cannot share equally", along, n, world);
  return run_along(own_shard_op, x, along, p);
}
Tensor all_gather_invariant(const Tensor& x, int64_t dim, const Group& group) {
  const int64_t along = wrap_dim(dim, x.dim(), "all_gather_invariant");
  return run_along(all_gather_invariant_op, x, along, params_of(group));
}
Tensor as_invariant(const Tensor& x, const Group& group) { return run(as_invariant_op, x, params_of(group)); }

void barrier(const Group& group) { group.get()->run({}); }

int64_t get_rank(const Group& group) { return group.get()->rank(); }
int64_t get_world_size(const Group& group) { return group.get()->size(); }

}  // namespace distributed
}  // namespace strata
