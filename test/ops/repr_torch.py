"""Writes repr.txt: what Python's PyTorch prints for the tensors that repr.cpp makes too.

Run as `python test/ops/repr_torch.py > test/ops/repr.txt`; the file was written by PyTorch 2.15.
"""
import math

import torch

inf, nan = math.inf, math.nan
ramp = torch.arange(4000.0)
big = (ramp.reshape(40, 100) - 2000) / 7
leaf = torch.tensor([1.5, -2.25], requires_grad=True)
weights = ((torch.arange(12.0) - 5) / 8).reshape(3, 4).requires_grad_()

TENSORS = {
    "integers": torch.tensor([1, 20, -300]),
    "fractions": torch.tensor([[0.5, 1.25], [-3.125, 100.0]]),
    "wide": torch.arange(60.0).reshape(2, 30) / 3,
    "whole": torch.tensor([1.0, 2.0, -30.0]),
    "special": torch.tensor([inf, -1.5, nan, -inf, 0.0]),
    "only special": torch.tensor([inf, nan, 0.0]),
    "spread": torch.tensor([1e-8, 1e3, 0.0, inf]),
    "small": torch.tensor([1e-5, 2e-5]),
    "large whole": torch.tensor([1e9, 2.0]),
    "million": torch.tensor([1e6, 2e6]),
    "zeros": torch.zeros(3),
    "negative zero": torch.tensor([-0.0, 1.0]),
    "scalar": torch.tensor(3.14159265),
    "whole scalar": torch.tensor(7.0),
    "long scalar": torch.tensor(7),
    "bools": torch.tensor([True, False]),
    "bytes": torch.tensor([250, 3], dtype=torch.uint8),
    "unsigned": torch.tensor([2**63 + 5, 1], dtype=torch.uint64),
    "halves": torch.tensor([0.1, 2.0], dtype=torch.float16),
    "bfloats": torch.tensor([0.1, 2.0], dtype=torch.bfloat16),
    "doubles": torch.tensor([0.1, 2.0], dtype=torch.float64),
    "complex": torch.tensor([1 + 2j, -3.5 + 4.25j]),
    "complex doubles": torch.tensor([[1 - 2j, 1e10 + 0.5j]], dtype=torch.complex128),
    "empty": torch.zeros(0),
    "empty matrix": torch.zeros(2, 0),
    "empty longs": torch.zeros(0, dtype=torch.int64),
    "three dims": torch.arange(8).reshape(2, 2, 2),
    "four dims": torch.arange(8.0).reshape(2, 1, 2, 2) / 8,
    "leaf": leaf,
    "product": leaf * 2,
    "relu": weights.relu(),
    "view": weights.reshape(12),
    "double with grad_fn": leaf.double().exp(),
    "long line": torch.arange(14.0).requires_grad_() + 0.5,
    "ramp": ramp,
    "big": big,
    "big longs": torch.arange(4000).reshape(10, 20, 20),
    "big bools": (torch.arange(1200) % 3 == 0).reshape(400, 3),
    "big narrow": (torch.arange(1200.0) / 8).reshape(2, 600),
    "big complex": torch.complex(big, -big),
    "big with grad_fn": (weights.reshape(12, 1) * ramp[:300]),
    "just below": torch.arange(1000),
    "just above": torch.arange(1001),
}
OPTIONS = {
    "default": {},
    "precise": dict(precision=8),
    "rough": dict(precision=0),
    "short": dict(profile="short"),
    "full": dict(profile="full"),
    "narrow": dict(linewidth=40),
    "edges": dict(threshold=5, edgeitems=1),
    "no edges": dict(threshold=5, edgeitems=0),
    "exponents": dict(sci_mode=True),
    "no exponents": dict(sci_mode=False),
}

print("# Written by repr_torch.py with PyTorch", torch.__version__.split("+")[0])
for option, values in OPTIONS.items():
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**values)
    for name, x in TENSORS.items():
        if option == "full" and x.numel() > 100 and name != "just above":
            continue
        print(f"=== {option}: {name}")
        print(repr(x))
