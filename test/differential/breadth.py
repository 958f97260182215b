"""More of the table of operations: special functions, statistics, sets, arrangements, matrices and volumes."""
import torch

from functions import images, op, pooling, rows, scatter_arguments, transposed_convolution

def constant_like(g, x):
    """A tensor of x's shape and dtype that requires no gradient."""
    return g.leaf(g.tensor(x).dtype, g.shape(x), grad=False)


# --- element by element
op("special_i0 special_i0e special_i1 special_i1e special_erfcx special_ndtr special_log_ndtr special_entr sinc",
   lambda g: [g.real()], 2, "sinc")
op("special_ndtri", lambda g: [g.within(g.new_shape())], 0.2)
op("special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_modified_bessel_k0 "
   "special_modified_bessel_k1 special_spherical_bessel_j0 special_airy_ai",
   lambda g: [g.any(lambda t: not t.is_complex() and not t.requires_grad, [torch.float64, torch.float32])], 0.8)
op("signbit positive isposinf isneginf", lambda g: [g.any()], 0.8)
op("frexp", lambda g: [g.floating()], 0.2)
op("mvlgamma", lambda g: [g.leaf(g.choice(torch.float64, torch.float32), None, 2, 6), g.integer(1, 3)], 0.2)
op("special_xlog1py", lambda g: [x := g.real(), g.like(x)], 0.4)
op("special_zeta igamma igammac", lambda g: [
    x := g.leaf(g.choice(torch.float64, torch.float32), None, 1, 6, grad=False, special=0),
    g.leaf(g.tensor(x).dtype, g.shape(x), 1, 6, grad=False, special=0)], 0.4)
op("special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_hermite_polynomial_h "
   "special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p", lambda g: [
       x := g.leaf(g.choice(torch.float64, torch.float32), None, -1, 1, grad=False, special=0),
       g.leaf(g.choice(torch.int64, g.tensor(x).dtype), g.shape(x), 0, 5, grad=False, special=0)], 0.4)
op("copysign", lambda g: [
    x := g.real(), g.like(x, accept=lambda t: not t.is_complex()) if g.flag() else g.real_number()], 0.5, "copysign")
op("heaviside", lambda g: [
    x := g.any(lambda t: not t.is_complex() and not t.requires_grad, [torch.int64]), constant_like(g, x)], 0.3, "heaviside")
op("nextafter", lambda g: [
    x := g.any(lambda t: t.is_floating_point() and not t.requires_grad, [torch.float64, torch.float32]),
    constant_like(g, x)], 0.2, "nextafter")
op("ldexp", lambda g: [x := g.floating(), g.like(x, [torch.int64, torch.int32])], 0.3, "ldexp")
op("gcd lcm", lambda g: [
    x := g.any(lambda t: t.dtype in (torch.int64, torch.int32, torch.int16, torch.uint8), [torch.int64, torch.int32]),
    g.like(x, [torch.int64, torch.int32])], 0.4, "gcd lcm")
op("float_power", lambda g: [x := g.any(), g.other(x)], 0.4, "float_power")
op("logaddexp2", lambda g: [x := g.floating(), g.like(x)], 0.3)
op("dist", lambda g: [x := g.floating(), g.same(x), g.choice(0, 1, 2, 3)], 0.2)
op("cross", lambda g: [x := g.leaf(None, [3] + list(g.new_shape(g.integer(0, 2)))), g.same(x), 0], 0.2)

# --- statistics
INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def fraction(g, x):
    if g.flag():
        return g.choice(0.0, 0.25, 0.5, 0.3, 1.0)
    shape = [g.integer(0, 3)] if g.flag() else []  # here no gradient goes to it
    return g.append("leaf", [g.tensor(x).dtype, shape, [1] * len(shape), 0, False,
                             [g.rng.uniform(0, 1) for _ in range(shape[0] if shape else 1)]])


op("quantile", lambda g: [
    x := g.floating(), fraction(g, x), g.choice(None, g.dim(x)), g.flag(),
    {"interpolation": g.choice(*INTERPOLATIONS)}], 0.6)
