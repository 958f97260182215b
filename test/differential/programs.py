"""Programs as text, and what PyTorch makes of them.

A program is a list of statements, one a line:

    v0 = leaf float32 [2,3] [1,2] 0 true [0.5,1.0,-2.0,0.0,3.0,1.5]     dtype sizes strides offset requires_grad memory
    v1 v2 = sort v0 true -1 false                                       results = function arguments
    v3 = @no_grad add_ v1 1.5 alpha=2                                   @no_grad: outside of autograd
    = backward [v1] [v3]                                                no results

Functions are ATen's, with all arguments written out, or those of SPECIAL; what is named in Python is named here.
`grad v0` is v0's gradient and `show v0` is v0 itself, to see what became of it. Under a statement stands what PyTorch
got: a line

      : float32 [2,3] grad [3,1] 0.5 …         dtype, sizes, requires_grad (or -), strides (or ?), elements in order

per result (`: undefined` for an absent gradient), or the message of its error: ` ! …`. Where PyTorch refuses a backward
because a saved tensor was written to, Strata may have kept a copy: under the message, now ` ~ …`, stands what PyTorch
gets when it keeps copies too, for those who do not refuse. Strides stand only where both libraries lay tensors out
alike.
"""
import contextlib
import dataclasses
import math
import re

import torch
import torch.nn.functional as F

import closed
import steps

DTYPES = {str(t).removeprefix("torch."): t for t in (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
    torch.float32, torch.float64, torch.complex64, torch.complex128)}


class Var(str):
    """The name of a tensor."""


@dataclasses.dataclass
class Statement:
    outputs: list
    function: str
    arguments: list
    named: dict = dataclasses.field(default_factory=dict)
    no_grad: bool = False

    def __str__(self):
        words = [*self.outputs, "="] + ["@no_grad"] * self.no_grad + [self.function]
        words += [text_of(a) for a in self.arguments] + [f"{k}={text_of(v)}" for k, v in self.named.items()]
        return " ".join(words)

    def variables(self):
        """The names of all tensors among the arguments."""
        def walk(value):
            if isinstance(value, Var):
                yield value
            elif isinstance(value, (list, tuple)):
                for item in value:
                    yield from walk(item)
        return list(walk([self.arguments, list(self.named.values())]))

    def is_copy(self):
        """Does it write a tensor over all of another? Beneath a number that is filled in, gradients are zeros."""
        is_all = self.function == "set_index_" and all(i in (None, Ellipsis, slice(None)) for i in self.arguments[1])
        return self.function == "copy_" or is_all or self.function == "fill_" and isinstance(self.arguments[1], Var)

    def writes(self):
        """The tensor that an in-place function writes, or None."""
        return self.arguments[0] if self.function.endswith("_") else None


def number_text(value):
    if isinstance(value, complex):
        return f"{value.real!r}{'-' if str(value.imag)[0] == '-' else '+'}{abs(value.imag)!r}j"
    return repr(int(value) if isinstance(value, bool) else value)


def text_of(value):
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, Var):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if value is Ellipsis:
        return "..."
    if isinstance(value, slice):
        return ":".join("" if part is None else str(part) for part in (value.start, value.stop, value.step))
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(text_of, value))}]"
    return number_text(value)


def split_list(text):
    """The parts between the outer commas of `[a,[b,c]]`."""
    parts, depth, begin = [], 0, 1
    for i, c in enumerate(text[1:], 1):
        if c == "," and depth == 0 or i == len(text) - 1:
            parts.append(text[begin:i])
            begin = i + 1
        depth += (c == "[") - (c == "]")
    return [p for p in parts if p]


