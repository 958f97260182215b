"""Writes schedule_reference.safetensors: the rates, and momenta, of PyTorch's schedules, and averages of weights.

    python3 test/optim/make_schedule_reference.py  # with torch 2.15
"""

import os
import sys

import torch
from torch import optim
from torch.optim import lr_scheduler as lr
from torch.optim import swa_utils

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.set_default_dtype(torch.float64)
out = {}
STEPS = 24


def schedule(name, make, adam=False):
    p = [torch.zeros(1, requires_grad=True)]
    optimizer = optim.Adam(p, lr=0.5) if adam else optim.SGD(p, lr=0.5, momentum=0.7)
    scheduler = make(optimizer)
    rates, momenta = [], []
    for i in range(STEPS + 1):
        group = optimizer.param_groups[0]
        rates.append(group["lr"])
        momenta.append(group["betas"][0] if adam else group["momentum"])
        if i < STEPS:
            optimizer.step()
            scheduler.step()
    out[f"{name}.rates"] = torch.tensor(rates)
    out[f"{name}.momenta"] = torch.tensor(momenta)


schedule("constant", lambda o: lr.ConstantLR(o, 0.25, 4))
schedule("polynomial", lambda o: lr.PolynomialLR(o, 9, 1.7))
schedule("multiplicative", lambda o: lr.MultiplicativeLR(o, lambda t: 1 - 1 / (t + 2)))
schedule("warm_restarts", lambda o: lr.CosineAnnealingWarmRestarts(o, 4, 2, 0.01))
schedule("cosine_back", lambda o: lr.CosineAnnealingLR(o, 5, 0.01))
schedule("cyclic", lambda o: lr.CyclicLR(o, 0.1, 0.9, 4))
schedule("cyclic2", lambda o: lr.CyclicLR(o, 0.1, 0.9, 3, 5, mode="triangular2", base_momentum=0.5))
schedule("cyclic_exp", lambda o: lr.CyclicLR(o, 0.1, 0.9, 4, mode="exp_range", gamma=0.9, max_momentum=0.99), adam=True)
schedule("cyclic_own", lambda o: lr.CyclicLR(o, 0.1, 0.9, 4, scale_fn=lambda c: 1 / c**2, cycle_momentum=False))
schedule("one_cycle", lambda o: lr.OneCycleLR(o, 1.0, total_steps=25))
schedule("one_cycle_linear", lambda o: lr.OneCycleLR(o, 1.0, total_steps=25, anneal_strategy="linear", base_momentum=0.6), adam=True)
schedule("one_cycle_three", lambda o: lr.OneCycleLR(o, 1.0, total_steps=25, three_phase=True, pct_start=0.4, div_factor=10, final_div_factor=50))
schedule("sequential", lambda o: lr.SequentialLR(o, [lr.LinearLR(o, 0.1, 1, 5), lr.CosineAnnealingLR(o, 8, 0.01), lr.ConstantLR(o, 0.5, 3), lr.ExponentialLR(o, 0.9)], [5, 13, 18]))
schedule("chained", lambda o: lr.ChainedScheduler([lr.LinearLR(o, 0.1, 1, 5), lr.ExponentialLR(o, 0.9), lr.CosineAnnealingLR(o, 30, 0.001)]))
schedule("swa_lr", lambda o: swa_utils.SWALR(o, 0.05, 6))
schedule("swa_lr_linear", lambda o: swa_utils.SWALR(o, 0.05, 4, "linear"))
schedule("swa_lr_at_once", lambda o: swa_utils.SWALR(o, 0.05, 0))


def averages(name, **options):
    """Weights that are multiplied at each step, with a batch norm whose buffers follow batches."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    with torch.no_grad():
        net[0].weight.copy_(torch.linspace(-1, 1, 6).reshape(3, 2))
        net[0].bias.copy_(torch.linspace(0, 1, 3))
    average = swa_utils.AveragedModel(net, **options)
    batches = [torch.linspace(-1, i, 8).reshape(4, 2) for i in (1, 2, 3)]
    for i in range(3):
        net(batches[i])
        with torch.no_grad():
            for p in net.parameters():
                p.mul_(0.5 + i).add_(0.1)
        average.update_parameters(net)
    for k, v in average.module.state_dict().items():
        out[f"{name}.{k}"] = v.double().clone()
    swa_utils.update_bn(batches, average)
    for k, v in average.module.state_dict().items():
        out[f"{name}_bn.{k}"] = v.double().clone()


averages("swa")
averages("ema", multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.7))
averages("ema_buffers", avg_fn=swa_utils.get_ema_avg_fn(0.7), use_buffers=True)
save(out, os.path.join(os.path.dirname(__file__), "schedule_reference.safetensors"))
