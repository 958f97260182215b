"""Draws programs from a seed: what operands an operation gets so that most calls compute and the odd ones come up."""
import math
import os
import random

import torch

import breadth  # noqa: F401  adds to the table of functions
import forms  # noqa: F401  as breadth
import functions
import known
import models  # noqa: F401  as breadth
import programs
import training  # noqa: F401  as breadth
import variants  # noqa: F401  as breadth
import writes  # noqa: F401  as breadth
from functions import FLOATS
from programs import Run, Statement, Var

DTYPES = FLOATS * 2 + [torch.int64] * 3 + [torch.int32, torch.bool, torch.complex64, torch.complex128, torch.uint8,
                                           torch.int16, torch.int8]
MOST_ELEMENTS = 300
NO_GRAD, NO_GRAD_INTO = 0.04, 0.6  # how often a statement is outside of autograd, and one that writes as out= does
STEP = 0.06  # how often what is written to is a parameter
CHAIN = 0.04  # how often a view of a view is written to, mostly of numbers of 16 bits
VIEWS = set("""view expand permute transpose t movedim squeeze unsqueeze select slice narrow diagonal unfold as_strided real
imag view_as_real view_as_complex flatten split_with_sizes""".split())
LARGEST = 1e4
RESHAPE = {"squeeze_", "unsqueeze_", "transpose_", "t_"}  # in place, of the view that a tensor is
# What looking at arguments raises that do not go together: both libraries are to refuse them.
NO_CALL = (RuntimeError, IndexError, TypeError, AttributeError)
# Functions that half of the statements shall call, as `script/differential --only` names them: the processes that draw
# learn of it here. Programs of a seed are others then.
ONLY_BY = "STRATA_DIFFERENTIAL_ONLY"
ONLY = set(os.environ.get(ONLY_BY, "").split(",")) - {""}
OF_ONLY = [(names, draw, in_place) for names, draw, in_place in functions.OPERATIONS if ONLY.intersection(names)]
OF_VIEWS = [(sorted(VIEWS.intersection(names)), draw) for names, draw, _ in functions.OPERATIONS if VIEWS.intersection(names)]
IN_PLACE = [(in_place, draw) for _, draw, in_place in functions.OPERATIONS if in_place]


def numel(shape):
    return math.prod(shape)


class NoOperand(Exception):
    """There is no tensor that the drawn operation could take."""


