"""Makes pools.safetensors and spatial.safetensors: PyTorch's numbers, in float64, for pools.cpp and spatial.cpp.

For a case NAME: the inputs x0, x1, ..., the outputs y0, y1, ..., the cotangent gy of y0, and the gradients g0, g1, ...
of the inputs that have some. Run with a Python that has torch.
"""

import os
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}


def case(name, f, *inputs, constant=()):
    """Inputs whose numbers are in `constant` get no gradient; where none does, there is no gy."""
    inputs = [x.clone() for x in inputs]
    for i, x in enumerate(inputs):
        if x.dtype.is_floating_point and i not in constant:
            x.requires_grad_()
    outputs = f(*inputs)
    if isinstance(outputs, torch.Tensor):
        outputs = [outputs]
    if outputs[0].requires_grad:
        gy = torch.randn_like(outputs[0])
        outputs[0].backward(gy)
        out[f"{name}.gy"] = gy
    for i, x in enumerate(inputs):
        out[f"{name}.x{i}"] = x
        if x.grad is not None:
            out[f"{name}.g{i}"] = x.grad
    for i, y in enumerate(outputs):
        out[f"{name}.y{i}"] = y


def save_as(file):
    """Saves the cases so far and begins anew."""
    save(out, os.path.join(os.path.dirname(__file__), file))
    out.clear()


def r(*shape):
    return torch.randn(*shape)


def positive(*shape):
    return torch.rand(*shape) + 0.1


# Pools of three dims.
ties = torch.randint(0, 3, (1, 2, 5, 6, 7)).double()
case("max_pool3d", lambda x: F.max_pool3d(x, (2, 3, 2), (2, 1, 3), (1, 1, 0), return_indices=True), r(2, 2, 5, 6, 7))
case("max_pool3d_ties", lambda x: F.max_pool3d(x, 3, 2, 1, return_indices=True), ties)
case("max_pool3d_ceil", lambda x: F.max_pool3d(x, 2, ceil_mode=True, return_indices=True), r(3, 5, 6, 7))
case("max_pool3d_dilated", lambda x: F.max_pool3d(x, 2, 1, 1, (3, 2, 1), return_indices=True), r(1, 2, 5, 6, 7))
case("avg_pool3d", lambda x: F.avg_pool3d(x, (2, 3, 2), (2, 1, 3), (1, 1, 0)), r(2, 2, 5, 6, 7))
case("avg_pool3d_inside", lambda x: F.avg_pool3d(x, 3, 2, 1, True, False), r(2, 5, 6, 7))
case("avg_pool3d_divisor", lambda x: F.avg_pool3d(x, 3, 2, 1, True, True, 5), r(1, 2, 5, 6, 7))
case("adaptive_avg_pool3d", lambda x: F.adaptive_avg_pool3d(x, (3, None, 2)), r(2, 2, 5, 4, 7))
case("adaptive_avg_pool3d_one", lambda x: F.adaptive_avg_pool3d(x, 1), r(2, 2, 5, 4, 7))
case("adaptive_max_pool3d", lambda x: F.adaptive_max_pool3d(x, (3, None, 2), True), r(2, 2, 5, 4, 7))
case("adaptive_max_pool2d", lambda x: F.adaptive_max_pool2d(x, (3, None), True), r(2, 2, 5, 4))
case("adaptive_max_pool1d", lambda x: F.adaptive_max_pool1d(x, 3, True), r(2, 2, 5))

# Unpooling, power averages, fractional pools.
for dims, shape in ((1, (2, 2, 7)), (2, (2, 7, 6)), (3, (1, 2, 5, 4, 6))):
    pool, unpool = getattr(F, f"max_pool{dims}d"), getattr(F, f"max_unpool{dims}d")
    y, at = pool(r(*shape), 2, return_indices=True)
    case(f"max_unpool{dims}d", lambda x, i: unpool(x, i, 2), y, at)
    case(f"max_unpool{dims}d_size", lambda x, i: unpool(x, i, 2, output_size=list(shape[-dims:])), y, at)
y, at = F.max_pool2d(r(1, 2, 8, 8), 3, 1, 1, return_indices=True)
case("max_unpool2d_overlapping", lambda x, i: F.max_unpool2d(x, i, 3, 1, 1), y, at)
case("lp_pool1d", lambda x: F.lp_pool1d(x, 3, 2, 1), positive(2, 2, 7))
case("lp_pool2d", lambda x: F.lp_pool2d(x, 2, (2, 3), ceil_mode=True), r(2, 2, 7, 5))
case("lp_pool3d", lambda x: F.lp_pool3d(x, 1.5, 2, (1, 2, 1)), positive(2, 4, 5, 6))
case("fractional2d", lambda x, u: F.fractional_max_pool2d(x, (2, 3), (4, 3), return_indices=True, _random_samples=u),
     r(2, 3, 9, 11), torch.rand(2, 3, 2), constant=(1,))
case("fractional2d_ratio", lambda x, u: F.fractional_max_pool2d(x, 2, output_ratio=(0.6, 0.5), return_indices=True,
                                                                _random_samples=u),
     r(3, 9, 11), torch.rand(1, 3, 2), constant=(1,))
