"""Makes channels_last.safetensors: PyTorch's strides, values and gradients of images whose channels lie last.

A case NAME has the strides of its result (s, int64), and where x and its cotangent gy are given, the result y and the
gradient gx. Run with a Python that has torch.
"""

import os
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
last, last3d = torch.channels_last, torch.channels_last_3d
out = {}


def strides(name, t):
    out[name + ".s"] = torch.tensor(t.stride())


def case(name, f, x, format):
    x = x.to(memory_format=format).requires_grad_()
    y = f(x)
    gy = torch.randn_like(y)
    y.backward(gy)
    strides(name, y)
    for key, t in (("x", x), ("y", y), ("gy", gy), ("gx", x.grad)):
        out[f"{name}.{key}"] = t.detach().contiguous()


def r(*shape):
    return torch.randn(*shape)


# Layouts alone.
x = r(2, 3, 4, 5)
strides("empty", torch.empty(2, 3, 4, 5, memory_format=last))
strides("contiguous", x.contiguous(memory_format=last))
strides("one_channel", torch.empty(2, 1, 4, 5).contiguous(memory_format=last))
strides("one_pixel", torch.empty(2, 3, 1, 1, memory_format=last))
strides("volume", r(2, 3, 4, 5, 6).to(memory_format=last3d))
strides("preserved", torch.empty_like(x.to(memory_format=last), memory_format=torch.preserve_format))
strides("preserved_transposed", torch.empty_like(r(4, 5, 6).transpose(0, 2), memory_format=torch.preserve_format))
strides("preserved_gaps", torch.empty_like(r(4, 6, 6)[:, :, ::2].permute(2, 0, 1), memory_format=torch.preserve_format))
strides("cloned", x.to(memory_format=last).clone(memory_format=torch.preserve_format))
for name, t in (
    ("plain", x),
    ("last", x.to(memory_format=last)),
    ("part", x.to(memory_format=last)[:, :2, :, ::2]),
    ("one_channel", r(2, 1, 4, 5)),
    ("pixel", torch.empty(2, 3, 1, 1, memory_format=last)),
    ("pixel_plain", r(2, 3, 1, 1)),
    ("one_of_all", r(2, 1, 1, 1)),
    ("three", r(3, 4, 5).permute(2, 0, 1)),
):
    suggested = torch._prims_common.suggest_memory_format(t)
    out[f"suggest_{name}.t"] = torch.tensor([suggested == last, t.is_contiguous(), t.is_contiguous(memory_format=last)])

# Operations.
w, b = r(6, 4, 3, 3), r(6)
w3, wt = r(6, 2, 2, 3, 3), r(4, 3, 3, 3)
out["weights.w"], out["weights.b"], out["weights.w3"], out["weights.wt"] = w, b, w3, wt
case("conv", lambda x: F.conv2d(x, w, b, 2, 1), r(2, 4, 7, 6), last)
case("conv_groups", lambda x: F.conv2d(x, w3.select(2, 0), None, 1, 1, 1, 2), r(2, 4, 5, 6), last)
case("conv3d", lambda x: F.conv3d(x, w3, b, 1, 1, 1, 2), r(2, 4, 3, 5, 6), last3d)
case("conv_transpose", lambda x: F.conv_transpose2d(x, wt, None, 2, 1, 1), r(2, 4, 4, 3), last)
case("batch_norm", lambda x: F.batch_norm(x, None, None, b[:4], b[2:], True), r(3, 4, 3, 5), last)
case("max_pool", lambda x: F.max_pool2d(x, 3, 2, 1), r(2, 4, 7, 6), last)
case("avg_pool", lambda x: F.avg_pool2d(x, 2), r(2, 4, 7, 6), last)
case("adaptive_avg_pool", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), r(2, 4, 7, 6), last)

save(out, os.path.join(os.path.dirname(__file__), "channels_last.safetensors"))
