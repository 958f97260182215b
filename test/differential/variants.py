"""More of the table of operations: functions by other names and in other shapes, as copies of views, of lists of tensors,
into tensors that are given, of no tensors at all."""
import torch

from breadth import well_conditioned
from forms import degrees, of_factors, pieces
from functions import OPERATIONS, expanded_sizes, images, indices, op, permutation, pooling, scatter_arguments, view_sizes
from models import edges, positive_definite, side
from programs import DTYPES

FLOATS = (torch.float64, torch.float32)


# --- copies of views
def drawn_as(name):
    """How the arguments of a function are drawn that stands in the table already."""
    return next(draw for names, draw, _ in OPERATIONS if name in names)


for name in ("alias detach expand narrow permute select slice t transpose unfold unsqueeze unbind view_as_real "
             "view_as_complex diagonal").split():
    op(name + "_copy", drawn_as(name), 0.15)
for name in ("chunk", "split", "split_with_sizes"):
    op("unsafe_" + name, drawn_as(name), 0.1)
op("view_copy", lambda g: [x := g.laid_out(), view_sizes(g, x)], 0.1)
op("squeeze_copy", lambda g: [g.any(), {}], 0.1)
op("squeeze_copy", lambda g: [x := g.any(), g.dim(x) if g.flag() else g.dims(x)], 0.1)
op("split_with_sizes_copy", pieces, 0.1)
op("viewed_as", lambda g: [x := g.laid_out(lambda t: t.dtype != torch.bool), g.choice(*(
    t for t in DTYPES.values() if t not in (torch.bool, g.tensor(x).dtype)))], 0.3)  # as what it is PyTorch cuts it off
op("moveaxis", lambda g: [x := g.any(), (d := permutation(g, x)), sorted(d)], 0.1)
op("swapdims", lambda g: [x := g.any(), g.dim(x), g.dim(x)], 0.1)


def put_back(g, kept):
    """A shape, a dim of it, and what a view of it could have as its gradient, whose shape `kept` gives."""
    shape = list(g.new_shape(g.integer(1, 3)))
    d = g.integer(0, len(shape) - 1)
    rest, view = kept(g, shape[d])
    return [g.leaf(None, [*shape[:d], *view[:1], *shape[d + 1:], *view[1:]]), shape, d, *rest]


def one_slice(g, n):
    if not n:
        raise g.no_operand
    return [g.integer(-n, n - 1)], []


def many_slices(g, n):
    start, step = g.integer(0, n), g.integer(1, 2)
    stop = g.integer(start, n)
    return [start, stop, step], [len(range(start, stop, step))]