def parse_value(text):
    words = {"none": None, "true": True, "false": False, "...": Ellipsis, **DTYPES}
    if text in words:
        return words[text]
    if re.fullmatch(r"v\d+", text):
        return Var(text)
    if text[0] == '"':
        return text[1:-1]
    if text[0] == "[":
        return [parse_value(part) for part in split_list(text)]
    if ":" in text:
        return slice(*(int(part) if part else None for part in text.split(":")))
    if text[-1] == "j":
        return complex(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def parse_statement(line):
    left, right = re.split(r"(?:^| )= ", line, maxsplit=1)
    function, *words = right.split()
    no_grad = function == "@no_grad"
    if no_grad:
        function, *words = words
    named = [word.split("=", 1) for word in words if "=" in word]
    arguments = [parse_value(word) for word in words if "=" not in word]
    named = {k: parse_value(v) for k, v in named}
    return Statement([Var(v) for v in left.split()], function, arguments, named, no_grad)


def parse_programs(text):
    """{name: statements} of a text; what PyTorch got is left out."""
    found = {}
    for line in text.splitlines():
        if line.startswith("program "):
            name = line.removeprefix("program ").strip()
            found[name] = []
        elif line.strip() and not line.startswith(("#", " ")):
            found[name].append(parse_statement(line.strip()))
    return found


def plain_strides(sizes):
    """(row-major strides, number of elements)."""
    strides, count = [], 1
    for n in reversed(sizes):
        strides.insert(0, count)
        count *= n
    return strides, count


def make_leaf(dtype, sizes, strides, offset, requires_grad, memory):
    leaf = torch.tensor(memory, dtype=dtype).as_strided(sizes, strides, offset).detach()
    return leaf.requires_grad_(requires_grad)


def index(x, indices):
    return x[tuple(indices)]


REDUCTIONS = ("none", "mean", "sum")  # by ATen's numbers


def gaussian_nll_loss(x, target, var, full, eps, reduction):
    return F.gaussian_nll_loss(x, target, var, full, eps, REDUCTIONS[reduction])


def multilabel_soft_margin_loss(x, target, weight, reduction):
    return F.multilabel_soft_margin_loss(x, target, weight, reduction=REDUCTIONS[reduction])


def values_of(name):
    """A function that gives values and where they are, without where they are."""
    return lambda *arguments: getattr(torch.ops.aten, name)(*arguments)[0]


def copies_of(name):
    """Copies of pieces that in PyTorch lie in the operand's memory and are no views of it: nobody is told of writes."""
    return lambda *arguments: [piece.clone() for piece in getattr(torch.ops.aten, name)(*arguments)]


def states_of(name):
    """Copies of states: a gradient that one of them retains tells how another came of it: PyTorch's CPU computes an
    LSTM's hidden state from its cell state, and its CUDA kernel, as Strata, along with it."""
    return lambda *arguments: [state.clone() for state in getattr(torch.ops.aten, name)(*arguments)]


def unpooled(spatial):
    """What a max pool takes, at its places, among zeros."""
    pool, unpool = getattr(F, f"max_pool{spatial}d"), getattr(F, f"max_unpool{spatial}d")
    return lambda x, kernel: unpool(*pool(x, kernel, return_indices=True), kernel)


def by_eigenvalues(x):
    """A function of a Hermitian matrix, which does not depend on the signs of its eigenvectors."""
    w, v = torch.linalg.eigh(x)
    return v * w.sin().unsqueeze(-2) @ v.mH


def by_singular_values(x):
    u, s, v = torch.linalg.svd(x, full_matrices=False)
    return u * s.sin().unsqueeze(-2) @ v


def multi_head_attention(q, k, v, heads, w, b, u, c, mask):
    return F.multi_head_attention_forward(q, k, v, q.shape[-1], heads, w, b, None, None, False, 0.0, u, c,
                                          attn_mask=mask)


def stft(x, n, hop, window, center, normalized, onesided):
    return torch.stft(x, n, hop, None, window, center, "reflect", normalized, onesided, True)


def istft(x, n, hop, window, normalized, onesided):
    return torch.istft(x, n, hop, None, window, True, normalized, onesided)


def gradients(y, grad, xs, zero):
    """Gradients that can be differentiated again, plus a zero that requires grad: whether a constant gradient does is up
    to the rules, and whether an absent one is zeros (docs/autograd.md)."""
    found = torch.autograd.grad([y], xs, [grad], create_graph=True, allow_unused=True)
    return [(torch.zeros_like(x) if d is None else d) + zero for x, d in zip(xs, found)]


def backward_again(tensors, grads):
    """From copies of gradients, which PyTorch may keep as those of leaves: what is written to them later would show."""
    torch.autograd.backward(tensors, [grad.clone() for grad in grads], retain_graph=True)
    return ()


def set_index(x, indices, values):
    x[tuple(indices)] = values
    return x


def as_tensor(function):
    """A function that gives a number, which here stands in a tensor of the operand's dtype, or is a bool."""
    def made(x, *arguments):
        number = function(x, *arguments)
        return torch.tensor(number, dtype=None if isinstance(number, bool) else x.dtype)
    return made


def into(name):
    """A function that writes its result into the tensor that comes first."""
    return lambda out, *arguments, **named: getattr(torch, name)(*arguments, **named, out=out)


INTO = """add sub mul div pow maximum minimum mm bmm matmul addmm neg abs exp sqrt sigmoid floor logical_not
bitwise_not""".split()

RECURRENT = ("rnn_tanh", "rnn_relu", "gru", "lstm")

SPECIAL = {
    **{f"{name}_out_": into(name) for name in INTO},
    "set_index_": set_index,
    **{name: as_tensor(getattr(torch.ops.aten, name)) for name in ("equal", "allclose", "item")},
    "gradients": gradients,
    "by_eigenvalues": by_eigenvalues,
    "by_singular_values": by_singular_values,
    "multi_head_attention": multi_head_attention,
    "stft": stft,
    "istft": istft,
    # In PyTorch the triangle that is not read has a gradient.
    "cholesky_inverse": lambda x, upper: torch.cholesky_inverse(x.triu() if upper else x.tril(), upper),
    "cholesky_solve": lambda b, x, upper: torch.cholesky_solve(b, x.triu() if upper else x.tril(), upper),
    "least_squares": lambda a, b: torch.linalg.lstsq(a, b, driver="gelsd").solution,
    "transform": lambda *arguments: closed.transform(function_named, *arguments),
    "gaussian_nll_loss": gaussian_nll_loss,
    "multilabel_soft_margin_loss": multilabel_soft_margin_loss,
    "local_response_norm": F.local_response_norm,
    "embedding_bag": lambda *arguments: torch.ops.aten.embedding_bag(*arguments)[0],
    **{name: states_of(name) for name in ("lstm_cell", *RECURRENT)},
    **{name: copies_of(name) for name in ("unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes")},
    **{f"max_unpool{n}d": unpooled(n) for n in (1, 2, 3)},
    "lp_pool1d": lambda x, p, kernel, stride, ceil: F.lp_pool1d(x, p, kernel[0], stride[0], ceil),
    "lp_pool2d": F.lp_pool2d,
    "softsign": F.softsign,
    "tanhshrink": F.tanhshrink,
    "softmin": F.softmin,
    "normalize": F.normalize,
    "linalg_pinv": torch.linalg.pinv,
    "area": lambda x, sizes: F.interpolate(x, sizes, mode="area"),
    "viewed_as": lambda x, dtype: x.view(dtype).clone(),  # of its own: what is written there may be NaN for x
    "triangular_solve": values_of("triangular_solve"),
    **{f"{name}_values": values_of(name) for name in ("topk", "kthvalue", "median", "nanmedian", "mode")},
    **steps.NAMED,
    "leaf": make_leaf,
    "index": index,
    "backward": lambda tensors, grads: torch.autograd.backward(tensors, grads) or (),
    "backward_again": backward_again,
    "hook": lambda x, factor: x.register_hook(lambda grad: None if grad is None else grad * factor) and (),
    "grad": lambda x: x.grad,
    "show": lambda x: x,
    # PyTorch retains nothing of a view of what was written since, unless it was asked for the view's function first.
    "retain_grad": lambda x: (x.grad_fn, x.retain_grad()) and (),
}


def function_named(name):
    return SPECIAL.get(name) or getattr(torch.ops.aten, name)


class NoMeasure(Exception):
    """What PyTorch gives for a program is no measure: the program is left out."""


def finite(grad):
    if not grad.isfinite().all():
        raise NoMeasure("of an infinite gradient PyTorch makes what its algorithm happens to")
    return grad


def finite_at(places):
    def check(grad):
        finite(grad[places])
        return grad
    return check


def with_memory(grad):
    return torch.zeros(grad.shape, dtype=grad.dtype) if torch._is_zerotensor(grad) else grad


def add_hook(tensor, hook):
    tensor.register_hook(lambda grad: None if grad is None else hook(grad))  # None is zero, of which PyTorch knows


def add_hook_before(node, output, hook):
    """Has the gradient of a node's output go through a hook after those of the tensor, so that what the tensor retains
    is what came to it."""
    node.register_prehook(lambda grads: tuple(
        grad if grad is None or i != output else hook(grad) for i, grad in enumerate(grads)))


def once(grad):
    if torch.is_grad_enabled():
        raise NoMeasure("PyTorch's second derivative is no measure there")
    return grad


NORMS = ("batch_norm", "instance_norm", "group_norm", "layer_norm")
CHOLESKY = ("linalg_cholesky", "linalg_cholesky_ex")
RUNNING_PRODUCTS = ("cumprod", "linalg_vander")
# What the gradients of results and of operands go through, so that PyTorch's are a measure.
RESULT_HOOKS = {
    **dict.fromkeys(NORMS, finite),  # PyTorch multiplies sums of it by means first
    # As what is not finite itself, see known.is_open.
    **dict.fromkeys("""fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft fft_fft2 fft_ifft2 fft_rfft2 fft_irfft2
                    fft_hfft2 fft_ihfft2 fft_fftn fft_ifftn fft_rfftn fft_irfftn stft istft""".split(), finite),
    "imag": finite,  # PyTorch multiplies it by i, whose real part is 0
    # Infinity times padding is up to the algorithm.
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "conv_module",
                     "batch_norm_module"), finite),
    # And times a weight of 0.
    **dict.fromkeys(("upsample_linear1d", "upsample_bilinear2d", "upsample_bicubic2d", "upsample_trilinear3d", "grid_sampler",
                     "grid_sampler_3d", "interpolate"), finite),
    # As is infinity times what a mask hides.
    **dict.fromkeys(("scaled_dot_product_attention", "attention_forward", "encoder_layer", "decoder_layer"), finite),
    # PyTorch multiplies it by 0 for the target of a sample that costs nothing, and for all where the loss is flat.
    **dict.fromkeys(("multi_margin_loss", "multilabel_margin_loss"), finite),
    # Infinity and NaN times zeros of triangular matrices.
    **dict.fromkeys(("linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", *CHOLESKY), finite),
    # PyTorch takes NaN for neither positive nor negative, and drops it, and the derivative of its logarithm of 0 is NaN.
    "logcumsumexp": lambda grad: once(finite(grad)) if bool((grad == 0).any()) else finite(grad),
    # PyTorch multiplies it by 0 for elements that are not the extreme; max and min do not.
    **dict.fromkeys(("amax", "amin", "aminmax"), finite),
    # PyTorch leaves out products with a 0, those with infinity and NaN among them.
    **dict.fromkeys(RUNNING_PRODUCTS, finite),
    **dict.fromkeys([*closed.NORMS, *closed.OPEN_TWICE, *closed.ROUGH_TWICE, "logaddexp", "logaddexp2", "embedding", "prod"],
                    once),
}
OPERAND_HOOKS = {"sgn": with_memory, "sgn_": with_memory}  # PyTorch's zeros of sgn are 0 even times NaN, others are not