case("fractional3d", lambda x, u: F.fractional_max_pool3d(x, 2, (4, 3, 1), return_indices=True, _random_samples=u),
     r(2, 2, 9, 8, 7), torch.rand(2, 2, 3), constant=(1,))

save_as("pools.safetensors")

# Blocks as columns.
case("unfold", lambda x: F.unfold(x, (2, 3), (2, 1), (1, 2), (1, 2)), r(2, 3, 5, 7))
case("unfold_one", lambda x: F.unfold(x, 2), r(2, 4, 5))
case("fold", lambda x: F.fold(x, (4, 5), (2, 3), (2, 1), (1, 2), (1, 2)), r(2, 18, 16))
case("fold_one", lambda x: F.fold(x, 4, 2, stride=2), r(8, 4))

# Grids: places inside and outside, on elements and between.
for align in (True, False):
    for padding in ("zeros", "border", "reflection"):
        for mode in ("bilinear", "nearest", "bicubic"):
            def sample(x, g):
                return F.grid_sample(x, g, mode=mode, padding_mode=padding, align_corners=align)
            name = f"{mode}_{padding}_{'corners' if align else 'edges'}"
            case("grid_" + name, sample, r(2, 3, 5, 4), 2.5 * torch.rand(2, 3, 6, 2) - 1.25)
            if mode != "bicubic":
                case("grid3d_" + name, sample, r(2, 2, 3, 4, 5), 2.5 * torch.rand(2, 2, 3, 4, 3) - 1.25)
grid = torch.tensor([[[[-1.0, -1.0], [1.0, 1.0], [0.0, -1.0], [-1.0, 0.5], [1.0, 0.0], [3.0, -3.0]]]])
case("grid_ends", lambda x, g: F.grid_sample(x, g, padding_mode="border", align_corners=True), r(1, 2, 3, 3), grid)
case("grid_far", lambda x, g: F.grid_sample(x, g, padding_mode="reflection", align_corners=False), r(1, 2, 3, 4),
     20 * torch.rand(1, 2, 5, 2) - 10)
for align in (True, False):
    end = "corners" if align else "edges"
    case(f"affine2d_{end}", lambda t: F.affine_grid(t, (2, 3, 4, 5), align), r(2, 2, 3))
    case(f"affine3d_{end}", lambda t: F.affine_grid(t, (2, 1, 3, 1, 2), align), r(2, 3, 4))

# Pads of three dims.
case("reflection_pad3d", torch.nn.ReflectionPad3d((1, 2, 2, 1, 1, 0)), r(2, 2, 3, 4, 5))
case("replication_pad3d", torch.nn.ReplicationPad3d((1, 2, 3, 1, 0, 2)), r(2, 3, 4, 5))
case("constant_pad3d", torch.nn.ConstantPad3d((1, 2, -1, 1, 0, 2), 3.5), r(2, 2, 3, 4, 5))
case("zero_pad3d", torch.nn.ZeroPad3d(1), r(2, 2, 3, 2, 2))
case("circular_pad3d", lambda x: F.pad(x, (1, 2, 2, 1, 1, 0), "circular"), r(2, 2, 3, 4, 5))

# Norms without means, shuffling, areas of volumes.
case("rms_norm", lambda x, w: F.rms_norm(x, (3, 4), w, 1e-3), r(2, 5, 3, 4), r(3, 4))
case("rms_norm_plain", lambda x: F.rms_norm(x, (4,)), r(2, 5, 4))
for size in (1, 2, 3, 4, 5):
    case(f"local_response_norm{size}", torch.nn.LocalResponseNorm(size, 0.3, 0.6, 2.0), r(2, 6, 3, 2))
    # PyTorch's gradient fails for some sizes and is none of its function's for the others.
    case(f"cross_map_lrn{size}", torch.nn.CrossMapLRN2d(size, 0.3, 0.6, 2), r(2, 6, 3, 2), constant=(0,))
case("local_response_norm_line", torch.nn.LocalResponseNorm(3), r(2, 6, 3))
case("channel_shuffle", torch.nn.ChannelShuffle(3), r(2, 6, 3, 2))
case("area3d", lambda x: F.interpolate(x, (2, 3, 4), mode="area"), r(2, 2, 3, 5, 6))


# Smooth shrinking and growing. (PyTorch 2.15 makes lines of one value of images whose width goes to 1.)
for mode in ("bilinear", "bicubic"):
    for align in (True, False):
        for size in ((3, 4), (12, 5), (9, 16)):
            case(f"antialias_{mode}_{int(align)}_{size[0]}",
                 lambda x: F.interpolate(x, size, mode=mode, align_corners=align, antialias=True), r(2, 2, 9, 8))
    case(f"antialias_{mode}_factor",
         lambda x: F.interpolate(x, scale_factor=(0.4, 0.7), mode=mode, align_corners=False, antialias=True),
         r(1, 2, 9, 8))

save_as("spatial.safetensors")
