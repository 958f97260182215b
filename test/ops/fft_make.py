"""Writes fft.txt: what torch.fft answers in float64, on CPU, for the calls that fft.cpp makes too.

Each line is a call (function, r or c for its input, the input's shape, sizes, dims, norm; - for what is left out) and
the result's shape and numbers, parts of complex ones one after the other; of long ones the first four and the sum of
all, each times the number that an input would have in its place.
"""
import math
import sys

import torch

LENGTHS = [*range(1, 34), 64, 97, 100, 106, 127, 128, 243, 1000, 1009, 4096, 10007]
NORMS = ["-", "backward", "ortho", "forward"]
ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"]
TWO = ["fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"]
LONG = 24


def numbers(n):
    """Multiples of the golden ratio, their fractions moved to [-1, 1): the same bits in every language."""
    i = torch.arange(1, n + 1, dtype=torch.float64) * 0.6180339887498949
    return (i - torch.floor(i)) * 2 - 1


def operand(kind, shape):
    n = math.prod(shape)
    if kind == "r":
        return numbers(n).reshape(shape)
    return torch.view_as_complex(numbers(2 * n).reshape(*shape, 2))


def kinds(name):
    if name in ("rfft", "ihfft", "rfft2", "ihfft2", "rfftn", "ihfftn"):
        return "r"
    return "rc"


def calls():
    for name in ONE:
        for n in LENGTHS:
            if name in ("irfft", "hfft"):
                yield name, "c", (n // 2 + 1,), (n,), (), "-"
            else:
                yield name, kinds(name)[-1], (n,), (), (), "-"
        for kind in kinds(name):
            for norm in NORMS:
                for dim in (0, 1, -1):
                    yield name, kind, (3, 4, 5), (), (dim,), norm
            for n in (1, 2, 3, 4, 6, 7, 8, 11):
                yield name, kind, (2, 6), (n,), (), "ortho"
                yield name, kind, (6, 2), (n,), (0,), "-"
    for name in SEVERAL:
        for kind in kinds(name):
            for norm in NORMS:
                yield name, kind, (3, 4, 5), (), (), norm
            for dims in [(0,), (1, 2), (2, 0), (-1, -3), (0, 1, 2), (2, 1, 0)]:
                yield name, kind, (3, 4, 5), (), dims, "-"
            for s, dims in [((5,), ()), ((3, 6), ()), ((2, 5, 4), ()), ((-1, 3), (0, 2)), ((4, 4), (2, 1))]:
                yield name, kind, (3, 4, 5), s, dims, "ortho"
            yield name, kind, (2, 3, 2, 3), (), (), "-"
    for name in TWO:
        for kind in kinds(name):
            yield name, kind, (2, 3, 4), (), (), "-"
            yield name, kind, (2, 3, 4), (4, 3), (), "forward"
            yield name, kind, (2, 3, 4), (3, 5), (0, 1), "ortho"
    for name in ("fftshift", "ifftshift"):
        for dims in [(), (0,), (1,), (0, -1)]:
            yield name, "r", (3, 4, 5), (), dims, "-"
    for name in ("fftfreq", "rfftfreq"):
        for n in (1, 2, 5, 8):
            yield name, "r", (1,), (n,), (), "-"


def result(name, kind, shape, s, dims, norm):
    f = getattr(torch.fft, name)
    if name.endswith("freq"):
        return f(s[0], d=0.25, dtype=torch.float64)
    x = operand(kind, shape)
    if name.endswith("shift"):
        return f(x, dims or None)
    norm = None if norm == "-" else norm
    if name in ONE:
        return f(x, s[0] if s else None, dims[0] if dims else -1, norm)
    return f(x, s or None, dims or ((-2, -1) if name in TWO else None), norm)


def text(dims):
    return "x".join(map(str, dims)) or "-"


if __name__ == "__main__":
    out = open(sys.argv[1], "w")
    out.write("# Made by fft_make.py with PyTorch %s\n" % torch.__version__.split("+")[0])
    for call in calls():
        name, kind, shape, s, dims, norm = call
        y = result(*call).resolve_conj().contiguous()
        v = (torch.view_as_real(y) if y.is_complex() else y).reshape(-1)
        if len(v) > LONG:
            v = torch.cat([v[:4], (v * numbers(len(v))).sum()[None]])
        values = " ".join("%.17g" % x for x in v.tolist())
        out.write(f"{name} {kind} {text(shape)} {text(s)} {text(dims)} {norm} : {text(y.shape)} {values}\n")
