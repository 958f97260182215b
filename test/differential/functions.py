"""The table of operations: names of ATen, and how arguments are drawn (a last dict holds those named in Python)."""
import math

import torch

import closed
from programs import DTYPES

OPERATIONS, WEIGHTS = [], []
FLOATS = [torch.float64, torch.float32] * 3 + [torch.bfloat16, torch.float16]


def op(names, draw, weight=1.0, in_place=""):
    """Functions whose arguments `draw` gives; those of `in_place` have a form with an underscore."""
    OPERATIONS.append((names.split(), draw, in_place.split()))
    WEIGHTS.append(weight)


# --- element by element
SMOOTH = "sin cos tanh exp sigmoid atan square neg"
UNARY = """neg abs sign sgn sqrt rsqrt reciprocal square exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan
sinh cosh tanh asinh acosh atanh sigmoid erf erfc erfinv lgamma digamma floor ceil round trunc frac relu logical_not
bitwise_not deg2rad rad2deg conj_physical"""
op(SMOOTH, lambda g: [g.floating()], 5, SMOOTH)
op(UNARY, lambda g: [g.any()], 8, UNARY)
op("isnan isinf isfinite angle isreal", lambda g: [g.any()], 0.7)
op("round", lambda g: [g.any(), {"decimals": g.integer(-1, 2)}], 0.3)
op("polygamma", lambda g: [g.choice(0, 2, 3), g.floating()], 0.3)  # PyTorch's first has ten digits
op("logit", lambda g: [g.floating(), g.choice(None, 0.0, 0.1, 0.6)], 0.3, "logit")
op("nan_to_num", lambda g: [g.any(), g.choice(None, 1.5), g.choice(None, 2.0), g.choice(None, -2.0)], 0.4, "nan_to_num")
op("real imag view_as_real", lambda g: [g.complex()], 0.8)
op("view_as_complex", lambda g: [g.laid_out(lambda t: t.dim() and t.shape[-1] == 2 and t.is_floating_point())], 0.4)
op("complex polar", lambda g: [x := g.floating(), g.same(x)], 0.4)

op("gelu", lambda g: [g.floating(), {"approximate": g.choice("none", "tanh")}], 0.4, "gelu")
op("silu selu relu6 hardsigmoid hardswish mish log_sigmoid", lambda g: [g.any()], 1.5,
   "silu selu relu6 hardsigmoid hardswish mish")
op("leaky_relu hardshrink softshrink celu", lambda g: [g.any(), g.choice(0.25, 0.5, 1, 2.0)], 1, "leaky_relu celu")
op("elu", lambda g: [g.floating(), g.choice(1, 0.5), g.choice(1, 1.5), g.choice(1, 2)], 0.3, "elu")
op("softplus", lambda g: [g.floating(), g.choice(1, 2.0), g.choice(20, 1)], 0.3)
op("hardtanh", lambda g: [g.any(), g.choice(-1, -0.5), g.choice(1, 2)], 0.3, "hardtanh")
op("threshold", lambda g: [g.any(), g.real_number(), g.real_number()], 0.3, "threshold")
op("prelu", lambda g: [x := g.floating(), g.shaped(x, [] if g.flag() else [g.extent(x, 1) if g.flag() else 1])], 0.4)
op("glu", lambda g: [x := g.floating(), g.dim(x)], 0.3)

ARITHMETIC = "add sub mul div"
op("add sub", lambda g: [x := g.any(), g.other(x), {"alpha": g.choice(1, 1, 2, -1, 0.5)}], 5, "add sub")
op("rsub", lambda g: [x := g.any(), g.other(x), {"alpha": g.choice(1, 2, 0.5)}], 0.5)
op("mul div", lambda g: [x := g.any(), g.other(x)], 6, "mul div")
op("div", lambda g: [x := g.any(), g.other(x), {"rounding_mode": g.choice("floor", "trunc", None)}], 1, "div")
op("pow fmod remainder floor_divide xlogy", lambda g: [x := g.any(), g.other(x)], 3,
   "pow fmod remainder floor_divide xlogy")
op("pow remainder xlogy", lambda g: [g.real_number(), g.any()], 0.8)
op("maximum minimum fmax fmin", lambda g: [x := g.real(), g.like(x)], 2)
op("max min", lambda g: [x := g.real(), g.like(x)], 0.4)
op("atan2 hypot", lambda g: [x := g.real(), g.like(x)], 1, "atan2 hypot")
op("logaddexp", lambda g: [x := g.floating(), g.like(x)], 0.5)
op("eq ne lt le gt ge", lambda g: [x := g.any(), g.other(x)], 3, "eq ne lt le gt ge")
op("isclose", lambda g: [x := g.any(), g.like(x), g.choice(1e-5, 0.1), g.choice(1e-8, 0.5), g.flag()], 0.3)
LOGIC = "logical_and logical_or logical_xor"
op(LOGIC, lambda g: [x := g.any(), g.like(x)], 1, LOGIC)
BITS = "bitwise_and bitwise_or bitwise_xor"
op(BITS, lambda g: [x := g.integral(), g.other(x)], 1, BITS)
SHIFTS = "bitwise_left_shift bitwise_right_shift"
op(SHIFTS, lambda g: [x := g.integral(), g.like(x)], 0.4, SHIFTS)

