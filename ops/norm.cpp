// Normalisation: one fused op with a fused gradient, their rules in public ops, and the public functions over them.
#include "ops/norm.h"

#include <limits>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/creation.h"
#include "ops/norm_def.h"
#include "ops/pool.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

// On CUDA, 16-bit x, g, y and gx meet statistics, weights and their gradients in float. The rules compute in float.
bool is_16_bit(const Tensor& x) { return x.dtype() == kHalf || x.dtype() == kBFloat16; }
DType compute_type(const Tensor& x) { return is_16_bit(x) ? kFloat : x.dtype(); }
Tensor to(const Tensor& t, DType dtype) { return !t.defined() || t.dtype() == dtype ? t : t.to(dtype); }
/// In the type that is computed in.
Tensor lift(const Tensor& t) { return t.defined() ? to(t, compute_type(t)) : t; }

/// A vector of one value per slice, shaped to meet `(A, C, S)`.
Tensor per_slice(const Tensor& v) { return reshape(v, {1, v.size(0), 1}); }
/// The sizes in which x `(A, C, S)` has its channels as dim 1 and the values that share their weights as dim 2.
DimVector by_channel(IntArrayRef sizes, const NormalizeParams& p) {
  return {sizes[1] / p.groups, p.channels, sizes[2] * p.groups / p.channels};
}
/// Weight or bias, shaped to meet `(A, C, S)`, which are `sizes`.
Tensor affine(const Tensor& v, IntArrayRef sizes, const NormalizeParams& p) {
  if (p.channels > 0) return reshape(expand(per_slice(v), by_channel(sizes, p)), sizes);
  return p.affine_dim == 2 ? v : per_slice(v);
}
/// The transposes of the two: sums back to one value per slice, and to weight's shape.
Tensor sum_slices(const Tensor& t) { return t.sum({0, 2}); }
Tensor sum_affine(const Tensor& t, const NormalizeParams& p) {
  if (p.channels > 0) return sum_slices(reshape(t, by_channel(t.sizes(), p)));
  return t.sum({0, p.affine_dim == 2 ? 1 : 2});
}
Tensor mean_slices(const Tensor& t) { return t.mean({0, 2}, true); }

Tensor rstd(const Tensor& var, const NormalizeParams& p) { return var.add(p.eps).rsqrt(); }

Tensor times(const Tensor& t, const Tensor& weight, const NormalizeParams& p) {
  return weight.defined() ? t.mul(affine(weight, t.sizes(), p)) : t;
}

/// The params of a call without weight and bias.
NormalizeParams plain(const NormalizeParams& p) { return {p.channels > 0 ? 1 : p.affine_dim, p.eps}; }

/// The derivative of the normalised x in direction t, which is symmetric: rstd * (t - mean(t) - h * mean(t * h)).
Tensor project(const Tensor& t, const Tensor& x, const Tensor& mean, const Tensor& rstd, const NormalizeParams& p) {
  const Tensor none;
  return call1(normalize_backward_op, {&t, &x, &mean, &rstd, &none}, plain(p));
}

Tensors normalize_vjp(const Vjp& c, const NormalizeParams& p) {
  const Tensor &x = c.in(0), &mean = c.out(1), r = rstd(c.out(2), p);
  Tensors grads = Tensors::undefined(3);
  if (c.grad(0).defined()) {
    Tensors fused = call(normalize_backward_op, {&c.grad(0), &x, &mean, &r, &c.in(1)}, p);
    for (size_t i = 0; i < 3; ++i)
      if (c.needs(i)) grads[i] = fused[i];
  }
  if (!c.needs(0) || !(c.grad(1).defined() || c.grad(2).defined())) return grads;
  const double count = static_cast<double>(x.size(0) * x.size(2));
  Tensor gx = lift(grads[0]);
  if (c.grad(1).defined()) gx = rules::add_defined(gx, expand(per_slice(c.grad(1).div(count)), x.sizes()));
  if (c.grad(2).defined())
    gx = rules::add_defined(gx, lift(x).sub(per_slice(mean)).mul(per_slice(c.grad(2).mul(2 / count))));
  grads[0] = to(gx, x.dtype());
  return grads;
}

