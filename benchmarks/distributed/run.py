#!/usr/bin/env python3
"""Ranks on one machine, Strata beside PyTorch with Gloo: starts both in turn, and prints medians and their ratios.

    benchmarks/distributed/run.py [--build DIR] [--python PYTHON] [--ranks 2 4] [--turns 3] [--rounds 15]

Without PYTHON, or where it has no PyTorch, Strata runs alone.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def seconds(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    line = next(line for line in done.stdout.splitlines() if "{" in line)
    return json.loads(line[line.index("{"):])


def medians(runs):
    return {row: statistics.median(run[row] for run in runs) for row in runs[0]}


def cost(row):
    """What being data-parallel adds to a step, in all-reduces of as many bytes."""
    added = row["perceptron, data-parallel step"] - row["perceptron, step alone"]
    return added / row["perceptron, all_reduce alone"]


def report(ranks, own, peer):
    print(f"\n| {ranks} ranks | Strata, ms | PyTorch, ms | Strata / PyTorch |\n|---|---|---|---|")
    for row, took in own.items():
        beside = f"{peer[row] * 1e3:.3f} | {took / peer[row]:.2f}" if peer else "- | -"
        print(f"| {row} | {took * 1e3:.3f} | {beside} |")
    print(f"| (data-parallel step - step) / all_reduce | {cost(own):.2f} | {f'{cost(peer):.2f}' if peer else '-'} | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(FOLDER.parent.parent / "build"))
    parser.add_argument("--python", help="one that has PyTorch")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounds", default="15")
    args = parser.parse_args()
    for ranks in args.ranks:
        own = [f"{args.build}/bin/stratarun", "--nproc-per-node", str(ranks),
               f"{args.build}/benchmarks/ranks", args.rounds]
        peer = [args.python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks),
                str(FOLDER / "peer.py"), args.rounds]
        runs = [(seconds(own), seconds(peer) if args.python else None) for _ in range(args.turns)]
        report(ranks, medians([a for a, _ in runs]), medians([b for _, b in runs]) if args.python else None)


main()
