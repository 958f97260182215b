"""Closed programs of a few statements under torch.func's transforms, in a statement of the program around them:

    v9 = transform "grad" [[["a1"],"sin",["a0"],[]],[["a2"],"sum",["a1"],["dtype",none]]] [v8] [0] []

that is a kind, the steps, the inputs a0, a1, … , which of them the transform is of, tangents, and at times along which
dims of inputs and of results vmap's examples lie, if not in front. A step is the names of its results, a function, its
arguments and what is named in Python; the last step's first result is the program's.
A kind is a nest of transforms, the outermost first: "vmap_grad". An innermost jvp is along the tangents; what else
takes a direction takes the cosines of what it is a direction of.
"""
import dataclasses
import math

import torch


def gradients(f, is_innermost=False):
    def loss(*inputs):
        y = f(*inputs)
        return y.sum() if is_innermost else sum(t.sin().sum() for t in listed(y))
    return lambda *inputs: torch.func.grad(loss, tuple(range(len(inputs))))(*inputs)


def along_tangents(f):
    """The result and its derivative, of the inputs followed by as many tangents."""
    return lambda *both: torch.func.jvp(f, both[:len(both) // 2], both[len(both) // 2:])


def pulled_back(f):
    def pulled(*inputs):
        y, pull = torch.func.vjp(lambda *x: first(f(*x)), *inputs)
        return y, *pull(y.cos())
    return pulled


def of_all(jacobian):
    """A transform that gives the first result's derivative with respect to each input."""
    return lambda f: lambda *inputs: jacobian(lambda *x: first(f(*x)), tuple(range(len(inputs))))(*inputs)


def mapped(in_dim, out_dim):
    return lambda f: lambda *inputs: torch.func.vmap(f, in_dims=in_dim, out_dims=out_dim)(*inputs)


LAYERS = {
    "grad": gradients,
    "jvp": lambda f: lambda *inputs: torch.func.jvp(f, inputs, tuple(x.cos() for x in inputs)),
    "vjp": pulled_back,
    "jacrev": of_all(torch.func.jacrev),
    "jacfwd": of_all(torch.func.jacfwd),
    "hessian": of_all(torch.func.hessian),
}
INNERMOST = {**LAYERS, "grad": lambda f: gradients(f, True), "jvp": along_tangents}
KINDS = """vmap grad jvp vjp jacrev jacfwd hessian vmap_grad grad_grad vmap_jvp vmap_vmap vmap_vjp vmap_hessian
vmap_jacrev vmap_jacfwd grad_vmap grad_jvp jvp_grad jvp_vmap jvp_jvp vjp_grad jacrev_vmap vmap_jvp_grad vmap_grad_grad
vmap_vmap_grad grad_vmap_grad grad_grad_grad vmap_grad_jvp jacfwd_jacrev jacrev_jacfwd jacrev_jacrev jacfwd_jacfwd
jacfwd_vmap hessian_vmap jvp_vjp vjp_jvp vjp_vjp vjp_vmap jacrev_grad jacfwd_grad grad_vjp jvp_jacrev vjp_jacfwd
vmap_vjp_vmap vmap_hessian_vmap""".split()
FORWARD = {"jvp", "jacfwd"}
MATRICES = {"jacrev", "jacfwd", "hessian"}  # whose results have as many elements as two or three tensors multiplied
MOST_STEPS, TRIES, EXAMPLES, MOST_IN_MATRICES = 4, 20, 3, 8


def layers_of(kind):
    return kind.split("_")


def listed(results):
    """All tensors of a nest of results."""
    return [t for r in results for t in listed(r)] if isinstance(results, (list, tuple)) else [results]


def first(results):
    return listed(results)[0]


def logcumsumexp(x, dim):
    """By its definition, whose derivatives are right as often as they are taken: those of PyTorch's function have seven
    digits and are NaN where a gradient is 0, of which they take the logarithm."""
    if not x.dim():
        return x.clone()
    x = x.movedim(dim, -1)
    is_before = torch.ones(x.shape[-1], x.shape[-1], dtype=torch.bool).tril()
    return torch.where(is_before, x.unsqueeze(-2), -math.inf).logsumexp(-1).movedim(-1, dim)


def householder_product(vectors, factors):
    """By its definition, the first columns of a product of I - tau v v^H: PyTorch's derivatives undo one of these maps
    after the other, which leaves few digits where one stretches by much more than others, and those of a jvp are wrong."""
    rows, columns = vectors.shape[-2:]
    identity = torch.eye(rows, dtype=vectors.dtype)
    vectors = vectors.tril(-1) + identity[:, :columns]
    product = identity.expand(*vectors.shape[:-2], rows, rows)
    for i in range(factors.shape[-1]):
        v = vectors[..., i:i + 1]
        product = product @ (identity - factors[..., i, None, None] * v @ v.mH)
    return product[..., :columns]


BY_DEFINITION = {"logcumsumexp": logcumsumexp, "linalg_householder_product": householder_product}


def run_steps(function_named, steps, inputs):
    found = {f"a{i}": x for i, x in enumerate(inputs)}

    def value(argument):
        if isinstance(argument, list):
            return [value(item) for item in argument]
        return found.get(argument, argument) if isinstance(argument, str) else argument

    for names, function, arguments, named in steps:
        called = BY_DEFINITION.get(function) or function_named(function)
        results = called(*value(arguments), **dict(zip(named[::2], value(named[1::2]))))
        found.update(zip(names, results if isinstance(results, (list, tuple)) else [results]))
    return found[steps[-1][0][0]]


def transform(function_named, kind, steps, inputs, wanted, tangents, examples_along=(0, 0)):
    def of_wanted(*values):
        of = dict(zip(wanted, values))
        return run_steps(function_named, steps, [of.get(i, x) for i, x in enumerate(inputs)])
    *outer, innermost = layers_of(kind)
    vmap = {"vmap": mapped(*examples_along)}
    f = {**INNERMOST, **vmap}[innermost](of_wanted)
    for layer in reversed(outer):
        f = {**LAYERS, **vmap}[layer](f)
    # Which constants are expanded and not filled in is up to the rules.
    results = listed(f(*[inputs[i] for i in wanted], *tangents))
    return [t.clone(memory_format=torch.contiguous_format) for t in results]


# --- drawing
def draw(g):
    """The arguments of a `transform` of a closed program; its inputs are leaves of the program of `g`."""
    if g.around:
        raise g.no_operand
    inner = closed_program(g)
    kind = g.choice(*KINDS)
    layers = layers_of(kind)
    leaves = [s for s in inner.statements if s.function == "leaf"]
    steps = [s for s in inner.statements if s.function != "leaf"]
    if set(layers) == {"vmap"}:
        wanted = [i for i in range(len(leaves)) if i == 0 or g.chance(0.7)]
    else:
        wanted = [i for i, s in enumerate(leaves) if is_wanted(inner.tensor(s.outputs[0]), layers)]
    if has_no_measure(layers, inner, wanted):
        raise g.no_operand
    if MATRICES.intersection(layers) and any(inner.tensor(v).numel() > MOST_IN_MATRICES for v in
                                             [steps[-1].outputs[0], *(leaves[i].outputs[0] for i in wanted)]):
        raise g.no_operand
    examples = [EXAMPLES] * layers.count("vmap")
    along = [g.choice(0, 0, -1), g.choice(0, 0, -1)] if examples else [0, 0]
    inputs = [input_like(g, inner.tensor(s.outputs[0]), examples if i in wanted else [], along[0])
              for i, s in enumerate(leaves)]
    tangents = [g.leaf(g.tensor(inputs[i]).dtype, g.shape(inputs[i]), -2, 2, grad=False, plain=True, special=0)
                for i in wanted] if layers[-1] == "jvp" else []
    names = {s_output: f"a{i}" for i, s_output in enumerate(
        [v for s in leaves for v in s.outputs] + [v for s in steps for v in s.outputs])}
    return kind, [as_step(s, names) for s in steps], inputs, wanted, tangents, *([along] if any(along) else [])


def closed_program(g):
    """A drawing of a few functions, which write to nothing but their own results, that ends in a result that depends on
    what requires grad."""
    inner = type(g)(g.rng.getrandbits(32), g)
    inner.leaf(torch.float64, grad=True, special=0)
    length = g.integer(1, MOST_STEPS)
    for _ in range(TRIES):
        before = len(inner.statements)
        inner.operation()
        steps = [s for s in inner.statements if s.function != "leaf"]
        if not all(is_closed(inner, s) for s in inner.statements[before:]):
            inner.undo_to(before)
        elif len(steps) >= length and is_end(inner, steps[-1]):
            return inner
    raise g.no_operand


# What has more than values: strides, statistics that it writes, counts that depend on values, which Strata's vmap
# refuses (docs/transforms.md), and equations, whose commas would part a list.
NOT_INSIDE = {"as_strided", "batch_norm", "instance_norm", "bincount", "masked_scatter", "einsum", "argwhere", "histc",
              "unique_consecutive", "unique_dim", "block_diag", "cartesian_prod", "linalg_multi_dot", "gradients",
              "nonzero", "nonzero_static"}
OF_ONE_LEVEL = {"detach"}  # a constant for the innermost transform here (docs/transforms.md), for all in torch.func
ADDED_PRODUCTS = {"addmm", "addmv", "addr", "baddbmm", "addbmm"}
# Functions that pick elements: where elements are tied, which of them is open. Examples of vmap have other ties.
PICK = {"quantile", "nanquantile", "median", "nanmedian", "kthvalue", "mode", "topk"}
# Functions whose second derivative in PyTorch has ten digits: that of lgamma at 0.25 is 17.19732915341, where it is
# 17.19732915450711, and that of binary_cross_entropy divides by what 1e-12 was added to.
ROUGH_TWICE = {"lgamma", "mvlgamma", "binary_cross_entropy"}
NEAR = 0.01
# Roots of sums, and which of their arguments is the order, 2 where there is none. Where they are 0 PyTorch's second
# derivative is NaN if both are taken backward, and 0, as here, if the last is taken forward; of another order than 2 it
# is NaN or not by how they are nested, and NaN where one of the summands is 0 unless the order is 3, 4, ….
NORMS = {**dict.fromkeys(("norm", "linalg_vector_norm", "normalize", "norm_except_dim", "_foreach_norm"), 1), "dist": 2,
         **dict.fromkeys(("std", "std_mean", "linalg_norm", "linalg_matrix_norm", "frobenius_norm", "cosine_similarity"))}


def order_of_norm(s):
    return s.arguments[NORMS[s.function]] if NORMS[s.function] else 2


def lengths_of(norm, operands, result):
    """The norms that are taken on the way to a result."""
    if norm.function == "normalize":
        return [operands[0].norm(norm.arguments[1], norm.arguments[2])]
    if norm.function == "cosine_similarity":
        return [t.norm(2, norm.arguments[2]) for t in torch.broadcast_tensors(*operands)]
    return [result]


def has_no_second_slope(norm, operands, result):
    """Is a result of a norm that is 0, or of summands that are whose power has no second derivative there?"""
    order = order_of_norm(norm)
    if order in (0, 1, math.inf, -math.inf):
        return False
    if any(bool((lengths == 0).any()) for lengths in lengths_of(norm, operands, result)):
        return True
    if order in (None, 2) or order >= 3 and order == int(order):
        return False
    summands = operands[0] - operands[1] if norm.function == "dist" else operands[0]
    return bool((summands == 0).any())


def is_near_zero(x):
    return x.abs() < NEAR


def is_next_to_zero(x):
    return (x != 0) & (x.abs() < 1e-12)


def is_far_below_zero(x):
    return x < -4


def is_at_origin(y, x):
    return (y == 0) & (x == 0)


def is_not_positive(x):
    return ~(x > 0)


def is_at_a_bound(x):
    return ~((x > NEAR) & (x < 1 - NEAR))


# Where the second derivatives of functions, by their operands and result, are no measure in PyTorch. They are NaN where
# logit is infinite (and 0 beyond, where logit is NaN), or divided by a 0, where that of sinc is -pi^2 / 3 (and of few
# digits near 0, as mpmath shows: -5.7 at 1e-8; as is the third of copysign). That of cosh(prelu(x)) for a weight of -1 is
# -1 at 0, and 1 on either side, as here, and lp_pool has a kink there as well: 0 in PyTorch, NaN here.
OPEN_TWICE = {
    **dict.fromkeys(("copysign", "sinc"), lambda operands, _: is_near_zero(operands[0].double())),
    "atan2": lambda operands, _: is_at_origin(*operands),
    "prelu": lambda operands, _: operands[0] == 0,
    **dict.fromkeys(("lp_pool1d", "lp_pool2d"), lambda _, result: result == 0),
    "logit": lambda operands, _: is_at_a_bound(operands[0]),
}
# Functions whose third derivative is NaN in PyTorch: that of the distance of two points on a line, whose second is 0.
NOT_THRICE = {"pdist"}
# At 0 the slope of PyTorch is the number 0.5, and so its third derivative 0, where it is 0.375; near 0 it has few digits.
OPEN_THRICE = {"special_i1": is_near_zero}


@dataclasses.dataclass
class Step:
    """A statement of a closed program as one example computes it: what its operands were before it, which it may write
    to, and its results."""
    statement: object
    before: dict
    results: list

    def operand(self, i=0):
        return self.before[self.statement.arguments[i]]

    def operands(self):
        return [self.before[v] for v in self.statement.variables()]


class Unmeasured(Exception):
    """There is no measure for a closed program."""


def steps_of_example(inner, i, wanted, is_differentiated):
    """The steps of a closed program of its i-th example under vmap, whose inputs `input_like` rolls on."""
    example, names = type(inner)(0, inner.around), [s.outputs[0] for s in inner.statements if s.function == "leaf"]
    for s in inner.statements:
        if s.function == "leaf" and names.index(s.outputs[0]) in wanted:
            s = rolled(inner.tensor(s.outputs[0]), s, i)
        if example.is_open(s) or is_differentiated and example.without_what_is_open(s) is not s:
            raise Unmeasured
        before = {v: example.tensor(v).detach().clone() for v in s.variables()}
        results, error = example.run.step(s)
        if error is not None:
            raise Unmeasured
        yield Step(dataclasses.replace(s, function=s.function.rstrip("_")), before, [t.detach().clone() for t in results])


def rolled(t, leaf, i):
    """A leaf of the elements of another, rolled on by i."""
    elements = t.detach().flatten().roll(-i).tolist()
    plain = list(torch.empty(t.shape).stride())
    return dataclasses.replace(leaf, arguments=[t.dtype, list(t.shape), plain, 0, t.requires_grad, elements])


def has_no_measure(layers, inner, wanted):
    """Is PyTorch's result no measure, for one of the statements of a closed program?"""
    orders = [layer for layer in layers if layer != "vmap"]
    count = len(orders) + orders.count("hessian")
    is_forward = bool({"jvp", "jacfwd", "hessian"}.intersection(layers))
    is_nested = len(layers) > 1 or "hessian" in layers
    is_of_jvp = len(orders) > 1 and orders[-1] in FORWARD

    def is_open(step):
        s = step.statement
        if is_forward and is_wrong_forward(layers, inner, step):
            return True
        if is_nested and s.function in OF_ONE_LEVEL:
            return True
        if s.function == "layer_norm" and (count > 2 or is_of_jvp):
            return True
        if s.function in ("layer_norm", "batch_norm_module") and count > 1 and is_wrong_weight(layers, inner, s):
            return True
        if "vmap" in layers and s.function in PICK and has_ties(step.operand()):
            return True
        if s.function == "select_scatter" and "vmap" in layers[1:]:
            return True  # PyTorch's gradient of what is scattered is times the dim's extent then, in a loop it is not
        is_handed_on = s.outputs != inner.statements[-1].outputs
        if s.function == "sinc" and is_handed_on and is_any(is_next_to_zero, step.results[0]):
            return True  # of whole numbers it is 0; PyTorch's is what rounding leaves, which has a sign and a logarithm
        if s.function == "special_ndtr" and is_handed_on and is_any(is_far_below_zero, step.operand()):
            return True  # PyTorch's is half of what rounding leaves of 1 + erf: at -7.125 five digits, at -9 it is 0
        is_extreme = s.function in ("max", "min") and len(s.arguments) == 1
        if is_extreme and "vmap" in layers[1:] and has_ties(step.operand()):
            return True  # PyTorch's gradient of a vmap goes to the first of equal elements, that of a loop to all
        if count and s.function == "linalg_matrix_sqrth" and bool((torch.linalg.eigvalsh(step.operand()) < NEAR).any()):
            return True  # negative eigenvalues count as 0, where the root has no slope: those of another example may be
        if s.function in ("cumprod", "linalg_vander") and is_of_jvp and bool((step.operand() == 0).any()):
            return True  # PyTorch's jvp of a jvp leaves out what has lost its 0: of 2, -2 and 0 the term without the last
        if s.function == "layer_norm" and count > 1 and s.arguments[2] is None and s.arguments[3] is not None:
            return True  # without a weight PyTorch's gradient for the bias has no derivative
        if s.function == "cdist" and "jacrev" in layers:
            return True  # PyTorch's vmap over gradients of the distances alone, as jacrev does, gives a loop's not
        if s.function == "prelu" and layers[-1] == "jacrev" and {"vmap", *MATRICES}.intersection(layers[:-1]):
            return True  # PyTorch's slopes of all examples are those of the first then, under one vmap in another
        if count > 2 and s.function in NOT_THRICE:
            return True
        if count > 2 and s.function in OPEN_THRICE and is_any(OPEN_THRICE[s.function], step.operand()):
            return True
        if s.function == "huber_loss" and "vmap" in layers and count > 1 and lies_at_delta(step):
            return True  # PyTorch's vmap takes its second slope there from the inside, a loop from the outside
        if count > 1 and s.function in NORMS:
            norms = step.results if s.function == "_foreach_norm" else step.results[:1]
            return any(has_no_second_slope(s, step.operands(), norm) for norm in norms)
        return count > 1 and is_wrong_twice(step)
    if is_forward and any(reads_what_it_writes(inner, s) for s in inner.statements):
        return True  # PyTorch's jvp takes the new value of such an operand for the old one: 6 for y.mul_(y) at 2 and -3
    if is_forward and writes_to_another_tangent(inner):
        return True
    examples = range(EXAMPLES ** layers.count("vmap"))
    try:
        return any(is_open(step) for i in examples for step in steps_of_example(inner, i, wanted, count > 0))
    except Unmeasured:
        return True


def reads_what_it_writes(inner, s):
    """Does another operand lie in the memory that a statement writes to?"""
    def memory(v):
        return inner.tensor(v).untyped_storage().data_ptr()
    return s.writes() is not None and any(memory(v) == memory(s.writes()) for v in s.variables()[1:])


# Functions that give memory of its own a tangent that is the operand's, or a view of it, in PyTorch.
SHARE_TANGENTS = set("alias_copy expand_copy slice_copy unsqueeze_copy squeeze_copy view_copy frac conj_physical".split())


def writes_to_another_tangent(inner):
    """Does a statement write to what PyTorch lets share its tangent with another tensor, to whose tangent it writes too?"""
    def memory(v):
        return inner.tensor(v).untyped_storage().data_ptr()
    sharing = {memory(v) for s in inner.statements if s.function in SHARE_TANGENTS for v in s.outputs}
    return any(s.writes() is not None and memory(s.writes()) in sharing for s in inner.statements)


def is_wrong_weight(layers, inner, norm):
    """Is a second derivative taken of a norm with respect to its weight through vmap, as Hessians are? PyTorch
    takes mean and deviation for constants then, as in third derivatives, and in derivatives of a jvp even without a
    weight: differences show that, that such Hessians are not symmetric, a gradient by [1, 0, 2, 2] whose elements do
    not add up to 0 (each is 1.2), and the same norm written out in means and square roots."""
    weight = norm.arguments[2] if norm.function == "layer_norm" else next(iter(norm.arguments[1]), None)
    is_of_weight = weight is not None and inner.tensor(weight).requires_grad
    return is_of_weight and bool({"hessian", "jacrev"}.intersection(layers) or "vmap" in layers[1:])


def is_wrong_forward(layers, inner, step):
    """Is the jvp of a function not the transpose of its vjp in PyTorch?"""
    s = step.statement
    if s.function == "index_fill" and isinstance(s.arguments[3], str):
        # Filled into a constant, its tangent is 0 in PyTorch's vmap, and what it is in a loop.
        return not {"grad", "jvp", "vjp"}.issuperset(layers)
    if s.function == "embedding":  # it passes on padding and knows of no frequencies
        return bool((step.operand(1) == s.arguments[2]).any()) or is_scaled_by_frequencies(s, step.operand(1))
    if s.function == "gaussian_nll_loss":
        return not bool((step.operand(2) > s.arguments[4]).all())  # it holds a variance at eps
    if s.function in ("maximum", "minimum", "max", "min") and len(s.arguments) == 2:
        # Of a NaN the tangent is that of the second operand; the gradient goes to both, as does the tangent here.
        return any(is_any(torch.isnan, t) for t in step.operands())
    if s.function in ("_foreach_maximum", "_foreach_minimum"):
        return not isinstance(s.arguments[1], list) or not isinstance(s.arguments[1][0], str)  # of a number it is wrong
    if s.function == "triangular_solve":
        # It reads what the function does not, the other triangle and a diagonal of ones, and of a transposed system a
        # tangent that is not: differences show both, and linalg_solve_triangular's.
        return True
    if s.function == "linalg_eigvalsh":
        # As below, where a gradient is pushed forward: eigenvalues move by what is symmetric of a tangent.
        return is_leaf(inner, s.arguments[0]) and (layers.count("vmap") < len(layers) - 1 or "hessian" in layers)
    if s.function in ("linalg_cholesky", "linalg_cholesky_ex", "by_eigenvalues"):
        # Of what is not symmetric, as a tangent of a leaf is, it reads one half, or takes both as they are, while the
        # vjp is symmetric, as both are here.
        return is_leaf(inner, s.arguments[0])
    if s.function == "prelu":
        return bool((step.operand() == 0).any())  # it takes 0 for positive
    if s.function == "atan2":
        return bool(is_at_origin(*step.operands()).any())  # it is NaN at (0, 0), where the vjp is 0
    if s.function in ("pow", "float_power") and all(isinstance(a, str) for a in s.arguments[:2]):
        # A tangent of 0 of the exponent, as in a Jacobian with respect to other inputs too, is times the logarithm of a
        # negative base: NaN, also with respect to an input that the function does not have.
        return not step.operand().is_complex() and is_any(is_not_positive, step.operand())
    return s.function == "scatter_reduce" and s.arguments[4] == "prod"  # it is 0


def is_wrong_twice(step):
    s = step.statement
    if s.function == "embedding":
        return is_scaled_by_frequencies(s, step.operand(1))
    if s.function in ("logaddexp", "logaddexp2"):
        # It is NaN where one of the operands is infinite, where it vanishes.
        return any(is_any(torch.isinf, t) for t in step.operands())
    is_open = s.function in OPEN_TWICE and bool(OPEN_TWICE[s.function](step.operands(), step.results[0]).any())
    return is_open or s.function in ROUGH_TWICE


def is_scaled_by_frequencies(embedding, indices):
    """Is the gradient divided by how often a row is looked up, of which the derivative of PyTorch's gradient knows
    nothing?"""
    return embedding.arguments[3] and indices.unique().numel() < indices.numel()


def is_any(of_a_kind, t):
    return bool(of_a_kind(t.double()).any())


def lies_at_delta(huber_loss):
    """Are two elements as far apart as a Huber loss is quadratic?"""
    return bool(((huber_loss.operand() - huber_loss.operand(1)).abs() == huber_loss.statement.arguments[3]).any())


def is_any_reflector_singular(vectors, factors):
    """Is any of the maps I - tau v v^H singular, as one of |v|^2 tau = 1 is? The vectors are those that LAPACK keeps
    below a diagonal, on which they are 1. PyTorch divides by the distance from that."""
    squares = 1 + vectors.detach().tril(-1).abs().square().sum(-2)
    distances = (squares[..., :factors.shape[-1]] * factors.detach() - 1).abs()
    return bool((distances < 1e-3).any())


def has_ties(t):
    elements = t.flatten().tolist()
    return len(set(map(repr, elements))) < len(elements)


def is_leaf(inner, v):
    return any(s.function == "leaf" and v in s.outputs for s in inner.statements)


def is_closed(inner, s):
    """Does a statement make nothing but values, and in double precision, as no rounding is taken out of them?"""
    if s.function in ("unfold", "unfold_copy") and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap gives it a dim more than a call has
    if s.function in ("softmax", "log_softmax") and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap gives it a slope of 0, also where a call has NaN
    if s.function == "roll" and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap rolls examples without dims over into each other
    if s.function in ("all", "any") and [] in s.arguments:
        return False  # of no dims PyTorch's vmap reduces all, a call none
    if s.function == "angle" and is_on_the_cut(inner.tensor(s.arguments[0]).detach()):
        return False  # pi or -pi by the sign of a zero, which what made the number (a Fourier transform) leaves open
    is_solve = s.function in ("linalg_solve", "linalg_solve_ex")
    if is_solve and is_matrix_for_a_batch(*(inner.tensor(v) for v in s.arguments[:2])):
        return False  # PyTorch's vmap gives each example as many results as there are examples, a loop one
    function = s.function.rstrip("_")
    if function in ADDED_PRODUCTS and not inner.tensor(s.arguments[0]).is_floating_point():
        return False  # in PyTorch's vmap half of an integer is no integer
    if not s.outputs or s.no_grad or function in NOT_INSIDE:
        return False
    if s.writes() and (s.is_copy() or is_of_leaf(inner, s.writes())):
        return False  # what was beneath a copy gets zeros in PyTorch, which times infinity are NaN, and nothing here
    made = [inner.tensor(v) for v in s.outputs]
    return all(t.dtype in (torch.float64, torch.complex128) for t in made if t.is_floating_point() or t.is_complex())


def is_on_the_cut(x):
    """Is an imaginary part 0 beside a negative real one?"""
    return x.is_complex() and bool(((x.real < 0) & (x.imag == 0)).any())


def is_matrix_for_a_batch(matrices, right_side):
    """Is a right side without batch dims, of a batch of matrices, a matrix and not a batch of vectors?"""
    return 1 < right_side.dim() < matrices.dim() and right_side.shape != matrices.shape[:-1]


def is_of_leaf(inner, v):
    """Does a tensor lie in a leaf's memory, that is in an input's?"""
    memory = inner.tensor(v).untyped_storage().data_ptr()
    return any(inner.tensor(s.outputs[0]).untyped_storage().data_ptr() == memory
               for s in inner.statements if s.function == "leaf")


def is_wanted(leaf, layers):
    """Is a transform of an input? A complex gradient is no loss that grad takes again."""
    return leaf.requires_grad and (leaf.is_floating_point() or {"vmap", "jvp", "vjp"}.issuperset(layers))


def is_end(inner, last):
    end = inner.tensor(last.outputs[0])
    return end.requires_grad and end.dtype == torch.float64


def input_like(g, t, examples, along):
    """A leaf of a tensor's elements, or of as many examples of them, each rolled on by one, along the first dims or the
    last ones."""
    elements = t.detach().clone().flatten().tolist()
    starts = [i % max(len(elements), 1) for i in range(math.prod(examples))]
    memory = [x for i in starts for x in elements[i:] + elements[:i]]
    shape = [*examples, *t.shape]
    strides, first = list(torch.empty(shape).stride()), len(examples) if along else 0
    shape, strides = shape[first:] + shape[:first], strides[first:] + strides[:first]
    return g.append("leaf", [t.dtype, shape, strides, 0, False, memory])


def as_step(s, names):
    def local(value):
        if isinstance(value, (list, tuple)):
            return [local(item) for item in value]
        return str(names[value]) if isinstance(value, str) and value in names else value
    named = [part for key, value in s.named.items() for part in (key, local(value))]
    return [[names[v] for v in s.outputs], s.function, local(s.arguments), named]
