"""Rows about training: collectives and data-parallel steps, the state of sharded ranks, bits that stay the same."""
import json
import math
import os
import random
import signal
import time

from rows import Row, Trial, number_text, yes_text

COST = "(data-parallel step - step) / all_reduce"
COLLECTIVES = {  # rows that `ranks` prints, and what is wanted of their ratio
    "all_reduce 4 B": 1.0,
    "all_reduce 1 MB": 1.0,
    "all_reduce 64 MB": 1.0,
    "perceptron, all_reduce alone": None,
    "perceptron, step alone": None,
    "perceptron, data-parallel step": None,
}


def cost(seconds):
    """What being data-parallel adds to a step, in all-reduces of as many bytes."""
    added = seconds["perceptron, data-parallel step"] - seconds["perceptron, step alone"]
    return added / seconds["perceptron, all_reduce alone"]


def collectives(ranks, rounds, is_bound=False):
    def measure(side):
        start = side.bound_job if is_bound else side.job
        with start(ranks, str(rounds), program="ranks") as job:
            job.end(600)
            job.wait("the times", lambda _: job.silent)
            line = next((line for line in job.lines if "{" in line), None) or job.fail("it printed no times")
            seconds = json.loads(line[line.index("{"):])
            return [*(seconds[name] for name in COLLECTIVES), cost(seconds)]

    rows = [Row(name, "≤ 1.0x" if limit else "", limit or float("nan"), relative=True)
            for name, limit in COLLECTIVES.items()]
    return Trial([*rows, Row(COST, "≤ 1.0", 1.0, number_text)], measure)


def state(side):
    """The largest share of the ranks."""
    with side.job(4, "state") as job:
        shares = []
        for event in job.of_ranks("state", 4).values():
            replicated, sharded = map(int, event.text.split())
            shares.append(sharded / replicated)
        job.end()
        return (max(shares),)


def replicas(side):
    """Of a sharded step whose state goes to the other ranks: without that, waiting for it, and beside the next step."""
    with side.job(2, "replicas", "1024") as job:
        seconds = tuple(map(float, job.of_ranks("replicated", 2)[0].text.split()))
        job.end()
        return seconds


def same_bits(optimizer):
    def measure(side):
        weights = set()
        for ranks in (1, 2, 4, 8):
            with side.job(ranks, "bits", optimizer) as job:
                weights.update(e.text for e in job.of_ranks("weights", ranks).values())
                job.end()
        return (float(len(weights) == 1),)
    return measure


def bits_of_steps(job):
    """What each rank has said: pairs of a step and the bits of the weights after it."""
    return {tuple(e.text.split()[1:]) for e in list(job.events) if e.name == "stepped"}


def wait_for_steps(job, count):
    before = len(job.events)
    job.wait("a next step", lambda events: sum(e.name == "stepped" for e in events[before:]) >= count)


def disturb(side, known, seed):
    """Kills ranks at random moments, then the launcher. Every step has to be one of an unbroken job."""
    chance = random.Random(seed)
    with side.elastic_job(2) as job:
        for _ in range(chance.randint(1, 3)):
            wait_for_steps(job, 4)
            time.sleep(chance.random() * 0.05)
            workers = {e.pid for e in list(job.events)} & set(job.processes())
            os.kill(chance.choice(sorted(workers)), signal.SIGKILL)
        wait_for_steps(job, 8)
        os.kill(job.launcher.pid, signal.SIGKILL)
        if math.isinf(job.gone(10)):
            job.fail(f"chaos run {seed}: a process was left")
        if wrong := bits_of_steps(job) - known:
            job.fail(f"chaos run {seed}: other bits after the steps {sorted(wrong)[:3]}")


def chaos(runs):
    def measure(side):
        with side.elastic_job(2) as job:
            wait_for_steps(job, 2000)
            known = bits_of_steps(job)
        for seed in range(runs):
            disturb(side, known, seed)
        return (1.0,)
    return measure


def families(ranks, rounds, runs):
    tables = {f"{n} ranks": [collectives(n, rounds)] for n in ranks}
    tables |= {f"{n} ranks, each on its own core": [collectives(n, rounds, is_bound=True)]
               for n in ranks if n <= os.cpu_count()}
    tables["state and bits"] = [
        Trial([Row("ZeRO-3 state of a rank over DDP's, 4 ranks", "≤ 0.30", 0.30, number_text)], state, turns=1),
        Trial([Row("a sharded step, 2 ranks"), Row("and its state sent to the other rank"),
               Row("and sent beside the next step")], replicas, has_peer=False),
        *(Trial([Row(f"same bits for 1, 2, 4, 8 ranks, 50 steps of {optimizer}", "yes", text=yes_text)],
                same_bits(optimizer), has_peer=False, turns=1) for optimizer in ("sgd", "adam")),
        Trial([Row(f"{runs} chaos runs: no hang, no orphan, same bits", "yes", text=yes_text)],
              chaos(runs), has_peer=False, turns=1),
    ]
    return tables