Tensors normalize_jvp(const Jvp& c, const NormalizeParams& p) {
  const Tensor x = lift(c.in(0)), tx = lift(c.tangent(0)), &mean = c.out(1), r = rstd(c.out(2), p);
  const Tensor centered = x.sub(per_slice(mean));
  Tensors t = Tensors::undefined(3);
  if (tx.defined()) {
    t[0] = times(project(tx, x, mean, r, p), c.in(1), p);
    t[1] = reshape(mean_slices(tx), mean.sizes());
    t[2] = reshape(mean_slices(centered.mul(tx)).mul(2), mean.sizes());
  }
  if (c.tangent(1).defined())
    t[0] = rules::add_defined(t[0], centered.mul(per_slice(r)).mul(affine(c.tangent(1), x.sizes(), p)));
  if (c.tangent(2).defined()) t[0] = rules::add_defined(t[0], expand(affine(c.tangent(2), x.sizes(), p), x.sizes()));
  t[0] = to(t[0], c.in(0).dtype());
  return t;
}

/// `(B, A, C, S)` with the batch among the slices, and a result brought back.
Tensor fold(const Tensor& t) { return reshape(transpose(t, 0, 1), {t.size(1), t.size(0) * t.size(2), t.size(3)}); }
Tensor unfold(const Tensor& t, IntArrayRef sizes) {
  return transpose(reshape(t, {sizes[1], sizes[0], sizes[2], sizes[3]}), 0, 1);
}
/// A batched weight or bias, shaped to meet `(B, A, C, S)`, which are `sizes`.
Tensor affine_batched(const Tensor& v, IntArrayRef sizes, const NormalizeParams& p) {
  if (p.channels > 0) {
    DimVector channels = by_channel(sizes.slice(1), p);
    channels.insert(0, v.size(0));
    return reshape(expand(reshape(v, {v.size(0), 1, v.size(1), 1}), channels), sizes);
  }
  return reshape(v, p.affine_dim == 2 ? DimVector{v.size(0), 1, 1, v.size(1)} : DimVector{v.size(0), 1, v.size(1), 1});
}

Tensors normalize_batch(const Batch& c, const NormalizeParams& p) {
  const Tensor given = rules::batched(c, 0), w = rules::batched(c, 1), b = rules::batched(c, 2), none;
  const Tensor x = w.defined() || b.defined() ? lift(given) : given, folded = fold(x);
  Tensors r = call(normalize_op, {&folded, &none, &none}, plain(p));
  Tensor y = unfold(r[0], x.sizes());
  if (w.defined()) y = y.mul(affine_batched(w, x.sizes(), p));
  if (b.defined()) y = y.add(affine_batched(b, x.sizes(), p));
  const DimVector slices{x.size(0), x.size(2)};
  return {to(y, given.dtype()), reshape(r[1], slices), reshape(r[2], slices)};
}

Tensors normalize_backward_batch(const Batch& c, const NormalizeParams& p) {
  const Tensor g = lift(rules::batched(c, 0)), x = lift(rules::batched(c, 1)), mean = rules::batched(c, 2);
  const Tensor r = rules::batched(c, 3), w = rules::batched(c, 4);
  const Tensor scaled = fold(w.defined() ? g.mul(affine_batched(w, g.sizes(), p)) : g);
  const Tensor gx = project(scaled, fold(x), flatten(mean), flatten(r), p);
  const DimVector slices{x.size(0), 1, x.size(2), 1};
  const Tensor h = x.sub(reshape(mean, slices)).mul(reshape(r, slices));
  const Tensor out = to(unfold(gx, x.sizes()), c.in(1).dtype());
  if (p.channels > 0) {
    DimVector channels = by_channel(x.sizes().slice(1), p);
    channels.insert(0, x.size(0));
    return {out, reshape(g.mul(h), channels).sum({1, 3}), reshape(g, channels).sum({1, 3})};
  }
  const DimVector dims{1, p.affine_dim == 2 ? 2 : 3};
  return {out, g.mul(h).sum(dims), g.sum(dims)};
}