def lies_with_channels_last(t):
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return t.dim() in formats and t.is_contiguous(memory_format=formats[t.dim()])


def without_constants(factor):
    """Leaves out what comes back to elements of a triangular factor that are constant, which PyTorch multiplies: the
    unit diagonal of the lower one, and zeros."""
    is_lower = bool((factor.diagonal(0, -2, -1) == 1).all()) and not factor.triu(1).any()
    return lambda grad: finite(grad.tril(-1) if is_lower else grad.triu())


def with_real_products(factor, is_upper):
    """A diagonal of real numbers is moved by the real parts alone, so that the imaginary parts of its gradient g mean
    nothing. PyTorch's cholesky takes those of the diagonal of L^H g for a part of its own, which is no longer Hermitian
    then: g is given those that cancel them."""
    factor, dim = (factor.triu(), -1) if is_upper else (factor.tril(), -2)

    def cancelled(grad):
        products = (factor.conj() * finite(grad)).sum(dim)
        return grad - torch.diag_embed(1j * products.imag / factor.diagonal(0, -2, -1).real)
    return cancelled


def has_open_second_slope(s, operands, result):
    """Is it no measure what PyTorch gives for the derivative of a gradient?"""
    function = s.function.rstrip("_")
    if function in closed.NORMS:
        return closed.has_no_second_slope(s, operands, result)
    if function in ("logaddexp", "logaddexp2"):
        return any(bool(t.isinf().any()) for t in operands)
    if function == "embedding":
        return closed.is_scaled_by_frequencies(s, operands[1])
    if function == "prod":
        # Of one factor the slope is 1, and has no gradient here; PyTorch's is what rounding leaves of x / x^2 - 1 / x.
        return operands[0].numel() == result.numel()
    return function in closed.ROUGH_TWICE or bool(closed.OPEN_TWICE[function](operands, result).any())


