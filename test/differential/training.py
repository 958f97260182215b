"""More of the table of operations, of what programs that train do: steps.py says what each is."""
import torch

from functions import images, op, several

FLOATS = (torch.float64, torch.float32)


def small(g, dtype, shape, grad=None):
    """Numbers of size up to 1 in rows: what is made of many others shows few roundings."""
    return g.leaf(dtype, shape, -1, 1, plain=True, special=0, grad=grad)


# --- optimizers
def pick(g, **choices):
    """Names and values of some options."""
    found = []
    for name, values in choices.items():
        if g.chance(0.5):
            found += [name, g.choice(*values)]
    return found


BETAS = ([0.9, 0.99], [0.5, 0.75], [0.0, 0.9])
COMMON = {"weight_decay": (0.0, 0.1), "maximize": (True, False)}
OPTIMIZERS = {
    "SGD": dict(momentum=(0.5, 0.9), dampening=(0.25,), **COMMON),
    "Adam": dict(betas=BETAS, eps=(1e-8, 0.1), amsgrad=(True, False), decoupled_weight_decay=(True,), **COMMON),
    "AdamW": dict(betas=BETAS, eps=(1e-8, 0.1), amsgrad=(True, False), **COMMON),
    "RMSprop": dict(alpha=(0.5, 0.9), eps=(1e-8, 0.1), momentum=(0.5,), centered=(True, False), **COMMON),
    "Adagrad": dict(lr_decay=(0.1,), initial_accumulator_value=(0.5,), eps=(1e-10, 0.1), **COMMON),
    "Adadelta": dict(rho=(0.5, 0.9), eps=(1e-6, 0.1), **COMMON),
    "Adamax": dict(betas=BETAS, eps=(1e-8, 0.1), **COMMON),
    "NAdam": dict(betas=BETAS, eps=(1e-8, 0.1), momentum_decay=(0.1,), decoupled_weight_decay=(True, False), **COMMON),
    "RAdam": dict(betas=BETAS, eps=(1e-8, 0.1), decoupled_weight_decay=(True, False), **COMMON),
    "ASGD": dict(lambd=(0.1, 1e-4), alpha=(0.75, 0.5), t0=(0.0, 1.0, 1e6), **COMMON),
    "Rprop": dict(etas=([0.5, 1.2], [0.25, 1.5]), step_sizes=([1e-6, 50.0], [0.05, 0.1]), maximize=(True, False)),
    "Adafactor": dict(beta2_decay=(-0.5,), d=(1.0, 2.0), **COMMON),
    "Muon": dict(momentum=(0.5, 0.95), nesterov=(True, False), ns_steps=(1, 3), weight_decay=(0.0, 0.1),
                 adjust_lr_fn=("original", "match_rms_adamw")),
}


def options_of(g, name):
    found = ["lr", g.choice(0.1, 0.01, 1.0), *pick(g, **OPTIMIZERS[name])]
    if name == "SGD" and "momentum" in found and "dampening" not in found and g.flag():
        found += ["nesterov", True]
    return found


def without(options, name):
    return [part for k, v in zip(options[::2], options[1::2]) if k != name for part in (k, v)]


def optimizer(g):
    name = g.choice(*OPTIMIZERS)
    dtype = g.choice(*FLOATS)
    shapes = [g.new_shape(2 if name == "Muon" else None) for _ in range(g.integer(1, 3))]
    params = [g.leaf(dtype, shape, special=0) for shape in shapes]
    left_out = g.chance(0.3)
    gradients = [[None if left_out and g.chance(0.3) else small(g, dtype, s, False) for s in shapes]
                 for _ in range(g.integer(1, 4))]
    # PyTorch reads what Adagrad's sums start with from the defaults alone.
    groups = [without(options_of(g, name), "initial_accumulator_value") if g.flag() else [] for _ in shapes
              ] if g.chance(0.3) else []
    return [name, params, gradients, options_of(g, name), groups]


def minimizer(g):
    shapes = [g.new_shape(g.integer(0, 2)) for _ in range(g.integer(1, 2))]
    params, targets = ([small(g, torch.float64, s, False) for s in shapes] for _ in range(2))
    options = ["lr", g.choice(1.0, 0.1), "max_iter", g.integer(1, 5)]
    options += pick(g, history_size=(1, 2, 100), max_eval=(2, 5), line_search_fn=("strong_wolfe",))
    return [params, targets, options, g.integer(1, 3)]