/// The parts of normalize_backward that its own derivatives share; tensors of one value per slice are `(1, C, 1)`.
struct NormBackward {
  NormBackward(Args in, const NormalizeParams& p)
      : g(lift(in[0])),
        x(lift(in[1])),
        weight(in[4]),
        rstd(per_slice(in[3])),
        centered(x.sub(per_slice(in[2]))),
        h(centered.mul(rstd)),
        scaled(times(g, weight, p)),
        correlation(mean_slices(scaled.mul(h))) {}
  /// The gradient of x before the multiplication by rstd.
  Tensor unscaled() const { return scaled.sub(mean_slices(scaled)).sub(h.mul(correlation)); }
  const Tensor g, x, &weight;
  Tensor rstd, centered, h, scaled, correlation;
};

Tensors normalize_backward_vjp(const Vjp& c, const NormalizeParams& p) {
  const NormBackward b(c.inputs, p);
  const Tensor gx = lift(c.grad(0)), &gw = c.grad(1), &gb = c.grad(2);
  Tensor dg, dh, dr, dw;
  if (gx.defined()) {
    const Tensor back = project(gx, b.x, c.in(2), c.in(3), p);
    dg = times(back, b.weight, p);
    if (b.weight.defined()) dw = sum_affine(back.mul(b.g), p);
    const Tensor mixed = gx.mul(b.correlation).add(b.scaled.mul(mean_slices(gx.mul(b.h))));
    dh = mixed.mul(b.rstd).neg();
    dr = sum_slices(gx.mul(b.unscaled()));
  }
  if (gw.defined()) {
    dg = rules::add_defined(dg, b.h.mul(affine(gw, b.h.sizes(), p)));
    dh = rules::add_defined(dh, b.g.mul(affine(gw, b.g.sizes(), p)));
  }
  if (gb.defined()) dg = rules::add_defined(dg, expand(affine(gb, b.g.sizes(), p), b.g.sizes()));
  Tensors grads = Tensors::undefined(5);
  grads[0] = to(dg, c.in(0).dtype()), grads[4] = dw;
  if (!dh.defined()) return grads;
  const Tensor dx = dh.mul(b.rstd);
  grads[1] = to(dx, c.in(1).dtype());
  grads[2] = sum_slices(dx).neg();
  grads[3] = rules::add_defined(dr, sum_slices(dh.mul(b.centered)));
  return grads;
}

Tensors normalize_backward_jvp(const Jvp& c, const NormalizeParams& p) {
  const NormBackward b(c.inputs, p);
  const Tensor tg = lift(c.tangent(0)), tx = lift(c.tangent(1));
  const Tensor &tm = c.tangent(2), &tr = c.tangent(3), &tw = c.tangent(4);
  Tensor ts, th;
  if (tg.defined()) ts = times(tg, b.weight, p);
  if (tw.defined()) ts = rules::add_defined(ts, b.g.mul(affine(tw, b.g.sizes(), p)));
  if (tx.defined()) th = tx.mul(b.rstd);
  if (tm.defined()) th = rules::add_defined(th, expand(per_slice(tm).mul(b.rstd).neg(), b.h.sizes()));
  if (tr.defined()) th = rules::add_defined(th, b.centered.mul(per_slice(tr)));
  Tensors t = Tensors::undefined(3);
  if (ts.defined()) t[0] = project(ts, b.x, c.in(2), c.in(3), p);
  if (th.defined()) {
    const Tensor mixed = th.mul(b.correlation).add(b.h.mul(mean_slices(b.scaled.mul(th))));
    t[0] = rules::add_defined(t[0], mixed.mul(b.rstd).neg());
    t[1] = sum_affine(b.g.mul(th), p);
  }
  if (tr.defined()) t[0] = rules::add_defined(t[0], b.unscaled().mul(per_slice(tr)));
  t[0] = to(t[0], c.in(1).dtype());
  if (!tg.defined()) return t;
  t[1] = rules::add_defined(t[1], sum_affine(tg.mul(b.h), p));
  t[2] = sum_affine(tg, p);
  return t;
}

