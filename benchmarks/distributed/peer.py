"""The rows of benchmarks/distributed/ranks.cpp for PyTorch with Gloo; benchmarks/distributed/run.py starts it.

    torchrun --nproc-per-node N peer.py [ROUNDS]

Rank 0 prints seconds by row as JSON.
"""
import json
import statistics
import sys
import time

import torch
import torch.distributed as dist
from torch import nn


def perceptron():
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))


def step_of(net, optimizer):
    x, y = torch.randn(64, 784), torch.randint(10, (64,))

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    return step


def all_reduce(numbers):
    x = torch.zeros(numbers)
    return lambda: dist.all_reduce(x)


def seconds_of(f, times):
    start = time.perf_counter()
    for _ in range(times):
        f()
    return (time.perf_counter() - start) / times


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.set_num_threads(1)
    torch.manual_seed(0)
    dist.init_process_group("gloo")
    alone, wrapped = perceptron(), perceptron()
    ddp = nn.parallel.DistributedDataParallel(wrapped, gradient_as_bucket_view=True)
    of_alone, of_wrapped = (torch.optim.SGD(m.parameters(), lr=0.01, momentum=0.9) for m in (alone, wrapped))
    rows = {
        "all_reduce 4 B": (500, all_reduce(1)),
        "all_reduce 1 MB": (50, all_reduce(1 << 18)),
        "all_reduce 64 MB": (1, all_reduce(1 << 24)),
        "perceptron, all_reduce alone": (50, all_reduce(sum(p.numel() for p in alone.parameters()))),
        "perceptron, step alone": (50, step_of(alone, of_alone)),
        "perceptron, data-parallel step": (50, step_of(ddp, of_wrapped)),
    }
    seconds = {name: [] for name in rows}
    for turn in range(rounds + 1):
        for name, (times, f) in rows.items():
            dist.barrier()
            took = seconds_of(f, times)
            if turn > 0:  # the first one warms up
                seconds[name].append(took)
    if dist.get_rank() == 0:
        print(json.dumps({name: statistics.median(took) for name, took in seconds.items()}))
    dist.destroy_process_group()


main()
