"""More of the table of operations, of what models are made of: layers, recurrent cells, losses and factors."""
import torch

from breadth import square, well_conditioned
from functions import convolution, images, last_dims, op, pooling, resampling

FLOATS = (torch.float64, torch.float32)

# --- layers
def padded_by_name(spatial):
    def draw(g):
        x, w, bias, stride, _, dilation, groups = convolution(spatial)(g)
        padding = g.choice("same", "valid")
        return [x, w, bias, [1] * spatial if padding == "same" else stride, padding, dilation, groups]
    return draw


for spatial in (1, 2, 3):
    op(f"conv{spatial}d", padded_by_name(spatial), 0.2)
    op(f"max_unpool{spatial}d", lambda g, n=spatial: [images(g, n), [g.integer(1, 2) for _ in range(n)]], 0.2)
for spatial in (1, 2):
    op(f"lp_pool{spatial}d", lambda g, n=spatial: [
        images(g, n), g.choice(1.0, 2.0, 3.0), [k := g.integer(1, 3)] * n, [g.integer(1, k)] * n, g.flag()], 0.2)
    op(f"_upsample_nearest_exact{spatial}d", resampling(spatial), 0.2)
op("upsample_nearest3d", resampling(3), 0.2)
op("upsample_trilinear3d", resampling(3, lambda g: g.flag()), 0.2)
op("softsign tanhshrink", lambda g: [g.floating()], 0.4)
op("softmin", lambda g: [x := g.floating(), g.dim(x)], 0.2)
op("normalize", lambda g: [x := g.floating(), g.choice(1.0, 2.0, 3.0), g.dim(x), g.choice(1e-12, 0.5)], 0.3)
op("layer_norm", lambda g: last_dims(g, lambda g, x, s: [
    g.shaped(x, s), g.shaped(x, s), g.choice(1e-5, 0.1)]), 0.2)


def cell(gates, states=1):
    def draw(g):
        batch, inputs, hidden = g.integer(0, 3), g.integer(1, 3), g.integer(1, 3)
        x = g.leaf(g.choice(*FLOATS), [batch, inputs], special=0)
        state = [g.shaped(x, [batch, hidden]) for _ in range(states)]
        weights = [g.shaped(x, [gates * hidden, inputs]), g.shaped(x, [gates * hidden, hidden])]
        biases = [g.shaped(x, [gates * hidden]) for _ in range(2)] if g.flag() else [None, None]
        return [x, state if states > 1 else state[0], *weights, *biases]
    return draw


op("rnn_tanh_cell rnn_relu_cell", cell(1), 0.3)
op("gru_cell", cell(3), 0.3)
op("lstm_cell", cell(4, 2), 0.3)


def sequence(gates, states=1):
    """A few steps through one or two layers, there and back."""
    def draw(g):
        steps, batch, inputs, hidden = (g.integer(1, 3) for _ in range(4))
        layers, both_ways, biases, batch_first = g.integer(1, 2), g.flag(), g.flag(), g.flag()
        directions = 2 if both_ways else 1
        x = g.leaf(g.choice(*FLOATS), [batch, steps, inputs] if batch_first else [steps, batch, inputs], special=0)
        state = [g.shaped(x, [layers * directions, batch, hidden]) for _ in range(states)]
        weights = []
        for layer in range(layers * directions):
            width = inputs if layer < directions else directions * hidden
            weights += [g.shaped(x, [gates * hidden, n]) for n in (width, hidden)]
            weights += [g.shaped(x, [gates * hidden]) for _ in range(2 * biases)]
        return [x, state if states > 1 else state[0], weights, biases, layers, 0.0, g.flag(), both_ways, batch_first]
    return draw


op("rnn_tanh rnn_relu", sequence(1), 0.3)
op("gru", sequence(3), 0.2)
op("lstm", sequence(4, 2), 0.3)


# --- losses
def alignments(g):
    """Log-probabilities over time, targets that fit mostly, and how long both are."""
    time, batch, classes = g.integer(1, 5), g.integer(1, 3), g.integer(2, 4)
    most = g.integer(1, 3)
    logits = g.leaf(g.choice(*FLOATS), [time, batch, classes], special=0)
    x = g.append("log_softmax", [logits, -1, None])
    blank = g.integer(0, classes - 1)
    labels = [c for c in range(classes) if c != blank]
    targets = [g.choice(*labels) for _ in range(batch * most)]
    y = g.append("leaf", [torch.int64, [batch, most], [most, 1], 0, False, targets])
    lengths = [[g.integer(low, high) for _ in range(batch)] for low, high in ((min(time, most), time), (0, most))]
    return [x, y, *lengths, blank, g.integer(0, 2), g.flag()]


def pair_signs(g, x):
    count = g.shape(x)[0]
    signs = [g.choice(-1.0, 1.0) for _ in range(count)]
    return g.append("leaf", [g.tensor(x).dtype, [count], [1], 0, False, signs])


