"""Makes packed.safetensors: PyTorch's recurrent layers over packed sequences, in float64.

For a layer NAME: the padded input x (T, B, I) and the lengths, the weights p.*, the padded output y and the last states
h and c, and the gradients gx and g.* of the sum of y * gy, h * gh and c * gc. Run with a Python that has torch.
"""

import os
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}


def case(name, module, lengths, states):
    for p in module.parameters():
        nn.init.normal_(p, 0, 0.5)
        p.grad = None
    x = torch.randn(max(lengths), len(lengths), 3, requires_grad=True)
    enforce_sorted = lengths == sorted(lengths, reverse=True)
    packed = pack_padded_sequence(x, torch.tensor(lengths), enforce_sorted=enforce_sorted)
    result, last = module(packed, states)
    last = last if isinstance(last, tuple) else (last,)
    y, _ = pad_packed_sequence(result, padding_value=7.0)
    values = dict(zip(["y", "h", "c"], (y,) + last))
    loss = 0
    for key, value in values.items():
        out[f"{name}.{key}"] = value.detach().clone()
        out[f"{name}.g{key}"] = torch.randn_like(value)
        loss = loss + (value * out[f"{name}.g{key}"]).sum()
    loss.backward()
    out[f"{name}.x"] = x.detach()
    out[f"{name}.gx"] = x.grad
    out[f"{name}.lengths"] = torch.tensor(lengths)
    for i, state in enumerate(states if isinstance(states, tuple) else () if states is None else (states,)):
        out[f"{name}.s{i}"] = state
    for key, p in module.named_parameters():
        out[f"{name}.p.{key}"] = p.detach()
        out[f"{name}.g.{key}"] = p.grad


case("rnn", nn.RNN(3, 4, nonlinearity="relu"), [5, 3, 3, 1], None)
case("gru", nn.GRU(3, 4, num_layers=2, bidirectional=True), [2, 5, 1, 4], torch.randn(4, 4, 4))
case("lstm", nn.LSTM(3, 4, num_layers=2, bidirectional=True), [3, 1, 4], (torch.randn(4, 3, 4), torch.randn(4, 3, 4)))
case("lstm_proj", nn.LSTM(3, 4, proj_size=2), [4, 4, 2], None)

save(out, os.path.join(os.path.dirname(__file__), "packed.safetensors"))
