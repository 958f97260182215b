"""Closed programs of a few statements under torch.func's transforms, in a statement of the program around them:

    v9 = transform "grad" [[["a1"],"sin",["a0"],[]],[["a2"],"sum",["a1"],["dtype",none]]] [v8] [0] []

that is a kind, the steps, the inputs a0, a1, … , which of them the transform is of, and tangents. A step is the names
of its results, a function, its arguments and what is named in Python; the last step's first result is the program's.
A kind is a nest of transforms, the outermost first: "vmap_grad". An innermost jvp is along the tangents; what else
takes a direction takes the cosines of what it is a direction of.
"""
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


LAYERS = {
    "vmap": lambda f: lambda *inputs: torch.func.vmap(f)(*inputs),
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
vmap_vmap_grad grad_vmap_grad grad_grad_grad vmap_grad_jvp""".split()
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


def run_steps(function_named, steps, inputs):
    found = {f"a{i}": x for i, x in enumerate(inputs)}

    def value(argument):
        if isinstance(argument, list):
            return [value(item) for item in argument]
        return found.get(argument, argument) if isinstance(argument, str) else argument

    for names, function, arguments, named in steps:
        results = function_named(function)(*value(arguments), **dict(zip(named[::2], value(named[1::2]))))
        found.update(zip(names, results if isinstance(results, (list, tuple)) else [results]))
    return found[steps[-1][0][0]]


def transform(function_named, kind, steps, inputs, wanted, tangents):
    def of_wanted(*values):
        of = dict(zip(wanted, values))
        return run_steps(function_named, steps, [of.get(i, x) for i, x in enumerate(inputs)])
    *outer, innermost = layers_of(kind)
    f = INNERMOST[innermost](of_wanted)
    for layer in reversed(outer):
        f = LAYERS[layer](f)
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
    if has_no_measure(layers, inner.statements):
        raise g.no_operand
    leaves = [s for s in inner.statements if s.function == "leaf"]
    steps = [s for s in inner.statements if s.function != "leaf"]
    if set(layers) == {"vmap"}:
        wanted = [i for i in range(len(leaves)) if i == 0 or g.chance(0.7)]
    else:
        wanted = [i for i, s in enumerate(leaves) if is_wanted(inner.tensor(s.outputs[0]))]
    if MATRICES.intersection(layers) and any(inner.tensor(v).numel() > MOST_IN_MATRICES for v in
                                             [steps[-1].outputs[0], *(leaves[i].outputs[0] for i in wanted)]):
        raise g.no_operand
    examples = [EXAMPLES] * layers.count("vmap")
    inputs = [input_like(g, inner.tensor(s.outputs[0]), examples if i in wanted else []) for i, s in enumerate(leaves)]
    tangents = [g.leaf(g.tensor(inputs[i]).dtype, g.shape(inputs[i]), -2, 2, grad=False, plain=True, special=0)
                for i in wanted] if layers[-1] == "jvp" else []
    names = {s_output: f"a{i}" for i, s_output in enumerate(
        [v for s in leaves for v in s.outputs] + [v for s in steps for v in s.outputs])}
    return kind, [as_step(s, names) for s in steps], inputs, wanted, tangents


def closed_program(g):
    """A drawing of a few functions, none of which writes, that ends in a result that depends on what requires grad."""
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
              "unique_consecutive", "unique_dim", "block_diag", "cartesian_prod", "linalg_multi_dot"}
# PyTorch takes their mean and deviation for constants in third derivatives, in derivatives of a jvp, and in Hessians
# where the weight is x: differences show that, that such Hessians are not symmetric, and so does a gradient by
# [1, 0, 2, 2] whose elements do not add up to 0 (each is 1.2).
NO_CONSTANT = {"layer_norm"}
OF_ONE_LEVEL = {"detach"}  # a constant for the innermost transform here (docs/transforms.md), for all in torch.func
ADDED_PRODUCTS = {"addmm", "addmv", "addr", "baddbmm", "addbmm"}
# Functions whose jvp is not the transpose of their vjp in PyTorch: that of embedding passes on padding and knows of no
# frequencies, that of prelu takes 0 for positive, and that of gaussian_nll_loss holds a variance at eps; that of
# scatter_reduce is 0 for products, that of atan2 is NaN at (0, 0), where its vjp is 0, and that of linalg_cholesky
# reads one half of what is not symmetric, while its vjp is symmetric, as both are here.
NOT_FORWARD = {"embedding", "prelu", "gaussian_nll_loss", "atan2", "linalg_cholesky"}
# Functions whose second derivative is no measure. It is NaN in PyTorch where logit is held at a bound of 0 or 1, or the
# others are divided by a 0, where that of sinc is -pi^2 / 3. That of lgamma and its sums has ten digits, 17.19732915341
# at 0.25, for 17.19732915450711. That of cosh(prelu(x)) for a weight of -1 is -1 at 0, and 1 on either side, as here.
NOT_TWICE = {"logit", "copysign", "atan2", "sinc", "lgamma", "mvlgamma", "prelu"}

# Functions whose third derivative is NaN in PyTorch where all three are taken backward, and a number where the last is
# taken forward.
NOT_THRICE = {"logcumsumexp"}


def has_no_measure(layers, statements):
    """Is PyTorch's result no measure, for one of the statements?"""
    if {"jvp", "jacfwd", "hessian"}.intersection(layers) and any(map(is_wrong_forward, statements)):
        return True
    is_nested = len(layers) > 1 or "hessian" in layers
    if is_nested and any(s.function in OF_ONE_LEVEL for s in statements):
        return True
    orders = [layer for layer in layers if layer != "vmap"]
    is_third = len(orders) + orders.count("hessian") > 2
    if is_third and any(s.function in NOT_THRICE for s in statements):
        return True
    is_of_jvp = len(orders) > 1 and orders[-1] in FORWARD
    if (is_third or is_of_jvp or "hessian" in layers) and any(s.function in NO_CONSTANT for s in statements):
        return True
    is_twice = "hessian" in layers or sum(layer != "vmap" for layer in layers) > 1
    return is_twice and any(s.function in NOT_TWICE for s in statements)


def is_wrong_forward(s):
    if s.function == "index_fill" and isinstance(s.arguments[3], str):
        return True  # filled into a constant, its tangent is 0 in PyTorch's vmap, and what it is in a loop
    return s.function in NOT_FORWARD or s.function == "scatter_reduce" and s.arguments[4] == "prod"


def is_closed(inner, s):
    """Does a statement make nothing but values, and in double precision, as no rounding is taken out of them?"""
    if s.function == "unfold" and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap gives it a dim more than a call has
    if s.function in ("softmax", "log_softmax") and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap gives it a slope of 0, also where a call has NaN
    if s.function == "roll" and not inner.tensor(s.arguments[0]).dim():
        return False  # PyTorch's vmap rolls examples without dims over into each other
    if s.function in ("all", "any") and [] in s.arguments:
        return False  # of no dims PyTorch's vmap reduces all, a call none
    if s.function == "linalg_solve" and is_matrix_for_a_batch(*(inner.tensor(v) for v in s.arguments[:2])):
        return False  # PyTorch's vmap gives each example as many results as there are examples, a loop one
    if s.function in ADDED_PRODUCTS and not inner.tensor(s.arguments[0]).is_floating_point():
        return False  # in PyTorch's vmap half of an integer is no integer
    if not s.outputs or s.writes() or s.no_grad or s.function in NOT_INSIDE:
        return False
    made = [inner.tensor(v) for v in s.outputs]
    return all(t.dtype in (torch.float64, torch.complex128) for t in made if t.is_floating_point() or t.is_complex())


def is_matrix_for_a_batch(matrices, right_side):
    """Is a right side without batch dims, of a batch of matrices, a matrix and not a batch of vectors?"""
    return 1 < right_side.dim() < matrices.dim() and right_side.shape != matrices.shape[:-1]


def is_wanted(leaf):
    return leaf.requires_grad and leaf.is_floating_point()  # a complex gradient is no loss that grad takes again


def is_end(inner, last):
    end = inner.tensor(last.outputs[0])
    return end.requires_grad and end.dtype == torch.float64


def input_like(g, t, examples):
    """A leaf of a tensor's elements, or of as many examples of them, each rolled on by one."""
    elements = t.detach().clone().flatten().tolist()
    starts = [i % max(len(elements), 1) for i in range(math.prod(examples))]
    memory = [x for i in starts for x in elements[i:] + elements[:i]]
    shape = [*examples, *t.shape]
    return g.append("leaf", [t.dtype, shape, list(torch.empty(shape).stride()), 0, False, memory])


def as_step(s, names):
    def local(value):
        if isinstance(value, (list, tuple)):
            return [local(item) for item in value]
        return str(names[value]) if isinstance(value, str) and value in names else value
    named = [part for key, value in s.named.items() for part in (key, local(value))]
    return [[names[v] for v in s.outputs], s.function, local(s.arguments), named]
