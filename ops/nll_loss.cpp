// Negative log-likelihood: the op, its adjoint, and the same in terms of gather and scatter for batched calls.
#include "core/called.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/loss.h"
#include "ops/loss_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/view.h"

namespace strata {
namespace {

int64_t class_dim(const Tensor& x) { return x.dim() == 1 ? 0 : 1; }

DimVector sizes_of_x(const Tensor& target, int64_t classes) {
  DimVector sizes = target.sizes();
  sizes.insert(target.dim() == 0 ? 0 : 1, classes);
  return sizes;
}

/// A batched call in terms of other ops; tensors have the batch dimension in front.
class BatchedNll {
 public:
  BatchedNll(const Tensor& target, const Tensor& weight, bool weight_batched, DType dtype, const NllParams& p)
      : p_(p), target_(target), dim_(target.dim() == 1 ? 1 : 2) {
    ignored_ = eq(target, p.ignore_index);
    index_ = unsqueeze(masked_fill(target, ignored_, 0), dim_);
    x_sizes_ = target.sizes();
    x_sizes_.insert(dim_, p.classes);
    weight_ = masked_fill(weights(weight, weight_batched, dtype), ignored_, 0);
  }
  Tensors forward(const Tensor& x) const {
    const Tensor loss = masked_fill(-(squeeze(gather(x, dim_, index_), dim_) * weight_), ignored_, 0);
    const Tensor total = sum_rest(weight_);
    if (p_.reduction == Reduction::None) return {loss, total};
    const Tensor sum = sum_rest(loss);
    return {p_.reduction == Reduction::Mean ? sum / total : sum, total};
  }
  Tensor backward(Tensor grad, const Tensor& total) const {
    if (p_.reduction == Reduction::Mean) grad = grad / total;
    if (p_.reduction != Reduction::None)
      for (int64_t d = 1; d < target_.dim(); ++d) grad = unsqueeze(grad, d);
    const Tensor zeros = constant(0, grad.dtype(), grad.device(), x_sizes_);
    // Where all samples are ignored, the mean has divided by 0.
    return scatter(zeros, dim_, index_, unsqueeze(masked_fill(-(grad * weight_), ignored_, 0), dim_));
  }

 private:
  Tensor weights(const Tensor& weight, bool weight_batched, DType dtype) const {
    if (!weight.defined()) return constant(1, dtype, target_.device(), target_.sizes());
    DimVector sizes(x_sizes_.size(), 1);
    sizes[dim_] = p_.classes;
    if (weight_batched) sizes[0] = x_sizes_[0];
    return squeeze(gather(expand(reshape(weight, sizes), x_sizes_), dim_, index_), dim_);
  }
  static Tensor sum_rest(const Tensor& t) {
    if (t.dim() == 1) return t;
    DimVector dims;
    for (int64_t d = 1; d < t.dim(); ++d) dims.push_back(d);
    return sum(t, dims);
  }

  NllParams p_;
  Tensor target_, ignored_, index_, weight_;
  int64_t dim_;
  DimVector x_sizes_;
};

/// What the rules for the class weights need of one call: values at the targets, and sums over equal targets.
class AtTargets {
 public:
  AtTargets(const Tensor& target, const NllParams& p) : classes_(p.classes), dim_(target.dim() == 0 ? 0 : 1) {
    ignored_ = eq(target, p.ignore_index);
    index_ = masked_fill(target, ignored_, 0);
  }
  /// x at the targets, 0 at ignored ones.
  Tensor of(const Tensor& x) const {
    return masked_fill(squeeze(gather(x, dim_, unsqueeze(index_, dim_)), dim_), ignored_, 0);
  }
  Tensor of_weights(const Tensor& weight) const { return masked_fill(take(weight, index_), ignored_, 0); }
  /// A value per sample, summed up for each class.
  Tensor by_class(const Tensor& values) const {
    const Tensor kept = masked_fill(expand(values, index_.sizes()), ignored_, 0);
    const Tensor zeros = constant(0, values.dtype(), values.device(), {classes_});
    return scatter_add(zeros, 0, reshape(index_, {-1}), reshape(kept, {-1}));
  }

