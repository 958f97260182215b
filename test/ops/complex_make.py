"""Writes complex.txt: PyTorch's values and gradients of functions of complex numbers, at a few points.

Each line: the function, z (re, im), f(z) (re, im), and the gradient of z for the cotangent (0.5, -2) of f(z), which is 0.5 where f is real.
Run with a Python that has torch: `python complex_make.py complex.txt`.
"""
import sys

import torch

POINTS = [0.5 + 0.25j, -1.5 + 0.75j, 0.3 - 1.2j, -0.6 - 0.4j]
W = 1.25 - 0.5j


def triple(z):
    return torch.stack([z, z * 2, z + W])


def quad(z):
    return torch.stack([z, z * 2, z + W, z * z])


def weights(z):
    return torch.stack([z + W, z * W])


FUNCTIONS = {name: getattr(torch, name) for name in (
    "neg conj_physical square reciprocal sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh "
    "asinh acosh atanh sigmoid abs angle sgn real imag").split()}
FUNCTIONS.update({
    "mul": lambda z: z * W,
    "rdiv": lambda z: W / z,
    "div": lambda z: z / W,
    "pow_tensor": lambda z: z ** torch.full_like(z, W).detach(),
    "exponent": lambda z: torch.full_like(z, W).detach() ** z,
    "pow_2": lambda z: z ** 2,
    "pow_third": lambda z: z ** (1 / 3),
    "pow_complex": lambda z: z ** W,
    "squared_length": lambda z: (z * z.conj()).real,
    "to_real": lambda z: z.to(torch.float64),
    "prod": lambda z: torch.stack([z, z * 2, z + W]).prod(),
    "cumprod": lambda z: torch.stack([z, z * 2, z + W]).cumprod(0).sum(),
    "mean": lambda z: torch.stack([z, z * z]).mean(),
    "dot": lambda z: torch.dot(torch.stack([z, z * z]), torch.stack([z, z + W])),
    "vdot": lambda z: torch.vdot(torch.stack([z, z * z]), torch.stack([z, z + W])),
    "norm": lambda z: torch.linalg.vector_norm(torch.stack([z, z + W])),
    "polar": lambda z: torch.polar(z.abs(), z.real),
    "complex": lambda z: torch.complex(z.imag, z.real),
    "logsumexp": lambda z: torch.logsumexp(triple(z), 0),
    "var": lambda z: triple(z).var(),
    "std": lambda z: triple(z).std(0, correction=0),
    "std_of_equals": lambda z: torch.stack([z, z]).std() + z.abs(),
    "conv1d": lambda z: torch.conv1d(triple(z).view(1, 1, 3), weights(z).view(1, 1, 2), z.view(1), padding=1, stride=2).sum(),
    "conv2d": lambda z: torch.conv2d(quad(z).view(1, 4, 1, 1), weights(z).view(2, 1, 1, 1).repeat(1, 2, 1, 1), groups=2).prod(),
    "conv_transpose1d": lambda z: torch.conv_transpose1d(triple(z).view(1, 1, 3), weights(z).view(1, 1, 2), z.view(1)).prod(),
    "conv_transpose2d": lambda z: torch.conv_transpose2d(quad(z).view(1, 1, 2, 2), weights(z).view(1, 1, 2, 1), stride=2).sum(),
    "conv3d": lambda z: torch.conv3d(quad(z).view(1, 2, 2, 1, 1), weights(z).view(2, 1, 1, 1, 1).repeat(1, 1, 2, 1, 1), z.repeat(2), padding=(1, 0, 0), groups=2).prod(),
    "conv_transpose3d": lambda z: torch.conv_transpose3d(quad(z).view(1, 2, 2, 1, 1), weights(z).view(2, 1, 1, 1, 1).repeat(1, 1, 2, 1, 1), z.repeat(2), stride=(2, 1, 1), padding=(1, 0, 0), groups=2).prod(),
    "mixed": lambda z: z * z.abs() + z.real,
})

with open(sys.argv[1], "w") as out:
    out.write("# function, z, f(z), gradient of z; PyTorch %s\n" % torch.__version__.split("+")[0])
    for name, f in FUNCTIONS.items():
        for point in POINTS:
            z = torch.tensor(point, dtype=torch.complex128, requires_grad=True)
            y = f(z)
            y.backward(torch.tensor(0.5 - 2j if y.is_complex() else 0.5, dtype=y.dtype))
            value, grad = complex(y.item()), complex(z.grad.item())
            out.write(" ".join([name] + [repr(x) for v in (point, value, grad) for x in (v.real, v.imag)]) + "\n")