op("clamp", lambda g: [g.any(), g.choice(None, -1, 0.5), g.choice(None, 1, 1.5)], 0.8, "clamp")
op("clamp", lambda g: [x := g.real(), g.like(x), g.like(x)], 0.6)
op("clamp_min clamp_max", lambda g: [x := g.real(), g.other(x)], 0.8, "clamp_min clamp_max")
op("where", lambda g: [m := g.any(lambda t: t.dtype == torch.bool, [torch.bool]), g.other(m), g.other(m)], 2)
op("lerp", lambda g: [x := g.floating(), g.same(x), g.choice(0.25, 0.75, 2) if g.flag() else g.same(x)], 0.8, "lerp")
op("addcmul addcdiv", lambda g: [
    x := g.any(), g.like(x), g.like(x), {"value": g.choice(1, 2, 0.5)}], 1, "addcmul addcdiv")

op("to", lambda g: [g.any(), g.choice(*DTYPES.values())], 3)
op("type_as", lambda g: [g.any(), g.any()], 0.5)
op("clone detach alias", lambda g: [g.any()], 1.5)
op("contiguous", lambda g: [g.laid_out()], 0.4)
op("copy_", lambda g: [x := g.any(), g.like(x)], 2)
op("fill_", lambda g: [g.any(), g.number() if g.flag() else g.of_dims(0)], 1)
op("zero_", lambda g: [g.any()], 0.5)
op("zeros_like ones_like", lambda g: [g.any()], 0.4)
op("full_like", lambda g: [g.any(), g.number()], 0.3)
op("retain_grad", lambda g: [g.any(lambda t: t.requires_grad)], 0.8)

# --- reductions
op("sum mean", lambda g: [x := g.any(), g.some_dims(x), g.flag(), {"dtype": g.dtype()}], 4)
op("sum mean prod", lambda g: [g.any(), {"dtype": g.dtype()}], 1)
op("nansum", lambda g: [x := g.real(), g.some_dims(x), g.flag(), {"dtype": g.dtype()}], 0.4)
op("prod", lambda g: [x := g.any(), g.dim(x), g.flag(), {"dtype": g.dtype()}], 0.8)
op("max min", lambda g: [g.real()], 0.6)
op("max min", lambda g: [x := g.real(), g.dim(x), g.flag()], 1)
op("amax amin", lambda g: [x := g.real(), g.dims(x), g.flag()], 1)
op("aminmax", lambda g: [g.real(), {"dim": None, "keepdim": False}], 0.2)
op("aminmax", lambda g: [x := g.real(), {"dim": g.dim(x), "keepdim": g.flag()}], 0.3)
op("argmax argmin", lambda g: [x := g.real(), g.choice(None, g.dim(x)), g.flag()], 0.6)
op("var std var_mean std_mean", lambda g: [
    x := g.any(), g.some_dims(x) or None, {"correction": g.choice(None, 0, 1, 2, 0.5), "keepdim": g.flag()}], 1.5)
op("norm", lambda g: [x := g.any(), g.choice(None, 0, 1, 2, 3, 0.5, math.inf, -math.inf), g.dims(x), g.flag()], 0.8)
op("linalg_vector_norm", lambda g: [
    x := g.any(), g.choice(0, 1, 2, 3.5, math.inf, -math.inf, -1), g.some_dims(x), g.flag(), {"dtype": g.dtype()}], 0.6)
op("logsumexp", lambda g: [x := g.any(), g.dims(x, empty=False), g.flag()], 0.8)
op("all any", lambda g: [g.any()], 0.4)
op("all any", lambda g: [x := g.any(), g.dim(x), g.flag()], 0.6)
op("all any", lambda g: [x := g.any(), g.dims(x), g.flag()], 0.4)
op("count_nonzero", lambda g: [x := g.any(), g.dims(x, empty=False)], 0.3)
op("median", lambda g: [g.real()], 0.3)
op("median", lambda g: [x := g.real(), g.dim(x), g.flag()], 0.3)
op("kthvalue", lambda g: [x := g.real(), g.integer(1, max(g.extent(x, -1), 1)), -1, g.flag()], 0.3)
op("trace", lambda g: [g.of_dims(2)], 0.3)

# --- along a dim
op("softmax log_softmax", lambda g: [
    x := g.floating(), g.dim(x), {"dtype": g.dtype(torch.float64, torch.float32)}], 1.5)
