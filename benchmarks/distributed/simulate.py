#!/usr/bin/env python3
"""Distributed training on paper: what jobs of 10, 1,000 and 10,000 ranks cost by today's protocols and by others.

    benchmarks/distributed/simulate.py                        prints the tables of docs/scale.md
    benchmarks/distributed/simulate.py --write docs/scale.md  puts them into the page
    benchmarks/distributed/simulate.py --check docs/scale.md  fails where the page has others

A message costs alpha seconds and each of its bytes beta. Those of one machine are fitted to what run.py has measured
(measured.json beside this file, which `run.py --json` writes); those between machines are assumed. Counts of requests
are of the protocols as they are written: the comments say where.
"""
import argparse
import difflib
import json
import math
import pathlib
import re
import sys

MEASURED = json.loads((pathlib.Path(__file__).resolve().parent / "measured.json").read_text())
RANKS = (10, 1_000, 10_000)
PER_HOST = 8
MB, GB = 1 << 20, 1e9

# Between hosts, assumed: 25 Gbit/s for each host, whose ranks share it.
ALPHA_LINK, BETA_LINK = 30e-6, 1 / 3.125e9
# The model: 350 million parameters in float32 in 300 tensors, whose gradients come evenly during the backward pass.
PARAMETERS, TENSORS, BACKWARD = 350e6, 300, 3.0
# The store, by a client that asks it in turns on a busy machine, and the ranks' way to it.
REQUESTS_PER_SECOND, STORE_BYTES_PER_SECOND = 37e3, 1e9
ADDRESS = 136          # bytes that Gloo's address of a pair takes in the store
PAIR_BYTES = 6.4e3     # that a process takes for each other rank, measured with 80
SMALL_PAIR_BYTES = 41e3  # the same among up to 64, which have memory for short messages; measured with 48
DISK = 2e9             # bytes a second of the file system that all ranks write to
RANK_MTBF = 50_000.0   # hours; Llama 3's 16,384 GPUs were interrupted every 3.1 h
RESTART = 120.0        # seconds until a job that was started again trains


# ---- One machine: alpha and beta ------------------------------------------------------------------------------------

def messages_and_bytes(ranks, size):
    """Of an all_reduce, over all ranks: ordered_group.cpp. Up to 16 KiB all gather, else rounds of 4 MiB go twice."""
    if size <= 16 << 10:
        return ranks * (ranks - 1), ranks * (ranks - 1) * size
    rounds = math.ceil(size / (4 * MB))
    return 2 * ranks * (ranks - 1) * rounds, 2 * (ranks - 1) * size


def on_one_machine(ranks, size, alpha, beta):
    """Messages are work of the processor, so ranks that share cores wait for each other."""
    messages, sent = messages_and_bytes(ranks, size)
    return (messages * alpha + sent * beta) / min(ranks, MEASURED["cores"])


def fit():
    """By two of the measured rows; the others are predictions."""
    rows = MEASURED["values"]
    alpha = rows["2 ranks: all_reduce 4 B"]
    size = 64 * MB
    messages, sent = messages_and_bytes(2, size)
    return alpha, (rows["2 ranks: all_reduce 64 MB"] * 2 - messages * alpha) / sent


ALPHA, BETA = fit()


def predicted():
    yield "all_reduce", "ranks", "predicted", "measured", "measured / predicted"
    for ranks in (2, 4):
        for name, size in (("4 B", 4), ("1 MB", MB), ("64 MB", 64 * MB)):
            model = on_one_machine(ranks, size, ALPHA, BETA)
            seconds = MEASURED["values"][f"{ranks} ranks: all_reduce {name}"]
            fitted = ranks == 2 and name != "1 MB"
            yield name, ranks, "fitted" if fitted else time_text(model), time_text(seconds), f"{seconds / model:.1f}"


# ---- All-reduce between hosts ---------------------------------------------------------------------------------------

def hosts_of(ranks):
    return math.ceil(ranks / PER_HOST)


def direct(ranks, size):
    """Today's: each rank sends to all others, twice, in rounds of 4 MiB; a host's ranks share its link."""
    rounds, h = math.ceil(size / (4 * MB)), min(PER_HOST, ranks)
    work = 2 * (ranks - 1) * rounds * ALPHA + 2 * size * (ranks - 1) / ranks * BETA
    link = h * 2 * size * (1 - h / ranks) * BETA_LINK
    return max(work, link)


def ring(ranks, size):
    return 2 * (ranks - 1) * (max(ALPHA, ALPHA_LINK) + size / ranks * max(BETA, BETA_LINK))