def windows(g, n):
    if not n:
        raise g.no_operand
    size, step = g.integer(1, n), g.integer(1, 3)
    return [size, step], [(n - size) // step + 1, size]


op("select_backward", lambda g: put_back(g, one_slice), 0.1)
op("slice_backward", lambda g: put_back(g, many_slices), 0.1)
op("unfold_backward", lambda g: put_back(g, windows), 0.1)


# --- of no tensors
def some_dtype(g, real=False):
    return {"dtype": g.dtype(*(t for t in DTYPES.values() if not real or not t.is_complex and t != torch.bool))}


def steps(g):
    start, step = g.real_number(), g.choice(1, 2, 0.5, 0.25, -1, -0.5, 1.5)
    return [start, start + step * g.choice(0, 1, 3, 4.5), step]


op("arange", lambda g: [*steps(g), some_dtype(g, True)], 0.3)
op("range", lambda g: [*steps(g), {"dtype": g.dtype(*FLOATS)}], 0.1)  # PyTorch divides by a step that is 0 as an integer
op("linspace", lambda g: [  # of bool PyTorch has none but with no or one step, and negative ends of uint8 wrap around
    g.number(), g.number(), g.integer(0, 7), {"dtype": g.dtype(*(
        t for t in DTYPES.values() if t not in (torch.bool, torch.uint8)))}], 0.3)
op("logspace", lambda g: [g.real_number(), g.real_number(), g.integer(0, 5), g.choice(10.0, 2.0), some_dtype(g, True)], 0.2)
op("eye", lambda g: [g.size(), g.size(), some_dtype(g)], 0.2)
op("full", lambda g: [g.new_shape(), g.number(), some_dtype(g)], 0.3)
op("zeros ones", lambda g: [g.new_shape(), some_dtype(g)], 0.2)
op("scalar_tensor", lambda g: [g.number(), some_dtype(g)], 0.2)
op("zeros_like ones_like", lambda g: [g.any(), some_dtype(g)], 0.2)
op("full_like", lambda g: [g.any(), g.number(), some_dtype(g)], 0.2)
op("tril_indices triu_indices", lambda g: [g.size(), g.size(), g.integer(-2, 2)], 0.1)
op("hann_window hamming_window blackman_window bartlett_window", lambda g: [
    g.integer(0, 7), g.flag(), {"dtype": g.dtype(*FLOATS, torch.float16, torch.bfloat16)}], 0.2)
op("kaiser_window", lambda g: [g.integer(0, 7), g.flag(), g.choice(12.0, 3.5), {"dtype": g.dtype(*FLOATS)}], 0.1)
op("fft_fftfreq fft_rfftfreq", lambda g: [g.integer(1, 6), g.choice(1.0, 0.3), {"dtype": g.dtype(*FLOATS)}], 0.1)


# --- into tensors that are given, which is refused to those that require grad
def without_grad(g, shape, dtype=None):
    there = g.variables(lambda t: not t.requires_grad and tuple(t.shape) == tuple(shape) and dtype in (None, t.dtype))
    return g.recent(there) if there and g.chance(0.5) else g.leaf(dtype, shape, grad=g.chance(0.05))


def operand(g):
    return without_grad(g, g.shape_like(g.shape(g.target)), g.choice(None, g.tensor(g.target).dtype))


op("add_out_ sub_out_", lambda g: [g.target, operand(g), operand(g), {"alpha": g.choice(1, 1, 2, -1, 0.5)}], 0.5)
op("mul_out_ div_out_ pow_out_ maximum_out_ minimum_out_", lambda g: [g.target, operand(g), operand(g)], 0.7)
op("neg_out_ abs_out_ exp_out_ sqrt_out_ sigmoid_out_ floor_out_ logical_not_out_ bitwise_not_out_",
   lambda g: [g.target, operand(g)], 0.6)


def product_into(dims, accumulates=False):
    def draw(g):
        shape, dtype = g.shape(g.target), g.tensor(g.target).dtype
        if len(shape) not in dims:
            raise g.no_operand
        k = g.size()
        added = [without_grad(g, g.shape_like(shape), dtype)] * accumulates
        numbers = [{"beta": g.choice(1, 0, 0.5), "alpha": g.choice(1, 2)}] * accumulates
        return [g.target, *added, without_grad(g, [*shape[:-1], k], dtype),
                without_grad(g, [*shape[:-2], k, shape[-1]], dtype), *numbers]
    return draw


op("mm_out_", product_into((2,)), 0.3)
op("bmm_out_", product_into((3,)), 0.2)
op("matmul_out_", product_into((2, 3, 4)), 0.3)
op("addmm_out_", product_into((2,), True), 0.2)


def assignment(g):
    x = g.any()
    places = indices(g, x)
    try:
        shape = list(g.tensor(x)[tuple(slice(None) if p is None else g.tensor(p) if isinstance(p, str) else p
                                       for p in places)].shape)
    except (IndexError, RuntimeError):
        shape = []
    return [x, places, g.shaped(x, shape if g.flag() else g.shape_like(shape) if g.flag() else [])]


op("set_index_", assignment, 0.8)
op("clamp_", lambda g: [x := g.any(lambda t: not t.is_complex()), g.choice(None, g.like(x)), g.choice(None, g.like(x))],
   0.3)


# --- of lists
def several(g, x=None):
    """A few tensors, or as many as there are in a list and like those."""
    if x is not None:
        return [g.same(v) if g.chance(0.9) else g.like(v) for v in x]
    accept = lambda t: not t.is_complex()  # noqa: E731
    dtype = g.choice(None, *FLOATS)
    first = g.any(accept) if dtype is None else g.any(lambda t: t.dtype == dtype, [dtype])
    return [first] + [g.same(first) if g.flag() else g.any(accept) for _ in range(g.integer(0, 2))]


def numbers(g, x):
    return [g.real_number() for _ in x]


op("_foreach_abs _foreach_exp _foreach_neg _foreach_sqrt _foreach_reciprocal _foreach_round _foreach_sign _foreach_tanh",
   lambda g: [several(g), {}], 0.4)
op("_foreach_max", lambda g: [several(g), {}], 0.1)
op("_foreach_norm", lambda g: [several(g), g.choice(0, 1, 2, float("inf"))], 0.1)
op("_foreach_add _foreach_sub", lambda g: [x := several(g), several(g, x), {"alpha": g.choice(1, 2, 0.5)}], 0.2)
op("_foreach_mul _foreach_div _foreach_maximum _foreach_minimum", lambda g: [x := several(g), several(g, x)], 0.3)
op("_foreach_pow", lambda g: [x := several(g), several(g, x) if g.flag() else g.real_number()], 0.1)
op("_foreach_add _foreach_sub _foreach_mul _foreach_div", lambda g: [
    x := several(g), g.real_number() if g.flag() else numbers(g, x)], 0.3)
op("_foreach_maximum _foreach_minimum", lambda g: [several(g), g.real_number()], 0.1)
op("_foreach_lerp", lambda g: [x := several(g), several(g, x), several(g, x) if g.flag() else g.choice(0.25, 0.75)], 0.1)
op("_foreach_addcmul _foreach_addcdiv", lambda g: [
    x := several(g), several(g, x), several(g, x), g.choice(1, 2, 0.5)], 0.2)
op("pad_sequence", lambda g: [
    [x := g.any(lambda t: t.dim() > 0), *(g.shaped(x, [g.size(), *g.shape(x)[1:]]) for _ in range(g.integer(0, 2)))],
    g.flag(), g.choice(0.0, 1.5)], 0.2)

# --- by other names
op("__and__ __or__ __xor__", lambda g: [x := g.integral(), g.other(x)], 0.2)
op("__lshift__ __rshift__", lambda g: [x := g.any(lambda t: not t.is_complex()), g.like(x) if g.flag() else g.integer(0, 5)],
   0.2)
op("clip", lambda g: [g.any(), g.choice(None, -1, 0.5), g.choice(None, 1, 1.5)], 0.1)
op("subtract", lambda g: [x := g.any(), g.like(x), {"alpha": g.choice(1, 2, 0.5)}], 0.1)
op("multiply true_divide", lambda g: [x := g.any(), g.like(x)], 0.1)
op(" ".join(f"special_shifted_chebyshev_polynomial_{kind}" for kind in "tuvw"), degrees, 0.1)
op("scatter", lambda g: [
    *scatter_arguments(g, lambda g, x, i: g.shaped(x, g.shape(i)) if g.flag() else g.real_number()),
    {"reduce": g.choice("add", "multiply")}], 0.2)
op("bincount", lambda g: [x := g.leaf(torch.int64, [g.size()], 0, 4), g.leaf(None, g.shape(x), grad=False),
                          g.integer(0, 6)], 0.1)
op("searchsorted", lambda g: [edges(g), g.real_number(), {"out_int32": g.flag(), "right": g.flag()}], 0.1)
op("isin", lambda g: [g.real(), g.real_number(), {"assume_unique": False, "invert": g.flag()}], 0.1)
op("_unique2", lambda g: [
    g.any(lambda t: not t.is_complex() and not t.requires_grad, [torch.int64]), True, True, True], 0.3)
op("dropout alpha_dropout feature_dropout", lambda g: [
    g.any(lambda t: t.is_floating_point()), *g.choice((0.5, False), (0.0, True), (1.0, True))], 0.3)
for spatial in (1, 3):
    op(f"max_pool{spatial}d_with_indices", pooling(spatial, lambda g, n: [[g.integer(1, 2)] * n, g.flag()]), 0.2)
def rolled(g):
    x = g.any(lambda t: t.dim() > 0)
    dims = g.rng.sample(range(len(g.shape(x))), g.integer(1, len(g.shape(x))))
    return [x, [g.integer(-3, 3) for _ in dims], dims]


op("roll", rolled, 0.2)
op("tensordot", lambda g: [x := g.of_dims(2, 3), g.shaped(x, [*g.shape(x)[1::-1], g.size()]), [0, 1], [1, 0]], 0.2)
op("einsum", lambda g: [g.choice("...i->...", "i...->...i", "...ij->...ji", "...->..."), [g.of_dims(2, 3)], {}], 0.2)
op("take_along_dim", lambda g: [
    x := g.any(lambda t: t.numel() > 0), g.index(g.tensor(x).numel(), [g.size()]), None], 0.1)
op("equal", lambda g: [x := g.any(), g.same(x)], 0.1)
op("allclose", lambda g: [x := g.any(), g.like(x), g.choice(1e-5, 0.5), g.choice(1e-8, 2.0), g.flag()], 0.1)
op("item", lambda g: [g.any(lambda t: t.numel() == 1)], 0.2)

# --- matrices
op("linalg_cross", lambda g: [
    x := g.leaf(None, [*g.new_shape(g.integer(0, 2)), 3]), g.leaf(g.tensor(x).dtype, [*g.shape_like(g.shape(x)[:-1]), 3]),
    {"dim": -1}], 0.2)
op("linalg_diagonal", lambda g: [
    g.any(lambda t: t.dim() > 1), {"offset": g.integer(-2, 2), "dim1": -2, "dim2": -1}], 0.2)
op("lu_unpack", of_factors("linalg_lu_factor", well_conditioned, lambda g, a: []), 0.2)
op("linalg_cholesky_ex", lambda g: [positive_definite(g), {"upper": g.flag(), "check_errors": False}], 0.1)
op("linalg_lu_factor_ex", lambda g: [well_conditioned(g), {"pivot": True, "check_errors": False}], 0.1)
op("linalg_polar", lambda g: [well_conditioned(g)], 0.1)
op("linalg_matrix_sqrth", lambda g: [positive_definite(g)], 0.1)
op("geqrf", lambda g: [g.append("detach", [well_conditioned(g)])], 0.1)
op("triangular_solve", lambda g: [
    side(g, a := well_conditioned(g)), a, g.flag(), g.flag(), g.flag()], 0.2)
op("frobenius_norm", lambda g: [
    x := g.of_dims(1, 2, 3, accept=lambda t: t.is_floating_point()), g.dims(x), g.flag()], 0.2)
op("inverse pinverse", lambda g: [well_conditioned(g)], 0.2)
