"""Tells a difference that rounding explains: one that PyTorch's own result makes when its intermediate results are off
by their last bit, or one from a result that is itself as far from the exact one."""
import random
import re

import torch

import programs

TRIALS = 12
# Of the largest element, or as many roundings of the program's coarsest dtype: what differs by more is shown, whatever
# the reason.
MOST, MOST_ROUNDINGS = 1e-3, 8


class NoisyRun(programs.Run):
    """A program as PyTorch computes it, with each floating point result, and its gradient, off by a rounding of its
    dtype."""

    def __init__(self, statements, seed):
        self.rng = random.Random(seed)
        super().__init__()
        self.results = [self.step(s)[0] for s in statements]

    def step(self, s):
        results, error = super().step(s)
        exact = s.function in programs.SPECIAL or s.variables() and not s.writes() and any(
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


def most_of(statements):
    """The largest difference that rounding may explain, relative to the largest element."""
    dtypes = {t.dtype for t in programs.Run(statements).tensors.values() if t.is_floating_point() or t.is_complex()}
    return max([MOST, *(MOST_ROUNDINGS * torch.finfo(dtype).eps for dtype in dtypes)])


def elements(results):
    return [[complex(x) for x in programs.elements(t)] for t in results or () if t is not None]


def explains(statements, difference):
    """Is the difference no larger than what noise of a rounding does to PyTorch's result?"""
    try:
        return is_small(statements, difference)
    except KeyError:  # off by roundings, or in double, PyTorch refuses a statement of those before
        return False


def is_small(statements, difference):
    wrong = re.findall(r"element (\d+) is ([^ ,]+), PyTorch's ([^ ,]+)", difference.what)
    is_number = re.compile(r"[-+]?\d[-+.\de]*").fullmatch
    if not difference.what.startswith("value") or not wrong or difference.line < 0:
        return False
    # NaN and infinities are no roundings
    if not all(is_number(x) for _, ours, theirs in wrong for x in (ours, theirs)):
        return False
    statements = statements[:difference.line + 1]
    plain = elements(programs.Run(statements[:-1]).step(statements[-1])[0])
    noisy = [elements(NoisyRun(statements, seed).results[-1]) for seed in range(TRIALS)]
    most = most_of(statements)
    numbers = [(int(i), float(ours), float(theirs)) for i, ours, theirs in wrong]
    if all(is_within(i, abs(ours - theirs), most, plain, noisy) for i, ours, theirs in numbers):
        return True
    exact = elements(WideRun(statements[:-1]).step(statements[-1])[0])
    return all(is_as_near(i, ours, theirs, most, plain, exact) for i, ours, theirs in numbers)


def is_as_near(i, ours, theirs, most, plain, exact):
    """Is a result no further from the exact one than twice the error of PyTorch's?"""
    for rounded, wide in zip(plain, exact):
        if len(rounded) == len(wide) > i and abs(ours - theirs) <= most * max(map(abs, rounded)):
            if abs(ours - wide[i]) <= 2 * max(abs(a - b) for a, b in zip(rounded, wide)):
                return True
    return False


def is_within(i, distance, most, plain, noisy):
    for output, tensor in enumerate(plain):
        if i < len(tensor) and distance <= most * max(map(abs, tensor)):
            moves = [abs(run[output][i] - tensor[i]) for run in noisy if len(run) > output and i < len(run[output])]
            if distance <= max(moves, default=0):
                return True
    return False
