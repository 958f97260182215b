"""More of the table of operations: views in place, and what matrices, spectra and windows are taken apart into."""
import torch

from breadth import right_side, square, well_conditioned
from functions import images, op
from models import positive_definite, side
from programs import has_no_room, shares_memory

FLOATS = (torch.float64, torch.float32)

# --- in place
op("polygamma_", lambda g: [g.any(lambda t: t.is_floating_point()), g.choice(0, 2, 3)], 0.1)
op("squeeze_", lambda g: [x := g.any(), *([g.dim(x)] * g.flag()), {}], 0.3)
op("unsqueeze_", lambda g: [x := g.any(), g.dim(x, 1)], 0.3)
op("transpose_", lambda g: [x := g.any(), g.dim(x), g.dim(x)], 0.3)
op("t_", lambda g: [g.of_dims(0, 1, 2), {}], 0.2)
op("embedding_renorm_", lambda g: [
    x := g.of_dims(2, accept=lambda t: t.is_floating_point()), g.index(g.shape(x)[0], [g.integer(1, 3)]),
    g.choice(0.5, 1.5), g.choice(1.0, 2.0)], 0.1)


# --- gradients in the midst of a program
def differentiated(g):
    y = g.any(lambda t: t.requires_grad and not t.is_leaf)
    unrecorded = [g.tensor(v) for s in g.statements if s.no_grad for v in s.outputs]
    there = g.variables(lambda t: t.requires_grad and t is not g.tensor(y) and not (  # a view made there has no gradient here
        t._is_view() and any(shares_memory(t, other) for other in unrecorded)))
    if not there:
        raise g.no_operand
    xs = sorted(g.rng.sample(there, min(len(there), g.integer(1, 2))))
    grad = g.leaf(g.tensor(y).dtype, g.shape(y), -2, 2, special=0)
    return [y, grad, xs, g.append("leaf", [torch.float64, [], [], 0, True, [0.0]])]


def gone_back(g):
    y = g.any(lambda t: t.requires_grad and not t.is_leaf)
    return [[y], [g.leaf(g.tensor(y).dtype, g.shape(y), -2, 2, grad=False, special=0)], {}]


op("gradients", differentiated, 1)
op("backward_again", gone_back, 0.2)
op("hook", lambda g: [g.any(lambda t: t.requires_grad), g.choice(2.0, -1.0, 0.5), {}], 0.4)

# --- functions of elements
def degrees(g):
    x = g.leaf(g.choice(*FLOATS), None, -1, 1, grad=False, special=0)
    return [x, g.leaf(g.choice(torch.int64, g.tensor(x).dtype), g.shape(x), 0, 5, grad=False, special=0)]


op("special_modified_bessel_i0 special_modified_bessel_i1 special_scaled_modified_bessel_k0 "
   "special_scaled_modified_bessel_k1",
   lambda g: [g.any(lambda t: not t.is_complex() and not t.requires_grad, FLOATS)], 0.4)
op("special_chebyshev_polynomial_v special_chebyshev_polynomial_w", degrees, 0.1)


def broadcast_from(g, x):
    """Sizes that would broadcast to x's."""
    shape = [1 if g.flag() else n for n in g.shape(x)]
    return shape[g.integer(0, len(shape)):] if g.flag() else shape


def bins(g):
    x = g.any(lambda t: t.dtype in FLOATS and not t.requires_grad, FLOATS)
    dtype = g.tensor(x).dtype
    edges = sorted(g.rng.uniform(-3, 3) for _ in range(g.integer(2, 5)))
    edges = g.append("leaf", [dtype, [len(edges)], [1], 0, False, edges])
    weight = g.leaf(dtype, g.shape(x), 0, 3, grad=False) if g.flag() else None
    return [x, edges, {"weight": weight, "density": g.flag()}]


op("sum_to_size", lambda g: [x := g.any(), broadcast_from(g, x)], 0.3)
op("histogram", bins, 0.2)
op("norm_except_dim", lambda g: [
    x := g.any(lambda t: t.is_floating_point() and t.dim() > 0), g.choice(1, 2, 3),
    g.choice(-1, 0, len(g.shape(x)) - 1)], 0.2)
