"""Writes promotion.txt: the result dtypes of PyTorch for every pair of operands, by rank (n: with dims, 0: 0-dim, s: a number).

16-bit tensors with complex ones of another rank are left out: PyTorch gives complex32 or an error, Strata complex64.
"""
import itertools
import sys

import torch

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64, torch.complex64, torch.complex128]


def name(t):
    return str(t).split(".")[1]


def operands():
    for t in DTYPES:
        yield "n " + name(t), torch.ones(2, dtype=t)
        yield "0 " + name(t), torch.ones((), dtype=t)
    for v in (True, 2, 2.5, 2 + 1j):
        yield "s " + {bool: "bool", int: "int64", float: "float64", complex: "complex128"}[type(v)], v


def result(f, a, b):
    try:
        return name(f(a, b).dtype)
    except RuntimeError:
        return "error"


def in_place(f, a, b):
    if not isinstance(a, torch.Tensor):
        return "error"
    try:
        return name(f(a.clone(), b).dtype)
    except RuntimeError:
        return "error"


out = open(sys.argv[1], "w")
out.write("# rank dtype rank dtype: result of add, div and eq, whether add_ and div_ are allowed; PyTorch %s\n" % torch.__version__.split("+")[0])
for (na, a), (nb, b) in itertools.product(operands(), operands()):
    if not isinstance(a, torch.Tensor) and not isinstance(b, torch.Tensor):
        continue
    if "float16" in na + nb and "complex" in na + nb and na[0] != nb[0]:
        continue
    row = [result(torch.add, a, b) if isinstance(a, torch.Tensor) else result(lambda x, y: x + y, a, b)]
    row.append(result(lambda x, y: x / y, a, b))
    row.append(result(lambda x, y: x == y, a, b))
    if na[0] == "0" and nb[0] == "n":
        row += ["shape", "shape"]  # in place would have to grow
    else:
        row.append(in_place(lambda x, y: x.add_(y), a, b))
        row.append(in_place(lambda x, y: x.div_(y), a, b))
    out.write(" ".join([na, nb] + row) + "\n")
