#!/usr/bin/env python3
"""Distributed jobs on one machine, Strata beside PyTorch with Gloo: both in turn, medians, their ratio, what is wanted.

    benchmarks/distributed/run.py [--build DIR] [--python PYTHON] [--rows REGEX] [--turns 3]

Prints a Markdown table for each family of rows, the worst row first: starting, failing, elastic, collectives and steps
for each number of ranks, state and bits, steps over a slow link (which takes root, for network namespaces). Progress
goes to stderr. DIR has been configured with -DSTRATA_BUILD_BENCHMARKS=ON. Without PYTHON, one that has PyTorch, Strata
runs alone. Rows that are measured together are chosen together. A row that fails says why on stderr, shows no value and
makes the exit code 1; nothing that was started is left behind.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import launcher
import link
import training
from jobs import Failure, Strata, Torch
from rows import print_table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), help="Strata's build folder (default: %(default)s)")
    parser.add_argument("--python", help="a Python that has PyTorch")
    parser.add_argument("--rows", default="", metavar="REGEX", help="only rows with a match in 'family: name'")
    parser.add_argument("--list", action="store_true", help="print the rows' names and measure nothing")
    parser.add_argument("--turns", type=int, default=3, help="how often each side is measured (default: %(default)s)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4], help="of the collectives' tables")
    parser.add_argument("--rounds", type=int, default=15, help="of a collective, in each turn (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=50, help="of chaos (default: %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write Strata's values there")
    return parser.parse_args()


def measure(trial, sides, turns):
    """True where all went well."""
    fine = True
    for turn in range(trial.turns or turns):
        for side in sides if trial.has_peer else sides[:1]:
            print(f"{trial.rows[0].name}: {side.name}, turn {turn + 1}", file=sys.stderr, flush=True)
            try:
                values = trial.measure(side)
            except (Failure, OSError, subprocess.SubprocessError) as failure:
                print(f"{side.name} failed: {failure}", file=sys.stderr, flush=True)
                fine = False
                continue
            for row, value in zip(trial.rows, values, strict=True):
                row.values.setdefault(side.name, []).append(value)
    return fine


def write(file, tables):
    """What simulate.py fits its model of one machine to."""
    values = {f"{family}: {row.name}": row.value("Strata")
              for family, rows in tables.items() for row in rows if row.values}
    file.write_text(json.dumps({"cores": len(os.sched_getaffinity(0)), "values": values}, indent=1) + "\n")


def main():
    args = arguments()
    sides = [Strata(args.build), *([Torch(args.python)] if args.python else [])]
    fine, tables = True, {}
    families = {**launcher.families(), **training.families(args.ranks, args.rounds, args.runs), **link.families()}
    for family, trials in families.items():
        chosen = [t for t in trials if any(re.search(args.rows, f"{family}: {row.name}") for row in t.rows)]
        rows = [row for trial in chosen for row in trial.rows]
        if args.list:
            print(*(f"{family}: {row.name}" for row in rows), sep="\n")
            continue
        fine = all([measure(trial, sides, args.turns) for trial in chosen]) and fine
        print_table(family, rows)
        tables[family] = rows
    if args.json:
        write(args.json, tables)
    sys.exit(0 if fine else 1)


main()
