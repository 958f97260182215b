"""More of the table of operations: functions of lists in place, results written into tensors that are given, and what
complex matrices give. Both write into copies, so that a program goes on from the results alone."""
import torch

import steps
from breadth import right_side
from functions import images, op, padding, pooling
from programs import lies_by_other_strides
from training import small
from variants import numbers, several

FLOATS = (torch.float64, torch.float32)
COMPLEX = (torch.complex128, torch.complex64)

# --- lists in place
UNARY = """abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round
rsqrt sigmoid sign sin sinh sqrt tan tanh trunc zero"""
op("in_place", lambda g: [f"_foreach_{g.choice(*UNARY.split())}_", several(g)], 0.4)
op("in_place", lambda g: [f"_foreach_{g.choice('add', 'sub')}_", x := several(g), several(g, x), g.choice(1, 2, 0.5)], 0.2)
op("in_place", lambda g: [
    f"_foreach_{g.choice('mul', 'div', 'maximum', 'minimum', 'clamp_max', 'clamp_min', 'pow', 'copy')}_", x := several(g),
    several(g, x)], 0.3)
op("in_place", lambda g: [
    f"_foreach_{g.choice('add', 'sub', 'mul', 'div', 'maximum', 'minimum', 'clamp_max', 'clamp_min', 'pow')}_",
    x := several(g), g.real_number() if g.flag() else numbers(g, x)], 0.3)
op("in_place", lambda g: [
    "_foreach_lerp_", x := several(g), several(g, x), several(g, x) if g.flag() else g.choice(0.25, 0.75)], 0.1)
op("in_place", lambda g: [
    f"_foreach_{g.choice('addcmul', 'addcdiv')}_", x := several(g), several(g, x), several(g, x),
    g.choice(1, 2, 0.5) if g.flag() else numbers(g, x)], 0.2)
op(" ".join(f"_foreach_{name}" for name in UNARY.split()[:-1]), lambda g: [several(g), {}], 0.3)
op("_foreach_clamp_max _foreach_clamp_min", lambda g: [x := several(g), several(g, x)], 0.1)


# --- into tensors that are given
def fitting(g, result, plain):
    """A tensor for a result: one like it, mostly, else one without elements, or of another shape."""
    kind = g.rng.random()
    shape = list(result.shape) if kind < 0.7 else [0] if kind < 0.85 else list(g.new_shape())
    return g.leaf(result.dtype, shape, grad=False, plain=plain)


# PyTorch's write beside a tensor whose batches of matrices do not lie one after the other, or leave it as it is.
PLAIN = {"tril", "triu", "gelu"}
# PyTorch's count what to write by dividing by the stride of the dim, also of one that has one element and any stride,
# write nothing then, or end the process where that is 0.
DIVIDES = {"cat", "stack"}


def into(name, draw):
    def drawn(g):
        arguments = draw(g)
        values = [g.run.values(a) for a in arguments]
        try:
            results = steps.without_out(name, values)
        except g.no_call:
            raise g.no_operand from None
        outs = [fitting(g, r, name in PLAIN) for r in results]
        if name in DIVIDES and any(lies_by_other_strides(g.tensor(out)) for out in outs):
            raise g.no_operand
        return [outs, *arguments]
    op(f"{name}_into", drawn, 0.12)


REDUCED = lambda g: [x := g.any(), g.dims(x), g.flag()]  # noqa: E731
ALONG = lambda g: [x := g.real(), g.dim(x), g.flag()]  # noqa: E731
for name in "sum mean nansum".split():
    into(name, REDUCED)
for name in "amax amin".split():
    into(name, lambda g: [x := g.real(), g.dims(x), g.flag()])
into("prod", lambda g: [x := g.any(), g.dim(x), g.flag()])
into("logsumexp", lambda g: [x := g.floating(), g.dims(x, empty=False), g.flag()])
into("any", lambda g: [x := g.any(), g.dim(x), g.flag()])
into("all", lambda g: [x := g.any(), g.dim(x), g.flag()])
into("argmax", ALONG)
for name in "max min".split():
    into(name, ALONG)
for name in "cummax cummin".split():
    into(name, lambda g: [x := g.real(), g.dim(x)])
for name in "cumsum cumprod".split():
    into(name, lambda g: [x := g.any(), g.dim(x)])