def has_bias_alone(norm):
    """Is there a bias without a weight? PyTorch's gradient for it, a sum of the result's, has no derivative then."""
    weight = 2 if norm.function == "layer_norm" else 1
    return norm.function != "group_norm" and norm.arguments[weight] is None and norm.arguments[weight + 1] is not None


def result_hook(s, operands, result):
    """What the gradient of a statement's result goes through."""
    if s.function in NORMS:
        hook = hook_of_norm(s, result)
        return (lambda grad: hook(once(grad))) if has_bias_alone(s) else hook
    if s.function == "batch_norm_module":  # see hook_of_norm
        return lambda grad: finite(torch.empty_strided(grad.shape, result.stride(), dtype=grad.dtype).copy_(grad))
    if s.function == "linalg_lu":
        return without_constants(result.detach())
    if s.function in CHOLESKY and result.is_complex():
        return with_real_products(result.detach().clone(), s.named["upper"])
    if s.function.rstrip("_") in RUNNING_PRODUCTS and bool((operands[0] != 0).all()):
        return lambda grad: grad
    hook = RESULT_HOOKS[s.function.rstrip("_")]
    if hook is once and not has_open_second_slope(s, operands, result.detach()):
        hook = lambda grad: grad  # noqa: E731
    if s.function in ("norm", "linalg_vector_norm", "dist") and is_of_higher_power(s):
        # PyTorch gives elements whose norm is 0 a gradient of 0 then, for other orders NaN where it is not finite.
        check = finite_at(result.detach() == 0)
        return lambda grad: hook(check(grad))
    return hook


