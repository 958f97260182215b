"""What training programs do that is no function of ATen, as PyTorch does it: steps of optimizers, schedules of learning
rates, modules with their parameters, custom functions. programs.py lists them by name."""
import torch
import torch.nn.functional as F


def pairs(options):
    """{name: value} of names and values in turn; a pair of numbers is a tuple."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in zip(options[::2], options[1::2])}


def optimizer(name, params, gradients, options, groups):
    """What parameters become in a few steps. `gradients` has one list a step, with None for those that have none;
    `groups`, if any, options for each parameter apart."""
    params = [p.detach().clone().requires_grad_() for p in params]
    given = [{"params": [p], **pairs(own)} for p, own in zip(params, groups)] if groups else params
    steps = getattr(torch.optim, name)(given, **pairs(options))
    for step in gradients:
        for p, grad in zip(params, step):
            p.grad = None if grad is None else grad.detach().clone()
        steps.step()
    return [p.detach() for p in params]


def lbfgs(params, targets, options, count):
    params = [p.detach().clone().requires_grad_() for p in params]
    steps = torch.optim.LBFGS(params, **pairs(options))

    def closure():
        steps.zero_grad()
        loss = sum((i + 1) * (p - t).square().sum() + p.cos().sum() for i, (p, t) in enumerate(zip(params, targets)))
        loss.backward()
        return loss
    for _ in range(count):
        steps.step(closure)
    return [p.detach() for p in params]


def made_schedule(steps, name, options):
    return getattr(torch.optim.lr_scheduler, name)(steps, **{
        k: list(v) if k == "milestones" else v for k, v in pairs(options).items()})


def joined_schedule(steps, name, options):
    """A schedule, or several, with the milestones where the next begins, or all at once."""
    rates = torch.optim.lr_scheduler
    if name == "SequentialLR":
        return rates.SequentialLR(steps, [made_schedule(steps, *one) for one in options[0]], options[1])
    if name == "ChainedScheduler":
        return rates.ChainedScheduler([made_schedule(steps, *one) for one in options[0]])
    return made_schedule(steps, name, options)


def schedule(name, lr, options, count):
    """The learning rate and the momentum before each step."""
    steps = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr, momentum=0.5)
    rates = joined_schedule(steps, name, options)
    found = []
    for _ in range(count):
        group = steps.param_groups[0]
        found.append([group["lr"], group["momentum"]])
        steps.step()
        rates.step()
    return torch.tensor(found, dtype=torch.float64)


def plateau(lr, options, metrics):
    steps = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr)
    rates = torch.optim.lr_scheduler.ReduceLROnPlateau(steps, **pairs(options))
    found = []
    for metric in metrics:
        rates.step(metric)
        found.append(steps.param_groups[0]["lr"])
    return torch.tensor(found, dtype=torch.float64)


def clip_grad_norm(params, gradients, most, order):
    params = [p.detach().clone().requires_grad_() for p in params]
    for p, grad in zip(params, gradients):
        p.grad = grad.detach().clone()
    torch.nn.utils.clip_grad_norm_(params, most, order)
    return [p.grad for p in params]


# --- modules
def called(module, weights, *arguments, **named):
    """A module's result for these parameters, in its own order of them."""
    names = [name for name, _ in module.named_parameters()]
    assert len(names) == len(weights)
    return torch.func.functional_call(module, dict(zip(names, weights)), arguments, named)


def conv_module(transposed, x, weights, kernel, stride, padding, dilation, groups, mode):
    spatial = len(kernel)
    first, second = weights[0].shape[:2]
    channels = (first, second * groups) if transposed else (second * groups, first)
    kind = getattr(torch.nn, f"Conv{'Transpose' * transposed}{spatial}d")
    module = kind(*channels, kernel, stride, padding, dilation=dilation, groups=groups, bias=len(weights) > 1,
                  padding_mode=mode, dtype=x.dtype)
    return called(module, weights, x)


def batch_norm_module(xs, weights, mean, var, momentum, tracks):
    """Results of a few batches in training, then of the first in evaluation, and the running statistics."""
    spatial = max(xs[0].dim() - 2, 1)
    module = getattr(torch.nn, f"BatchNorm{spatial}d")(
        mean.shape[0], 1e-5, momentum, bool(weights), tracks, dtype=mean.dtype)
    if tracks:
        module.running_mean.copy_(mean.detach())
        module.running_var.copy_(var.detach())
    results = [called(module, weights, x) for x in xs]
    module.eval()
    results.append(called(module, weights, xs[0]))
    return results + ([module.running_mean.clone(), module.running_var.clone(), module.num_batches_tracked.clone()]
                      if tracks else [])


def attention_forward(q, k, v, heads, w, b, u, c, extra, zero, hidden, mask, needs_weights, averages):
    out, weights = F.multi_head_attention_forward(
        q, k, v, q.shape[-1], heads, w, b, *(extra or (None, None)), zero, 0.0, u, c, key_padding_mask=hidden,
        need_weights=needs_weights, attn_mask=mask, average_attn_weights=averages)
    return [out, weights.clone()] if needs_weights else [out]  # the output is not made of a view of them in PyTorch