def tree(ranks, size, piece=MB // 4):
    """Down and up a binary tree of all ranks, in pieces."""
    steps = math.ceil(math.log2(ranks)) + math.ceil(size / piece) - 1
    return 2 * steps * (max(ALPHA, ALPHA_LINK) + min(size, piece) * max(BETA, BETA_LINK))


def two_levels(ranks, size):
    """Direct inside of a host, by halving and doubling between hosts, each rank with its part."""
    h, hosts = min(PER_HOST, ranks), hosts_of(ranks)
    inside = 2 * (h - 1) * (ALPHA + size / h * BETA)
    return inside + 2 * math.ceil(math.log2(hosts)) * ALPHA_LINK + 2 * size * (hosts - 1) / hosts * BETA_LINK


ALGORITHMS = {"direct (today)": direct, "ring": ring, "tree": tree, "two levels": two_levels}


def all_reduces():
    yield "all_reduce", *(f"{w:,} ranks" for w in RANKS)
    for size, name in ((4, "4 B"), (25 * MB, "25 MB")):
        for algorithm, f in ALGORITHMS.items():
            yield f"{name}, {algorithm}", *(time_text(f(w, size)) for w in RANKS)


def after_backward(ranks, bucket, f):
    """Seconds from the end of backward to the last average: buckets wait for their gradients and for each other."""
    count = math.ceil(4 * PARAMETERS / bucket)
    free = 0.0
    for i in range(1, count + 1):
        free = max(free, BACKWARD * i / count) + f(ranks, min(bucket, 4 * PARAMETERS))
    return free - BACKWARD


def buckets():
    sizes = (1, 5, 25, 100, 400)
    yield "bucket", *(f"{w:,} ranks, {name}" for w in RANKS for name in ("today", "two levels"))
    for size in sizes:
        yield f"{size} MB", *(time_text(after_backward(w, size * MB, f)) for w in RANKS for f in (direct, two_levels))


# ---- Meeting --------------------------------------------------------------------------------------------------------

def requests_to_meet(ranks):
    """All ranks', of Gloo's full mesh by a meeting (gloo/engine.cpp): names of lower ranks, two own keys that are set
    and removed, each other rank's addresses; a get is a wait and a get."""
    return ranks * (ranks - 1) + ranks * (4 + 2 * (ranks - 1))


def bytes_to_meet(ranks):
    """What the store hands out: to each rank, from each other one, where that listens for all."""
    return ranks * (ranks - 1) * (ranks - 1) * ADDRESS


def seconds_to_meet(ranks):
    return requests_to_meet(ranks) / REQUESTS_PER_SECOND + bytes_to_meet(ranks) / STORE_BYTES_PER_SECOND


def launcher_requests(ranks):
    """participant.cpp: a node asks for the generation, takes its place, beats and gets the plan; node 0 looks for all
    that are missing each time that one has come, and reads what each is."""
    nodes = hosts_of(ranks)
    return 6 * nodes + nodes * (nodes + 1) // 2 + 3 * nodes


def heartbeats(ranks):
    """Each second, failure_watch.cpp: a beat, twice a look for a failure (one request) and at the next rank's beat
    (check, wait, get)."""
    return ranks * (1 + 2 * (1 + 3))


def pair_bytes(ranks):
    return ranks * (SMALL_PAIR_BYTES if ranks <= 64 else PAIR_BYTES)


def meeting():
    yield "meeting and watching", *(f"{w:,} ranks" for w in RANKS)
    for name, f, text in (
            ("launchers' requests, 8 ranks each", launcher_requests, count_text),
            ("ranks' requests to meet", requests_to_meet, count_text),
            ("bytes that the store hands out for it", bytes_to_meet, size_text),
            ("time of both at the store", seconds_to_meet, time_text),
            ("rank 0's connections as the store", lambda w: 2 * w, count_text),
            ("memory of a rank's connections", pair_bytes, size_text),
            ("heartbeats' requests, each second", heartbeats, count_text),
            ("of what a store can answer", lambda w: heartbeats(w) / REQUESTS_PER_SECOND, percent_text)):
        yield name, *(text(f(w)) for w in RANKS)


# ---- Limits ---------------------------------------------------------------------------------------------------------

def most_ranks(fits):
    """The largest number of ranks, below a million, that `fits`, which is true up to there."""
    low, high = 1, 1_000_000
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


LIMITS = (
    ("short messages without announcement (kMostRanks)", lambda w: w <= 64),
    ("25 MB at most twice as long as by two levels", lambda w: direct(w, 25 * MB) <= 2 * two_levels(w, 25 * MB)),
    ("a connection to each rank, of 1,024 descriptors", lambda w: w - 1 + 30 <= 1024),
    ("meeting within the five minutes of its deadline", lambda w: seconds_to_meet(w) <= 300),
    ("addresses in the store's 1 GiB", lambda w: w * (w - 1) * ADDRESS <= 1 << 30),
    ("ports of a host: 8 ranks listen for each other one", lambda w: PER_HOST * (w - 1) <= 60_999 - 32_768 + 1),
    ("heartbeats that one store can answer", lambda w: heartbeats(w) <= REQUESTS_PER_SECOND),
    ("rank 0's descriptors as the store, of 20,000", lambda w: 2 * w + w + 30 <= 20_000),
)


def limits():
    """A drawing: how far each goes, on a logarithmic scale of 10 to 10,000 ranks."""
    per_decade, width = 12, 52
    yield " " * width + "".join(mark.ljust(per_decade) for mark in ("10", "100", "1,000", "10,000")).rstrip()
    yield " " * width + ("├" + "─" * (per_decade - 1)) * 3 + "┤"
    for name, fits in sorted(LIMITS, key=lambda limit: most_ranks(limit[1])):
        most = most_ranks(fits)
        yield name.ljust(width) + "█" * max(1, round(per_decade * math.log10(most / 10))) + f" {most:,}"


# ---- Checkpoints and restarts ---------------------------------------------------------------------------------------

def state_bytes():
    """Parameters and Adam's two moments in float32."""
    return 12 * PARAMETERS


def table_bytes(parts):
    """What each rank gathers to learn what all have: about 100 bytes for each part of a tensor (checkpoints.md)."""
    return lambda ranks: 100 * ranks * parts(ranks)


def parts_sharded(ranks):
    """A rank's shards end within tensors: one part for each unit of 12 tensors, or all that fall to it, and moments."""
    return 3 * (TENSORS // 12 + TENSORS / ranks)


def write_seconds(_):
    return state_bytes() / DISK


def checkpoints():
    yield "checkpoint of 350 M parameters with Adam", *(f"{w:,} ranks" for w in RANKS)
    for name, f, text in (
            ("volume", lambda w: state_bytes(), size_text),
            ("of one rank", lambda w: state_bytes() / w, size_text),
            ("time to write at 2 GB/s for all", write_seconds, time_text),
            ("files, at most", lambda w: 3 * w, count_text),
            ("tables that each rank gathers, sharded", table_bytes(parts_sharded), size_text),
            ("tables that each rank gathers, replicated", table_bytes(lambda w: 3 * TENSORS), size_text)):
        yield name, *(text(f(w)) for w in RANKS)


def interval(ranks):
    """Young's, between checkpoints."""
    return math.sqrt(2 * write_seconds(ranks) * RANK_MTBF / ranks * 3600)


def lost_with_restarts(ranks):
    """The share of time that goes into checkpoints, work that is made again, and starting (Daly, first order)."""
    mtbf = RANK_MTBF / ranks * 3600
    return write_seconds(ranks) / interval(ranks) + interval(ranks) / 2 / mtbf + RESTART / mtbf


def lost_elastic(ranks):
    """Survivors meet again and repeat a step of 1.5 backward passes; the state is on each of them."""
    mtbf = RANK_MTBF / ranks * 3600
    return (1 + seconds_to_meet(ranks) + 1.5 * BACKWARD) / mtbf


def restarts():
    yield "failures", *(f"{w:,} ranks" for w in RANKS)
    for name, f, text in (
            ("mean time between them", lambda w: RANK_MTBF / w * 3600, time_text),
            ("best interval of checkpoints (Young)", interval, time_text),
            ("time lost, all start again from a checkpoint", lost_with_restarts, percent_text),
            ("time lost, elastic, meeting as today", lost_elastic, percent_text)):
        yield name, *(text(f(w)) for w in RANKS)


# ---- Text -----------------------------------------------------------------------------------------------------------

def rounded(value):
    """To two digits, without an exponent."""
    text = f"{float(f'{value:.2g}'):,.5f}"
    return text.rstrip("0").rstrip(".")


def scaled(value, units):
    """In the largest unit that leaves at least one."""
    unit, size = next(((u, s) for u, s in units if value >= s), units[-1])
    return f"{rounded(value / size)} {unit}".strip()


def time_text(seconds):
    return scaled(seconds, (("d", 86400), ("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3), ("µs", 1e-6)))


def size_text(number):
    return scaled(number, (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1)))


def count_text(number):
    return scaled(number, (("G", 1e9), ("M", 1e6), ("", 1)))


def percent_text(share):
    return f"{rounded(100 * share)} %"


def table(rows):
    head, *rest = rows
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *rest)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def blocks():
    """What the page shows, by name."""
    tables = (predicted, all_reduces, buckets, meeting, checkpoints, restarts)
    drawing = "\n".join(f"    {line}" for line in limits())
    return {**{f.__name__: table(f()) for f in tables}, "limits": drawing}


def filled(page):
    """The page with today's blocks: each stands behind a comment that names it, up to an empty line."""
    made = blocks()
    named = re.findall(r"<!-- simulate.py: (\w+) -->", page)
    if sorted(named) != sorted(made):
        sys.exit(f"simulate.py: the page has {named}, wanted are {list(made)}")
    return re.sub(r"(<!-- simulate.py: (\w+) -->\n\n?).*?(?=\n\n)", lambda m: m[1] + made[m[2]], page, flags=re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--check", type=pathlib.Path, metavar="PAGE")
    args = parser.parse_args()
    if not (args.write or args.check):
        return print(*blocks().values(), sep="\n\n")
    path = args.write or args.check
    before = path.read_text()
    after = filled(before)
    if args.write:
        path.write_text(after)
    elif before != after:
        changes = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
        sys.exit("\n".join([*changes, f"simulate.py: {path} is not what it prints; --write mends it"]))


if __name__ == "__main__":
    main()