op("softmax log_softmax", lambda g: [x := g.any(), g.dim(x), {"dtype": g.dtype()}], 0.2)
op("cumsum cumprod", lambda g: [x := g.any(), g.dim(x), {"dtype": g.dtype()}], 1.2, "cumsum cumprod")
op("cummax cummin", lambda g: [x := g.real(), g.dim(x)], 1)
op("sort", lambda g: [x := g.real(), {"stable": True, "dim": g.dim(x), "descending": g.flag()}], 1.2)
op("argsort", lambda g: [x := g.real(), {"stable": True, "dim": g.dim(x), "descending": g.flag()}], 0.4)
op("topk", lambda g: [x := g.real(), g.integer(0, g.extent(x, d := g.dim(x))), d, g.flag(), True], 0.8)
op("bucketize", lambda g: [g.real(), g.leaf(torch.float64, [0]), {"out_int32": g.flag(), "right": g.flag()}], 0.1)
op("bincount", lambda g: [g.leaf(torch.int64, [g.size()], 0, 4), None, g.integer(0, 6)], 0.2)


# --- views
def view_sizes(g, x):
    """Sizes with as many elements as x, mostly."""
    count = math.prod(g.shape(x))
    if g.chance(0.03):
        return [g.size(), g.size()]
    if not count:
        return list(g.shape(x))[::-1]
    sizes = []
    while count > 1 and len(sizes) < 4:
        n = g.choice(*[d for d in range(1, count + 1) if count % d == 0])
        sizes.append(n)
        count //= n
    sizes.append(count)
    if g.chance(0.3):
        sizes[g.integer(0, len(sizes) - 1)] = -1
    return sizes if g.chance(0.95) else [1] + sizes


def expanded_sizes(g, x):
    sizes = [g.size() + 1 if n == 1 and g.flag() else g.choice(n, n, n, -1) for n in g.shape(x)]
    return ([g.size()] if g.chance(0.3) else []) + sizes


def window(g, x):
    d = g.dim(x)
    n = g.extent(x, d)
    return [d, g.integer(0, n), g.integer(1, 3)]


def piece(g, x):
    d = g.dim(x)
    n = g.extent(x, d)
    start = g.integer(-n, n) if g.chance(0.3) else g.integer(0, n)
    return [d, start, g.integer(0, max(n - max(start, 0), 0))]


def strided(g, x):
    """Sizes, strides and an offset that stay in x's memory, mostly."""
    t = g.tensor(x)
    room = t.untyped_storage().nbytes() // t.element_size()
    offset = g.choice(None, 0, g.integer(0, max(room - 1, 0)))
    left = room - 1 - (t.storage_offset() if offset is None else offset)
    sizes, strides = [], []
    for _ in range(g.integer(0, 3)):
        size, stride = g.integer(1, 3), g.integer(0 if g.chance(0.1) else 1, 4)
        if left < (size - 1) * stride and not g.chance(0.05):
            continue
        left -= (size - 1) * stride
        sizes.append(size)
        strides.append(stride)
    return [sizes, strides, offset]


def permutation(g, x):
    dims = list(range(len(g.shape(x))))
    g.rng.shuffle(dims)
    return dims


def two_dims(g, x):
    n = len(g.shape(x))
    if n < 2:
        return [g.dim(x), g.dim(x)]
    return [d - n * g.flag() for d in g.rng.sample(range(n), 2)]


def slice_of(g, n):
    start, stop = g.choice(None, g.integer(-n, n)), g.choice(None, g.integer(-n, n))
    return slice(start, stop, g.choice(None, None, 2, 3))


op("view reshape", lambda g: [x := g.laid_out(), view_sizes(g, x)], 2)
op("view_as", lambda g: [x := g.laid_out(), g.any(lambda t: t.numel() == g.tensor(x).numel())], 0.2)
op("expand broadcast_to", lambda g: [x := g.any(), expanded_sizes(g, x)], 1.5)
op("expand_as", lambda g: [x := g.any(), g.like(x)], 0.3)
op("permute", lambda g: [x := g.any(), permutation(g, x)], 1)
op("transpose", lambda g: [x := g.any(), g.dim(x), g.dim(x)], 1)
op("t", lambda g: [g.of_dims(0, 1, 2, 2, 2)], 0.8)
op("movedim", lambda g: [x := g.any(), (d := permutation(g, x)), sorted(d)], 0.4)
op("squeeze", lambda g: [g.any()] + [{}], 0.4)
op("squeeze", lambda g: [x := g.any(), g.dim(x) if g.flag() else g.dims(x)], 0.6)
op("unsqueeze", lambda g: [x := g.any(), g.dim(x, 1)], 1.5)
op("flatten", lambda g: [
    x := g.laid_out(), *sorted([g.integer(0, max(len(g.shape(x)) - 1, 0)) for _ in range(2)])], 0.5)
op("unflatten", lambda g: [
    x := g.laid_out(lambda t: t.dim()), d := g.dim(x), [g.choice(1, 2, -1), g.choice(1, g.extent(x, d))]], 0.3)
op("ravel", lambda g: [g.laid_out()] + [{}], 0.2)
op("select", lambda g: [
    x := g.any(lambda t: t.dim() > 0 or g.chance(0.02)), d := g.dim(x),
    g.integer(-(n := g.extent(x, d)), max(n - 1, 0))], 3)
op("slice", lambda g: [
    x := g.any(lambda t: t.dim() > 0), d := g.dim(x), (s := slice_of(g, g.extent(x, d))).start, s.stop, s.step or 1], 3)