op("nanquantile", lambda g: [
    x := g.floating(), g.choice(0.0, 0.25, 0.6), g.choice(None, g.dim(x)), g.flag(),
    {"interpolation": g.choice(*INTERPOLATIONS)}], 0.3)
op("nanmedian", lambda g: [g.real()], 0.2)
op("nanmedian", lambda g: [x := g.real(), g.dim(x), g.flag()], 0.2)
op("nanmean", lambda g: [x := g.floating(), g.some_dims(x), g.flag(), {"dtype": None}], 0.3)
op("mode", lambda g: [x := g.real(), g.dim(x), g.flag()], 0.3)
op("cov", lambda g: [g.of_dims(0, 1, 2), {"correction": g.choice(0, 1)}], 0.3)
op("corrcoef", lambda g: [g.of_dims(0, 1, 2)] + [{}], 0.2)
op("logcumsumexp", lambda g: [x := g.floating(), g.dim(x)], 0.4)
op("diff", lambda g: [x := g.any(), g.integer(0, 2), g.dim(x)], 0.4)
op("diff", lambda g: [
    x := g.any(lambda t: t.dim() > 0), 1, -1, g.choice(None, g.same(x)), g.choice(None, g.same(x))], 0.3)
op("histc", lambda g: [
    g.any(lambda t: t.is_floating_point() and not t.requires_grad, [torch.float64, torch.float32]), g.integer(1, 5),
    *g.choice((0, 0), (-2, 3), (0, 1))], 0.3)
op("renorm", lambda g: [
    x := g.any(lambda t: t.dim() > 1 and t.is_floating_point()), g.choice(1, 2, 3), g.dim(x), g.choice(1, 2.5)], 0.3,
   "renorm")
op("cdist", lambda g: [
    x := g.of_dims(2, 3, accept=lambda t: t.dtype in (torch.float64, torch.float32)),
    g.shaped(x, [*g.shape(x)[:-2], g.size(), g.shape(x)[-1]]), g.choice(0.0, 1.0, 2.0, 3.0, float("inf")), None], 0.4)
op("pdist", lambda g: [
    g.of_dims(2, accept=lambda t: t.dtype in (torch.float64, torch.float32)), g.choice(0.0, 1.0, 2.0, 3.0)], 0.2)
op("trapezoid cumulative_trapezoid", lambda g: [
    x := g.any(lambda t: t.dim() > 0), {"dx": g.choice(1, 0.5), "dim": g.dim(x)}], 0.3)
op("trapezoid", lambda g: [x := g.any(lambda t: t.dim() > 0), g.same(x), {"dim": g.dim(x)}], 0.2)
op("unique_consecutive", lambda g: [
    x := g.any(lambda t: not t.is_complex() and not t.requires_grad, [torch.int64]), g.flag(), g.flag(),
    g.choice(None, g.dim(x))], 0.4)
op("unique_dim", lambda g: [
    x := g.any(lambda t: not t.is_complex() and not t.requires_grad and t.dim() > 0, [torch.int64]), g.dim(x), True,
    g.flag(), g.flag()], 0.3)
op("isin", lambda g: [
    x := g.any(lambda t: not t.is_complex() and not t.requires_grad, [torch.int64]), g.same(x),
    {"assume_unique": False, "invert": g.flag()}], 0.3)
op("msort", lambda g: [g.real()], 0.2)
op("argwhere", lambda g: [g.any()], 0.2)
op("gradient", lambda g: [
    x := g.any(lambda t: t.dim() > 0 and t.is_floating_point()),
    {"spacing": g.choice(None, 2), "dim": g.dim(x), "edge_order": g.choice(1, 2)}], 0.2)

# --- arranging
op("tensor_split", lambda g: [
    x := g.any(lambda t: t.dim() > 0),
    g.integer(1, 4) if g.flag() else [g.integer(-1, 4) for _ in range(g.integer(0, 3))], g.dim(x)], 0.5)
op("hsplit vsplit dsplit", lambda g: [g.any(lambda t: t.dim() > 0), g.integer(1, 3)], 0.3)
op("rot90", lambda g: [
    x := g.any(lambda t: t.dim() > 1), g.integer(-1, 4), g.rng.sample(range(len(g.shape(x))), 2)], 0.4)
