"""Makes adaptive.safetensors: the adaptive softmax and attention by weights, by PyTorch in float64.

Parameters are p.*, gradients of them g.*. Run with a Python that has torch.
"""

import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}

m = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 10], div_value=2.0, head_bias=True)
x = torch.randn(6, 8, requires_grad=True)
result = m(x, torch.tensor([0, 19, 7, 4, 5, 12]))
result.loss.backward()
out.update({f"adaptive.p.{k}": v for k, v in m.state_dict().items()})
out.update({f"adaptive.g.{k}": v.grad for k, v in m.named_parameters()})
out.update({"adaptive.x": x.detach(), "adaptive.gx": x.grad, "adaptive.output": result.output.detach(),
            "adaptive.loss": result.loss.detach(), "adaptive.log_prob": m.log_prob(x).detach(), "adaptive.predict": m.predict(x)})

q, k, v = torch.randn(4, 2, 6), torch.randn(3, 2, 6), torch.randn(3, 2, 6)
weights = [torch.randn(18, 6), torch.randn(18), None, None, True, 0.0, torch.randn(6, 6), torch.randn(6)]
static_k, static_v = torch.randn(4, 3, 3), torch.randn(4, 3, 3)
mask = torch.randn(4, 3)
y, w = F.multi_head_attention_forward(q, k, v, 6, 2, *weights, attn_mask=mask, static_k=static_k, static_v=static_v,
                                      average_attn_weights=False)
names = {"q": q, "k": k, "v": v, "in_w": weights[0], "in_b": weights[1], "out_w": weights[6], "out_b": weights[7],
         "static_k": static_k, "static_v": static_v, "mask": mask, "y": y, "w": w}
out.update({f"attention.{name}": t for name, t in names.items()})

save(out, os.path.join(os.path.dirname(__file__), "adaptive.safetensors"))