Tensors normalize_of_others(Args in, const NormalizeParams& p) {
  const Tensor x = lift(in[0]), mean = mean_slices(x), centered = x.sub(mean), var = mean_slices(square(centered));
  Tensor y = times(centered.mul(rstd(var, p)), in[1], p);
  if (in[2].defined()) y = y.add(affine(in[2], x.sizes(), p));
  return {to(y, in[0].dtype()), flatten(mean), flatten(var)};
}

Tensors normalize_backward_of_others(Args in, const NormalizeParams& p) {
  const NormBackward b(in, p);
  return {to(b.unscaled().mul(b.rstd), in[1].dtype()), sum_affine(b.g.mul(b.h), p), sum_affine(b.g, p)};
}

Meta vector_of(int64_t n, const Tensor& x) { return meta({n}, compute_type(x), x.device()); }

}  // namespace

STRATA_OP(normalize_op) =
    op<NormalizeParams>(
        "normalize(Tensor x, Tensor? weight, Tensor? bias, int affine_dim, float eps, int groups, int channels) -> "
        "(Tensor, Tensor mean, Tensor "
        "var)")
        .infer([](Args in) {
          return Metas(meta_like(in[0]), vector_of(in[0].size(1), in[0]), vector_of(in[0].size(1), in[0]));
        })
        .vjp([](const Vjp& c, const NormalizeParams& p) { return normalize_vjp(c, p); })
        .saves(saves_in(0, 1) | saves_out(1, 2))
        .jvp([](const Jvp& c, const NormalizeParams& p) { return normalize_jvp(c, p); })
        .batch([](const Batch& c, const NormalizeParams& p) { return normalize_batch(c, p); })
        .decompose([](Args in, const NormalizeParams& p) { return normalize_of_others(in, p); })
        .dtypes(kFloatingTypes);

STRATA_OP(normalize_backward_op) =
    op<NormalizeParams>(
        "normalize_backward(Tensor g, Tensor x, Tensor mean, Tensor rstd, Tensor? weight, int affine_dim, float eps, "
        "int groups, int channels) "
        "-> (Tensor, Tensor, Tensor)")
        .infer([](Args in, const NormalizeParams& p) {
          const int64_t n = p.channels > 0 ? p.channels : in[1].size(p.affine_dim);
          return Metas(meta_like(in[1]), vector_of(n, in[1]), vector_of(n, in[1]));
        })
        .vjp([](const Vjp& c, const NormalizeParams& p) { return normalize_backward_vjp(c, p); })
        .saves(saves_in(0, 1, 2, 3, 4))
        .jvp([](const Jvp& c, const NormalizeParams& p) { return normalize_backward_jvp(c, p); })
        .batch([](const Batch& c, const NormalizeParams& p) { return normalize_backward_batch(c, p); })
        .decompose([](Args in, const NormalizeParams& p) { return normalize_backward_of_others(in, p); })
        .dtypes(kFloatingTypes);

