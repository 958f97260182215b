// The losses that are compositions of other ops, and binary cross entropy.
#include "ops/loss.h"

#include <cmath>

#include "core/autocast.h"
#include "core/called.h"
#include "dispatcher/undefined.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/loss_def.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/softmax.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {

// The gradient in x is finite at 0 and 1, where those of the two logarithms are not.
STRATA_OP(binary_cross_entropy_op) = pointwise(
                                         "binary_cross_entropy(Tensor x, Tensor target) -> Tensor",
                                         [](const Primals& c) {
                                           const Tensor& x = c.in(0);
                                           return (x - c.in(1)) / clamp_min(x * (1 - x), 1e-12);
                                         },
                                         [](const Primals& c) {
                                           return clamp_min(log1p(-c.in(0)), -100) - clamp_min(log(c.in(0)), -100);
                                         })
                                         .saves_for(0, saves_in(0, 1))
                                         .saves_for(1, saves_in(0))
                                         .autocast(AutocastPolicy::kFloat32)
                                         .dtypes(kFloatingTypes);

STRATA_OP(binary_cross_entropy_with_logits_op) =
    pointwise(
        "binary_cross_entropy_with_logits(Tensor x, Tensor target) -> Tensor",
        [](const Primals& c) { return sigmoid(c.in(0)) - c.in(1); }, [](const Primals& c) { return -c.in(0); })
        .saves_for(0, saves_in(0, 1))
        .saves_for(1, saves_in(0))
        .autocast(AutocastPolicy::kFloat32)
        .dtypes(kFloatingTypes);

namespace {

/// log(1 + exp(x))
Tensor log1p_exp(const Tensor& x) { return softplus(x, 1, std::numeric_limits<double>::infinity()); }

}  // namespace

// Of a target and a weight of the positives. One op, so that a gradient meets whole slopes: an infinite one times the 0
// of a class that is absent would be NaN.
STRATA_OP(weighted_cross_entropy_with_logits_op) =
    pointwise(
        "weighted_cross_entropy_with_logits(Tensor x, Tensor target, Tensor pos_weight) -> Tensor",
        [](const Primals& c) { return (1 - c.in(1)) * sigmoid(c.in(0)) - c.in(2) * c.in(1) * sigmoid(-c.in(0)); },
        [](const Primals& c) { return c.in(2) * log1p_exp(-c.in(0)) - log1p_exp(c.in(0)); },
        [](const Primals& c) { return c.in(1) * log1p_exp(-c.in(0)); })
        .saves_for(0, saves_in(0, 1, 2))
        .saves_for(1, saves_in(0, 2))
        .saves_for(2, saves_in(0, 1))
        .autocast(AutocastPolicy::kFloat32)
        .dtypes(kFloatingTypes)
        .flag(kRowMajor)  // as all results of other ops are
        // As the sum of what each class costs: no terms cancel, neither in it nor in its gradients.
        .decompose([](Args in) { return Tensors((1 - in[1]) * log1p_exp(in[0]) + in[2] * in[1] * log1p_exp(-in[0])); });

namespace {

Tensor smooth_l1_slope(const Tensor& t, const Primals& c, size_t x, const SmoothL1Params& p) {
  return call1(smooth_l1_backward_op, {&t, &c.in(x), &c.in(x + 1)}, p);
}
/// d smooth_l1_backward / dx
Tensor smooth_l1_curvature(const Primals& c, const SmoothL1Params& p) {
  return where(abs(c.in(1) - c.in(2)) < p.beta, c.in(0) / p.beta, 0);
}

}  // namespace

STRATA_OP(smooth_l1_op) = pointwise<SmoothL1Params>("smooth_l1(Tensor x, Tensor target, float beta) -> Tensor", one,
                                                    minus_one)
                              .vjp([](const Vjp& c, const SmoothL1Params& p) {
                                const Tensor slope = smooth_l1_slope(c.grad(), c, 0, p);
                                return Tensors(c.needs(0) ? slope : Tensor(), c.needs(1) ? -slope : Tensor());
                              })
                              .saves(saves_in(0, 1))
                              .jvp([](const Jvp& c, const SmoothL1Params& p) {
                                const Tensor target = c.tangent(1).defined() ? -c.tangent(1) : Tensor();
                                return Tensors(smooth_l1_slope(rules::add_defined(c.tangent(0), target), c, 0, p));
                              })
                              .autocast(AutocastPolicy::kFloat32)
                              .dtypes(kFloatingTypes);