op("nonzero_static", lambda g: [g.any(), {"size": g.integer(0, 6), "fill_value": g.choice(-1, 3)}], 0.2)
op("trapz", lambda g: [x := g.any(lambda t: t.dim() > 0), g.same(x), {"dim": g.dim(x)}], 0.1)


def pieces(g):
    x = g.any(lambda t: t.dim() > 0)
    d = g.dim(x)
    left, sizes = g.extent(x, d), []
    while left and len(sizes) < 3:
        sizes.append(g.integer(0, left))
        left -= sizes[-1]
    return [x, [*sizes, left] if g.chance(0.95) else sizes, d]


def strided_scattered(g):
    x = g.laid_out(lambda t: t.numel() > 0 and t.is_contiguous() and has_no_room(t))
    if not g.tensor(x).numel() or not g.tensor(x).is_contiguous() or not has_no_room(g.tensor(x)):
        raise g.no_operand
    count = g.tensor(x).numel()
    n, step = g.integer(1, count), g.integer(1, 2)
    if (n - 1) * step >= count:
        step = 1
    return [x, g.shaped(x, [n]), [n], [step], g.integer(0, count - 1 - (n - 1) * step)]


op("split_with_sizes", pieces, 0.4)
op("as_strided_scatter", strided_scattered, 0.3)

# --- layers
op("bilinear", lambda g: [
    x := g.of_dims(1, 2, 3, accept=lambda t: t.is_floating_point()),
    y := g.shaped(x, [*g.shape(x)[:-1], g.size()]),
    w := g.shaped(x, [g.size(), g.shape(x)[-1], g.shape(y)[-1]]), g.choice(None, g.shaped(x, g.shape(w)[:1]))], 0.3)
op("grid_sampler_3d", lambda g: [
    x := g.leaf(g.choice(*FLOATS), [g.integer(1, 2), g.integer(1, 2), *(g.integer(1, 3) for _ in range(3))], special=0),
    g.leaf(g.tensor(x).dtype, [g.shape(x)[0], *(g.integer(1, 2) for _ in range(3)), 3], -2, 2, special=0),
    g.integer(0, 1), g.integer(0, 2), g.flag()], 0.2)


def fractional(spatial):
    def draw(g):
        x = images(g, spatial)
        *batch, channels = g.shape(x)[:-spatial]
        kernel = [g.integer(1, 2) for _ in range(spatial)]
        # PyTorch takes one window less in three dims than in two.
        sizes = [g.integer(1, max(n - k + (spatial < 3), 1)) for n, k in zip(g.shape(x)[-spatial:], kernel)]
        return [x, kernel, sizes, g.within([batch[0] if batch else 1, channels, spatial], g.tensor(x).dtype)]
    return draw


def heads(g):
    """Queries, keys and values of `heads` times some features, and the weights that project them, all small: large
    ones would show the roundings inside."""
    batch, queries, keys, count = (g.integer(1, 3) for _ in range(4))
    features = count * g.integer(1, 3)
    dtype = g.choice(*FLOATS)
    q, k, v = (g.leaf(dtype, [n, batch, features], -1, 1, special=0) for n in (queries, keys, keys))
    biases = [g.within([3 * features], dtype), g.within([features], dtype)] if g.flag() else [None, None]
    mask = g.choice(None, g.leaf(dtype, [queries, keys], special=0, grad=False))
    return [q, k, v, count, g.within([3 * features, features], dtype), biases[0],
            g.within([features, features], dtype), biases[1], mask]


op("fractional_max_pool2d", fractional(2), 0.2)
op("fractional_max_pool3d", fractional(3), 0.1)
op("multi_head_attention", heads, 0.4)

# --- factors
def without_gradient(g):
    """A matrix for LDL^T, which has no derivative in either library: PyTorch says so in backward."""
    return g.append("detach", [positive_definite(g)])


op("linalg_qr", lambda g: [well_conditioned(g), "reduced"], 0.3)
op("by_eigenvalues", lambda g: [positive_definite(g)], 0.3)
op("by_singular_values", lambda g: [well_conditioned(g)], 0.3)
op("linalg_lu_factor linalg_lu", lambda g: [well_conditioned(g), {"pivot": True}], 0.3)
op("linalg_ldl_factor", lambda g: [without_gradient(g), {"hermitian": False}], 0.1)


