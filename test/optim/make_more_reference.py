"""Writes more_reference.safetensors: what PyTorch's optimizers do in 20 steps, and Lion and LAMB as their papers say.

    python3 test/optim/make_more_reference.py  # with torch 2.15
"""

import os
import sys

import torch
from torch import optim

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.set_default_dtype(torch.float64)
out = {}
start = {"p": torch.linspace(-1, 1, 12).reshape(3, 4), "q": torch.linspace(0.5, 2, 5)}
KEPT = (1, 2, 7, 20)


def gradient(v, t):
    return ((v * (3 + t % 3)).sin() + 0.05 * v * t).detach()


def run(name, step, names=("p", "q"), dtype=torch.float64):
    """`step(params, t)` takes one step by the gradients in `.grad`."""
    params = {k: start[k].to(dtype).clone().requires_grad_() for k in names}
    take = step(list(params.values()))
    for t in range(1, 21):
        for v in params.values():
            v.grad = gradient(v, t)
        take(t)
        if t in KEPT:
            for k, v in params.items():
                out[f"{name}.{t}.{k}"] = v.detach().clone()


def case(name, make, names=("p", "q"), dtype=torch.float64):
    def step(params):
        optimizer = make(params)
        return lambda t: optimizer.step()

    run(name, step, names, dtype)


case("adamax", lambda p: optim.Adamax(p, lr=0.02))
case("adamax_max", lambda p: optim.Adamax(p, lr=0.02, betas=(0.8, 0.95), weight_decay=0.1, maximize=True))
case("nadam", lambda p: optim.NAdam(p, lr=0.02))
case("nadam_decoupled", lambda p: optim.NAdam(p, lr=0.02, weight_decay=0.1, decoupled_weight_decay=True, momentum_decay=0.1))
case("nadam_decay", lambda p: optim.NAdam(p, lr=0.02, weight_decay=0.1, maximize=True))
case("radam", lambda p: optim.RAdam(p, lr=0.02))
case("radam_decoupled", lambda p: optim.RAdam(p, lr=0.02, weight_decay=0.1, decoupled_weight_decay=True, betas=(0.8, 0.9)))
case("radam_decay", lambda p: optim.RAdam(p, lr=0.02, weight_decay=0.1, maximize=True))
case("adadelta", lambda p: optim.Adadelta(p))
case("adadelta_decay", lambda p: optim.Adadelta(p, lr=0.5, rho=0.8, eps=1e-4, weight_decay=0.1, maximize=True))
case("rprop", lambda p: optim.Rprop(p, lr=0.05))
case("rprop_max", lambda p: optim.Rprop(p, lr=0.05, etas=(0.4, 1.5), step_sizes=(0.03, 0.2), maximize=True))
case("asgd", lambda p: optim.ASGD(p, lr=0.05))
case("asgd_early", lambda p: optim.ASGD(p, lr=0.05, lambd=0.1, t0=5, weight_decay=0.1, maximize=True))
case("adafactor", lambda p: optim.Adafactor(p, lr=0.05))
case("adafactor_decay", lambda p: optim.Adafactor(p, lr=0.5, beta2_decay=-0.5, eps=(1e-5, 1e-2), d=2.0, weight_decay=0.1, maximize=True))
case("muon", lambda p: optim.Muon(p, lr=0.05), ("p",), torch.float32)
case("muon_plain", lambda p: optim.Muon(p, lr=0.05, nesterov=False, momentum=0.8, ns_steps=3, adjust_lr_fn="match_rms_adamw"), ("p",), torch.float32)
case("adam_max", lambda p: optim.Adam(p, lr=0.02, weight_decay=0.1, maximize=True))
case("adam_decoupled", lambda p: optim.Adam(p, lr=0.02, weight_decay=0.1, decoupled_weight_decay=True))
case("adamw_max", lambda p: optim.AdamW(p, lr=0.02, maximize=True))
case("sgd_max", lambda p: optim.SGD(p, lr=0.02, momentum=0.9, weight_decay=0.1, maximize=True))
case("rmsprop_max", lambda p: optim.RMSprop(p, lr=0.02, momentum=0.5, centered=True, maximize=True))
case("adagrad_max", lambda p: optim.Adagrad(p, lr=0.02, lr_decay=0.1, maximize=True))


def lion(lr, beta1, beta2, decay):
    def step(params):
        means = [torch.zeros_like(p) for p in params]

        @torch.no_grad()
        def take(t):
            for p, m in zip(params, means):
                direction = (beta1 * m + (1 - beta1) * p.grad).sign()
                p.sub_(lr * (direction + decay * p))
                m.copy_(beta2 * m + (1 - beta2) * p.grad)

        return take

    return step


def lamb(lr, beta1, beta2, eps, decay):
    def step(params):
        state = [(torch.zeros_like(p), torch.zeros_like(p)) for p in params]

        @torch.no_grad()
        def take(t):
            for p, (m, v) in zip(params, state):
                m.copy_(beta1 * m + (1 - beta1) * p.grad)
                v.copy_(beta2 * v + (1 - beta2) * p.grad**2)
                r = m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + eps)
                r = r + decay * p
                p.sub_(lr * p.norm() / r.norm() * r)

        return take

    return step


run("lion", lion(0.02, 0.9, 0.99, 0))
run("lion_decay", lion(0.02, 0.8, 0.95, 0.5))
run("lamb", lamb(0.02, 0.9, 0.999, 1e-6, 0))
run("lamb_decay", lamb(0.02, 0.8, 0.95, 1e-4, 0.3))


def sparse_adam():
    """Rows 0 and 2 are looked up in odd steps, row 1 in even ones; row 3 never."""
    table = torch.linspace(-1, 1, 12).reshape(4, 3).requires_grad_()
    optimizer = optim.SparseAdam([table], lr=0.02, betas=(0.8, 0.95), eps=1e-3)
    for t in range(1, 21):
        rows = torch.tensor([0, 2] if t % 2 else [1])
        values = gradient(table.detach()[rows], t)
        table.grad = torch.sparse_coo_tensor(rows[None], values, table.shape)
        optimizer.step()
        if t in KEPT:
            out[f"sparse_adam.{t}.p"] = table.detach().clone()


sparse_adam()
save(out, os.path.join(os.path.dirname(__file__), "more_reference.safetensors"))