def attention_apart(q, k, v, heads, ws, b, u, c, averages):
    """With projections of their own for keys and values of other sizes."""
    out, weights = F.multi_head_attention_forward(
        q, k, v, q.shape[-1], heads, None, b, None, None, False, 0.0, u, c, use_separate_proj_weight=True,
        q_proj_weight=ws[0], k_proj_weight=ws[1], v_proj_weight=ws[2], average_attn_weights=averages)
    return [out, weights.clone()]


def encoder_layer(x, weights, heads, activation, mask, hidden):
    module = torch.nn.TransformerEncoderLayer(x.shape[-1], heads, weights[4].shape[0], 0.0, activation, dtype=x.dtype)
    return called(module, weights, x, mask, hidden)


def decoder_layer(x, memory, weights, heads, activation, mask, hidden):
    module = torch.nn.TransformerDecoderLayer(x.shape[-1], heads, weights[8].shape[0], 0.0, activation, dtype=x.dtype)
    return called(module, weights, x, memory, mask, None, hidden)


def packed_recurrence(kind, x, lengths, weights, hidden, layers, biases, both_ways, batch_first, projected):
    """Sequences of several lengths, in any order, through a recurrent module; the outputs, the states, the lengths."""
    more = {"proj_size": projected} if projected else {}
    module = getattr(torch.nn, kind)(x.shape[-1], hidden, num_layers=layers, bias=biases, batch_first=batch_first,
                                     bidirectional=both_ways, dtype=x.dtype, **more)
    rnn = torch.nn.utils.rnn
    packed = rnn.pack_padded_sequence(x, torch.tensor(lengths), batch_first, enforce_sorted=False)
    out, state = called(module, weights, packed)
    out, counts = rnn.pad_packed_sequence(out, batch_first)
    return [out, *(t.clone() for t in (state if kind == "LSTM" else [state])), counts]


def interpolate(x, size, scale, mode, align, recompute, antialias):
    return F.interpolate(x, size, scale, mode, align, recompute, antialias)


# --- custom functions
class Scaled(torch.autograd.Function):
    """x * y * k, whose gradient for x is twice as large as it should be, so that one sees whose it is."""
    @staticmethod
    def forward(ctx, x, y, k):
        ctx.save_for_backward(x, y)
        ctx.k = k
        return x * y * k

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return 2 * ctx.k * grad * y, ctx.k * grad * x, None


class Parts(torch.autograd.Function):
    """Two results, one of which has no gradient: the sine of x + y, and where it is positive."""
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        sine = (x + y).sin()
        positive = sine > 0
        ctx.mark_non_differentiable(positive)
        return sine, positive

    @staticmethod
    def backward(ctx, grad, _):
        x, y = ctx.saved_tensors
        slope = grad * (x + y).cos()
        return slope, slope if ctx.needs_input_grad[1] else None


class Doubled(torch.autograd.Function):
    """Doubles a tensor in place."""
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


NAMED = {f.__name__: f for f in (
    optimizer, lbfgs, schedule, plateau, clip_grad_norm, conv_module, batch_norm_module, attention_forward,
    attention_apart, encoder_layer, decoder_layer, packed_recurrence, interpolate)}
NAMED["custom_scaled"] = Scaled.apply
NAMED["custom_parts"] = Parts.apply
NAMED["custom_doubled"] = lambda x: Doubled.apply(x.clone())


# --- writing into copies
def in_place(name, xs, *arguments):
    """A function of lists that writes into the first list's tensors."""
    xs = [x.clone() for x in xs]
    getattr(torch.ops.aten, name)(xs, *arguments)
    return xs


def _function(name):
    """ATen's function as Python has it, with an `out`."""
    special = {"avg_pool2d": torch._C._nn.avg_pool2d, "max_pool2d_with_indices": torch._C._nn.max_pool2d_with_indices,
               "adaptive_avg_pool2d": torch._C._nn.adaptive_avg_pool2d, "mse_loss": torch._C._nn.mse_loss,
               "upsample_bilinear2d": torch._C._nn.upsample_bilinear2d, "gelu": torch._C._nn.gelu}
    return special.get(name) or getattr(torch, name, None) or getattr(torch._C._linalg, name, None) or getattr(
        torch._C._fft, name)


def _listed(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def without_out(name, arguments):
    with torch.no_grad():
        return _listed(_function(name)(*arguments))


def into(name):
    """Results in copies of the tensors given first."""
    def called(outs, *arguments):
        outs = [out.detach().clone() for out in outs]
        with torch.no_grad():
            _function(name)(*arguments, out=outs[0] if len(outs) == 1 else tuple(outs))
        return outs
    return called


INTO = """sum mean nansum amax amin prod logsumexp any all argmax max min cummax cummin cumsum cumprod logcumsumexp sort var
std norm linalg_vector_norm cat stack gather index_select masked_select nonzero take softmax log_softmax tril triu where
clamp lerp addcmul atan2 hypot fmod remainder logaddexp eq lt logical_and dot mv outer baddbmm linalg_inv linalg_solve
linalg_cholesky avg_pool2d max_pool2d_with_indices adaptive_avg_pool2d upsample_bilinear2d mse_loss gelu
fft_fft""".split()


def histogramdd(x, bins, limits, weight, density):
    counts, edges = torch.histogramdd(x, bins, range=limits, weight=weight, density=density)
    return [counts, *edges]


NAMED["in_place"] = in_place
NAMED["histogramdd"] = histogramdd
NAMED.update((f"{name}_into", into(name)) for name in INTO)
