"""Makes orthogonal.safetensors: PyTorch's numbers, in float64, for orthogonal weights (orthogonal.cpp).

For a case MAP_ROWS_COLUMNS: the weight as it was (w), what is learned for it (x) and the buffer (base), then other
numbers that are learned (x1), the weight that they give (y1), a cotangent of it (gy) and the gradient of x1 (g1); for a
case with _plain behind it there is no base. Run with a Python that has torch.
"""

import os
import sys

import torch
from torch.nn.utils.parametrizations import orthogonal

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}


def case(map, rows, columns, trivial=True):
    name = f"{map}_{rows}_{columns}" + ("" if trivial else "_plain")
    linear = torch.nn.Linear(columns, rows, bias=False)
    out[name + ".w"] = linear.weight.detach().clone()
    orthogonal(linear, "weight", map, use_trivialization=trivial)
    function = linear.parametrizations.weight
    out[name + ".x"] = function.original.detach().clone()
    out[name + ".y"] = linear.weight.detach().clone()
    if trivial:
        out[name + ".base"] = function[0].base.clone()
    with torch.no_grad():
        # Signs stay on the diagonal, which householder reads as such.
        function.original.add_(torch.randn_like(function.original).tril(-1) * 0.5)
        if map != "householder":
            function.original.add_(torch.randn_like(function.original) * 0.2)
    weight = linear.weight
    gy = torch.randn_like(weight)
    weight.backward(gy)
    out[name + ".x1"] = function.original.detach()
    out[name + ".y1"] = weight.detach()
    out[name + ".gy"] = gy
    out[name + ".g1"] = function.original.grad


for map in ("matrix_exp", "cayley", "householder"):
    for rows, columns in ((3, 3), (5, 3), (2, 4)):
        case(map, rows, columns)
for rows, columns in ((4, 4), (5, 2), (3, 5)):
    case("householder", rows, columns, trivial=False)

save(out, os.path.join(os.path.dirname(__file__), "orthogonal.safetensors"))
