"""Makes structured.safetensors: inputs, outputs and gradients of PyTorch's structured losses and bags in float64.

For a case NAME: the inputs x0, x1, ..., the output y, its cotangent gy, and the gradients g0, g1, ... of the inputs
that have one. Run with a Python that has torch.
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


def case(name, function, *inputs):
    inputs = [x.detach().clone() for x in inputs]
    for x in inputs:
        if x.is_floating_point():
            x.requires_grad_()
    y = function(*inputs)
    gy = torch.randn_like(y)
    y.backward(gy)
    for i, x in enumerate(inputs):
        out[f"{name}.x{i}"] = x.detach()
        if x.grad is not None:
            out[f"{name}.g{i}"] = x.grad
    out[f"{name}.y"] = y.detach()
    out[f"{name}.gy"] = gy


def r(*shape):
    return torch.randn(*shape)


def ints(*values):
    return torch.tensor(values)


# Steps 7, samples 3, classes 4; the second target has a class twice in a row, the third is empty.
x = r(7, 3, 4).log_softmax(2)
padded = torch.tensor([[1, 2, 3], [2, 2, 1], [1, 1, 1]])
joined = ints(1, 2, 3, 2, 2)
steps, lengths = ints(7, 5, 6), ints(3, 2, 0)
for how in ("none", "mean", "sum"):
    case(f"ctc_{how}", lambda a: F.ctc_loss(a, padded, steps, lengths, reduction=how), x)
case("ctc_joined", lambda a: F.ctc_loss(a, joined, steps, lengths, reduction="none"), x)
case("ctc_blank", lambda a: F.ctc_loss(a, padded - 1, steps, lengths, blank=3, reduction="none"), x)
case("ctc_logits", lambda a: F.ctc_loss(a.log_softmax(2), padded, steps, lengths), r(7, 3, 4))
case("ctc_unnormalised", lambda a: F.ctc_loss(a, padded, steps, lengths, reduction="none"), r(7, 3, 4))
case("ctc_too_long", lambda a: F.ctc_loss(a, padded, ints(7, 2, 6), lengths, reduction="none"), x)
case("ctc_zero", lambda a: F.ctc_loss(a, padded, ints(7, 2, 6), lengths, reduction="none", zero_infinity=True), x)
case("ctc_one", lambda a: F.ctc_loss(a, ints(1, 2), ints(7), ints(2)), x[:, 0])

a, b, c = r(4, 5), r(4, 5), r(4, 5)
labels = torch.tensor([[3, 0, -1, 1, 2], [-1, 0, 1, 2, 3], [0, 1, 2, 3, 4], [2, 2, -1, -1, -1]])
for how in ("none", "mean", "sum"):
    case(f"multilabel_margin_{how}", lambda a: F.multilabel_margin_loss(a, labels, reduction=how), a)
case("multilabel_margin_row", lambda a: F.multilabel_margin_loss(a, labels[0], reduction="none"), a[0])
case("triplet_default", lambda *t: F.triplet_margin_with_distance_loss(*t, swap=True), a, b, c)
case("triplet_cosine", lambda *t: F.triplet_margin_with_distance_loss(
    *t, distance_function=lambda u, v: 1 - F.cosine_similarity(u, v), margin=0.5, reduction="none"), a, b, c)
case("gaussian", lambda u, v, w: F.gaussian_nll_loss(u, v, w, full=True), a, b, c.abs() + 0.1)
case("gaussian_row", lambda u, v, w: F.gaussian_nll_loss(u, v, w, reduction="none"), a, b, torch.rand(4, 1))

target, weight = ints(2, 0, -100, 4), torch.rand(5) + 0.5
out["class_weights.w"] = weight
q = b.softmax(1)
for how in ("none", "mean", "sum"):
    case(f"cross_entropy_{how}", lambda u: F.cross_entropy(u, target, weight, label_smoothing=0.2, reduction=how), a)
    case(f"cross_entropy_probabilities_{how}",
         lambda u, v: F.cross_entropy(u, v, weight, label_smoothing=0.2, reduction=how), a, q)

table, row_weights = r(6, 3), r(8)
index, offsets = ints(1, 4, 4, 0, 5, 2, 2, 3), ints(0, 3, 3, 7)
grid = index.view(2, 4)
for mode in ("sum", "mean", "max"):
    case(f"bag_{mode}", lambda w: F.embedding_bag(index, w, offsets, mode=mode), table)
    case(f"bag_{mode}_padding", lambda w: F.embedding_bag(index, w, offsets, mode=mode, padding_idx=-4), table)
    case(f"bag_{mode}_grid", lambda w: F.embedding_bag(grid, w, mode=mode, padding_idx=2), table)
    case(f"bag_{mode}_last", lambda w: F.embedding_bag(index, w, ints(0, 3, 3, 8), mode=mode, include_last_offset=True), table)
case("bag_weighted", lambda w, s: F.embedding_bag(index, w, offsets, mode="sum", per_sample_weights=s, padding_idx=4),
     table, row_weights)
case("bag_weighted_grid", lambda w, s: F.embedding_bag(grid, w, mode="sum", per_sample_weights=s), table,
     row_weights.view(2, 4))
case("bag_frequency", lambda w: F.embedding_bag(index, w, offsets, scale_grad_by_freq=True), table)
case("embedding_frequency", lambda w: F.embedding(grid, w, padding_idx=4, scale_grad_by_freq=True), table)


def renormalised(function):
    """The table after the call has scaled its rows, behind what the call gives."""
    def run(w):
        kept = w.detach().clone()
        return torch.cat([function(kept), kept])
    return run


out["bag_max_norm.x0"] = table
out["bag_max_norm.y"] = renormalised(lambda w: F.embedding_bag(index, w, offsets, max_norm=1.1, norm_type=3.0))(table)
out["embedding_max_norm.y"] = renormalised(lambda w: F.embedding(index, w, max_norm=1.1))(table)

save(out, os.path.join(os.path.dirname(__file__), "structured.safetensors"))
