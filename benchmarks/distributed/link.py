"""Rows about a slow link: a data-parallel step between two machines, which are network namespaces joined by a token bucket.

A step on one rank, an all_reduce of its gradients, and the data-parallel step, which should take little more than the longer
one of the two. Where they are about equal it cannot: nothing travels during the forward pass, a third of the step.
"""
import itertools
import os
import subprocess

from rows import Row, Trial, number_text

MEGABITS = 200
BURST = "256kb"  # a hundredth of a second: with 64 KB the bucket's own timers take a third of the cores from the ranks
EXAMPLES = {8192: 1.1, 4096: 1.5, 1024: 1.1}  # of a rank, and what is wanted: the middle one is where both are about equal
COUNT = itertools.count()
ADDRESS, DEVICE = "10.78.0.1", "link0"


class TwoMachines:
    """`with` makes them and takes them away."""

    def __init__(self, megabits):
        self.names = [f"strata-link-{os.getpid()}-{next(COUNT)}" for _ in range(2)]
        self.megabits = megabits

    def __enter__(self):
        for name in self.names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", DEVICE, "netns", self.names[0], "type", "veth", "peer", "name", DEVICE, "netns", self.names[1])
        for number, name in enumerate(self.names):
            run("ip", "-netns", name, "address", "add", f"10.78.0.{number + 1}/24", "dev", DEVICE)
            for device in ("lo", DEVICE):
                run("ip", "-netns", name, "link", "set", device, "up")
            run("ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", DEVICE, "root", "tbf",
                "rate", f"{self.megabits}mbit", "burst", BURST, "latency", "100ms")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], check=False)

    def on(self, machine):
        """The words before a command that runs there, on a core of its own."""
        cores = sorted(os.sched_getaffinity(0))
        core = str(cores[machine % len(cores)])
        return ["ip", "netns", "exec", self.names[machine], "taskset", "-c", core, "env", f"GLOO_SOCKET_IFNAME={DEVICE}"]


def run(*command):
    subprocess.run(command, check=True, timeout=10)


def overlap(examples):
    def measure(side):
        with TwoMachines(MEGABITS) as machines:
            jobs = [side.machine(machines.on(m), m, f"{ADDRESS}:29400", "overlap", str(examples)) for m in range(2)]
            with jobs[0], jobs[1]:
                local, reduced, step = map(float, jobs[0].of_ranks("overlapped", 1)[0].text.split())
                for job in jobs:
                    job.end()
        return local, reduced, step, step / max(local, reduced)
    return measure


def replicas(side):
    with TwoMachines(MEGABITS) as machines:
        jobs = [side.machine(machines.on(m), m, f"{ADDRESS}:29400", "replicas", "1024") for m in range(2)]
        with jobs[0], jobs[1]:
            seconds = tuple(map(float, jobs[0].of_ranks("replicated", 1)[0].text.split()))
            for job in jobs:
                job.end()
    return seconds


def families():
    trials = [Trial([Row("a sharded step"), Row("and its state sent to the other rank"),
                     Row("and sent beside the next step")], replicas, has_peer=False)]
    for examples, limit in EXAMPLES.items():
        rows = [Row(f"{examples} examples: {what}") for what in ("step alone", "all_reduce alone", "data-parallel step")]
        share = Row(f"{examples} examples: data-parallel step / the longer one", f"≤ {limit}", limit, number_text)
        trials.append(Trial([*rows, share], overlap(examples)))
    return {f"link of {MEGABITS} Mbit": trials}
