"""Makes layout_torch.txt: PyTorch's strides of results of operands that are not row-major.

A line is the name of a function, for each operand its sizes and strides, and the strides of the result; `_grad` stands
for the gradient of the first operand. Run with a Python that has torch.
"""
import pathlib
import random

import torch
import torch.nn.functional as F

rng = random.Random(0)


def first_gradient(f):
    def of(x, *rest):
        x = x.detach().requires_grad_()
        y = f(x, *rest)
        return torch.autograd.grad(y, x, torch.ones_like(y))[0]
    return of


ELEMENTWISE = {
    "exp": (1, torch.exp), "gelu": (1, F.gelu), "to_double": (1, lambda x: x.double()), "clone": (1, torch.clone),
    "zeros_like": (1, torch.zeros_like), "rand_like": (1, torch.rand_like), "dropout": (1, lambda x: F.dropout(x, 0.5)),
    "clamp": (1, lambda x: x.clamp(-1, 1)), "add": (2, torch.add), "lt": (2, torch.lt), "atan2": (2, torch.atan2),
    "where": (3, lambda c, x, y: torch.where(c.to(torch.bool), x, y)), "addcmul": (3, torch.addcmul),
    "exp_grad": (1, first_gradient(torch.exp)), "mul_grad": (2, first_gradient(torch.mul)),
    "heaviside": (2, torch.heaviside), "isreal": (1, torch.isreal),
}
VOLUMES = {
    "max_pool3d": lambda x: F.max_pool3d(x, 2),  # average pools lose the order in PyTorch, and keep it here
    "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
    "batch_norm_eval": lambda x: F.batch_norm(x, torch.zeros(3), torch.ones(3)),
}


def laid_out(sizes):
    """A tensor of these sizes whose dims lie in some order, maybe with gaps or repeated."""
    order = rng.sample(range(len(sizes)), len(sizes))
    gaps = rng.choice((1, 1, 1, 2))
    strides, reach = [0] * len(sizes), gaps
    for d in reversed(order):
        strides[d] = reach
        reach *= sizes[d]
    if rng.random() < 0.15:
        strides[rng.randrange(len(sizes))] = 0
    return torch.ones(reach + 1).as_strided(sizes, strides)


def words(values):
    return ",".join(map(str, values)) or "-"


def line(name, operands, result):
    shown = [f"{words(t.shape)} {words(t.stride())}" for t in operands]
    return " ".join([name, *shown, words(result.stride())])


def main():
    torch.manual_seed(0)
    lines = []
    for name, (count, f) in ELEMENTWISE.items():
        for _ in range(40):
            sizes = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
            operands = [laid_out(sizes) for _ in range(count)]
            if rng.random() < 0.3:
                operands[1:] = [laid_out(sizes[1:]) if len(sizes) > 2 else t for t in operands[1:]]
            if name != "dropout" or 0 not in operands[0].stride():  # PyTorch lays out noise of its own first
                lines.append(line(name, operands, f(*operands)))
    for name, f in VOLUMES.items():
        x = torch.randn(2, 3, 4, 4, 4).to(memory_format=torch.channels_last_3d)
        lines.append(line(name, [x], f(x)))
        lines.append(line(name + "_grad", [x], first_gradient(f)(x)))
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


main()