 private:
  int64_t classes_, dim_;
  Tensor ignored_, index_;
};

bool is_mean(const NllParams& p) { return p.reduction == Reduction::Mean; }

/// The gradient of nll_loss in the class weights; its second output is their sum over the samples.
Tensor weight_gradient(const Vjp& c, const NllParams& p) {
  const AtTargets at(c.in(1), p);
  Tensor each;
  if (c.grad().defined()) {
    const Tensor loss = -at.of(c.in(0));
    each = is_mean(p) ? (loss - c.out()) * (c.grad() / c.out(1)) : loss * c.grad();
  }
  const Tensor& of_total = c.grad(1);
  return at.by_class(!each.defined() ? of_total : of_total.defined() ? each + of_total : each);
}

/// How both outputs change with the class weights.
Tensors along_weights(const Jvp& c, const NllParams& p) {
  const AtTargets at(c.in(1), p);
  const Tensor weights = at.of_weights(c.tangent(2)), total = sum(weights), each = -at.of(c.in(0)) * weights;
  if (p.reduction == Reduction::None) return {each, total};
  return {is_mean(p) ? (sum(each) - c.out() * total) / c.out(1) : sum(each), total};
}

Tensor backward_of(const Tensor& grad, const Tensor& target, const Tensor& weight, const Tensor& total,
                   const NllParams& p) {
  return call1(nll_loss_backward_op, {&grad, &target, &weight, &total}, p);
}

/// One call as a batch of one.
Tensors nll_of_others(Args in, const NllParams& p) {
  const Tensors out = BatchedNll(unsqueeze(in[1], 0), in[2], false, in[0].dtype(), p).forward(unsqueeze(in[0], 0));
  return {squeeze(out[0], 0), squeeze(out[1], 0)};
}

Tensors nll_backward_of_others(Args in, const NllParams& p) {
  const BatchedNll batch(unsqueeze(in[1], 0), in[2], false, in[0].dtype(), p);
  return Tensors(squeeze(batch.backward(unsqueeze(in[0], 0), in[3]), 0));
}

}  // namespace

STRATA_OP(nll_loss_op) = op<NllParams>(
                             "nll_loss(Tensor x, Tensor target, Tensor? weight, int reduction, int ignore_index, "
                             "int classes) -> (Tensor, Tensor total_weight)")
                             .infer([](Args in, const NllParams& p) {
                               const DimVector scalar{};
                               const IntArrayRef sizes =
                                   p.reduction == Reduction::None ? in[1].sizes() : IntArrayRef(scalar);
                               return Metas(meta(sizes, in[0].dtype(), in[0].device()),
                                            meta({}, in[0].dtype(), in[0].device()));
                             })
                             .vjp([](const Vjp& c, const NllParams& p) {
                               Tensors grads = Tensors::undefined(3);
                               if (c.needs(0) && c.grad().defined())
                                 grads[0] = backward_of(c.grad(), c.in(1), c.in(2), c.out(1), p);
                               if (c.needs(2)) grads[2] = weight_gradient(c, p);
                               return grads;
                             })
                             .saves_for(0, saves_in(1, 2) | saves_out(1))
                             .saves_for(2, saves_in(0, 1) | saves_out(0, 1))
                             .jvp([](const Jvp& c, const NllParams& p) -> Tensors {
                               Tensors along = Tensors::undefined(2);
                               if (c.tangent(2).defined()) along = along_weights(c, p);
                               if (!c.tangent().defined()) return along;
                               const Tensor loss = call1(nll_loss_op, {&c.tangent(), &c.in(1), &c.in(2)}, p);
                               return {rules::add_defined(loss, along[0]), along[1]};
                             })
                             .batch([](const Batch& c, const NllParams& p) {
                               const Tensor x = rules::batched(c, 0);
                               return BatchedNll(rules::batched(c, 1), c.in(2), c.batched(2), x.dtype(), p).forward(x);
                             })
                             .decompose([](Args in, const NllParams& p) { return nll_of_others(in, p); })
                             .autocast(AutocastPolicy::kFloat32)
                             .dtypes(kFloatingTypes)
                             .dtypes_for(1, DTypes(kLong));

// Linear in the gradient and in the weights, and divided by their sum where the loss is a mean.
STRATA_OP(nll_loss_backward_op) =
    op<NllParams>(
        "nll_loss_backward(Tensor grad, Tensor target, Tensor? weight, Tensor total_weight, int reduction, int "
        "ignore_index, "
        "int classes) -> Tensor")
        .infer([](Args in, const NllParams& p) {
          return meta(sizes_of_x(in[1], p.classes), in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const NllParams& p) {
          Tensors grads = Tensors::undefined(4);
          const auto loss = [&] { return call1(nll_loss_op, {&c.grad(), &c.in(1), &c.in(2)}, p); };
          if (c.needs(0)) grads[0] = loss();
          if (c.needs(2)) {
            const AtTargets at(c.in(1), p);
            grads[2] = at.by_class(-at.of(c.grad()) * (is_mean(p) ? c.in(0) / c.in(3) : c.in(0)));
          }
          if (c.needs(3) && is_mean(p)) grads[3] = -(c.in(0) * loss()) / c.in(3);
          return grads;
        })
        .saves_for(0, saves_in(1, 2))
        .saves_for(2, saves_in(0, 1, 2, 3))
        .jvp([](const Jvp& c, const NllParams& p) -> Tensors {
          Tensor along;
          if (c.tangent().defined()) along = backward_of(c.tangent(), c.in(1), c.in(2), c.in(3), p);
          if (c.tangent(2).defined())
            along = rules::add_defined(along, backward_of(c.in(0), c.in(1), c.tangent(2), c.in(3), p));
          if (c.tangent(3).defined() && is_mean(p)) {
            // Where all samples are ignored, the gradient is 0 whatever the weights are.
            const Tensor growth = masked_fill(c.tangent(3) / c.in(3), eq(c.in(3), 0), 0);
            along = rules::add_defined(along, -(c.out() * growth));
          }
          return along;
        })
        .batch([](const Batch& c, const NllParams& p) -> Tensor {
          const Tensor grad = rules::batched(c, 0);
          return BatchedNll(rules::batched(c, 1), c.in(2), c.batched(2), grad.dtype(), p)
              .backward(grad, rules::batched(c, 3));
        })
        .decompose([](Args in, const NllParams& p) { return nll_backward_of_others(in, p); })
        .dtypes(kFloatingTypes)
        .dtypes_for(1, DTypes(kLong));

Tensor nll_loss(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                int64_t ignore_index) {
  STRATA_CHECK(x.dim() >= 1, "nll_loss: expected log-probabilities (C), (N, C) or (N, C, ...), got a 0-dim tensor");
  STRATA_CHECK(x.is_floating_point(), "nll_loss: expected floating point log-probabilities, got {}", name(x.dtype()));
  const DTypes taken = x.dim() > 2 ? kLongIndex : DTypes(kByte, kLong);
  const Tensor target64 = as_index(target, "nll_loss", taken, "targets");
  const int64_t classes = x.sizes()[class_dim(x)];
  STRATA_CHECK(sizes_of_x(target, classes) == DimVector(x.sizes()),
               "nll_loss: targets of shape {} do not fit log-probabilities of shape {}", target.sizes(), x.sizes());
  STRATA_CHECK(!weight || (weight->dim() == 1 && weight->sizes()[0] == classes),
               "nll_loss: expected one weight for each of {} classes, got shape {}", classes, weight->sizes());
  // Targets of strided rows are saved as a copy where PyTorch copies them, so that they may be written to before
  // backward.
  const bool is_copied = x.dim() == 3 || x.dim() > 4;
  const Tensor index = is_copied ? target64.contiguous() : target64;
  const Tensor w = weight && weight->dtype() != x.dtype() ? weight->to(x.dtype()) : *weight;
  return call1(nll_loss_op, {&x, &index, &w}, NllParams{reduction, ignore_index, classes});
}
Tensor nll_loss2d(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                  int64_t ignore_index) {
  const Called called;
  return nll_loss(x, target, weight, reduction, ignore_index);
}
Tensor nll_loss_nd(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                   int64_t ignore_index) {
  return nll_loss(x, target, weight, reduction, ignore_index);
}

}  // namespace strata