STRATA_OP(smooth_l1_backward_op) =
    pointwise<SmoothL1Params>(
        "smooth_l1_backward(Tensor grad, Tensor x, Tensor target, float beta) -> Tensor",
        [](const Primals& c, const SmoothL1Params& p) {
          return smooth_l1_slope(constant(1, c.in(1).dtype(), c.in(1).device(), c.in(1).sizes()), c, 1, p);
        },
        [](const Primals& c, const SmoothL1Params& p) { return smooth_l1_curvature(c, p); },
        [](const Primals& c, const SmoothL1Params& p) { return -smooth_l1_curvature(c, p); })
        .saves_for(0, saves_in(1, 2))
        .saves_for(1, saves_in(0, 1, 2))
        .saves_for(2, saves_in(0, 1, 2))
        .dtypes(kFloatingTypes);

namespace {

Tensor reduced(const Tensor& loss, int64_t reduction) {
  if (reduction == Reduction::None) return loss;
  return reduction == Reduction::Mean ? mean(loss) : sum(loss);
}

Tensor weighted(const Tensor& loss, const Tensor& weight) { return weight.defined() ? loss * weight : loss; }

/// Both in their common dtype and shape.
std::pair<Tensor, Tensor> paired(const char* op, const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  STRATA_CHECK_AS(NotImplementedError, is_floating_point(dtype),
                  "{}: expected a floating point tensor among the two, got {} and {}", op, name(a.dtype()),
                  name(b.dtype()));
  const DimVector sizes = broadcast_shapes(a.sizes(), b.sizes(), op);
  return {expand(a.to(dtype), sizes), expand(b.to(dtype), sizes)};
}

void check_operands(const char* op, const Tensor& x, const Tensor& target) {
  dispatch::check_defined(op, "input", x);
  dispatch::check_defined(op, "target", target);
}

/// Losses that PyTorch writes into a tensor of this shape: the other may be broadcast, but not the shape itself.
void check_fits(const char* op, const char* what, IntArrayRef sizes, IntArrayRef other) {
  STRATA_CHECK(broadcast_shapes(sizes, other, op) == DimVector(sizes),
               "{}: {} of shape {} would broadcast the loss of shape {}; give them the same shape", op, what, other,
               sizes);
}
void check_floating(const char* op, const char* what, const Tensor& x) {
  STRATA_CHECK(x.is_floating_point(), "{}: expected floating point {}, got {}", op, what, name(x.dtype()));
}

/// max(x, least) whose gradient passes everywhere.
Tensor raised(const Tensor& x, double least) { return where(ge(x, least), x, x - stop_gradient(x) + least); }

Tensor smooth_l1(const char* name, const Tensor& x, const Tensor& target, double beta) {
  const auto [a, b] = paired(name, x, target);
  return call1(smooth_l1_op, {&a, &b}, SmoothL1Params{beta});
}

Tensor weighted_cross_entropy(const Tensor& x, const Tensor& target, const Tensor& pos_weight) {
  const DType dtype = result_type(x, pos_weight);
  const Tensor logits = x.to(dtype), t = target.to(dtype), w = expand(pos_weight.to(dtype), x.sizes());
  return call1(weighted_cross_entropy_with_logits_op, {&logits, &t, &w});
}

/// One value per class, shaped to multiply x.
Tensor along_classes(const Tensor& weight, const Tensor& x, int64_t dim) {
  DimVector sizes(x.dim(), 1);
  sizes[dim] = x.sizes()[dim];
  return view(weight, sizes);
}

Tensor cross_entropy_of_probabilities(const Tensor& log_p, const Tensor& target, const Tensor& weight,
                                      int64_t reduction, double smoothing, int64_t dim) {
  const double classes = static_cast<double>(log_p.sizes()[dim]);
  Tensor q = target.dtype() == log_p.dtype() ? target : target.to(log_p.dtype());
  if (smoothing > 0) q = q * (1 - smoothing) + smoothing / classes;
  const Tensor terms = weighted(log_p * q, weight.defined() ? along_classes(weight, log_p, dim) : weight);
  if (reduction == Reduction::None) return -sum(terms, dim);
  const double samples = static_cast<double>(log_p.numel()) / classes;
  return reduction == Reduction::Sum ? -sum(terms) : sum(terms) / -samples;
}

/// The mean over classes of -log_p, as label smoothing adds it; ignored targets count nothing.
Tensor smoothing_term(const Tensor& log_p, const Tensor& target, const Tensor& weight, int64_t reduction,
                      int64_t ignore_index, int64_t dim) {
  const Tensor terms = weighted(log_p, weight.defined() ? along_classes(weight, log_p, dim) : weight);
  const Tensor ignored = eq(target, ignore_index);
  const Tensor loss = masked_fill(-sum(terms, dim), ignored, 0);
  if (reduction == Reduction::None) return loss;
  if (reduction == Reduction::Sum) return sum(loss);
  const Tensor valid = logical_not(ignored).to(log_p.dtype());
  if (!weight.defined() || !weight.numel()) return sum(loss) / sum(valid);  // of no classes all targets are ignored
  return sum(loss) / sum(take(weight, masked_fill(target, ignored, 0)) * valid);
}

}  // namespace