def is_of_higher_power(norm):
    """Is the order of a norm larger than 1, but not 2 or infinite?"""
    order = closed.order_of_norm(norm)
    return order is not None and 1 < order < math.inf and order != 2


def hook_of_norm(s, result):
    if s.function not in ("batch_norm", "instance_norm"):
        return finite
    # PyTorch reads it as if it were laid out like the result in training, or where that has its channels last, and else
    # as row-major in evaluation.
    is_like_result = s.function == "batch_norm" and (s.arguments[5] or lies_with_channels_last(result))
    strides = result.stride() if is_like_result else plain_strides(result.shape)[0]
    return lambda grad: finite(torch.empty_strided(grad.shape, strides, dtype=grad.dtype).copy_(grad))


# Functions that save copies of some operands, or functions of them, in PyTorch, which does not find out when those are
# written to.
SAVE_COPIES = {"cholesky_inverse", "cholesky_solve", "einsum", "kron", "scaled_dot_product_attention", "instance_norm",
               "multilabel_soft_margin_loss", "take_along_dim", *RECURRENT}
CONVOLUTIONS = {"conv1d", "conv2d", "conv3d"}
# Those whose order of dims does not fit.
FOLD = {"matmul", "linear", "bilinear", "inner", "tensordot", "embedding_bag"}


