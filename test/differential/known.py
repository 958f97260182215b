"""Where Strata differs from PyTorch on purpose: programs are drawn around these. Each entry has its reason."""
import re

from programs import DTYPES as NAMED

DTYPES = set(NAMED.values())  # of PyTorch's, those that Strata has

# PyTorch's errors where Strata computes.
ERRORS = {
    r"function that returns multiple views": "outputs of split, chunk and unbind may be written to (docs/autograd.md)",
    r"some elements of the input tensor and the written-to": "where operands overlap Strata computes aside and copies",
}


def is_known_error(message):
    return any(re.search(pattern, message) for pattern in ERRORS)


def has_ties(values):
    """Are there equal elements, or more than one NaN, anywhere in a tensor?"""
    flat = values.detach().flatten().tolist()
    return len({"0" if v == 0 else repr(v) for v in flat}) < len(flat)


# Functions whose choice among equal elements PyTorch leaves open.
OPEN_TIES = {"topk", "kthvalue", "median"}


def is_open(statement, run):
    """Does PyTorch leave open what this statement gives?"""
    if statement.function in OPEN_TIES:
        return has_ties(run.values(statement.arguments[0]))
    return statement.writes() is not None and overlaps_itself(run.values(statement.writes()))


def overlaps_itself(t):
    """May two of a tensor's elements lie in one place?"""
    reach = 1
    for stride, size in sorted((s, n) for s, n in zip(t.stride(), t.shape) if n > 1):
        if stride < reach:
            return True
        reach = stride * (size - 1) + reach
    return False


def is_stale(t):
    """Is it a view made without gradients, of a tensor that was written since? PyTorch refuses even to describe it."""
    try:
        return t.is_leaf and False
    except RuntimeError:
        return True