Tensor cross_entropy_loss(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing) {
  const Called called("cross_entropy");
  check_operands("cross_entropy", x, target);
  STRATA_CHECK_INDEX(x.dim() >= 1, "cross_entropy: expected logits (C), (N, C) or (N, C, ...), got a 0-dim tensor");
  STRATA_CHECK(label_smoothing >= 0 && label_smoothing <= 1, "cross_entropy: label_smoothing {} is outside [0, 1]",
               label_smoothing);
  const int64_t dim = x.dim() == 1 ? 0 : 1;
  const Tensor log_p = log_softmax(x, dim);
  if (target.is_floating_point()) {
    STRATA_CHECK(target.sizes() == x.sizes(),
                 "cross_entropy: probabilities of shape {} do not fit logits of shape {}; if these targets are numbers "
                 "of classes, convert them with to(kLong)",
                 target.sizes(), x.sizes());
    return cross_entropy_of_probabilities(log_p, target, weight, reduction, label_smoothing, dim);
  }
  STRATA_CHECK_AS(ValueError, x.dim() == 1 || target.dim() == 0 || x.sizes()[0] == target.sizes()[0],
                  "cross_entropy: expected input batch_size ({}) to match target batch_size ({})", x.sizes()[0],
                  target.dim() == 0 ? 0 : target.sizes()[0]);
  const Tensor nll = nll_loss(log_p, target, weight, reduction, ignore_index);
  if (label_smoothing == 0) return nll;
  const double classes = static_cast<double>(x.sizes()[dim]);
  return nll * (1 - label_smoothing) +
         smoothing_term(log_p, target, weight, reduction, ignore_index, dim) * (label_smoothing / classes);
}
Tensor by_name_alone::cross_entropy(const Tensor& x, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
                                    int64_t ignore_index, double label_smoothing) {
  return cross_entropy_loss(x, target, weight, reduction, ignore_index, label_smoothing);
}

Tensor mse_loss(const Tensor& x, const Tensor& target, int64_t reduction) {
  const Called called;
  check_operands("mse_loss", x, target);
  const auto [a, b] = paired("mse_loss", x, target);
  return reduced(square(a - b), reduction);
}
Tensor l1_loss(const Tensor& x, const Tensor& target, int64_t reduction) {
  const Called called;
  check_operands("l1_loss", x, target);
  return reduced(abs(x - target), reduction);
}

Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, int64_t reduction, double beta) {
  const Called called;
  STRATA_CHECK(beta >= 0, "smooth_l1_loss: beta is {}, expected at least 0", beta);
  if (beta == 0) return l1_loss(x, target, reduction);
  return reduced(smooth_l1("smooth_l1_loss", x, target, beta), reduction);
}
Tensor huber_loss(const Tensor& x, const Tensor& target, int64_t reduction, double delta) {
  const Called called;
  STRATA_CHECK(delta > 0, "huber_loss: delta is {}, expected more than 0", delta);
  check_floating("huber_loss", "predictions", x);
  const Tensor loss = smooth_l1("huber_loss", x, target, delta);
  return reduced((delta == 1 ? loss : loss * delta).to(x.dtype()), reduction);
}