def of_factors(name, factored, rest):
    """What a matrix was factored into, and more."""
    def draw(g):
        a = factored(g)
        factors = g.append(name, [a], {"hermitian": False} if "ldl" in name else {"pivot": True}, outputs=2)
        return [*factors, *rest(g, a)]
    return draw


op("linalg_lu_solve", of_factors("linalg_lu_factor", well_conditioned, lambda g, a: [
    g.shaped(a, [*g.shape(a)[:-1], g.size()]), {"left": True, "adjoint": g.flag()}]), 0.2)
op("linalg_ldl_solve", of_factors("linalg_ldl_factor", without_gradient, lambda g, a: [
    g.append("detach", [side(g, a)]), {"hermitian": False}]), 0.1)
op("cholesky_solve", lambda g: [
    side(g, a := positive_definite(g)), g.append("linalg_cholesky", [a], {"upper": False}), False], 0.2)
op("cholesky_inverse", lambda g: [g.append("linalg_cholesky", [positive_definite(g)], {"upper": False}), False], 0.2)
op("linalg_householder_product", lambda g: [x := square(g), g.shaped(x, g.shape(x)[:-1])], 0.2)
op("ormqr", lambda g: [x := square(g), g.shaped(x, g.shape(x)[:-1]), g.same(x), g.flag(), g.flag()], 0.1)
op("least_squares", lambda g: [
    a := g.leaf(g.choice(*FLOATS), [g.integer(3, 4), g.integer(1, 3)], special=0),
    g.shaped(a, [g.shape(a)[0], g.integer(1, 2)])], 0.2)
op("linalg_matrix_rank", lambda g: [square(g)], 0.1)
op("linalg_cond", lambda g: [well_conditioned(g), g.choice(None, 1, -1, float("inf"))], 0.2)
op("linalg_norm", lambda g: [
    x := g.of_dims(1, 2, 3, accept=lambda t: t.is_floating_point()), None, g.choice(None, g.dims(x, empty=False)),
    g.flag(), {"dtype": None}], 0.3)
op("linalg_tensorinv", lambda g: [g.append("reshape", [g.leaf(torch.float64, [4, 4], special=0), [2, 2, 4]]), 2], 0.1)
op("linalg_tensorsolve", lambda g: [
    a := g.append("reshape", [g.leaf(torch.float64, [4, 4], special=0), [4, 2, 2]]), g.shaped(a, [4]), None], 0.1)
op("chain_matmul", lambda g: [
    [x := g.leaf(torch.float64, [g.size(), g.size()]), g.shaped(x, [g.shape(x)[1], g.size()])], {}], 0.1)
op("nuclear_norm", lambda g: [well_conditioned(g), g.flag()], 0.1)
op("linalg_inv_ex", lambda g: [well_conditioned(g), {"check_errors": False}], 0.1)
op("linalg_solve_ex", lambda g: [
    a := well_conditioned(g), right_side(g, a, True), {"left": True, "check_errors": False}], 0.1)

# --- spectra
op("fft_ihfft", lambda g: [
    x := g.any(lambda t: t.dtype in FLOATS, FLOATS), g.choice(None, 1, 3, 4), g.dim(x)], 0.2)
op("fft_ifftshift", lambda g: [x := g.any(), g.dims(x) or None], 0.2)
op("fft_irfftn", lambda g: [g.of_dims(1, 2, 3, accept=lambda t: t.dtype in FLOATS), None, [-1]], 0.2)
op("fft_hfft2 fft_ihfft2", lambda g: [
    g.of_dims(2, 3, accept=lambda t: t.dtype in FLOATS), g.choice(None, [2, 3]), [-2, -1]], 0.2)


def frames(g):
    n = g.integer(2, 5)
    x = g.leaf(g.choice(*FLOATS), [g.integer(1, 2)] * g.flag() + [g.integer(n, 3 * n)], special=0)
    return x, n, g.integer(1, n), g.choice(None, g.within([n], g.tensor(x).dtype))


def spectrum(g):
    x, n, hop, window = frames(g)
    return [x, n, hop, window, g.flag(), g.flag(), g.flag()]


def of_spectrum(g):
    x, n, hop, window = frames(g)
    normalized, onesided = g.flag(), g.flag()
    spectra = g.append("stft", [x, n, hop, window, True, normalized, onesided])
    return [spectra, n, hop, window, normalized, onesided]


op("stft", spectrum, 0.3)
op("istft", of_spectrum, 0.2)