def clipped(g):
    dtype = g.choice(*FLOATS)
    shapes = [g.new_shape() for _ in range(g.integer(1, 3))]
    params, gradients = ([small(g, dtype, s, False) for s in shapes] for _ in range(2))
    return [params, gradients, g.choice(0.1, 1.0, 100.0), g.choice(1.0, 2.0, 3.0, float("inf"))]


op("optimizer", lambda g: [*optimizer(g)], 1)
op("lbfgs", lambda g: [*minimizer(g)], 0.1)
op("clip_grad_norm", lambda g: [*clipped(g)], 0.2)


# --- learning rates
def one_schedule(g, kinds=("StepLR", "MultiStepLR", "ExponentialLR", "LinearLR", "ConstantLR", "PolynomialLR",
                           "CosineAnnealingLR")):
    name = g.choice(*kinds)
    options = {
        "StepLR": lambda: ["step_size", g.integer(1, 3), "gamma", g.choice(0.5, 0.1)],
        "MultiStepLR": lambda: ["milestones", sorted(g.integer(1, 6) for _ in range(2)), "gamma", g.choice(0.5, 2.0)],
        "ExponentialLR": lambda: ["gamma", g.choice(0.5, 0.9, 1.5)],
        "LinearLR": lambda: ["start_factor", g.choice(0.25, 1.0), "end_factor", g.choice(0.5, 1.0, 0.0),
                             "total_iters", g.integer(1, 5)],
        "ConstantLR": lambda: ["factor", g.choice(0.25, 1.0), "total_iters", g.integer(1, 5)],
        "PolynomialLR": lambda: ["total_iters", g.integer(1, 6), "power", g.choice(1.0, 2.0, 0.5)],
        "CosineAnnealingLR": lambda: ["T_max", g.integer(1, 5), "eta_min", g.choice(0.0, 0.01)],
        "CosineAnnealingWarmRestarts": lambda: ["T_0", g.integer(1, 3), "T_mult", g.integer(1, 2),
                                                "eta_min", g.choice(0.0, 0.01)],
        "OneCycleLR": lambda: ["max_lr", g.choice(0.5, 1.0), "total_steps", g.integer(11, 14), *pick(
            g, pct_start=(0.25, 0.5), anneal_strategy=("cos", "linear"), cycle_momentum=(True, False),
            base_momentum=(0.75,), max_momentum=(0.875,), div_factor=(10.0,), final_div_factor=(100.0,),
            three_phase=(True, False))],
        "CyclicLR": lambda: ["base_lr", g.choice(0.01, 0.1), "max_lr", 1.0, "step_size_up", g.integer(1, 4), *pick(
            g, step_size_down=(1, 3), mode=("triangular", "triangular2", "exp_range"), gamma=(0.75,),
            cycle_momentum=(True, False), base_momentum=(0.5,), max_momentum=(0.75,))],
    }[name]()
    return name, options


def schedule(g):
    kind = g.rng.random()
    if kind < 0.2:
        parts = [list(one_schedule(g)) for _ in range(g.integer(2, 3))]
        milestones = sorted(g.rng.sample(range(1, 8), len(parts) - 1))
        return ["SequentialLR", g.choice(0.1, 1.0), [parts, milestones], g.integer(3, 10)]
    if kind < 0.3:
        return ["ChainedScheduler", g.choice(0.1, 1.0), [[list(one_schedule(g)) for _ in range(2)]], g.integer(3, 10)]
    if kind < 0.6:
        name, options = one_schedule(g, ("CosineAnnealingWarmRestarts", "OneCycleLR", "CyclicLR"))
    else:
        name, options = one_schedule(g)
    return [name, g.choice(0.1, 1.0), options, g.integer(1, 10)]


op("schedule", schedule, 0.4)
op("plateau", lambda g: [g.choice(0.1, 1.0), pick(
    g, mode=("min", "max"), factor=(0.5, 0.1), patience=(0, 1, 2), threshold=(1e-4, 0.5), threshold_mode=("rel", "abs"),
    cooldown=(0, 1, 2), min_lr=(0.0, 0.05), eps=(1e-8, 0.1)),
    [g.integer(-8, 8) / 4 for _ in range(g.integer(1, 10))]], 0.2)


