"""Rows about jobs: how fast they start, what follows when a process is killed or stopped, how ranks come back."""
import math
import os
import re
import signal
import statistics
import subprocess
import time

from jobs import LIMIT, Failure, free_endpoint, last, now
from rows import Row, Trial, number_text, size_text

PATIENCE = 20  # s, for what may never come


def start(side):
    with side.job(2, "start") as job:
        main, stepped = job.of_ranks("main", 2), job.of_ranks("stepped", 2)
        job.end()
        return last(main) - job.launched, last(stepped) - job.launched


def kill_rank(side):
    with side.job(3, "train") as job:
        ready = job.of_ranks("ready", 3)
        time.sleep(0.5)
        killed = now()
        os.kill(ready[1].pid, signal.SIGKILL)
        thrown = job.of_ranks("thrown", 2)
        return last(thrown) - killed, job.end() - killed


def kill_launcher(side):
    with side.job(2, "train") as job:
        job.of_ranks("ready", 2)
        time.sleep(0.5)
        killed = now()
        os.kill(job.launcher.pid, signal.SIGKILL)
        return (job.gone(PATIENCE) - killed,)


def stop_rank(victim, text):
    """Until each other rank has thrown a text that matches; a rank that has not after a while counts as never."""
    def measure(side):
        with side.job(3, "train", "stay") as job:
            ready = job.of_ranks("ready", 3)
            time.sleep(2.5)  # heartbeats tell of the calls now
            stopped = now()
            os.kill(ready[victim].pid, signal.SIGSTOP)
            thrown = job.of_ranks("thrown", 2, PATIENCE)
            if not thrown:
                return (math.inf,)
            for event in thrown.values():
                if not re.search(text, event.text):
                    raise Failure(f"rank {event.rank} does not say who, where and which call: {event.text}")
            return (last(thrown) - stopped,)
    return measure


def generations(*jobs):
    """A process in a generation, for all that have made a step: either is another one where ranks have met again."""
    return {(e.pid, e.text.split()[0]) for job in jobs for e in list(job.events) if e.name == "stepped"}


def first_steps(jobs, known, ranks, limit):
    """Each rank's first step in a generation that is not known, by rank; None when the time is over."""
    deadline = now() + limit
    while now() < deadline:
        steps = {}
        for job in jobs:
            for e in list(job.events):
                if e.name == "stepped" and (e.pid, e.text.split()[0]) not in known:
                    steps.setdefault(e.rank, e)
        if len(steps) >= ranks:
            return steps
        time.sleep(0.005)
    return None


def steps_made(job, rank, generation):
    return [int(e.text.split()[1]) for e in list(job.events)
            if e.name == "stepped" and e.rank == rank and int(e.text.split()[0]) == generation]


def train_a_while(job, ranks):
    job.wait("some steps of all ranks", lambda events: sum(e.name == "stepped" for e in events) >= 20 * ranks)
    return job.of_ranks("stepped", ranks)


def replace_rank(side):
    with side.elastic_job(2) as job:
        before, known = train_a_while(job, 2), generations(job)
        killed = now()
        os.kill(before[1].pid, signal.SIGKILL)
        after = first_steps([job], known, 2, LIMIT) or job.fail("no step after the loss of a rank")
        lost = steps_made(job, 0, 0)[-1] + 1 - steps_made(job, 0, 1)[0]
        return last(after) - killed, float(after[0].pid != before[0].pid), float(lost)


def come_and_go(side):
    endpoint = free_endpoint()
    with side.node(0, endpoint) as zero:
        survivor, known = train_a_while(zero, 1)[0].pid, generations(zero)
        launched = now()
        with side.node(1, endpoint) as one:
            both = first_steps([zero, one], known, 2, LIMIT) or one.fail("no step of both nodes")
            restarted = all(e.pid != survivor for e in both.values())
            time.sleep(0.5)
            known = generations(zero, one)
            killed = now()
            os.kill(one.launcher.pid, signal.SIGKILL)
            alone = first_steps([zero], known, 1, PATIENCE)
            left = last(alone) - killed if alone else math.inf
            return last(both) - launched, left, float(restarted)


def start_launcher(side):
    times = []
    for _ in range(20 if side.name == "Strata" else 3):
        begin = now()
        subprocess.run([*side.launcher, "--help"], stdout=subprocess.DEVNULL, check=True, timeout=60)
        times.append(now() - begin)
    return (statistics.median(times),)


def sizes(side):
    files = [side.build / "bin" / "stratarun", next(side.build.rglob("libstrata_gloo.so"))]
    return [os.path.getsize(file) for file in files]


def families():
    named = r"all_reduce \(call \d+ of group \w+.*rank 2 is silent: .*all_reduce, call \d+ of"
    without_store = r"all_reduce \(call \d+ of group \w+.*rank 0 is silent"
    never = f"never (> {PATIENCE} s)"
    return {
        "starting": [
            Trial([Row("launch to main of the last of 2 workers", "30 ms", 0.03),
                   Row("launch to the end of the first data-parallel step, 2 ranks", "300 ms", 0.3)], start),
            Trial([Row("the launcher's --help", "5 ms", 0.005)], start_launcher),
            Trial([Row("stratarun", "≤ 1 MB", 2**20, size_text),
                   Row("libstrata_gloo.so", "≤ 1 MB", 2**20, size_text)],
                  sizes, has_peer=False, turns=1),
        ],
        "failing": [
            Trial([Row("kill -9 of a rank of 3: the others have thrown", "100 ms", 0.1),
                   Row("kill -9 of a rank of 3: the job has exited", "300 ms", 0.3)], kill_rank),
            Trial([Row("kill -9 of the launcher: no process is left", "0.5 s", 0.5, beyond=never)], kill_launcher),
            Trial([Row("SIGSTOP of rank 2 of 3: rank, op and call named on the others", "5 s", 5, beyond=never)],
                  stop_rank(2, named)),
            Trial([Row("SIGSTOP of rank 0 of 3, which has the store: rank and own call named", "5 s", 5, beyond=never)],
                  stop_rank(0, without_store)),
        ],
        "elastic": [
            Trial([Row("kill -9 of a rank of 2: next step of both", "1 s", 1),
                   Row("kill -9 of a rank of 2: survivors that were restarted", "0", 0, number_text),
                   Row("kill -9 of a rank of 2: steps made again", "≤ 1", 1, number_text)], replace_rank),
            Trial([Row("a second node comes: next step of both", "1 s", 1),
                   Row("its launcher is killed: next step of the other", "1 s", 1, beyond=never),
                   Row("a node comes: survivors that were restarted", "0", 0, number_text)], come_and_go),
        ],
    }