class Drawing:
    """A program in the making, with PyTorch's tensors so far."""

    no_operand, no_call = NoOperand, NO_CALL

    def __init__(self, seed, around=None):
        self.around = around  # the drawing of the program that this one is a part of
        self.rng = random.Random(seed)
        self.statements, self.run = [], Run()
        self.target = None  # what the operation being drawn will write, if it works in place
        self.origin = None  # what it will look at, if it is one of a chain of views

    # --- chance
    def chance(self, p):
        return self.rng.random() < p

    def choice(self, *values):
        return self.rng.choice(values)

    def integer(self, low, high):
        return self.rng.randint(low, high)

    # --- tensors there are
    def tensor(self, v):
        return self.run.tensors[v]

    def shape(self, v):
        return tuple(self.tensor(v).shape)

    def variables(self, accept=lambda t: True):
        return [v for v, t in self.run.tensors.items() if not known.is_stale(t) and accept(t)]

    def recent(self, variables):
        """One of them, the later ones more often."""
        return variables[int(len(variables) * self.rng.random() ** 0.6)]

    # --- leaves
    def size(self):
        return self.rng.choices([0, 1, 2, 3, 4, 5], [3, 15, 32, 30, 15, 5])[0]

    def new_shape(self, dims=None):
        if dims is None:
            dims = self.rng.choices(range(5), [12, 26, 36, 20, 6])[0]
        return tuple(self.size() for _ in range(dims))

    def element(self, dtype, low=-4, high=4):
        r = self.rng
        if dtype == torch.bool:
            return r.random() < 0.5
        if dtype == torch.uint8:
            return r.randint(0, 5)
        if not dtype.is_floating_point and not dtype.is_complex:
            return r.randint(low, high)
        if dtype.is_complex:
            return complex(self.element(torch.float32), self.element(torch.float32))
        kind = r.random()
        if kind < 0.25:
            return float(r.randint(low, high))
        if kind < 0.6:
            return r.randint(8 * low, 8 * high) / 8
        return float(torch.tensor(r.uniform(low, high), dtype=dtype))

    def memory(self, dtype, count, low, high, special):
        values = [self.element(dtype, low, high) for _ in range(count)]
        if values and dtype.is_floating_point and self.chance(special):
            values[self.integer(0, count - 1)] = self.choice(math.inf, -math.inf, math.nan, -0.0)
        return values

    def layout(self, shape):
        """(strides, offset, elements of memory) of some layout of a shape."""
        order, steps, offset = list(range(len(shape))), 1, 0
        kind = self.rng.random()
        if 0.55 < kind < 0.75:
            self.rng.shuffle(order)
        if len(shape) in (4, 5) and self.chance(0.15):
            order.append(order.pop(1))  # channels last
        if kind > 0.75:
            steps, offset = self.choice(1, 2), self.integer(0, 3)
        strides, reach = [0] * len(shape), 1
        for d in reversed(order):
            strides[d] = reach * steps
            reach *= max(shape[d], 1)
        if shape and self.chance(0.06):
            strides[self.integer(0, len(shape) - 1)] = 0
        last = sum((n - 1) * s for n, s in zip(shape, strides)) if numel(shape) else -1
        return strides, offset, offset + last + 1

    def plain_layout(self, shape):
        strides, count = programs.plain_strides(shape)
        return strides, 0, count

    def leaf(self, dtype=None, shape=None, low=-4, high=4, grad=None, plain=False, special=0.03):
        dtype = dtype or self.rng.choice(DTYPES)
        shape = self.new_shape() if shape is None else tuple(shape)
        strides, offset, count = self.plain_layout(shape) if plain else self.layout(shape)
        grad = (self.chance(0.6) if grad is None else grad) and (dtype.is_floating_point or dtype.is_complex)
        memory = self.memory(dtype, count, low, high, special)
        return self.append("leaf", [dtype, list(shape), strides, offset, grad, memory])

    # --- operands
    def any(self, accept=lambda t: True, dtypes=None):
        """A tensor there is, or a new leaf."""
        for given in (self.target, self.origin):
            if given and accept(self.tensor(given)):
                return given
        there = self.variables(accept)
        if there and not self.chance(0.15):
            return self.recent(there)
        for _ in range(20):
            leaf = self.leaf(self.rng.choice(dtypes) if dtypes else None)
            if accept(self.tensor(leaf)):
                return leaf
        raise NoOperand

    def of_dims(self, *dims, accept=lambda t: True, dtypes=None):
        there = self.variables(lambda t: t.dim() in dims and accept(t))
        if there and not self.chance(0.2):
            return self.recent(there)
        dtype = self.rng.choice(dtypes or FLOATS)
        return self.leaf(dtype, self.new_shape(self.rng.choice(dims)))

    def floating(self):
        return self.any(lambda t: t.is_floating_point(), FLOATS)

    def real(self):
        return self.any(lambda t: not t.is_complex(), [t for t in DTYPES if not t.is_complex])

    def integral(self):
        return self.any(lambda t: t.dtype in (torch.int64, torch.int32, torch.bool, torch.uint8, torch.int16),
                        [torch.int64, torch.int32, torch.bool, torch.uint8])

    def complex(self):
        return self.any(lambda t: t.is_complex(), [torch.complex64, torch.complex128])

    def laid_out(self, accept=lambda t: True):
        """A tensor whose strides are the same in both libraries."""
        if self.origin and accept(self.tensor(self.origin)) and self.run.alike[self.origin]:
            return self.origin
        there = [v for v in self.variables(accept) if self.run.alike[v]]
        if there and not self.chance(0.1):
            return self.recent(there)
        return self.leaf()

    def shape_like(self, shape):
        """A shape that broadcasts with one."""
        shape = list(shape)
        for i in range(len(shape)):
            if self.chance(0.15):
                shape[i] = 1
        if self.chance(0.25):
            shape = shape[self.integer(0, len(shape)):]
        if not self.target and self.chance(0.1):
            shape = [self.size(), *shape]
        if self.chance(0.02):
            shape = [self.size() for _ in shape]
        return shape

    def broadcasts(self, shape, to):
        try:
            result = torch.broadcast_shapes(shape, to)
        except RuntimeError:
            return False
        return not self.target or tuple(result) == tuple(to)

    def like(self, x, dtypes=None, low=-4, high=4, accept=lambda t: True):
        """A tensor that broadcasts with x."""
        shape = self.shape(x)
        there = self.variables(
            lambda t: self.broadcasts(t.shape, shape) and accept(t) and (not dtypes or t.dtype in dtypes))
        if there and not self.chance(0.25):
            return self.recent(there)
        dtype = self.rng.choice(dtypes or [self.tensor(x).dtype] * 4 + DTYPES)
        return self.leaf(dtype, self.shape_like(shape), low, high)

    def same(self, x, low=-4, high=4, dtype=None):
        """A tensor of x's shape and dtype."""
        dtype = dtype or self.tensor(x).dtype
        there = self.variables(lambda t: t.dtype == dtype and tuple(t.shape) == self.shape(x))
        if there and self.chance(0.4):
            return self.recent(there)
        return self.leaf(dtype, self.shape(x), low, high)

    def shaped(self, x, shape, dtype=None):
        """A tensor of x's dtype and that shape."""
        dtype = dtype or self.tensor(x).dtype
        there = self.variables(lambda t: t.dtype == dtype and tuple(t.shape) == tuple(shape))
        if there and self.chance(0.4):
            return self.recent(there)
        return self.leaf(dtype, shape)

    def within(self, shape, dtype=torch.float64):
        """A leaf of numbers inside of (0, 1)."""
        memory = [self.rng.uniform(0.05, 0.95) for _ in range(numel(shape))]
        return self.append("leaf", [dtype, list(shape), programs.plain_strides(shape)[0], 0, self.chance(0.6), memory])

    def mask(self, x):
        return self.like(x, [torch.bool])

    def number(self):
        kind = self.rng.random()
        if kind < 0.45:
            return self.integer(-3, 3)
        if kind < 0.93:
            return self.integer(-24, 24) / 8
        if kind < 0.95:
            return self.choice(math.inf, -math.inf, math.nan)
        return self.choice(True, False) if kind < 0.98 else complex(self.integer(-2, 2), self.integer(1, 2))

    def real_number(self):
        return self.integer(-3, 3) if self.chance(0.5) else self.integer(-24, 24) / 8

    def other(self, x):
        """A second operand: a tensor or a number."""
        return self.like(x) if self.chance(0.7) else self.number()

    def flag(self):
        return self.chance(0.5)

    # --- dims and indices
    def dim(self, x, extra=0):
        n = len(self.shape(x)) + extra
        if self.chance(0.02):
            return self.choice(-n - 1, n, n + 1)
        return self.integer(-max(n, 1), max(n, 1) - 1)

    def dims(self, x, most=2, empty=True):
        n = len(self.shape(x))
        if not n or (empty and self.chance(0.08)):
            return [] if empty or not n else [0]
        dims = self.rng.sample(range(n), min(n, self.integer(1, most)))
        if self.chance(0.01):
            dims.append(dims[0])
        return [d - n if self.chance(0.3) else d for d in dims]

    def some_dims(self, x):
        return None if self.chance(0.15) else self.dims(x)

    def dtype(self, *dtypes):
        return None if self.chance(0.8) else self.rng.choice(dtypes or DTYPES)

    def extent(self, x, dim):
        shape = self.shape(x)
        return shape[dim] if shape and -len(shape) <= dim < len(shape) else 1

    def index(self, size, shape, negative=False, dtype=torch.int64):
        """An index tensor into `size` places."""
        if size == 0 and not self.chance(0.1):
            shape = [0 if i == 0 else n for i, n in enumerate(shape)]
        if not self.chance(0.02):
            return self.leaf(dtype, shape, -size if negative else 0, max(size - 1, 0))
        return self.leaf(dtype, shape, -size - 1, size)

    # --- statements
    def append(self, function, arguments, named=None, outputs=1):
        """Adds a statement that is known to compute; its result's name, or the names of several."""
        names = [Var(f"v{len(self.run.tensors) + i}") for i in range(outputs)]
        statement = Statement(names, function, arguments, named or {})
        _, error = self.run.step(statement)
        if error is not None:
            raise error
        self.statements.append(statement)
        return names[0] if outputs == 1 else names

    def undo_to(self, count):
        self.statements = self.statements[:count]
        self.run = Run(self.statements)

    def offer(self, function, arguments, named, no_grad):
        """Adds a drawn statement if its outcome is worth it."""
        statement = self.without_what_is_open(Statement([], function, arguments, named, no_grad))
        shape_before = self.tensor(statement.writes()).shape if statement.writes() else None
        open_before = bool(statement.writes()) and self.is_open(statement)  # later its operand is written over
        try:
            results, error = self.run.step(statement)
        except programs.NoMeasure:  # of a gradient
            return False
        if open_before or not self.worth(statement, shape_before, results, error):
            if statement.writes():
                self.run = Run(self.statements)
            return False
        if results:
            statement.outputs = [Var(f"v{len(self.run.tensors) + i}") for i in range(len(results))]
        for name, tensor in zip(statement.outputs, results or ()):
            self.run.alike[name] = self.run.laid_out_alike(statement, tensor)
            self.run.tensors[name] = tensor
        self.statements.append(statement)
        if function == "batch_norm":  # it writes to the running statistics too: what follows starts from PyTorch's
            self.statements += [Statement([], "show", [v]) for v in arguments[3:5] if v]
        return True

    def is_open(self, statement):
        try:
            return known.is_open(statement, self.run)
        except NO_CALL:
            return False

    def without_what_is_open(self, statement):
        try:
            return known.without_what_is_open(statement, self.run)
        except NO_CALL:
            return statement

    def worth(self, statement, shape_before, results, error):
        if error is not None:
            if statement.function == "transform":
                return False  # torch.func has no rule for much that Strata has one for
            if statement.function == "gradients":
                return False  # some function has no derivative, or a saved tensor was written to
            message = str(error)
            if known.is_known_error(statement.function, message) or known.is_open_error(statement, self.run, message):
                return False
            return self.chance(0.15)
        if statement.no_grad and statement.function in RESHAPE:
            return False  # PyTorch leaves a result its history of another shape, which is refused here
        if statement.function in RESHAPE and self.tensor(statement.writes()).retains_grad:
            return False  # PyTorch leaves the retained gradient the shape of before
        if statement.writes() and results[0].shape != shape_before and statement.function not in RESHAPE:
            return False  # PyTorch gives some targets the result's shape
        return not known.is_open(statement, self.run) and len(results) < 8 and all(map(self.fine, results))

    def fine(self, t):
        if t.numel() > MOST_ELEMENTS or t.dim() > 6 or t.dtype not in known.DTYPES:
            return False
        if not (t.is_floating_point() or t.is_complex()):
            return not t.requires_grad  # fill_ makes PyTorch mark integers
        if not t.numel():
            return True
        finite = t.detach().abs()[torch.isfinite(t.detach())]
        if not finite.numel():
            return self.chance(0.1)
        return bool(finite.max() < LARGEST) and (finite.numel() == t.numel() or self.chance(0.4))

    # --- whole programs
    def writable(self):
        """A tensor to write to: no leaf that requires grad, no memory shared by its own elements."""
        def accept(t):
            if t.requires_grad and t.is_leaf:
                return self.chance(0.01)
            return not known.overlaps_itself(t) or self.chance(0.02)
        there = self.variables(accept)
        return self.recent(there) if there else None

    def parameter(self):
        """A leaf that requires grad, which programs write to outside of autograd, as optimizers do."""
        there = self.variables(lambda t: t.requires_grad and t.is_leaf and not known.overlaps_itself(t))
        return self.recent(there) if there else None

    def operation(self):
        if not self.around and self.chance(CHAIN):
            return self.write_through_views()
        if OF_ONLY and self.chance(0.5):
            names, draw, in_place = self.rng.choice(OF_ONLY)
            name = self.rng.choice(sorted(ONLY.intersection(names)))
        else:
            names, draw, in_place = self.rng.choices(functions.OPERATIONS, functions.WEIGHTS)[0]
            name = self.rng.choice(names)
        if name in in_place and self.chance(0.35):
            name += "_"
        if not name.endswith("_"):
            return self.call(name, draw)
        is_step = self.chance(STEP)
        target = self.parameter() if is_step else self.writable()
        if target:
            self.call(name, draw, target, is_step)

    def call(self, name, draw, target=None, is_step=False):
        """Adds a call whose arguments `draw` gives, if it is worth it."""
        self.target = target
        before = len(self.statements)
        try:
            *arguments, last = draw(self)
        except NoOperand:
            return
        named = last if isinstance(last, dict) else {}
        if not isinstance(last, dict):
            arguments.append(last)
        if target and arguments[0] != target:
            return
        no_grad = is_step or self.chance(NO_GRAD_INTO if name.endswith("_out_") else NO_GRAD)
        if not self.offer(name, arguments, named, no_grad) and len(self.statements) > before:
            self.undo_to(before)

    def write_through_views(self):
        """Views of views of a tensor, and a write through the last of them."""
        short = self.variables(lambda t: t.dtype in known.SHORT and not t.is_leaf and t.numel() > 1)
        view = self.recent(short) if short and self.chance(0.6) else self.writable()
        for _ in range(self.integer(2, 4)):
            if not view:
                return
            names, draw = self.rng.choice(OF_VIEWS)
            self.origin, count = view, len(self.statements)
            self.call(self.rng.choice(names), draw)
            self.origin = None
            made = self.statements[-1] if len(self.statements) > count else None
            if made and made.outputs and view in made.variables():
                view = self.rng.choice(made.outputs)
        names, draw = self.rng.choice(IN_PLACE)
        self.call(self.rng.choice(names) + "_", draw, view)

    def failed_write(self):
        """Did the last statement throw while it may have written? Nothing can be said of the tensors then."""
        last = self.statements[-1]
        return last.writes() and not last.outputs

    def finish(self):
        self.target = None
        written = {self.tensor(s.writes()).untyped_storage().data_ptr() for s in self.statements if s.writes()}
        for v in self.variables(lambda t: t.numel() and t.untyped_storage().data_ptr() in written):
            self.statements.append(Statement([], "show", [v]))
        ends = [v for v in self.variables(lambda t: t.requires_grad and not t.is_leaf and t.numel())]
        if not ends:
            return
        ends = sorted(self.rng.sample(ends, min(len(ends), self.integer(1, 3))))
        grads = [self.leaf(self.tensor(v).dtype, self.shape(v), -2, 2, grad=False, special=0) for v in ends]
        leaves = self.variables(lambda t: t.requires_grad and (t.is_leaf or t.retains_grad))
        backward = Statement([], "backward", [ends, grads])
        _, error = self.run.step(backward)
        if error is not None and not programs.is_late_write(error):
            return  # some function has no derivative there
        self.statements.append(backward)
        if error is None or programs.is_late_write(error):
            self.statements += [Statement([], "grad", [v]) for v in leaves]

    def program(self):
        length = self.integer(5, 30)
        for _ in range(self.integer(1, 3)):
            self.leaf()
        for _ in range(8 * length):
            if len(self.statements) >= length:
                break
            self.operation()
            if self.failed_write():
                return self.statements
        self.finish()
        return self.statements


def draw(seed):
    """The statements of the program of a seed."""
    return Drawing(seed).program()