into("logcumsumexp", lambda g: [x := g.floating(), g.dim(x)])
into("sort", lambda g: [x := g.real(), g.dim(x), g.flag()])
into("var", lambda g: [x := g.floating(), g.dims(x), g.flag(), g.flag()])
into("std", lambda g: [x := g.floating(), g.dims(x), g.flag(), g.flag()])
into("norm", lambda g: [x := g.floating(), g.choice(1, 2, 3), g.dims(x), g.flag()])
into("linalg_vector_norm", lambda g: [x := g.floating(), g.choice(1, 2, 3), g.dims(x), g.flag()])
into("cat", lambda g: [[x := g.any(lambda t: t.dim() > 0), *([g.same(x)] * g.integer(0, 2))], g.dim(x)])
into("stack", lambda g: [[x := g.any(), *([g.same(x)] * g.integer(0, 2))], g.dim(x, 1)])
into("gather", lambda g: [x := g.any(lambda t: t.dim() == 1), 0, g.index(g.extent(x, 0), [g.size()])])
into("index_select", lambda g: [x := g.any(lambda t: t.dim() > 0), 0, g.index(g.extent(x, 0), [g.integer(0, 4)])])
into("masked_select", lambda g: [x := g.any(), g.mask(x)])
into("nonzero", lambda g: [g.any()])
into("take", lambda g: [x := g.any(lambda t: t.numel() > 0), g.index(g.tensor(x).numel(), g.new_shape(), True)])
into("softmax", lambda g: [x := g.floating(), g.dim(x)])
into("log_softmax", lambda g: [x := g.floating(), g.dim(x)])
into("tril", lambda g: [g.any(lambda t: t.dim() > 1), g.integer(-1, 1)])
into("triu", lambda g: [g.any(lambda t: t.dim() > 1), g.integer(-1, 1)])
into("where", lambda g: [m := g.any(lambda t: t.dtype == torch.bool, [torch.bool]), x := g.like(m), g.like(m)])
into("clamp", lambda g: [g.real(), g.choice(None, -1, 0.5), g.choice(1, 1.5)])
into("lerp", lambda g: [x := g.floating(), g.same(x), g.choice(0.25, 0.75)])
into("addcmul", lambda g: [x := g.floating(), g.like(x), g.like(x)])
for name in "atan2 hypot fmod remainder logaddexp eq lt logical_and".split():
    into(name, lambda g: [x := g.real(), g.like(x)])
into("dot", lambda g: [x := g.of_dims(1), g.same(x)])
into("mv", lambda g: [x := g.of_dims(2), g.shaped(x, [g.shape(x)[1]])])
into("outer", lambda g: [x := g.of_dims(1), g.of_dims(1)])
into("baddbmm", lambda g: [
    g.leaf(torch.float64, [2, 1, 3]), x := g.leaf(torch.float64, [2, g.size(), g.size()]),
    g.shaped(x, [2, g.shape(x)[2], 3])])
into("linalg_inv", lambda g: [conditioned(g, FLOATS + COMPLEX)])
into("linalg_solve", lambda g: [a := conditioned(g, FLOATS), right_side(g, a, True)])
into("linalg_cholesky", lambda g: [hermitian(g, FLOATS)])
into("avg_pool2d", pooling(2, lambda g, n: [g.flag(), g.flag()]))
into("max_pool2d_with_indices", pooling(2, lambda g, n: [[g.integer(1, 2)] * n, g.flag()]))
into("adaptive_avg_pool2d", lambda g: [images(g, 2), [g.integer(1, 3) for _ in range(2)]])
into("upsample_bilinear2d", lambda g: [images(g, 2), [g.integer(1, 6) for _ in range(2)], g.flag()])
for n in (1, 2, 3):
    op(f"adaptive_avg_pool{n}d adaptive_max_pool{n}d", lambda g, n=n: [images(g, n), [g.integer(0, 3) for _ in range(n)]], 0.05)
into("mse_loss", lambda g: [x := g.floating(), g.same(x), g.integer(0, 2)])
into("gelu", lambda g: [g.floating()])
into("fft_fft", lambda g: [x := g.leaf(torch.float64, g.new_shape(g.integer(1, 2)), special=0), None, g.dim(x)])


# --- complex matrices
def conditioned(g, dtypes=COMPLEX):
    """Square matrices, on whose diagonals stands more than beside it."""
    dtype, n, batch = g.choice(*dtypes), g.integer(0, 3), [g.integer(0, 2)] * g.flag()

    def number(i, j):
        real = 2 * n * (i == j) + g.rng.uniform(-1, 1)
        return complex(real, g.rng.uniform(-1, 1)) if dtype.is_complex else real
    memory = [number(i, j) for _ in range(batch[0] if batch else 1) for i in range(n) for j in range(n)]
    shape = [*batch, n, n]
    return g.append("leaf", [dtype, shape, *g.plain_layout(shape)[:2], g.chance(0.6), memory])


def hermitian(g, dtypes=COMPLEX):
    """A matrix plus its conjugate transpose, whose eigenvalues are positive."""
    x = conditioned(g, dtypes)
    turned = g.append("conj_physical", [g.append("transpose", [x, -2, -1])])
    return g.append("add", [x, turned], {"alpha": 1})


op("linalg_inv linalg_det linalg_slogdet linalg_pinv by_singular_values linalg_matrix_exp", lambda g: [conditioned(g)], 0.4)
op("linalg_solve", lambda g: [a := conditioned(g), right_side(g, a, left := g.chance(0.7)), {"left": left}], 0.2)
op("by_eigenvalues", lambda g: [hermitian(g)], 0.2)
op("linalg_cholesky", lambda g: [hermitian(g), {"upper": g.flag()}], 0.2)
op("linalg_eigvalsh", lambda g: [hermitian(g), g.choice("L", "U")], 0.1)
op("linalg_svdvals", lambda g: [conditioned(g), {}], 0.1)
op("linalg_qr", lambda g: [conditioned(g), "reduced"], 0.1)
op("linalg_lu_factor linalg_lu", lambda g: [conditioned(g), {"pivot": True}], 0.1)
op("linalg_solve_triangular", lambda g: [
    a := conditioned(g), g.shaped(a, [*g.shape(a)[:-1], g.size()]),
    {"upper": g.flag(), "left": True, "unitriangular": g.flag()}], 0.2)