op("narrow", lambda g: [x := g.any(lambda t: t.dim() > 0), *piece(g, x)], 1.5)
op("diagonal", lambda g: [x := g.any(lambda t: t.dim() > 1), g.integer(-2, 2), *two_dims(g, x)], 1.2)
op("unfold", lambda g: [x := g.any(), *window(g, x)], 0.8)
op("as_strided", lambda g: [x := g.laid_out(), *strided(g, x)], 1.2)
op("chunk split", lambda g: [x := g.any(), g.integer(1, 3), g.dim(x)], 1)
op("unbind", lambda g: [x := g.any(), g.dim(x)], 0.4)
op("broadcast_tensors", lambda g: [[x := g.any(), g.like(x)], {}], 0.2)

# --- joining and arranging
def alike(g, x, dim):
    """Tensors that can be joined with x along a dim."""
    shape, tensors = list(g.shape(x)), [x]
    for _ in range(g.integer(0, 2)):
        if shape and -len(shape) <= dim < len(shape):
            shape[dim] = g.choice(shape[dim], g.size())
        dtype = None if g.chance(0.8) else g.choice(*DTYPES.values())
        tensors.append(g.shaped(x, shape, dtype))
    if g.chance(0.1):
        tensors.append(g.leaf(None, [0], grad=False))  # here it counts for the dtype only
    g.rng.shuffle(tensors)
    return tensors


def padding(g, x, low=-1):
    return [g.integer(low, 2) for _ in range(2 * g.integer(1, max(len(g.shape(x)), 1)))]


op("cat", lambda g: [alike(g, x := g.any(lambda t: t.dim() > 0), d := g.dim(x)), d], 2)
op("stack", lambda g: [[x := g.any()] + [g.same(x) for _ in range(g.integer(0, 2))], g.dim(x, 1)], 1)
op("hstack vstack", lambda g: [[x := g.any(), g.same(x)], {}], 0.4)
op("constant_pad_nd", lambda g: [x := g.any(), padding(g, x), g.number()], 0.6)
op("pad", lambda g: [
    x := g.of_dims(2, 3, 4), padding(g, x)[:2 * (len(g.shape(x)) - 1)][:4],
    g.choice("reflect", "replicate", "circular")], 0.5)
op("flip", lambda g: [x := g.any(), g.dims(x)], 0.7)
op("fliplr flipud", lambda g: [g.any()] + [{}], 0.2)
op("roll", lambda g: [x := g.any(), [g.integer(-3, 3)], g.dims(x, 1)], 0.6)
op("repeat tile", lambda g: [
    x := g.any(), [g.integer(0 if g.chance(0.3) else 1, 2) for _ in range(len(g.shape(x)) + g.integer(0, 1))]], 0.7)
op("repeat_interleave", lambda g: [x := g.any(), g.integer(0, 3), g.choice(None, g.dim(x))], 0.4)
op("repeat_interleave", lambda g: [
    x := g.any(lambda t: t.dim() > 0), g.leaf(torch.int64, [g.extent(x, d := g.dim(x))], 0, 3), d], 0.4)
op("tril triu", lambda g: [g.any(lambda t: t.dim() > 1), g.integer(-2, 2)], 0.8, "tril triu")
op("diag", lambda g: [g.of_dims(1, 2), g.integer(-2, 2)], 0.4)
op("diag_embed", lambda g: [g.any(lambda t: 0 < t.dim() < 4), g.integer(-1, 1), -2, -1], 0.4)
op("meshgrid", lambda g: [[g.of_dims(0, 1), g.of_dims(1)], {"indexing": g.choice("ij", "xy")}], 0.2)
op("fill_diagonal_", lambda g: [g.any(lambda t: t.dim() > 1), g.number(), g.flag()], 0.2)
op("select_scatter", lambda g: [
    x := g.any(lambda t: t.dim() > 0),
    g.shaped(x, [n for i, n in enumerate(g.shape(x)) if i != (d := g.integer(0, len(g.shape(x)) - 1))]), d, 0], 0.4)

# --- indexing
def index_shape(g, x):
    return [g.size() if g.chance(0.3) else g.integer(0, n) if g.chance(0.2) else n for n in g.shape(x)]


def smaller(g, shape, but=None):
    """A shape no larger than another in all dims but one."""
    return [g.integer(min(n, 1), n) if i != but else g.size() for i, n in enumerate(shape)]


def inner_dim(g, x):
    return g.integer(0, max(len(g.shape(x)) - 1, 0))


def scatter_arguments(g, source):
    x = g.any()
    d = inner_dim(g, x)
    index = g.index(g.extent(x, d), smaller(g, g.shape(x), d), dtype=torch.int64 if g.chance(0.97) else torch.int32)
    return [x, d, index, source(g, x, index)]


def with_size(g, x, d, n):
    shape = list(g.shape(x))
    if shape:
        shape[d] = n
    return shape


def row_index(g, x, d):
    n = g.integer(0, 4) if g.shape(x) else 1
    return g.index(g.extent(x, d), [n], dtype=g.choice(torch.int64, torch.int64, torch.int32))