# Functions whose results lie in memory as their operands do.
IN_ORDER = set("""neg abs sign sgn sqrt rsqrt reciprocal square exp exp2 expm1 log log2 log10 log1p sin cos tan asin
acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc erfinv lgamma digamma floor ceil round trunc frac relu
logical_not bitwise_not deg2rad rad2deg conj_physical isnan isinf isfinite angle polygamma logit nan_to_num complex
gelu silu selu relu6 hardsigmoid hardswish mish leaky_relu hardshrink softshrink celu elu softplus hardtanh threshold
add sub rsub mul div pow fmod remainder floor_divide xlogy maximum minimum fmax fmin atan2 hypot logaddexp eq ne lt le
gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
clamp clamp_min clamp_max where lerp addcmul addcdiv to type_as clone zeros_like ones_like full_like igamma igammac
heaviside copysign nextafter ldexp gcd lcm float_power logaddexp2 sinc special_entr special_i0 special_ndtr special_erfcx
signbit isposinf isneginf isreal special_zeta special_xlog1py""".split())


LAID_OUT_FREELY = {
    "conv3d", "conv_module",  # in PyTorch by the number of threads
    "conv_transpose3d",  # in PyTorch row-major where oneDNN does not compute it, as of one example
    # In PyTorch row-major, while in two dims, and here, channels may stay last.
    "avg_pool3d", "adaptive_avg_pool3d", "adaptive_max_pool3d",
    "binary_cross_entropy_with_logits",  # PyTorch's as the targets
    "adaptive_avg_pool2d_into",  # in PyTorch row-major, whatever strides the tensor has that it goes into
    "isin",  # in PyTorch row-major, here as what is looked for
    *RECURRENT,  # with the batch first in PyTorch as steps whose dims change places
    "nonzero",  # in PyTorch column by column, also of one column, which cannot be viewed as another dtype then
    "gradients",  # as the rules happen to make them; only what a leaf accumulates lies as the leaf, in both
}
# Of an expanded first operand and another, PyTorch lays the result out by the first alone, as its empty tensor like it.
BY_THE_FIRST = {"huber_loss", "ldexp"}
# Made of several functions here, the first of which leaves of an expanded operand a tensor of its own.
OF_SEVERAL = {"heaviside", "nextafter"}
SWAPPED = {"igamma", "igammac", "special_zeta"}  # their operands stand in another order here


def results_fit(into, tensors):
    """For each tensor that results are written into, has it their shape already?"""
    try:
        results = steps.without_out(into.function.removesuffix("_into"), Run.values_of(tensors, into.arguments[1:]))
    except (RuntimeError, IndexError, TypeError):
        return [False]
    return [tensors[v].shape == r.shape for v, r in zip(into.arguments[0], results)]


def pads_a_copy(s, tensors):
    """Is it a convolution that pads by one more behind than before? PyTorch saves what it padded."""
    is_same = s.function in CONVOLUTIONS and "same" in s.arguments
    return is_same and any(d * (k - 1) % 2 for d, k in zip(s.arguments[5], tensors[1].shape[2:]))


def saves_copies(s, tensors):
    folds = s.function in FOLD and not all(t.is_contiguous() for t in tensors)
    return folds or s.function in SAVE_COPIES or pads_a_copy(s, tensors)


