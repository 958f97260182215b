"""Programs from the sample inputs that PyTorch's own tests give each of its operators.

`op_db` has some 700 operators with inputs that its developers chose: their edge cases, not ours. The calls of ATen that a
sample makes become the statements of a program, its tensors leaves, and what can be differentiated is.
"""
import random

import torch
from torch._dispatch.python import enable_pre_dispatch, enable_python_dispatcher
from torch._subclasses.schema_check_mode import SchemaCheckMode
from torch.testing._internal.common_methods_invocations import op_db

import draw
import known
import programs
from programs import Statement, Var

MOST_ELEMENTS = 600
DTYPES = (torch.float64, torch.float32, torch.complex128, torch.int64, torch.bfloat16, torch.bool)
DTYPES_OF_PROGRAMS = set(programs.DTYPES.values())
NOT_WRITTEN = {"layout", "device", "pin_memory", "generator"}
NUMBERED = {4: torch.int64, 6: torch.float32, 7: torch.float64}  # how a schema says a dtype that is a default


class NotWritten(Exception):
    """A sample that no program can say."""


def is_without_chance(schema, args):
    """Is a dropout to leave all or nothing?"""
    return "dropout" in schema.name and len(args) > 2 and (args[1] in (0, 1) or not args[2])


class Recorder(SchemaCheckMode):
    """Writes down the calls that reach the dispatcher before any of them is taken apart."""

    def __init__(self):
        super().__init__()
        self._dispatch_key = torch._C.DispatchKey.PreDispatch
        self.statements, self.names, self.alive, self.outputs = [], {}, [], []

    def name(self, tensor):
        self.alive.append(tensor)
        return self.names.setdefault(id(tensor), Var(f"v{len(self.names)}"))

    def leaf(self, tensor):
        """A tensor that stood before the call."""
        if tensor.layout != torch.strided or tensor.is_quantized or tensor.dtype not in DTYPES_OF_PROGRAMS:
            raise NotWritten(f"{tensor.layout} {tensor.dtype}")
        with torch.no_grad():
            memory = tensor.detach().resolve_conj().resolve_neg()
            extent = 1 + sum((n - 1) * s for n, s in zip(memory.shape, memory.stride())) if memory.numel() else 0
            if extent > MOST_ELEMENTS:
                raise NotWritten("large")
            elements = memory.as_strided([extent], [1]).tolist()
        if any(isinstance(e, complex) for e in elements):
            elements = [complex(e) for e in elements]
        self.statements.append(Statement([self.name(tensor)], "leaf", [
            tensor.dtype, list(memory.shape), list(memory.stride()), 0, tensor.requires_grad and tensor.is_leaf,
            elements]))

    def value(self, v):
        if isinstance(v, torch.Tensor):
            if id(v) not in self.names:
                self.leaf(v)
            return self.names[id(v)]
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, str) and (" " in v or "=" in v) or isinstance(v, torch.dtype) and v not in DTYPES_OF_PROGRAMS:
            raise NotWritten(str(v))
        if v is None or isinstance(v, (bool, int, float, complex, str, torch.dtype)):
            return v
        raise NotWritten(str(type(v)))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        schema = func._schema
        if not schema.name.startswith("aten::"):
            raise NotWritten(schema.name)
        if torch.Tag.nondeterministic_seeded in func.tags and not is_without_chance(schema, args):
            raise NotWritten("random")
        if "empty" in schema.name:
            raise NotWritten("of no values")
        if schema.name in ("aten::lift_fresh", "aten::alias"):
            return args[0]
        positional, named = [], {}
        for i, parameter in enumerate(schema.arguments):
            if parameter.name in NOT_WRITTEN:
                continue
            given = args[i] if i < len(args) else kwargs.get(parameter.name, parameter.default_value)
            if parameter.name == "dtype" and type(given) is int:
                given = NUMBERED[given]
            if parameter.kwarg_only:
                named[parameter.name] = self.value(given)
            else:
                positional.append(self.value(given))
        result = func(*args, **kwargs)
        results = result if isinstance(result, (list, tuple)) else [result] if isinstance(result, torch.Tensor) else []
        names = [self.name(t) for t in results if t is not None]
        self.statements.append(Statement(names, schema.name.removeprefix("aten::"), positional, named,
                                         not torch.is_grad_enabled()))
        self.outputs += [t for t in results if t is not None]
        return result


def differentiate(recorder):
    """Statements that run backward through what the sample gave and show the gradients of its leaves."""
    ends = [t for t in recorder.outputs[-3:] if t.requires_grad and not t.is_leaf]
    leaves = [s for s in recorder.statements if s.function == "leaf" and s.arguments[4]]
    if not ends or not leaves:
        return
    numbers, grads = random.Random(1), []
    for end in ends:
        count = end.numel()
        if count > MOST_ELEMENTS:
            raise NotWritten("large")
        draw = lambda: round(numbers.uniform(-2, 2), 3)
        memory = [complex(draw(), draw()) if end.is_complex() else draw() for _ in range(count)]
        grads.append(Var(f"v{len(recorder.names) + len(grads)}"))
        recorder.statements.append(Statement([grads[-1]], "leaf", [
            end.dtype, list(end.shape), programs.plain_strides(end.shape)[0], 0, False, memory]))
    recorder.statements.append(Statement([], "backward", [[recorder.names[id(t)] for t in ends], grads]))
    recorder.statements += [Statement([], "grad", [s.outputs[0]]) for s in leaves]


def screened(statements):
    """The statements without what is no measure (known.py), or None where a whole program is none."""
    run, kept = programs.Run(), []
    for s in statements:
        is_call = s.function not in ("leaf", "backward", "grad")
        try:
            if is_call:
                s = known.without_what_is_open(s, run)
            if s.function.endswith("_values"):
                s.outputs = s.outputs[:1]
            results, error = run.step(s)
            if error is not None or is_call and known.is_open(s, run):
                return None
        except KeyError:  # of what an open choice gave, or a form of a function that known.py does not know
            return None
        if any(t is not None and t.dtype not in DTYPES_OF_PROGRAMS for t in results):
            return None
        kept.append(s)
    return kept


def program(op, sample):
    recorder = Recorder()
    with enable_python_dispatcher(), recorder, enable_pre_dispatch():
        op(sample.input, *sample.args, **sample.kwargs)
    differentiate(recorder)
    return screened(recorder.statements)


def tasks():
    """Pairs of an operator's place in the table and a dtype that it takes."""
    return [(i, dtype) for i, op in enumerate(op_db) for dtype in DTYPES if dtype in op.supported_dtypes("cpu")]


def record(task, most):
    """{name: text} of programs with PyTorch's results: up to `most` samples of a task, spread over all it has."""
    op, dtype = op_db[task[0]], task[1]
    differentiable = op.supports_autograd and (dtype.is_floating_point or dtype.is_complex)
    torch.manual_seed(0)
    try:
        samples = list(op.sample_inputs("cpu", dtype, requires_grad=differentiable))
    except (AssertionError, NotImplementedError, AttributeError):  # for GPUs alone, or a fault of the table's
        return {}
    texts = {}
    for i, sample in enumerate(samples[::max(1, len(samples) // most)][:most]):
        name = "-".join(filter(None, [op.name, op.variant_test_name, str(dtype).removeprefix("torch."), str(i)]))
        try:
            statements = program(op, sample)
        except (NotWritten, AssertionError, NotImplementedError, *draw.NO_CALL):
            continue
        if statements:
            texts[name] = programs.record(name, statements)
    return texts