def rows(g, source):
    x = g.any()
    d = inner_dim(g, x)
    index = row_index(g, x, d)
    return [x, d, index, source(g, x, with_size(g, x, d, g.shape(index)[0]))]


def indices(g, x, tensors_only=False):
    """What may stand between the brackets after x."""
    items, left = [], list(g.shape(x))
    kinds = ["tensor"] * 3 + ([] if tensors_only else ["integer", "slice", "slice", "none"])
    common = [g.integer(1, 3)] if g.chance(0.7) else []
    while left and not g.chance(0.25):
        kind = g.choice(*kinds)
        if kind == "none":
            items.append(None)
            continue
        n = left[0]
        if kind == "tensor" and g.chance(0.2):
            k = g.integer(1, len(left))
            items.append(g.leaf(torch.bool, left[:k]))
            left = left[k:]
            continue
        left = left[1:]
        if kind == "integer":
            items.append(g.integer(-n, max(n - 1, 0)))
        elif kind == "slice":
            items.append(slice_of(g, n))
        else:
            items.append(g.index(n, common, True, torch.int64 if g.chance(0.9) else torch.int32))
    if not tensors_only and g.chance(0.1):
        items.append(Ellipsis)
    return items or [None if tensors_only else Ellipsis]


op("index", lambda g: [x := g.any(), indices(g, x)], 4)


def put_arguments(g):
    x = g.any()
    places = indices(g, x, True)
    if all(p is None for p in places):
        places = [g.index(g.extent(x, 0), [2], True)]
    try:
        shape = list(g.tensor(x)[tuple(slice(None) if p is None else g.tensor(p) for p in places)].shape)
    except (IndexError, RuntimeError):
        shape = []
    return [x, places, g.shaped(x, shape if g.chance(0.7) else shape[1:] if g.flag() else []), g.flag()]


op("index_put", put_arguments, 1.5, "index_put")
op("gather", lambda g: [x := g.any(), d := inner_dim(g, x), g.index(g.extent(x, d), smaller(g, g.shape(x), d))], 1.5)
op("scatter", lambda g: scatter_arguments(
    g, lambda g, x, i: g.shaped(x, g.shape(i)) if g.flag() else g.number()), 1.2, "scatter")
op("scatter_add", lambda g: scatter_arguments(g, lambda g, x, i: g.shaped(x, g.shape(i))), 0.8, "scatter_add")
op("index_select", lambda g: [x := g.any(), d := inner_dim(g, x), row_index(g, x, d)], 1)
op("index_add", lambda g: [
    *rows(g, lambda g, x, s: g.shaped(x, s)), {"alpha": g.choice(1, 2, -1, 0.5)}], 1, "index_add")
op("index_copy", lambda g: rows(g, lambda g, x, s: g.shaped(x, s)), 0.8, "index_copy")
op("index_fill", lambda g: rows(g, lambda g, x, s: g.number() if g.flag() else g.shaped(x, [])), 0.8, "index_fill")
op("masked_fill", lambda g: [x := g.any(), g.mask(x), g.number() if g.flag() else g.shaped(x, [])], 1.5, "masked_fill")
op("masked_select", lambda g: [x := g.any(), g.mask(x)], 0.8)
op("masked_scatter", lambda g: [x := g.any(), g.mask(x), g.same(x)], 0.6, "masked_scatter")
op("nonzero", lambda g: [g.any()], 0.4)
op("take", lambda g: [x := g.any(), g.index(g.tensor(x).numel(), g.new_shape(), True)], 0.6)
op("take_along_dim", lambda g: [
    x := g.any(lambda t: t.dim() > 0),
    g.index(g.extent(x, d := inner_dim(g, x)), with_size(g, x, d, g.size()), g.chance(0.2)), d], 0.6)
op("embedding", lambda g: [
    x := g.of_dims(2), g.index(g.shape(x)[0], g.new_shape(g.integer(0, 2))), g.choice(-1, 0) if g.shape(x)[0] else -1,
    g.flag(), {}], 0.5)
op("one_hot", lambda g: [g.leaf(torch.int64, g.new_shape(g.integer(0, 2)), 0, 4), g.choice(-1, 5, 6)], 0.2)

# --- matrix products
def einsum_of_many(g):
    """One to three operands with labels of few sizes, at times twice in one or beside dims without labels; the result's
    are some of theirs, or left to einsum."""
    sizes = {label: g.size() for label in "abcd"}
    rest = [g.size() for _ in range(g.integer(1, 2))] if g.chance(0.3) else None
    repeats = g.chance(0.2)

    def word():
        labels = g.rng.choices("abcd", k=g.integer(1, 3)) if repeats else g.rng.sample("abcd", g.integer(1, 3))
        if rest is not None and g.chance(0.7):
            labels.insert(g.integer(0, len(labels)), "...")
        return labels

    def shape(labels):
        dims = [[g.choice(n, n, 1) for n in rest[g.integer(0, 1):]] if label == "..." else [sizes[label]] for label in labels]
        return [n for part in dims for n in part]
    words = [word() for _ in range(g.integer(1, 3))]
    x = g.leaf(g.choice(torch.float64, torch.float32, torch.complex128), shape(words[0]))
    operands = [x] + [g.shaped(x, shape(labels)) for labels in words[1:]]
    there = sorted({label for labels in words for label in labels})
    kept = g.rng.sample(there, g.integer(0, len(there)))
    return [",".join("".join(labels) for labels in words) + ("->" + "".join(kept)) * g.chance(0.8), operands, {}]