def results_of(value):
    if isinstance(value, (list, tuple)):
        return list(value)
    return [value]


class Run:
    """The tensors of a program as PyTorch computes it, statement by statement."""

    def __init__(self, statements=()):
        self.tensors = {}
        self.alike = {}  # Var -> do both libraries lay it out alike?
        self.saved_copies = False
        for statement in statements:
            self.step(statement)

    @staticmethod
    def values_of(tensors, value):
        if isinstance(value, Var):
            return tensors[value]
        if isinstance(value, list):
            return [Run.values_of(tensors, item) for item in value]
        return value

    def values(self, value):
        if isinstance(value, Var):
            return self.tensors[value]
        if isinstance(value, list):
            return [self.values(item) for item in value]
        return value

    def step(self, s):
        """Runs a statement; (its results, None) or (None, the error)."""
        function = function_named(s.function)
        arguments = [self.values(a) for a in s.arguments]
        named = {k: self.values(v) for k, v in s.named.items()}
        self.saved_copies |= saves_copies(s, [self.tensors[v] for v in s.variables()])
        try:
            if s.writes():
                arguments[0].is_leaf  # PyTorch takes a view of what joined a graph since for a leaf, until it is asked
            if s.function in OPERAND_HOOKS and arguments[0].requires_grad:
                add_hook(arguments[0], OPERAND_HOOKS[s.function])
            has_hook = s.function.rstrip("_") in RESULT_HOOKS
            operands = [self.tensors[v].detach().clone() for v in s.variables()] if has_hook else []
            with torch.set_grad_enabled(not s.no_grad):
                results = results_of(function(*arguments, **named))
            nodes = [t.grad_fn for t in results] if has_hook else []  # which PyTorch refuses to show of some views
        except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError, ZeroDivisionError) as error:
            return None, error
        if s.is_copy() and not s.no_grad:
            end_history(results[0])
        for result, node in zip(results, nodes):
            if node is None:
                continue
            hook = result_hook(s, operands, result)
            if s.function in {"linalg_lu", *CHOLESKY}:  # whose hooks change the gradient
                add_hook_before(node, result.output_nr, hook)
            else:
                add_hook(result, hook)
        for name, tensor in zip(s.outputs, results):
            self.alike[name] = s.function == "leaf" or self.laid_out_alike(s, tensor)
            self.tensors[name] = tensor
        return results, None

    def laid_out_alike(self, s, tensor):
        sources = [v for v in s.variables() if shares_memory(self.tensors[v], tensor)]
        if sources:
            return all(self.alike[v] for v in sources)
        if s.function == "transform":
            return False  # a transform may move dims
        if s.function.endswith("_into") and not all(results_fit(s, self.tensors)):
            return False  # which strides a tensor gets that is given another shape is up to the function
        if s.function == "einsum":
            return False  # the order of dims is that of the last product, and so up to the order of the products
        if s.function in LAID_OUT_FREELY:
            return False
        if s.function == "conv1d" and pads_a_copy(s, [self.tensors[v] for v in s.variables()]):
            return False  # PyTorch's copy has other strides of dims of one element, by which it knows channels
        if s.function in BY_THE_FIRST and 0 in self.tensors[s.arguments[0]].stride():
            return False
        is_of_several = s.function in OF_SEVERAL or s.named.get("alpha", 1) != 1
        if is_of_several and any(0 in self.tensors[v].stride() for v in s.variables()):
            return False
        if s.named.get("alpha", 1) != 1 and any(lies_by_other_strides(self.tensors[v]) for v in s.variables()):
            return False  # of alpha * b, made first here, a dim of one element has a row-major stride; PyTorch goes by b's
        if s.function == "ldexp" and self.tensors[s.arguments[0]].shape != tensor.shape:
            return False  # PyTorch makes an empty tensor of the first's shape, and then resizes it, with a warning
        if s.function in SWAPPED and len({self.tensors[v].stride() for v in s.variables()}) > 1:
            return False
        if s.function.rstrip("_") in IN_ORDER:  # as the operands lie
            is_extended = any(self.tensors[v].dim() < tensor.dim() for v in s.variables())
            is_cast = len({self.tensors[v].dtype for v in s.variables()}) > 1  # here before dims are put in order
            if is_extended and (tensor.shape[0] == 1 or is_cast or s.function.startswith("addc")):
                return False  # where a dim goes that only some operands have, or only the product in the sum
            return has_no_room(tensor) and all(self.alike[v] for v in s.variables())
        return tensor.is_contiguous() and has_no_room(tensor) and all(self.alike[v] for v in s.variables())