op("swapaxes", lambda g: [x := g.any(), g.dim(x), g.dim(x)], 0.2)
op("column_stack dstack", lambda g: [[x := g.any(), g.same(x)], {}], 0.3)
op("block_diag", lambda g: [[g.of_dims(0, 1, 2), g.of_dims(0, 1, 2)], {}], 0.2)
op("cartesian_prod", lambda g: [[x := g.of_dims(1), g.same(x)], {}], 0.1)
op("atleast_1d atleast_2d atleast_3d", lambda g: [g.any()], 0.3)
op("combinations", lambda g: [g.of_dims(1), g.integer(1, 3), g.flag()], 0.2)
op("diagflat", lambda g: [g.of_dims(0, 1, 2), g.integer(-1, 1)], 0.2)
op("linalg_vander", lambda g: [g.of_dims(1, 2), {"N": g.choice(None, 2, 3)}], 0.2)
op("narrow_copy", lambda g: [x := g.any(lambda t: t.dim() > 0), d := g.dim(x), 0, g.integer(0, g.extent(x, d))], 0.3)
op("pixel_shuffle pixel_unshuffle", lambda g: [
    g.leaf(g.choice(torch.float64, torch.int64), [g.integer(1, 2), 4, 2, 4]), g.integer(1, 2)], 0.3)
op("channel_shuffle", lambda g: [
    g.leaf(None, [g.integer(1, 2), 4, g.integer(1, 3), g.integer(1, 3)]), g.choice(1, 2, 4)], 0.2)


def twice(g, low, high):
    return [g.integer(low, high) for _ in range(2)]


op("im2col", lambda g: [images(g, 2), twice(g, 1, 2), twice(g, 1, 2), twice(g, 0, 1), twice(g, 1, 2)], 0.4)


def columns(g):
    size, kernel, stride = twice(g, 2, 4), twice(g, 1, 2), twice(g, 1, 2)
    blocks = 1
    for n, k, s in zip(size, kernel, stride):
        blocks *= (n - k) // s + 1
    x = g.leaf(g.choice(torch.float64, torch.float32),
               [g.integer(1, 2)] * g.flag() + [g.integer(1, 2) * kernel[0] * kernel[1], blocks])
    return [x, size, kernel, [1, 1], [0, 0], stride]


op("col2im", columns, 0.3)
REDUCES = ("sum", "prod", "mean", "amax", "amin")
op("scatter_reduce", lambda g: [
    *scatter_arguments(g, lambda g, x, i: g.shaped(x, g.shape(i))), g.choice(*REDUCES),
    {"include_self": g.flag()}], 0.6, "scatter_reduce")
op("index_reduce", lambda g: [
    *rows(g, lambda g, x, s: g.shaped(x, s)), g.choice("prod", "mean", "amax", "amin"),
    {"include_self": g.flag()}], 0.4, "index_reduce")


def put(g):
    """Places that repeat where what is put there is added up, else places of their own."""
    x = g.any(lambda t: t.numel() > 0)
    count = g.tensor(x).numel()
    adds = g.flag()
    if adds:
        index = g.index(count, g.new_shape(), True)
    else:
        places = g.rng.sample(range(count), g.integer(0, min(count, 4)))
        places = [place - count * g.flag() for place in places]
        index = g.append("leaf", [torch.int64, [len(places)], [1], 0, False, places])
    return [x, index, g.shaped(x, g.shape(index)), adds]


op("put", put, 0.4, "put")

# --- matrices
def square(g, dtypes=(torch.float64,)):
    n = g.integer(0, 4)
    batch = [g.integer(0, 2)] * g.flag()
    return g.leaf(g.choice(*dtypes), [*batch, n, n], special=0)


