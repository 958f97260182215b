"""Makes reference.safetensors: ten steps of PyTorch's optimizers in float64 and the rates of its schedules.

Case NAME has the parameters before (NAME.0.p, NAME.0.q) and after each step. The gradient at step t of a parameter w is
sin(w) + 0.1 t w; q has none at steps 4 and 5. Run with a Python that has torch.
"""

import os
import sys

import torch
from torch import optim
from torch.optim import lr_scheduler as lr

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}
start = {"p": torch.randn(3, 4) * 2, "q": torch.randn(5)}


def case(name, make):
    params = {k: v.clone().requires_grad_() for k, v in start.items()}
    optimizer = make(list(params.values()))
    for k, v in params.items():
        out[f"{name}.0.{k}"] = v.detach().clone()
    for t in range(1, 11):
        for k, v in params.items():
            v.grad = None if k == "q" and t in (4, 5) else (v.sin() + 0.1 * t * v).detach()
        optimizer.step()
        for k, v in params.items():
            out[f"{name}.{t}.{k}"] = v.detach().clone()


case("sgd", lambda p: optim.SGD(p, lr=0.1))
case("sgd_decay", lambda p: optim.SGD(p, lr=0.1, weight_decay=0.05))
case("sgd_momentum", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.01))
case("sgd_nesterov", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True))
case("adam", lambda p: optim.Adam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-6))
case("adam_decay", lambda p: optim.Adam(p, lr=0.05, weight_decay=0.1))
case("adam_amsgrad", lambda p: optim.Adam(p, lr=0.05, amsgrad=True))
case("adamw", lambda p: optim.AdamW(p, lr=0.05))
case("adamw_amsgrad", lambda p: optim.AdamW(p, lr=0.05, weight_decay=0.2, amsgrad=True))
case("rmsprop", lambda p: optim.RMSprop(p, lr=0.05))
case("rmsprop_momentum", lambda p: optim.RMSprop(p, lr=0.05, alpha=0.9, momentum=0.8, weight_decay=0.05))
case("rmsprop_centered", lambda p: optim.RMSprop(p, lr=0.05, alpha=0.9, centered=True))
case("adagrad", lambda p: optim.Adagrad(p, lr=0.1))
case("adagrad_decay", lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.5))



def lbfgs_case(name, **options):
    params = {k: v.clone().requires_grad_() for k, v in start.items()}
    optimizer = optim.LBFGS(list(params.values()), **options)

    def closure():
        optimizer.zero_grad()
        p, q = params.values()
        loss = (p.square() - 1).square().sum() + (q * torch.arange(1, 6)).square().sum() + p.sum().sin() * q.sum()
        loss.backward()
        return loss

    for k, v in params.items():
        out[f"{name}.0.{k}"] = v.detach().clone()
    for t in range(1, 6):
        out[f"{name}.{t}.loss"] = optimizer.step(closure).detach()
        for k, v in params.items():
            out[f"{name}.{t}.{k}"] = v.detach().clone()


lbfgs_case("lbfgs", lr=0.02, max_iter=4, history_size=3)
lbfgs_case("lbfgs_wolfe", max_iter=3, history_size=4, line_search_fn="strong_wolfe")

metrics = [1.0, 0.9, 0.9, 0.9, 0.95, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]


def schedule(name, make):
    optimizer = optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)
    scheduler = make(optimizer)
    rates = [optimizer.param_groups[0]["lr"]]
    for i in range(11):
        optimizer.step()
        scheduler.step(metrics[i]) if "plateau" in name else scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    out[f"{name}.rates"] = torch.tensor(rates)


schedule("step", lambda o: lr.StepLR(o, 3, 0.5))
schedule("multi_step", lambda o: lr.MultiStepLR(o, [2, 5, 5, 9], 0.1))
schedule("exponential", lambda o: lr.ExponentialLR(o, 0.9))
schedule("cosine", lambda o: lr.CosineAnnealingLR(o, 8, 0.01))
schedule("linear", lambda o: lr.LinearLR(o, 0.25, 0.75, 4))
schedule("lambda", lambda o: lr.LambdaLR(o, lambda t: 1 / (1 + t)))
schedule("one_cycle", lambda o: lr.OneCycleLR(o, 1.0, total_steps=12))
schedule("plateau", lambda o: lr.ReduceLROnPlateau(o, factor=0.5, patience=2, cooldown=1))

save(out, os.path.join(os.path.dirname(__file__), "reference.safetensors"))