namespace {

void check_vector(const char* op, const char* what, const Tensor& v, int64_t channels) {
  STRATA_CHECK(!v.defined() || (v.dim() == 1 && v.size(0) == channels),
               "{}: expected {} of shape ({},), got {}: the input has {} channels", op, what, channels,
               v.defined() ? v.sizes() : IntArrayRef(), channels);
}

void check_dims(const char* op, const Tensor& x, int64_t least_dims) {
  STRATA_CHECK(x.dim() >= least_dims, "{}: expected an input of at least {} dims, got {}", op, least_dims, x.sizes());
}

void check_input(const char* op, const Tensor& x, int64_t least_dims) {
  STRATA_CHECK(x.is_floating_point(), "{}: expected a floating point input, got {}", op, name(x.dtype()));
  check_dims(op, x, least_dims);
}

void check_dtype(const char* op, const char* what, const Tensor& v, const Tensor& x) {
  STRATA_CHECK(!v.defined() || v.dtype() == x.dtype() || is_16_bit(x), "{}: the input is {}, {} {}", op,
               name(x.dtype()), what, v.defined() ? name(v.dtype()) : "");
}

/// The fused op on x viewed as `(a, c, s)`, computed in float for 16-bit types, which CUDA's kernels read as they are;
/// out has x's shape and dtype.
Tensors normalize(const Tensor& x, IntArrayRef view, const Tensor& weight, const Tensor& bias, NormalizeParams p) {
  const DType type = compute_type(x);
  const Tensor in = reshape(x.is_cuda() ? x : to(x, type), view), w = to(weight, type), b = to(bias, type);
  Tensors r = call(normalize_op, {&in, &w, &b}, p);
  r[0] = to(as_result(reshape(r[0], x.sizes())), x.dtype());
  return r;
}

/// Batch norm of x `(N, C, ...)`. Where a channel's values lie in short runs of `inner`, they are gathered into one
/// first.
Tensors normalize_channels(const Tensor& x, int64_t inner, const Tensor& weight, const Tensor& bias, double eps) {
  constexpr int64_t kShortRun = 16;
  const int64_t samples = x.size(0), channels = x.size(1);
  if (samples == 1 || inner == 1 || inner >= kShortRun)
    return normalize(x, {samples, channels, inner}, weight, bias, {1, eps});
  const Tensor gathered = transpose(reshape(x, {samples, channels, inner}), 0, 1);
  Tensors r = normalize(gathered, {1, channels, samples * inner}, weight, bias, {1, eps});
  r[0] = as_result(reshape(transpose(r[0], 0, 1).contiguous(), x.sizes()));
  return r;
}

/// Moves `running` by `momentum` towards `value`, unseen by autograd.
void update(const Tensor& running, const Tensor& value, double momentum) {
  if (!running.defined()) return;
  const NoGradGuard guard;
  Tensor target = running;
  target.lerp_(value.detach().to(running.dtype()), momentum);
}

/// `(1, C, 1, ...)` for an input of `dims` dims.
Tensor per_channel(const Tensor& v, int64_t dims) {
  DimVector sizes(static_cast<size_t>(dims), 1);
  sizes[1] = v.size(0);
  return reshape(v, sizes);
}

Tensor normalize_by(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& mean, const Tensor& var,
                    double eps) {
  const DType type = compute_type(x);
  Tensor scale = to(var, type).add(eps).rsqrt();
  if (weight.defined()) scale = scale.mul(to(weight, type));
  Tensor shift = to(mean, type).mul(scale).neg();
  if (bias.defined()) shift = shift.add(to(bias, type));
  return to(per_channel(shift, x.dim()).addcmul(to(x, type), per_channel(scale, x.dim())), x.dtype());
}

void check_channels(const char* op, const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& mean,
                    const Tensor& var) {
  check_input(op, x, 2);
  const int64_t channels = x.size(1);
  check_vector(op, "a weight", weight, channels);
  check_vector(op, "a bias", bias, channels);
  check_vector(op, "a running_mean", mean, channels);
  check_vector(op, "a running_var", var, channels);
  check_dtype(op, "the weight", weight, x);
  check_dtype(op, "the bias", bias, x);
}

/// Product of the sizes from `first` on.
int64_t tail_numel(const Tensor& x, int64_t first) { return numel_of(x.sizes().slice(static_cast<size_t>(first))); }

}  // namespace