# --- modules
def conv_module(g):
    spatial = g.integer(1, 3)
    x = images(g, spatial)
    if g.tensor(x).dtype not in FLOATS:
        raise g.no_operand
    channels = g.shape(x)[-spatial - 1]
    transposed = g.chance(0.3)
    groups = channels if g.chance(0.3) and channels else 1
    kernel = [g.integer(1, 3) for _ in range(spatial)]
    outer = [channels, g.integer(1, 2)] if transposed else [groups * g.integer(1, 2), channels // groups]
    bias = [groups * outer[1] if transposed else outer[0]]
    weights = [small(g, g.tensor(x).dtype, outer + kernel)] + [small(g, g.tensor(x).dtype, bias)] * g.flag()
    mode = "zeros" if transposed else g.choice("zeros", "reflect", "replicate", "circular", "circular")
    padding = g.choice("same", "valid") if not transposed and g.chance(0.2) else several(g, spatial, 0, 2)
    stride = [1] * spatial if padding == "same" else several(g, spatial, 1, 2)
    dilation = several(g, spatial, 1, 2)
    if transposed and any((n - 1) * s + d * (k - 1) + 1 <= 2 * p for n, s, d, k, p in zip(
            g.shape(x)[-spatial:], stride, dilation, kernel, padding)):
        raise g.no_operand  # nothing is left: PyTorch refuses it, but not where oneDNN computes
    return [transposed, x, weights, kernel, stride, padding, dilation, groups, mode]


def batch_norm_module(g):
    dtype, channels = g.choice(*FLOATS), g.integer(1, 3)
    rest = list(g.new_shape(g.integer(0, 3)))
    xs = [g.leaf(dtype, [g.integer(2, 4), channels, *rest], special=0) for _ in range(g.integer(1, 3))]
    weights = [small(g, dtype, [channels]) for _ in range(2)] if g.flag() else []
    mean, var = small(g, dtype, [channels], False), g.leaf(dtype, [channels], 1, 3, grad=False, plain=True, special=0)
    return [xs, weights, mean, var, g.choice(None, None, 0.1, 0.5), g.chance(0.8)]


def hiding(g, queries, keys, batch, heads, dtype):
    """What of (keys to hide, a mask), each of bools or added numbers, of all heads or each."""
    kind = g.choice(dtype, torch.bool)
    hidden = g.choice(None, g.leaf(torch.bool, [batch, keys], plain=True), small(g, dtype, [batch, keys], False))
    if hidden and kind == torch.bool and g.tensor(hidden).dtype != torch.bool:
        hidden = None  # kinds of masks that differ are deprecated
    shape = [queries, keys] if g.chance(0.7) else [batch * heads, queries, keys]
    mask = g.choice(None, g.leaf(kind, shape, -1, 1, grad=False, plain=True, special=0))
    return hidden, mask


def attention(g):
    batch, queries, keys, heads = (g.integer(1, 3) for _ in range(4))
    features, dtype = heads * g.integer(1, 3), g.choice(*FLOATS)
    q, k, v = (small(g, dtype, [n, batch, features]) for n in (queries, keys, keys))
    has_bias = g.flag()
    biases = [small(g, dtype, [n * features]) if has_bias else None for n in (3, 1)]
    extra = [small(g, dtype, [1, 1, features]) for _ in range(2)] if g.chance(0.2) else None
    hidden, mask = hiding(g, queries, keys, batch, heads, dtype)
    return [q, k, v, heads, small(g, dtype, [3 * features, features]), biases[0], small(g, dtype, [features, features]),
            biases[1], extra, g.chance(0.2), hidden, mask, g.flag(), g.flag()]


def attention_apart(g):
    batch, queries, keys, heads, others, values = (g.integer(1, 3) for _ in range(6))
    features, dtype = heads * g.integer(1, 3), g.choice(*FLOATS)
    q = small(g, dtype, [queries, batch, features])
    k, v = small(g, dtype, [keys, batch, others]), small(g, dtype, [keys, batch, values])
    ws = [small(g, dtype, [features, n]) for n in (features, others, values)]
    return [q, k, v, heads, ws, small(g, dtype, [3 * features]), small(g, dtype, [features, features]),
            small(g, dtype, [features]), g.flag()]


def transformer_weights(g, dtype, features, inner, attentions):
    weights = []
    for _ in range(attentions):
        weights += [small(g, dtype, [3 * features, features]), small(g, dtype, [3 * features]),
                    small(g, dtype, [features, features]), small(g, dtype, [features])]
    weights += [small(g, dtype, [inner, features]), small(g, dtype, [inner]), small(g, dtype, [features, inner]),
                small(g, dtype, [features])]
    return weights + [small(g, dtype, [features]) for _ in range(2 * (attentions + 1))]


def encoder_layer(g):
    batch, count, heads = (g.integer(1, 3) for _ in range(3))
    features, dtype = heads * g.integer(2, 3) + heads, torch.float64
    x = small(g, dtype, [count, batch, features])
    hidden, mask = hiding(g, count, count, batch, heads, dtype)
    weights = transformer_weights(g, dtype, features, g.integer(1, 4), 1)
    return [x, weights, heads, g.choice("relu", "gelu"), mask, hidden]


def decoder_layer(g):
    batch, count, keys, heads = (g.integer(1, 3) for _ in range(4))
    features, dtype = heads * g.integer(2, 3) + heads, torch.float64
    x, memory = small(g, dtype, [count, batch, features]), small(g, dtype, [keys, batch, features])
    hidden, mask = hiding(g, count, count, batch, heads, dtype)
    weights = transformer_weights(g, dtype, features, g.integer(1, 4), 2)
    return [x, memory, weights, heads, g.choice("relu", "gelu"), mask, hidden]


def packed_recurrence(g):
    kind, dtype = g.choice("RNN", "GRU", "LSTM"), g.choice(*FLOATS)
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind]
    batch, inputs, hidden, layers = g.integer(1, 3), g.integer(1, 3), g.integer(2, 3), g.integer(1, 2)
    both_ways, biases, batch_first = g.flag(), g.flag(), g.flag()
    projected = 1 if kind == "LSTM" and g.chance(0.3) else 0
    lengths = [g.integer(1, 4) for _ in range(batch)]
    steps = max(lengths) + g.integer(0, 1)
    x = small(g, dtype, [batch, steps, inputs] if batch_first else [steps, batch, inputs])
    weights, out = [], projected or hidden
    for layer in range(layers):
        for _ in range(1 + both_ways):
            width = inputs if layer == 0 else (1 + both_ways) * out
            weights += [small(g, dtype, [gates * hidden, width]), small(g, dtype, [gates * hidden, out])]
            weights += [small(g, dtype, [gates * hidden]) for _ in range(2 * biases)]
            weights += [small(g, dtype, [projected, hidden])] * bool(projected)
    return [kind, x, lengths, weights, hidden, layers, biases, both_ways, batch_first, projected]