op("ctc_loss", alignments, 0.4)
op("cosine_embedding_loss", lambda g: [
    x := g.of_dims(2, accept=lambda t: t.is_floating_point()), g.same(x), pair_signs(g, x),
    g.choice(0.0, 0.5, -0.5), g.integer(0, 2)], 0.2)
op("triplet_margin_loss", lambda g: [
    x := g.of_dims(1, 2), g.same(x), g.same(x), g.choice(0.5, 2.0), g.choice(1.0, 2.0, 3.0), 1e-6, g.flag(),
    g.integer(0, 2)], 0.2)
op("smooth_l1_loss", lambda g: [x := g.floating(), g.same(x), g.integer(0, 2), g.choice(0.0, 2.0)], 0.2)
op("binary_cross_entropy", lambda g: [
    x := g.within(g.new_shape(), torch.float32), g.leaf(torch.float32, g.shape(x), 0, 1, grad=False), None,
    g.integer(0, 2)], 0.2)


# --- factors
def positive_definite(g):
    """Symmetric matrices on whose diagonals stands more than beside it."""
    batch, n = [g.integer(0, 2)] * g.flag(), g.integer(0, 4)
    memory = []
    for _ in range(batch[0] if batch else 1):
        rows = [[g.rng.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
        memory += [rows[max(i, j)][min(i, j)] + (n + i) * (i == j) for i in range(n) for j in range(n)]
    shape = [*batch, n, n]
    return g.append("leaf", [g.choice(*FLOATS), shape, *g.plain_layout(shape)[:2], g.chance(0.6), memory])


def side(g, a):
    *batch, n, _ = g.shape(a)
    return g.shaped(a, [*(batch if g.flag() else []), n, g.size()])


def symmetric(g):
    """A positive definite matrix that is symmetric by how it is computed, so that its tangents are too."""
    x = positive_definite(g)
    return g.append("add", [x, g.append("transpose", [x, -2, -1])], {"alpha": 1})


op("linalg_cholesky", lambda g: [g.choice(positive_definite, symmetric)(g), {"upper": g.flag()}], 0.3)
op("linalg_eigvalsh", lambda g: [positive_definite(g), g.choice("L", "U")], 0.2)
op("linalg_svdvals", lambda g: [positive_definite(g), {}], 0.2)
op("linalg_slogdet logdet", lambda g: [positive_definite(g)], 0.3)
op("linalg_solve_triangular", lambda g: [
    a := well_conditioned(g), side(g, a), {"upper": g.flag(), "left": True, "unitriangular": g.flag()}], 0.2)
op("linalg_pinv", lambda g: [well_conditioned(g)], 0.2)
op("linalg_matrix_norm", lambda g: [
    square(g), g.choice(1, -1, float("inf"), -float("inf")), [-2, -1], g.flag(), {"dtype": None}], 0.2)
op("linalg_matrix_norm", lambda g: [
    x := g.of_dims(2, 3), g.choice("fro", "nuc") if g.chance(0.2) else "fro", [-2, -1], g.flag(), {"dtype": None}], 0.2)
op("linalg_vecdot", lambda g: [x := g.any(), g.same(x), {"dim": g.dim(x)}], 0.2)
op("fft_fft2 fft_ifft2 fft_rfft2 fft_irfft2", lambda g: [
    g.of_dims(2, 3, accept=lambda t: t.dtype in FLOATS), g.choice(None, [2, 3]), [-2, -1]], 0.3)
op("fft_fftn fft_ifftn fft_rfftn", lambda g: [
    x := g.of_dims(1, 2, 3, accept=lambda t: t.dtype in FLOATS), None, g.choice(None, g.dims(x, empty=False) or None)],
   0.3)


# --- arranging
def slice_scattered(g):
    x = g.any(lambda t: t.dim() > 0)
    d = g.integer(0, len(g.shape(x)) - 1)
    n = g.shape(x)[d]
    start = g.integer(0, n)
    stop, step = g.integer(start, n), g.integer(1, 2)
    shape = list(g.shape(x))
    shape[d] = len(range(start, stop, step))
    return [x, g.shaped(x, shape), d, start, stop, step]


def diagonal_scattered(g):
    x = g.any(lambda t: t.dim() > 1)
    offset = g.integer(-1, 1)
    return [x, g.shaped(x, torch.diagonal(g.tensor(x).detach(), offset).shape), offset, 0, 1]


def edges(g):
    values = sorted(g.rng.uniform(-3, 3) for _ in range(g.integer(0, 4)))
    return g.append("leaf", [torch.float64, [len(values)], [1], 0, False, values])


op("slice_scatter", slice_scattered, 0.4)
op("diagonal_scatter", diagonal_scattered, 0.3)
op("bucketize", lambda g: [g.real(), edges(g), {"out_int32": g.flag(), "right": g.flag()}], 0.2)
op("searchsorted", lambda g: [
    edges(g), g.any(lambda t: t.dtype == torch.float64 and not t.requires_grad, [torch.float64]),
    {"out_int32": g.flag(), "right": g.flag()}], 0.2)