Tensor batch_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias, OptionalTensorRef running_mean,
                  OptionalTensorRef running_var, bool training, double momentum, double eps, bool) {
  const Called called;
  if (input.dim() == 1 && input.numel() == 0) return input.clone();  // no rows, whatever their length
  check_channels("batch_norm", input, weight, bias, running_mean, running_var);
  if (has_channels_last(input)) {  // rows of channels, as they lie in memory
    const Tensor moved = movedim(input, 1, -1), rows = flatten(moved, 0, -2);
    const Tensor y = batch_norm(rows, weight, bias, running_mean, running_var, training, momentum, eps);
    return as_result(movedim(reshape(y, moved.sizes()), -1, 1));
  }
  STRATA_CHECK(training || (running_mean.defined() && running_var.defined()),
               "batch_norm: outside of training it needs running_mean and running_var");
  if (input.numel() == 0) {
    // Nothing is seen: neither statistics to normalise by nor what the running ones could move to. The gradient keeps a
    // copy, so that writes to the input do not matter to it, as in PyTorch.
    const Tensor zeros = constant(0, compute_type(input), input.device(), {input.size(1)});
    return normalize_by(input.clone(), weight, bias, zeros, zeros, 1);
  }
  if (!training) return normalize_by(input.contiguous(), weight, bias, running_mean, running_var, eps);
  const int64_t inner = tail_numel(input, 2), count = input.size(0) * inner;
  STRATA_CHECK(count != 1, "batch_norm: training needs more than 1 value per channel, the input is {}", input.sizes());
  Tensors r = normalize_channels(input, inner, weight, bias, eps);
  update(running_mean, r[1], momentum);
  if (running_var.defined()) {
    const double n = static_cast<double>(count);
    update(running_var, r[2].detach().mul(n / (n - 1)), momentum);
  }
  return r[0];
}

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight, OptionalTensorRef bias,
                  double eps, bool) {
  const Called called;
  const int64_t dims = static_cast<int64_t>(normalized_shape.size()), first = input.dim() - dims;
  check_input("layer_norm", input, dims);
  STRATA_CHECK(dims >= 1 && input.sizes().slice(static_cast<size_t>(first)) == normalized_shape,
               "layer_norm: the input {} does not end in normalized_shape {}", input.sizes(), normalized_shape);
  for (const Tensor* v : {&*weight, &*bias}) {
    STRATA_CHECK(!v->defined() || v->sizes() == normalized_shape,
                 "layer_norm: expected weight and bias of shape {}, got {}", normalized_shape,
                 v->defined() ? v->sizes() : IntArrayRef());
    check_dtype("layer_norm", "the weight or bias", *v, input);
  }
  const int64_t inner = numel_of(normalized_shape), rows = numel_of(input.sizes().slice(0, static_cast<size_t>(first)));
  const Tensor w = weight ? flatten(weight) : *weight, b = bias ? flatten(bias) : *bias;
  return normalize(input, {1, rows, inner}, w, b, {2, eps})[0];
}

namespace {

/// Normalises `groups` consecutive pieces of every sample of x, then applies weight and bias `(C,)`: in one op, but for
/// CUDA, the 16-bit types and short runs of a channel's values.
Tensors normalize_groups(const Tensor& x, int64_t groups, const Tensor& weight, const Tensor& bias, double eps) {
  constexpr int64_t kShortRun = 16;
  const int64_t slices = x.size(0) * groups, inner = slices == 0 ? 0 : x.numel() / slices;
  const bool is_affine = weight.defined() || bias.defined();
  if (is_affine && !x.is_cuda() && !is_16_bit(x) && x.numel() > 0 && tail_numel(x, 2) >= kShortRun)
    return normalize(x, {1, slices, inner}, weight, bias, {1, eps, groups, x.size(1)});
  Tensors r = normalize(x, {1, slices, inner}, {}, {}, {1, eps});
  if (weight.defined() && bias.defined())
    r[0] = per_channel(to(bias, x.dtype()), x.dim()).addcmul(r[0], per_channel(to(weight, x.dtype()), x.dim()));
  else if (weight.defined())
    r[0] = r[0].mul(per_channel(to(weight, x.dtype()), x.dim()));
  else if (bias.defined())
    r[0] = r[0].add(per_channel(to(bias, x.dtype()), x.dim()));
  return r;
}

}  // namespace

Tensor group_norm(const Tensor& input, int64_t num_groups, OptionalTensorRef weight, OptionalTensorRef bias, double eps,
                  bool) {
  const Called called;
  STRATA_CHECK_INDEX(input.dim() != 1, "group_norm: Dimension out of range: expected (N, C, ...), got {}",
                     input.sizes());
  check_channels("group_norm", input, weight, bias, {}, {});
  STRATA_CHECK(input.numel() > 0 || (input.size(0) == 0 && tail_numel(input, 1) > 0),
               "group_norm: the input {} has nothing to normalise", input.sizes());
  STRATA_CHECK(num_groups >= 1 && input.size(1) % num_groups == 0,
               "group_norm: {} groups do not divide the channels of the input {}", num_groups, input.sizes());
  return normalize_groups(input, num_groups, weight, bias, eps)[0];
}