op("mm", lambda g: [x := g.of_dims(2), g.shaped(x, [g.shape(x)[1], g.size()])], 1.2)
op("matmul", lambda g: [x := g.of_dims(1, 2, 2, 3, 4), g.shaped(x, matmul_shape(g, x))], 2)
op("bmm", lambda g: [x := g.of_dims(3), g.shaped(x, [g.shape(x)[0], g.shape(x)[2], g.size()])], 0.6)
op("mv", lambda g: [x := g.of_dims(2), g.shaped(x, [g.shape(x)[1]])], 0.5)
op("dot vdot inner", lambda g: [x := g.of_dims(1), g.same(x)], 0.6)
op("outer", lambda g: [x := g.of_dims(1), g.of_dims(1)], 0.4)
op("kron", lambda g: [g.of_dims(0, 1, 2), g.of_dims(1, 2)], 0.2)
op("linear", lambda g: [
    x := g.of_dims(1, 2, 3), w := g.shaped(x, [g.size(), g.shape(x)[-1]]),
    g.choice(None, g.shaped(x, g.shape(w)[:1]))], 1)
op("einsum", lambda g: ["ij,kj->ik", [x := g.of_dims(2), g.shaped(x, [g.size(), g.shape(x)[1]])], {}], 0.3)
op("einsum", lambda g: [g.choice("ii->i", "ii", "ij->ji", "ij->j", "ij,ij->i", "ij,i->"), [x := g.of_dims(2)], {}], 0.2)
op("einsum", einsum_of_many, 0.8)
op("tensordot", lambda g: [x := g.of_dims(2, 3), g.shaped(x, [g.shape(x)[0], g.size()]), [0], [0]], 0.3)


def matmul_shape(g, x):
    shape = g.shape(x)
    inner = [shape[-1]] if g.chance(0.25) else [shape[-1], g.size()]
    return [g.choice(n, 1) for n in shape[:-2]] * g.flag() + inner if len(inner) > 1 else inner


def add_product(kind):
    def draw(g):
        numbers = {"beta": g.choice(1, 0, 2, 0.5), "alpha": g.choice(1, 2, 0.5)}
        b, m, k, n = (g.size() for _ in range(4))
        shapes = {"addmm": ([m, n], [m, k], [k, n]), "addmv": ([m], [m, k], [k]), "addr": ([m, n], [m], [n]),
                  "baddbmm": ([b, m, n], [b, m, k], [b, k, n]), "addbmm": ([m, n], [b, m, k], [b, k, n])}[kind]
        if g.target:
            return [g.target, *(g.shaped(g.target, s) for s in shapes[1:]), numbers]
        x = g.leaf(g.choice(torch.float64, torch.float32, torch.float64, torch.complex64, torch.int64), shapes[1])
        return [g.shaped(x, g.shape_like(shapes[0]) if g.chance(0.4) else shapes[0]), x, g.shaped(x, shapes[2]),
                numbers]
    return draw


for name in "addmm addmv addr baddbmm addbmm".split():
    op(name, add_product(name), 0.5, name)


# --- layers
def images(g, spatial):
    """A batch of channels over `spatial` dims."""
    shape = [g.integer(1, 2)] * g.chance(0.85) + [g.integer(1, 3)] + [g.integer(2, 5) for _ in range(spatial)]
    there = g.variables(lambda t: t.dim() in (spatial + 1, spatial + 2) and t.is_floating_point())
    return g.recent(there) if there and g.chance(0.3) else g.leaf(g.choice(*FLOATS), shape)


def several(g, count, low, high):
    """A number for each of the spatial dims, in half of the cases one for all."""
    return [g.integer(low, high)] * count if g.flag() else [g.integer(low, high) for _ in range(count)]