op("linalg_matrix_power", lambda g: [conditioned(g), g.integer(-2, 3)], 0.1)


def complex_of(g, dims):
    return g.leaf(g.choice(*COMPLEX), g.new_shape(g.choice(*dims)), special=0)


op("matmul", lambda g: [x := complex_of(g, (1, 2)), g.shaped(x, [g.shape(x)[-1], g.size()])], 0.3)
op("linear", lambda g: [x := complex_of(g, (1, 2)), g.shaped(x, [g.size(), g.shape(x)[-1]]), None], 0.1)
op("vdot", lambda g: [x := complex_of(g, (1,)), g.same(x)], 0.2)
op("fft_fft fft_ifft", lambda g: [x := complex_of(g, (1, 2)), g.choice(None, 1, 3, 4), g.dim(x)], 0.2)
op("fft_irfft fft_hfft", lambda g: [x := complex_of(g, (1, 2)), g.choice(None, 2, 3, 4), g.dim(x)], 0.2)
op("fft_fft2 fft_ifft2 fft_irfft2", lambda g: [complex_of(g, (2, 3)), g.choice(None, [2, 3]), [-2, -1]], 0.2)
op("conv1d", lambda g: [
    x := g.leaf(g.choice(*COMPLEX), [g.integer(1, 2), g.integer(1, 2), g.integer(2, 5)], special=0),
    w := g.shaped(x, [g.integer(1, 2), g.shape(x)[1], g.integer(1, 2)]), g.choice(None, g.shaped(x, g.shape(w)[:1])),
    [g.integer(1, 2)], [g.integer(0, 1)], [1], 1], 0.2)
op("mse_loss l1_loss", lambda g: [x := complex_of(g, (1, 2)), g.same(x), g.integer(0, 2)], 0.1)
op("cumsum cumprod", lambda g: [x := complex_of(g, (1, 2)), g.dim(x), {"dtype": None}], 0.2)
op("var std", lambda g: [x := complex_of(g, (1, 2)), g.some_dims(x) or None, {"correction": 1, "keepdim": g.flag()}], 0.2)
op("angle", lambda g: [complex_of(g, (0, 1, 2))], 0.2)
op("stft", lambda g: [
    g.leaf(g.choice(*COMPLEX), [g.integer(6, 9)], special=0), 4, g.integer(1, 4), None, g.flag(), g.flag(), False], 0.1)

# --- more of sets and counts
op("unique_dim_consecutive", lambda g: [
    x := g.any(lambda t: not t.is_complex() and not t.requires_grad and t.dim() > 0, [torch.int64]), g.dim(x), g.flag(),
    g.flag()], 0.2)
op("unique_consecutive", lambda g: [
    g.leaf(g.choice(torch.int64, torch.float64), [g.integer(0, 8)], 0, 2, grad=False, special=0), g.flag(), g.flag(),
    g.choice(None, 0)], 0.1)
op("igamma igammac", lambda g: [
    x := g.leaf(g.choice(*FLOATS), None, 1, 6, grad=False, special=0),
    g.leaf(g.tensor(x).dtype, g.shape(x), 1, 6, special=0)], 0.2)


def points(g):
    dims = g.integer(1, 3)
    dtype = g.choice(*FLOATS)
    x = g.leaf(dtype, [g.integer(1, 6), dims], -2, 2, grad=False, special=0)
    weight = g.leaf(dtype, g.shape(x)[:1], 0, 3, grad=False, special=0) if g.flag() else None
    limits = [n for _ in range(dims) for n in (g.choice(-2.0, -1.5), g.choice(2.0, 1.0))] if g.flag() else None
    return [x, [g.integer(1, 3) for _ in range(dims)], limits, weight, g.flag()]


op("histogramdd", points, 0.2)
op("histogram", lambda g: [
    x := g.leaf(g.choice(*FLOATS), None, grad=False, special=0), g.integer(1, 5),
    {"range": g.choice(None, [-2.0, 2.0]), "weight": g.choice(None, g.leaf(g.tensor(x).dtype, g.shape(x), 0, 3, grad=False,
                                                                       special=0)), "density": g.flag()}], 0.1)
op("constant_pad_nd", lambda g: [x := g.any(), padding(g, x, -2), g.choice(0, 1.5)], 0.2)
op("pad", lambda g: [
    x := small(g, g.choice(*FLOATS), [g.integer(1, 2), g.integer(1, 2), *(g.integer(2, 4) for _ in range(n))]),
    [g.integer(-1, 1) for _ in range(2 * n)], g.choice("reflect", "replicate", "circular")]
   if (n := g.integer(1, 3)) else None, 0.3)