/// The target in the shape of x, from which dims of size 1 may differ: their elements are paired as they come.
static Tensor as_shaped(const Tensor& target, const Tensor& x) {
  const auto without_ones = [](const Tensor& t) {
    std::vector<int64_t> sizes = t.sizes().vec();
    std::erase(sizes, 1);
    return sizes;
  };
  if (target.sizes() == x.sizes() || without_ones(target) != without_ones(x)) return target;
  return target.reshape(x.sizes());
}

Tensor binary_cross_entropy(const Tensor& x, const Tensor& given, OptionalTensorRef weight, int64_t reduction) {
  const Called called;
  constexpr const char* kName = "binary_cross_entropy";
  check_operands(kName, x, given);
  check_floating(kName, "probabilities", x);
  const Tensor target = as_shaped(given, x);
  STRATA_CHECK(x.sizes() == target.sizes(), "{}: probabilities of shape {} and a target of shape {}, expected the same",
               kName, x.sizes(), target.sizes());
  const bool casts = autocast::active_dtype(x.device().type()).has_value();  // brings both to float32
  STRATA_CHECK(
      x.dtype() == target.dtype() || (casts && target.is_floating_point()),
      "{}: probabilities of dtype {} and a target of dtype {}, expected the same; convert the target with to()", kName,
      name(x.dtype()), name(target.dtype()));
  if (weight.defined()) check_fits(kName, "a weight", x.sizes(), weight->sizes());
  const Tensor t = target.to(x.dtype());
  const Tensor loss = call1(binary_cross_entropy_op, {&x, &t});
  return reduced(weighted(loss, weight).to(loss.dtype()), reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, OptionalTensorRef weight,
                                        OptionalTensorRef pos_weight, int64_t reduction) {
  const Called called;
  constexpr const char* kName = "binary_cross_entropy_with_logits";
  check_operands(kName, x, target);
  check_floating(kName, "logits", x);
  check_floating(kName, "targets", target);
  check_fits(kName, "logits", target.sizes(), x.sizes());
  if (weight.defined()) check_fits(kName, "a weight", target.sizes(), weight->sizes());
  if (pos_weight.defined()) check_fits(kName, "a pos_weight", target.sizes(), pos_weight->sizes());
  const auto [z, t] = paired(kName, x, target);
  const Tensor loss = pos_weight.defined() ? weighted_cross_entropy(z, t, *pos_weight)
                                           : call1(binary_cross_entropy_with_logits_op, {&z, &t});
  return reduced(weighted(loss, weight).to(target.dtype()), reduction);
}

Tensor kl_div(const Tensor& x, const Tensor& target, int64_t reduction, bool log_target) {
  const Called called;
  STRATA_CHECK(!is_integral(x.dtype(), true) && !is_integral(target.dtype(), true),
               "kl_div: expected floating point log-probabilities and targets, got {} and {}", name(x.dtype()),
               name(target.dtype()));
  if (log_target) return reduced(exp(target) * (target - x), reduction);
  return reduced(xlogy(target, target) - target * x, reduction);
}

Tensor poisson_nll_loss(const Tensor& x, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction) {
  const Called called;
  Tensor loss = log_input ? exp(x) - target * x : x - target * log(x + eps);
  if (full) {
    const Tensor is_small = le(target, 1), t = masked_fill(target, is_small, 1);
    loss = loss + masked_fill(t * log(t) - t + log(t * (2 * M_PI)) * 0.5, is_small, 0);
  }
  return reduced(loss, reduction);
}

namespace {

/// The variance of each element of x: x's own shape, that without its last dim, or with 1 there.
Tensor variance_like(const Tensor& x, const Tensor& var) {
  STRATA_CHECK(var.keys().has(Key::Transform) || !any(lt(var, 0)).item<bool>(),
               "gaussian_nll_loss: a variance is negative");
  if (var.sizes() == x.sizes()) return var;
  const IntArrayRef outer = x.sizes().slice(0, std::max<int64_t>(0, x.dim() - 1));
  if (x.dim() > 0 && var.sizes() == outer) return unsqueeze(var, -1);
  STRATA_CHECK(
      x.dim() > 0 && var.dim() == x.dim() && var.sizes().slice(0, outer.size()) == outer && var.sizes().back() == 1,
      "gaussian_nll_loss: variances of shape {} do not fit predictions of shape {}", var.sizes(), x.sizes());
  return var;
}

}  // namespace

Tensor gaussian_nll_loss(const Tensor& x, const Tensor& target, const Tensor& var, bool full, double eps,
                         int64_t reduction) {
  const Called called;
  const Tensor v = raised(variance_like(x, var), eps);
  Tensor loss = (log(v) + square(x - target) / v) * 0.5;
  if (full) loss = loss + 0.5 * std::log(2 * M_PI);
  return reduced(loss, reduction);
}

Tensor hinge_embedding_loss(const Tensor& x, const Tensor& target, double margin, int64_t reduction) {
  const Called called;
  const Tensor far = masked_fill(clamp_min(margin - x, 0), eq(target, 1), 0);
  return reduced(far + masked_fill(x, eq(target, -1), 0), reduction);
}
Tensor margin_ranking_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin, int64_t reduction) {
  const Called called;
  // The product saves the negated targets, so that the targets may be written to before backward, as in PyTorch.
  return reduced(clamp_min(neg(target) * (a - b) + margin, 0), reduction);
}
Tensor soft_margin_loss(const Tensor& x, const Tensor& target, int64_t reduction) {
  const Called called;
  check_floating("soft_margin_loss", "predictions", x);
  check_fits("soft_margin_loss", "targets", x.sizes(), target.sizes());
  // The predictions' negative is laid out by them alone, and then so are the losses, as in PyTorch.
  return reduced(log1p_exp((neg(x) * target).to(x.dtype())), reduction);
}

Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin, int64_t reduction) {
  const Called called;
  constexpr float kEps = 1e-12f;  // as in PyTorch; the gradient at 0 shows its last digits
  STRATA_CHECK(target.dim() <= 1, "cosine_embedding_loss: expected targets () or (N), got shape {}", target.sizes());
  STRATA_CHECK(a.dim() == target.dim() + 1 && b.dim() == target.dim() + 1,
               "cosine_embedding_loss: targets of shape {} need tensors with one dim more, got shapes {} and {}",
               target.sizes(), a.sizes(), b.sizes());
  const Tensor lengths = sqrt((sum(square(a), -1) + kEps) * (sum(square(b), -1) + kEps));
  const Tensor cosine = sum(a * b, -1) / lengths;
  const Tensor near = masked_fill(1 - cosine, ne(target, 1), 0);
  return reduced(near + masked_fill(clamp_min(cosine - margin, 0), ne(target, -1), 0), reduction);
}

Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p, double eps, bool keepdim) {
  const Called called;
  return norm(a - b + eps, p, -1, keepdim);
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, bool swap, int64_t reduction) {
  const Called called;
  STRATA_CHECK(anchor.dim() == positive.dim() && anchor.dim() == negative.dim(),
               "triplet_margin_loss: expected tensors with as many dims, got shapes {}, {} and {}", anchor.sizes(),
               positive.sizes(), negative.sizes());
  const Tensor near = pairwise_distance(anchor, positive, p, eps);
  Tensor far = pairwise_distance(anchor, negative, p, eps);
  if (swap) far = minimum(far, pairwise_distance(positive, negative, p, eps));
  return reduced(clamp_min(margin + near - far, 0), reduction);
}

Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t dim, double eps) {
  const Called called;
  const auto [x, y] = paired("cosine_similarity", a, b);
  // The product saves unit vectors, so that an operand without a gradient may be written to before backward.
  const auto unit = [&](const Tensor& t) { return t / raised(norm(t, 2, dim, true), eps); };
  return sum(unit(x) * unit(y), dim);
}

}  // namespace strata
