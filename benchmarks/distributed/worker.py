"""The ranks of benchmarks/distributed/worker.cpp for PyTorch with Gloo; benchmarks/distributed/run.py starts it.

    torchrun --nproc-per-node N worker.py start | train [stay] | elastic | state | overlap EXAMPLES
"""
import os
import signal
import statistics
import sys
import time

COMPUTING = 0.002  # what a rank does between two steps, beside others on few cores


def say(event, text=""):
    line = f"at {time.monotonic_ns()} rank {os.environ.get('RANK', 0)} pid {os.getpid()} {event} {text}"
    os.write(1, (line.replace("\n", " ") + "\n").encode())  # at once, so that lines of ranks do not mix


say("main")

import torch  # noqa: E402: main comes before what is loaded
import torch.distributed as dist  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.parallel import DistributedDataParallel  # noqa: E402


def step_of(net, optimizer, x):
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()


def start():
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    ddp = DistributedDataParallel(net, gradient_as_bucket_view=True)
    step_of(ddp, torch.optim.SGD(net.parameters(), lr=0.01), torch.randn(64, 784))
    say("stepped")


def train():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    x = torch.zeros(1000)
    dist.all_reduce(x)
    say("ready")
    try:
        while True:
            dist.all_reduce(x)
            time.sleep(COMPUTING)
    except RuntimeError as error:
        say("thrown", error)
        if "stay" in sys.argv:
            time.sleep(3600)
        raise


def train_elastically():
    """A rank that is started again begins anew: what it knew, a checkpoint would have to tell it."""
    net = DistributedDataParallel(nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    restart, step = os.environ["TORCHELASTIC_RESTART_COUNT"], 0
    while True:
        step_of(net, optimizer, torch.randn(16, 8))
        step += 1
        say("stepped", f"{restart} {step}")
        time.sleep(COMPUTING)


def layers():
    return nn.Sequential(*(nn.Linear(256, 256) for _ in range(16)))


def bytes_in_training(net):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
    for _ in range(2):
        step_of(net, optimizer, torch.randn(16, 256))
    tensors = []
    for p in net.parameters():
        tensors += [p, p.grad, *optimizer.state[p].values()]
    return sum(getattr(t, "_local_tensor", t).nbytes for t in tensors)


def compare_states():
    from torch.distributed.fsdp import fully_shard
    mesh = dist.init_device_mesh("cpu", (dist.get_world_size(),))
    sharded = layers()
    for unit in [*sharded, sharded]:
        fully_shard(unit, mesh=mesh)
    say("state", f"{bytes_in_training(DistributedDataParallel(layers()))} {bytes_in_training(sharded)}")


def seconds_of(f):
    """The median of some calls that all ranks begin together."""
    seconds = []
    for _ in range(6):
        dist.barrier()
        begin = time.perf_counter()
        f()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds[1:])


def overlap():
    net = nn.Sequential(*(nn.Linear(512, 512) for _ in range(8)))
    ddp = DistributedDataParallel(nn.Sequential(*(nn.Linear(512, 512) for _ in range(8))), bucket_cap_mb=1,
                                  gradient_as_bucket_view=True)
    x, gradients = torch.randn(int(sys.argv[2]), 512), torch.zeros(sum(p.numel() for p in net.parameters()))
    local = seconds_of(lambda: step_of(net, torch.optim.SGD(net.parameters(), lr=0.001), x))
    reduced = seconds_of(lambda: dist.all_reduce(gradients))
    step = seconds_of(lambda: step_of(ddp, torch.optim.SGD(ddp.parameters(), lr=0.001), x))
    say("overlapped", f"{local} {reduced} {step}")


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    say("joined")
    {"start": start, "train": train, "elastic": train_elastically, "state": compare_states,
     "overlap": overlap}[sys.argv[1]]()
    dist.destroy_process_group()


main()