Tensor instance_norm(const Tensor& input, OptionalTensorRef weight, OptionalTensorRef bias,
                     OptionalTensorRef running_mean, OptionalTensorRef running_var, bool use_input_stats,
                     double momentum, double eps, bool) {
  const Called called;
  check_channels("instance_norm", input, weight, bias, running_mean, running_var);
  if (!use_input_stats) {
    STRATA_CHECK(running_mean.defined() && running_var.defined(),
                 "instance_norm: without use_input_stats it needs running_mean and running_var");
    return normalize_by(input.contiguous(), weight, bias, running_mean, running_var, eps);
  }
  const int64_t samples = input.size(0), channels = input.size(1), inner = tail_numel(input, 2);
  Tensors r = normalize_groups(input, channels, weight, bias, eps);
  const double n = static_cast<double>(inner);
  if (running_mean.defined()) update(running_mean, reshape(r[1].detach(), {samples, channels}).mean({0}), momentum);
  if (running_var.defined())
    update(running_var, reshape(r[2].detach(), {samples, channels}).mean({0}).mul(n / (n - 1)), momentum);
  return r[0];
}

Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensorRef weight,
                std::optional<double> eps) {
  const Called called;
  const int64_t dims = static_cast<int64_t>(normalized_shape.size()), first = input.dim() - dims;
  STRATA_CHECK(is_differentiable(input.dtype()), "rms_norm: expected floating point or complex numbers, got {}",
               name(input.dtype()));
  check_dims("rms_norm", input, dims);
  STRATA_CHECK(dims >= 1 && input.sizes().slice(static_cast<size_t>(first)) == normalized_shape,
               "rms_norm: the input {} does not end in normalized_shape {}", input.sizes(), normalized_shape);
  STRATA_CHECK(!weight || weight->sizes() == normalized_shape, "rms_norm: expected a weight of shape {}, got {}",
               normalized_shape, weight ? weight->sizes() : IntArrayRef());
  check_dtype("rms_norm", "the weight", weight, input);
  if (is_16_bit(input)) return rms_norm(input.to(kFloat), normalized_shape, to(weight, kFloat), eps).to(input.dtype());
  const double epsilon = to_real_dtype(input.dtype()) == kDouble ? std::numeric_limits<double>::epsilon()
                                                                 : std::numeric_limits<float>::epsilon();
  DimVector last;
  for (int64_t d = first; d < input.dim(); ++d) last.push_back(d);
  const Tensor x = input.contiguous(), y = x.mul(x.square().mean(last, true).add(eps.value_or(epsilon)).rsqrt());
  return weight.defined() ? y.mul(weight) : y;
}

Tensor local_response_norm(const Tensor& input, int64_t size, double alpha, double beta, double k) {
  const Called called;
  STRATA_CHECK(input.dim() >= 3 && !input.is_complex(),
               "local_response_norm: expected real numbers of at least 3 dims, got {} of shape {}", name(input.dtype()),
               input.sizes());
  STRATA_CHECK(size >= 1, "local_response_norm: size must be at least 1, got {}", size);
  if (input.numel() == 0) return input;
  const Tensor channels = reshape(input.square(), {input.size(0), 1, input.size(1), tail_numel(input, 2)});
  const Tensor padded = constant_pad_nd(channels, {0, 0, size / 2, (size - 1) / 2});
  const bool is_integral = !input.is_floating_point();  // averages are integers then, as PyTorch's
  const Tensor pooled =
      is_integral ? floor_divide(sum(unfold(padded, 2, size, 1), -1), Scalar(size)) : avg_pool2d(padded, {size, 1}, 1);
  const Tensor mean = reshape(pooled, input.sizes());
  return input.div(mean.mul(alpha).add(k).pow(beta));
}

}  // namespace strata
