"""Tells a difference that rounding explains: one that PyTorch's own result makes when its intermediate results are off
by their last bit, or one from a result that is itself as far from the exact one."""
import contextlib
import math
import random
import re

import torch

import programs

TRIALS = 12
# Of the largest element, or of what a gradient was added up of, or as many roundings of the program's coarsest dtype:
# what differs by more is shown, whatever the reason.
MOST, MOST_ROUNDINGS = 1e-3, 8
# Of the script's own functions those that compute; the others hand elements on.
COMPUTING = {"by_eigenvalues", "by_singular_values", "cholesky_inverse", "cholesky_solve", "istft", "least_squares", "linalg_pinv",
             "local_response_norm", "lstm_cell", "multi_head_attention", "normalize", "stft", *programs.RECURRENT}
# Functions that make products or factors on the way to their results, which are rounded too.
IN_STEPS = {"bilinear", "by_eigenvalues", "by_singular_values", "chain_matmul", "einsum", "least_squares", "linalg_multi_dot", *programs.RECURRENT}


class NoisyRun(programs.Run):
    """A program as PyTorch computes it, with each floating point result, and its gradient, off by a rounding of its
    dtype, as are the operands of a function of several steps."""

    def __init__(self, statements, seed):
        self.rng = random.Random(seed)
        self.is_in_steps = False
        super().__init__()
        self.results = [self.step(s)[0] for s in statements]

    def values(self, value):
        found = super().values(value)
        is_operand = self.is_in_steps and isinstance(found, torch.Tensor) and (found.is_floating_point() or found.is_complex())
        return found * self.rounded(torch.ones(found.shape, dtype=found.dtype)) if is_operand else found

    def step(self, s):
        self.is_in_steps = s.function in IN_STEPS
        results, error = super().step(s)
        exact = s.function in programs.SPECIAL.keys() - COMPUTING or s.variables() and not s.writes() and any(
            programs.shares_memory(self.tensors[v], t) for v in s.variables() for t in results or ())
        for t in [] if exact else results or []:
            if t.is_floating_point() or t.is_complex():
                t.data.copy_(self.rounded(t.detach()))
                if t.grad_fn is not None:
                    programs.add_hook(t, self.rounded)
        return results, error

    def rounded(self, t):
        eps = torch.finfo(t.dtype).eps
        signs = torch.tensor([self.rng.choice((-eps, 0, eps)) for _ in range(t.numel())], dtype=torch.float64)
        return (t * (1 + signs).reshape(t.shape)).to(t.dtype)


class WideRun(programs.Run):
    """A program as PyTorch computes it in double precision."""

    def step(self, s):
        results, error = super().step(s)
        for name, t in zip(s.outputs, results or []) if s.function == "leaf" else []:
            if t.is_floating_point() or t.is_complex():
                wide = torch.complex128 if t.is_complex() else torch.float64
                self.tensors[name] = t.detach().to(wide).requires_grad_(t.requires_grad)
        return results, error


class AddingRun(programs.Run):
    """A program as PyTorch computes it that keeps what a leaf's gradient is added up of: for each time that an operation
    takes the leaf, the gradient that backward brings it from there."""

    def __init__(self, leaf):
        self.leaf, self.is_taken, self.added = leaf, False, []
        super().__init__()

    def step(self, s):
        self.is_taken = s.function != "gradients"
        done = super().step(s)
        if not self.is_taken:
            self.added.clear()  # what came by then is not added to the leaf's own
        return done

    def values(self, value):
        found = super().values(value)
        if not self.is_taken or not isinstance(value, programs.Var) or value != self.leaf:
            return found
        there = found.view_as(found)
        there.register_hook(self.added.append)
        return there


def largest_term(statements):
    """The largest element of what a leaf's gradient is the sum of, which may cancel: of a window that takes a signal
    apart and puts it together again nothing is left but rounding. 0 for other results."""
    leaf = statements[-1].arguments[0]
    if statements[-1].function != "grad" or not any(s.function == "leaf" and leaf in s.outputs for s in statements):
        return 0
    run = AddingRun(leaf)
    for s in statements[:-1]:
        run.step(s)
    return largest(x for tensor in elements(run.added) for x in tensor)


def most_of(statements):
    """The largest difference that rounding may explain, relative to the largest element."""
    dtypes = {t.dtype for t in programs.Run(statements).tensors.values() if t.is_floating_point() or t.is_complex()}
    return max([MOST, *(MOST_ROUNDINGS * torch.finfo(dtype).eps for dtype in dtypes)])


def elements(results):
    return [[complex(x) for x in programs.elements(t)] for t in results or () if t is not None]


def explains(statements, difference):
    """Is the difference no larger than what noise of a rounding does to PyTorch's result?"""
    try:
        with programs.copies() if is_refused(statements) else contextlib.nullcontext():
            return is_small(statements, difference)
    except KeyError:  # off by roundings, or in double, PyTorch refuses a statement of those before
        return False


def is_refused(statements):
    """Does PyTorch refuse a backward because a saved tensor was written to, so that it is asked what it gets from
    copies?"""
    run = programs.Run()
    return any(error is not None and programs.is_late_write(error) for _, error in map(run.step, statements))


def is_small(statements, difference):
    wrong = re.findall(r"element (\d+) is ([^ ,]+), PyTorch's ([^ ,]+)", difference.what)
    is_number = re.compile(r"[-+]?\d[-+.\dej]*").fullmatch
    if not difference.what.startswith("value") or not wrong or difference.line < 0:
        return False
    # NaN and infinities are no roundings
    if not all(is_number(x) for _, ours, theirs in wrong for x in (ours, theirs)):
        return False
    statements = statements[:difference.line + 1]
    plain = elements(programs.Run(statements[:-1]).step(statements[-1])[0])
    noisy = [elements(NoisyRun(statements, seed).results[-1]) for seed in range(TRIALS)]
    most, term = most_of(statements), largest_term(statements)
    numbers = [(int(i), complex(ours), complex(theirs)) for i, ours, theirs in wrong]
    if all(is_within(i, abs(ours - theirs), most, term, plain, noisy) for i, ours, theirs in numbers):
        return True
    exact = elements(WideRun(statements[:-1]).step(statements[-1])[0])
    return all(is_as_near(i, ours, theirs, most, term, plain, exact) for i, ours, theirs in numbers)


def largest(numbers):
    """The largest size of those that are finite."""
    return max(filter(math.isfinite, map(abs, numbers)), default=0)


def is_as_near(i, ours, theirs, most, term, plain, exact):
    """Is a result no further from the exact one than twice the error of PyTorch's?"""
    for rounded, wide in zip(plain, exact):
        if len(rounded) == len(wide) > i and abs(ours - theirs) <= most * largest([term, *rounded]):
            if abs(ours - wide[i]) <= 2 * largest(a - b for a, b in zip(rounded, wide)):
                return True
    return False


def is_within(i, distance, most, term, plain, noisy):
    for output, tensor in enumerate(plain):
        if i < len(tensor) and distance <= most * largest([term, *tensor]):
            moves = [abs(run[output][i] - tensor[i]) for run in noisy if len(run) > output and i < len(run[output])]
            if distance <= max(moves, default=0):
                return True
    return False