def interpolated(g):
    spatial = g.integer(1, 3)
    mode = g.choice("nearest", "nearest-exact", "area", {1: "linear", 2: "bilinear", 3: "trilinear"}[spatial],
                    *["bicubic"] * (spatial == 2))
    x = small(g, g.choice(*FLOATS), [g.integer(1, 2), g.integer(1, 2), *(g.integer(1, 5) for _ in range(spatial))])
    by_size = g.flag()
    size = [g.integer(1, 6) for _ in range(spatial)] if by_size else None
    scale = None if by_size else [g.choice(0.4, 0.5, 0.75, 1.5, 2.0, 2.3) for _ in range(spatial)]
    is_linear = mode in ("linear", "bilinear", "trilinear", "bicubic")
    align = g.choice(None, True, False) if is_linear else None
    recompute = None if by_size else g.choice(None, True, False)
    antialias = mode in ("bilinear", "bicubic") and g.chance(0.4)
    return [x, size, scale, mode, align, recompute, antialias]


op("conv_module", conv_module, 0.6)
op("batch_norm_module", batch_norm_module, 0.4)
op("attention_forward", attention, 0.5)
op("attention_apart", attention_apart, 0.2)
op("encoder_layer", encoder_layer, 0.2)
op("decoder_layer", decoder_layer, 0.2)
op("packed_recurrence", packed_recurrence, 0.5)
op("interpolate", interpolated, 0.5)

# --- custom functions
op("custom_scaled", lambda g: [x := g.floating(), g.same(x), g.choice(1.0, -0.5)], 0.4)
op("custom_parts", lambda g: [x := g.floating(), g.same(x)], 0.3)
op("custom_doubled", lambda g: [g.floating()], 0.3)