def well_conditioned(g):
    """Square matrices, on whose diagonals stands more than beside it."""
    batch, n = [g.integer(0, 2)] * g.flag(), g.integer(0, 4)
    plain = [2 * n * (i == j) + g.rng.uniform(-1, 1) for _ in range(batch[0] if batch else 1)
             for i in range(n) for j in range(n)]
    shape = [*batch, n, n]
    strides, offset, count = g.layout(shape)
    memory = [0.0] * count
    if count and 0 in strides:
        strides, offset, memory = *g.plain_layout(shape)[:2], plain
    elif count:
        for place, value in zip(torch.arange(count).as_strided(shape, strides, offset).flatten().tolist(), plain):
            memory[place] = value
    return g.append("leaf", [g.choice(torch.float64, torch.float32), shape, strides, offset, g.chance(0.6), memory])


def right_side(g, a, left):
    """What a matrix, or each of a batch, is to give: matrices, or vectors."""
    *batch, n, _ = g.shape(a)
    if left and g.chance(0.3):
        return g.shaped(a, [*batch, n])
    batch = batch if g.flag() else []
    return g.shaped(a, [*batch, n, g.size()] if left else [*batch, g.size(), n])


op("linalg_inv", lambda g: [well_conditioned(g)], 0.3)
op("linalg_solve", lambda g: [a := well_conditioned(g), right_side(g, a, left := g.chance(0.7)), {"left": left}], 0.4)
op("linalg_det linalg_matrix_exp", lambda g: [square(g)], 0.3)
op("linalg_matrix_power", lambda g: [square(g), g.integer(0, 3)], 0.2)
op("linalg_multi_dot", lambda g: [
    [x := g.leaf(torch.float64, [g.size(), g.size()]), y := g.leaf(torch.float64, [g.shape(x)[1], g.size()]),
    g.leaf(torch.float64, [g.shape(y)[1], g.size()])], {}], 0.2)
op("fft_fft fft_ifft fft_rfft fft_irfft fft_hfft", lambda g: [
    x := g.any(lambda t: t.dtype in (torch.float64, torch.complex128, torch.float32), [torch.float64]),
    g.choice(None, 1, 3, 4), g.dim(x)], 0.8)
op("fft_fftshift", lambda g: [x := g.any(), g.dims(x) or None], 0.2)

# --- volumes
op("conv_transpose3d", transposed_convolution(3), 0.2)
op("max_pool3d", pooling(3, lambda g, n: [[g.integer(1, 2)] * n, g.flag()]), 0.3)
op("avg_pool3d", pooling(3, lambda g, n: [g.flag(), g.flag()]), 0.3)
op("adaptive_avg_pool3d adaptive_max_pool3d", lambda g: [images(g, 3), [g.integer(1, 3) for _ in range(3)]], 0.2)
op("grid_sampler", lambda g: [
    x := g.leaf(g.choice(torch.float64, torch.float32),
                [g.integer(1, 2), g.integer(1, 2), g.integer(1, 4), g.integer(1, 4)], special=0),
    g.leaf(g.tensor(x).dtype, [g.shape(x)[0], g.integer(1, 3), g.integer(1, 3), 2], -2, 2, special=0), g.integer(0, 2),
    g.integer(0, 2), g.flag()], 0.4)
op("affine_grid_generator", lambda g: [
    g.leaf(torch.float64, [2, 2, 3]), [2, 1, g.integer(1, 3), g.integer(1, 3)], g.flag()], 0.2)
op("multilabel_margin_loss", lambda g: [
    x := g.of_dims(1, 2, accept=lambda t: t.is_floating_point() and t.numel()),
    g.leaf(torch.int64, g.shape(x), -1, g.shape(x)[-1] - 1), g.integer(0, 2)], 0.2)


def bags(g):
    weight = g.leaf(g.choice(torch.float64, torch.float32), [g.integer(1, 4), g.integer(1, 3)])
    count = g.integer(0, 5)
    indices = g.index(g.shape(weight)[0], [count])
    offsets = g.append("leaf", [torch.int64, [2], [1], 0, False, [0, g.integer(0, count)]])
    mode = g.integer(0, 2)
    per_sample = g.shaped(weight, [count]) if mode == 0 and g.flag() else None
    return [weight, indices, offsets, g.flag() and mode != 2, mode, False, per_sample, False, g.choice(None, 0)]


op("embedding_bag", bags, 0.4)