def convolution(spatial):
    def draw(g):
        x = images(g, spatial)
        channels = g.shape(x)[-spatial - 1]
        groups = channels if g.chance(0.2) and channels else 1
        w = g.shaped(x, [groups * g.integer(1, 2), channels // groups] + [g.integer(1, 2) for _ in range(spatial)])
        bias = g.choice(None, g.shaped(x, g.shape(w)[:1]))
        return [x, w, bias, several(g, spatial, 1, 2), several(g, spatial, 0, 2), several(g, spatial, 1, 2), groups]
    return draw


def transposed_convolution(spatial):
    def draw(g):
        x = images(g, spatial)
        channels = g.shape(x)[-spatial - 1]
        groups = channels if g.chance(0.2) and channels else 1
        w = g.shaped(x, [channels, g.integer(1, 2)] + [g.integer(1, 3) for _ in range(spatial)])
        bias = g.choice(None, g.shaped(x, [groups * g.shape(w)[1]]))
        return [x, w, bias, several(g, spatial, 1, 2), several(g, spatial, 0, 1), several(g, spatial, 0, 1), groups,
                several(g, spatial, 1, 2)]
    return draw


def resampling(spatial, *last):
    def draw(g):
        size, scale = [g.integer(1, 7) for _ in range(spatial)], [g.choice(0.5, 1.5, 2.0) for _ in range(spatial)]
        x, numbers = images(g, spatial), [draw_one(g) for draw_one in last]
        return [x, size, *numbers, None] if g.flag() else [x, None, *numbers, scale]
    return draw


def attention(g):
    batch = [g.integer(1, 2) for _ in range(g.choice(1, 2, 2))]
    queries, keys, features, values = (g.integer(1, 4) for _ in range(4))
    q = g.leaf(g.choice(*FLOATS), [*batch, queries, features])
    k, v = g.shaped(q, [*batch, keys, features]), g.shaped(q, [*batch, keys, values])
    mask = g.choice(None, g.shaped(q, [queries, keys]), g.shaped(q, [queries, keys], torch.bool))
    return [q, k, v, mask, 0.0, mask is None and g.flag(), {"scale": g.choice(None, 0.5)}]


def pooling(spatial, last):
    def draw(g):
        k = [g.integer(1, 3) for _ in range(spatial)]
        return [images(g, spatial), k, g.choice([], several(g, spatial, 1, 2)), several(g, spatial, 0, 1),
                *last(g, spatial)]
    return draw


for spatial in (1, 2):
    op(f"conv{spatial}d", convolution(spatial), 0.6)
    op(f"conv_transpose{spatial}d", transposed_convolution(spatial), 0.5)
    op(f"upsample_nearest{spatial}d", resampling(spatial), 0.2)
    op(f"upsample_{'bi' * (spatial == 2)}linear{spatial}d", resampling(spatial, lambda g: g.flag()), 0.3)
    op(f"max_pool{spatial}d", pooling(spatial, lambda g, n: [[g.integer(1, 2)] * n, g.flag()]), 0.4)
    op(f"avg_pool{spatial}d", pooling(spatial, lambda g, n: [g.flag(), g.flag()]), 0.4)
    op(f"adaptive_avg_pool{spatial}d", lambda g, n=spatial: [images(g, n), [g.integer(1, 3) for _ in range(n)]], 0.3)
    op("area", lambda g, n=spatial: [images(g, n), [g.integer(1, 7) for _ in range(n)]], 0.1)
    op(f"adaptive_max_pool{spatial}d", lambda g, n=spatial: [images(g, n), [g.integer(1, 3) for _ in range(n)]], 0.3)
op("max_pool2d_with_indices", pooling(2, lambda g, n: [[g.integer(1, 2)] * n, g.flag()]), 0.2)
op("avg_pool2d", pooling(2, lambda g, n: [g.flag(), g.flag(), g.choice(None, 1, 3)]), 0.2)
op("conv3d", convolution(3), 0.4)
op("upsample_bicubic2d", resampling(2, lambda g: g.flag()), 0.2)
op("scaled_dot_product_attention", attention, 0.6)


def channel(g, x, p=0.5, **more):
    return g.leaf(g.tensor(x).dtype, [g.extent(x, 1)], plain=True, **more) if g.chance(p) else None


op("batch_norm", lambda g: [
    x := g.any(lambda t: t.dim() > 1 and t.is_floating_point()), channel(g, x), channel(g, x), None, None, True, 0.1,
    1e-5, False], 0.5)
op("batch_norm", lambda g: [
    x := g.any(lambda t: t.dim() > 1 and t.is_floating_point()), channel(g, x), channel(g, x),
    channel(g, x, 1, grad=False), channel(g, x, 1, low=1, grad=False), g.flag(), 0.1, 1e-5, False], 0.4)
op("group_norm", lambda g: [
    x := g.any(lambda t: t.dim() > 1 and t.is_floating_point()), g.choice(1, max(g.extent(x, 1), 1)), channel(g, x),
    channel(g, x), 1e-5, {}], 0.4)


def instances(g):
    x = g.any(lambda t: 2 < t.dim() < 5 and t.is_floating_point())
    tracked = g.flag()
    mean, var = (channel(g, x, 1, grad=False), channel(g, x, 1, low=1, grad=False)) if tracked else (None, None)
    return [x, channel(g, x), channel(g, x), mean, var, not tracked, 0.1, 1e-5, False]


op("instance_norm", instances, 0.5)
op("local_response_norm", lambda g: [
    images(g, g.integer(1, 2)), g.integer(1, 4), g.choice(1e-4, 0.5), 0.75, g.choice(1.0, 2.0)], 0.3)


def last_dims(g, rest):
    x = g.any(lambda t: t.dim() > 0 and t.is_floating_point())
    shape = list(g.shape(x))[-g.integer(1, 2):]
    return [x, shape, *rest(g, x, shape)]


op("layer_norm", lambda g: last_dims(g, lambda g, x, s: [
    g.choice(None, g.shaped(x, s)), g.choice(None, g.shaped(x, s)), 1e-5]), 0.8)
op("rms_norm", lambda g: last_dims(g, lambda g, x, s: [g.choice(None, g.shaped(x, s)), g.choice(None, 1e-3)]), 0.3)

# --- losses
op("mse_loss l1_loss soft_margin_loss", lambda g: [x := g.floating(), g.same(x), g.integer(0, 2)], 1.2)
op("smooth_l1_loss huber_loss", lambda g: [x := g.floating(), g.same(x), g.integer(0, 2), g.choice(1.0, 0.5)], 0.8)
op("kl_div", lambda g: [x := g.floating(), g.same(x, 0, 2), g.integer(0, 2), {"log_target": g.flag()}], 0.4)
op("poisson_nll_loss", lambda g: [x := g.floating(), g.same(x), g.flag(), g.flag(), 1e-8, g.integer(0, 2)], 0.3)
op("hinge_embedding_loss", lambda g: [x := g.floating(), g.same(x), g.choice(1.0, 0.5), g.integer(0, 2)], 0.3)
op("margin_ranking_loss", lambda g: [x := g.floating(), g.same(x), g.same(x), g.choice(0.0, 0.5), g.integer(0, 2)], 0.3)
op("binary_cross_entropy", lambda g: [
    x := g.within(g.new_shape()), g.leaf(torch.float64, g.shape(x), 0, 1, grad=False), None, g.integer(0, 2)], 0.3)
op("binary_cross_entropy_with_logits", lambda g: [
    x := g.floating(), g.same(x), g.choice(None, g.same(x)), g.choice(None, g.same(x)), g.integer(0, 2)], 0.4)


def classes(g, rest):
    x = g.any(lambda t: 0 < t.dim() < 4 and t.is_floating_point())
    shape = g.shape(x)
    n = shape[1 if len(shape) > 1 else 0]
    target = g.index(n, [s for i, s in enumerate(shape) if i != (1 if len(shape) > 1 else 0)])
    weight = g.choice(None, g.shaped(x, [n]))
    return [x, target, weight, g.integer(0, 2), g.choice(-100, 0, 1), *rest(g)]


op("nll_loss_nd", lambda g: classes(g, lambda g: []), 0.6)
op("cross_entropy_loss", lambda g: classes(g, lambda g: [g.choice(0.0, 0.1)]), 0.8)
op("gaussian_nll_loss", lambda g: [
    x := g.floating(), g.same(x), g.leaf(g.tensor(x).dtype, g.shape(x), 0, 3), g.flag(), 1e-6, g.integer(0, 2)], 0.3)
op("binary_cross_entropy", lambda g: [
    x := g.within(g.new_shape()), g.leaf(torch.float64, g.shape(x), 0, 1, grad=False), g.shaped(x, g.shape(x)),
    g.integer(0, 2)], 0.2)
op("binary_cross_entropy_with_logits", lambda g: [
    x := g.floating(), g.leaf(g.tensor(x).dtype, g.shape(x), 0, 1), None, g.shaped(x, g.shape(x)[-1:]),
    g.integer(0, 2)], 0.3)


def probabilities(g):
    x = g.any(lambda t: 0 < t.dim() < 4 and t.is_floating_point())
    n = g.extent(x, 1 if len(g.shape(x)) > 1 else 0)
    return [x, g.same(x, 0, 1), g.choice(None, g.shaped(x, [n])), g.integer(0, 2), -100, g.choice(0.0, 0.1)]


def samples(g, target, rest):
    """Rows of classes, and for each what `target` draws."""
    x = g.of_dims(1, 2, accept=lambda t: t.is_floating_point(), dtypes=[torch.float64, torch.float32])
    return [x, target(g, x), *rest(g, x)]


op("cross_entropy_loss", probabilities, 0.4)
op("multi_margin_loss", lambda g: samples(
    g, lambda g, x: g.index(g.shape(x)[-1], g.shape(x)[:-1]),
    lambda g, x: [g.choice(1, 2), g.choice(1.0, 0.5), g.choice(None, g.shaped(x, g.shape(x)[-1:])),
                  g.integer(0, 2)]), 0.4)
op("multilabel_soft_margin_loss", lambda g: samples(
    g, lambda g, x: g.same(x, 0, 1), lambda g, x: [g.choice(None, g.shaped(x, g.shape(x)[-1:])), g.integer(0, 2)]), 0.3)
op("cosine_similarity", lambda g: [x := g.floating(), g.like(x, [g.tensor(x).dtype]), g.dim(x), 1e-8], 0.4)
op("pairwise_distance", lambda g: [x := g.of_dims(1, 2), g.same(x), g.choice(2.0, 1.0), 1e-6, g.flag()], 0.3)
op("cosine_embedding_loss", lambda g: [
    x := g.of_dims(2), g.same(x), g.shaped(x, g.shape(x)[:1]), g.choice(0.0, 0.5), g.integer(0, 2)], 0.2)
op("triplet_margin_loss", lambda g: [
    x := g.of_dims(2), g.same(x), g.same(x), 1.0, 2.0, 1e-6, g.flag(), g.integer(0, 2)], 0.2)

# --- transforms
op("transform", lambda g: list(closed.draw(g)), 3)