def end_history(tensor):
    """What a tensor held before it was copied over gets no gradient here instead of zeros (docs/autograd.md): PyTorch
    shall not send zeros there either, which times infinity would be NaN."""
    if tensor.grad_fn is not None and tensor._base is None:
        tensor.grad_fn.register_hook(lambda grads, _: (None, *grads[1:]))


def has_no_room(tensor):
    """Is there no memory beside its elements? Some of PyTorch's results lie in what computing them needed."""
    return tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()


def lies_by_other_strides(t):
    """Is it row-major, but for the strides of dims of one element?"""
    return t.is_contiguous() and list(t.stride()) != plain_strides(t.shape)[0]


def shares_memory(a, b):
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def elements(tensor):
    """A tensor's numbers in row-major order."""
    return tensor.detach().clone().flatten().tolist()  # a copy, since PyTorch's zero gradients may be without memory


def result_text(tensor, alike):
    if tensor is None:
        return "  : undefined"
    strides = text_of(list(tensor.stride())) if alike else "?"
    return " ".join(["  :", text_of(tensor.dtype), text_of(list(tensor.shape)), "grad" if tensor.requires_grad else "-",
                     strides, *map(number_text, elements(tensor))])


def is_late_write(error):
    """Does PyTorch refuse because a saved tensor was written to since?"""
    return "modified by an inplace operation" in str(error)


def copied(t):
    """A copy of the same strides, by which linalg_det tells whose factors it saved."""
    t = t.detach()
    if t.is_conj() or t.is_neg() or torch._is_zerotensor(t):
        return t.clone()
    copy = torch.empty(0, dtype=t.dtype)
    return copy.set_(t.untyped_storage().clone(), t.storage_offset(), t.size(), t.stride())


def copies():
    """Until the scope ends PyTorch keeps copies for backward: later writes change none of them, and none is refused."""
    return torch.autograd.graph.saved_tensors_hooks(copied, lambda t: t)


BACKWARD = {"backward", "backward_again", "gradients"}


def record_once(statements, refusal=None):
    """(lines, the refusal of a backward if there was one); with a refusal, what PyTorch gets when it keeps copies."""
    run, lines = Run(), []
    for s in statements:
        # torch.func runs under no hooks.
        with contextlib.nullcontext() if refusal is None or s.function == "transform" else copies():
            results, error = run.step(s)
        lines.append(str(s))
        if error is not None:
            if is_late_write(error) and s.function in BACKWARD:
                return lines, error
            if refusal is not None and s.function in BACKWARD:
                return lines[:-1], None  # some function has no derivative there
            lines.append("  ! " + first_line(error))
            continue
        if refusal is not None and s.function in BACKWARD:
            lines.append("  ~ " + first_line(refusal))
        names = s.outputs or [None] * len(results)
        lines += [result_text(t, run.alike.get(n, False)) for n, t in zip(names, results)]
    if refusal is None and run.saved_copies and any(s.writes() for s in statements):
        return lines, "PyTorch does not find out when what it saved a copy of is written to"
    return lines, None


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


def record(name, statements):
    """The text of a program with what PyTorch gets, for the runner."""
    lines, refusal = record_once(statements)
    if refusal is not None:
        lines, _ = record_once(statements, refusal)
    return "\n".join([f"program {name}", *lines]) + "\n\n"
