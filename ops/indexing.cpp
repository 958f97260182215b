// Gather, scatter, index and index_put: the primitives with their rules.
#include "ops/indexing.h"

#include "ops/creation.h"
#include "ops/indexing_def.h"
#include "ops/rules.h"
#include "ops/view.h"

namespace strata {
namespace {

/// `tangent`, or zeros where there is none.
Tensor tangent_or_zeros(const Jvp& c, size_t i) {
  return c.tangent(i).defined() ? c.tangent(i) : dispatch::rules::zero_like(c.in(i));
}

/// The inputs from the `from`-th on, behind the given ones.
ArgList with_indices(std::initializer_list<const Tensor*> first, Args inputs, size_t from) {
  ArgList args;
  for (const Tensor* t : first) args.push_back(*t);
  for (size_t i = from; i < inputs.size(); ++i) args.push_back(inputs[i]);
  return args;
}

bool any_batched(const Batch& c, size_t from) {
  for (size_t i = from; i < c.arity(); ++i)
    if (c.batched(i)) return true;
  return false;
}

/// (0, ..., B - 1) shaped to stand beside index tensors of shape (B, I...).
Tensor batch_numbers(const Batch& c, const Tensor& index) {
  DimVector shape(index.dim(), 1);
  shape[0] = c.size;
  return expand(reshape(arange(c.size, TensorOptions(kLong).device(index.device())), shape), index.sizes());
}

/// Dims of (B, pre..., moved..., post...) in the order (B, moved..., pre..., post...).
DimVector pull_forward(int64_t dims, int64_t pre, int64_t moved) {
  DimVector order{0};
  for (int64_t d = 0; d < moved; ++d) order.push_back(1 + pre + d);
  for (int64_t d = 0; d < pre; ++d) order.push_back(1 + d);
  for (int64_t d = 1 + pre + moved; d < dims; ++d) order.push_back(d);
  return order;
}
Tensor pulled_forward(const Tensor& t, int64_t pre, int64_t moved) {
  return permute(t, pull_forward(t.dim(), pre, moved));
}
/// The inverse: pulling the `pre` dims behind the moved ones forward.
Tensor pushed_back(const Tensor& t, int64_t pre, int64_t moved) {
  return permute(t, pull_forward(t.dim(), moved, pre));
}

/// The batched indices from the `from`-th input on, behind the number of the batch.
std::vector<Tensor> batched_indices(const Batch& c, size_t from) {
  std::vector<Tensor> list(1);
  for (size_t i = from; i < c.arity(); ++i) list.push_back(rules::batched(c, i));
  list[0] = batch_numbers(c, list[1]);
  return list;
}

Tensors batch_index(const Batch& c, const IndexParams& p) {
  if (!any_batched(c, 1)) return call(c.op, with_indices({&c.in(0)}, c.inputs, 1), IndexParams{p.first + 1, p.wrap});
  std::vector<Tensor> indices = batched_indices(c, 1);
  if (!c.batched(0)) {
    indices[0] = c.in(0);
    return movedim(call1(c.op, ArgList(indices), p), p.first, 0);
  }
  const int64_t shape_dims = indices[1].dim() - 1;
  const Tensor x = pulled_forward(c.in(0), p.first, static_cast<int64_t>(c.arity()) - 1);
  indices.insert(indices.begin(), x);
  return pushed_back(call1(c.op, ArgList(indices), IndexParams{0, p.wrap}), p.first, shape_dims);
}

Tensors batch_index_put(const Batch& c, const IndexPutParams& p) {
  const Tensor x = rules::batched(c, 0), values = rules::batched(c, 1);
  if (!any_batched(c, 2))
    return call(c.op, with_indices({&x, &values}, c.inputs, 2), IndexPutParams{p.first + 1, p.wrap, p.accumulate});
  std::vector<Tensor> args = batched_indices(c, 2);
  const int64_t shape_dims = args[1].dim() - 1, indexed = static_cast<int64_t>(c.arity()) - 2;
  args.insert(args.begin(), {pulled_forward(x, p.first, indexed), pulled_forward(values, p.first, shape_dims)});
  return pushed_back(call1(c.op, ArgList(args), IndexPutParams{0, p.wrap, p.accumulate}), p.first, indexed);
}

}  // namespace

STRATA_OP(gather_op) =
    op<GatherParams>("gather(Tensor x, Tensor index, int dim) -> Tensor")
        .infer([](Args in) { return meta_like(in[1], in[0].dtype()); })
        .vjp([](const Vjp& c, const GatherParams& p) {
          const Tensor zeros = dispatch::rules::zero_like(c.in(0));
          return Tensors(call1(scatter_op, {&zeros, &c.in(1), &c.grad()}, ScatterParams{p.dim, true}), {});
        })
        .saves(saves_shape(0) | saves_in(1))
        .jvp(linear_rule)
        .batch(shift_dims<&GatherParams::dim>)
        .dtypes(kStoredTypes)
        .dtypes_for(1, DTypes(kLong));

STRATA_OP(scatter_op) =
    op<ScatterParams>("scatter(Tensor x, Tensor index, Tensor source, int dim, bool accumulate) -> Tensor")
        .infer([](Args in) { return meta_like(in[0]); })
        .vjp([](const Vjp& c, const ScatterParams& p) {
          Tensors grads = Tensors::undefined(3);
          const Tensor& g = c.grad();
          if (c.needs(0)) grads[0] = p.accumulate ? g : scatter(g, p.dim, c.in(1), 0);
          if (c.needs(2)) grads[2] = call1(gather_op, {&g, &c.in(1)}, GatherParams{p.dim});
          return grads;
        })
        .saves(saves_in(1))
        .jvp([](const Jvp& c, const ScatterParams& p) {
          const Tensor x = tangent_or_zeros(c, 0), source = tangent_or_zeros(c, 2);
          return call(c.op, {&x, &c.in(1), &source}, p);
        })
        .batch(shift_dims<&ScatterParams::dim>)
        .flag(kUpdatesInput0)
        .autocast(AutocastPolicy::kWidest)
        .dtypes(kStoredTypes)
        .dtypes_for(1, DTypes(kLong));

STRATA_OP(index_op) = op<IndexParams>("index(Tensor x, Tensor[] indices, int first, bool wrap) -> Tensor")
                          .infer([](Args in, const IndexParams& p) {
                            DimVector sizes(in[0].sizes().slice(0, p.first));
                            for (int64_t n : in[1].sizes()) sizes.push_back(n);
                            for (int64_t n : in[0].sizes().slice(p.first + in.size() - 1)) sizes.push_back(n);
                            return meta(sizes, in[0].dtype(), in[0].device());
                          })
                          .vjp([](const Vjp& c, const IndexParams& p) {
                            Tensors grads = Tensors::undefined(c.arity());
                            const Tensor zeros = dispatch::rules::zero_like(c.in(0));
                            const bool may_repeat = c.in(1).dim() > 0;  // one place is written to, as select's is
                            grads[0] = call1(index_put_op, with_indices({&zeros, &c.grad()}, c.inputs, 1),
                                             IndexPutParams{p.first, p.wrap, may_repeat});
                            return grads;
                          })
                          .saves(saves_shape(0) | saves_in(1, 2, 3, 4, 5, 6, 7))
                          .jvp(linear_rule)
                          .batch([](const Batch& c, const IndexParams& p) { return batch_index(c, p); })
                          .dtypes(kStoredTypes)
                          .dtypes_for(1, DTypes(kLong))
                          .dtypes_for(2, DTypes(kLong));

STRATA_OP(index_put_op) =
    op<IndexPutParams>(
        "index_put(Tensor x, Tensor values, Tensor[] indices, int first, bool wrap, bool accumulate) -> Tensor")
        .infer([](Args in) { return meta_like(in[0]); })
        .vjp([](const Vjp& c, const IndexPutParams& p) {
          Tensors grads = Tensors::undefined(c.arity());
          const Tensor& g = c.grad();
          if (c.needs(0)) {
            const Tensor zeros = dispatch::rules::zero_like(c.in(1));
            grads[0] = p.accumulate ? g : call1(index_put_op, with_indices({&g, &zeros}, c.inputs, 2), p);
          }
          if (c.needs(1)) grads[1] = call1(index_op, with_indices({&g}, c.inputs, 2), IndexParams{p.first, p.wrap});
          return grads;
        })
        .saves(saves_shape(1) | saves_in(2, 3, 4, 5, 6, 7))
        .jvp([](const Jvp& c, const IndexPutParams& p) {
          const Tensor x = tangent_or_zeros(c, 0), values = tangent_or_zeros(c, 1);
          return call(c.op, with_indices({&x, &values}, c.inputs, 2), p);
        })
        .batch([](const Batch& c, const IndexPutParams& p) { return batch_index_put(c, p); })
        .flag(kUpdatesInput0)
        .autocast(AutocastPolicy::kWidest)
        .dtypes(kStoredTypes)
        .dtypes_for(2, DTypes(kLong));

STRATA_OP(nonzero_op) = op("nonzero(Tensor x) -> Tensor").flag(kDataDependent | kNotDifferentiable);

}  // namespace strata
