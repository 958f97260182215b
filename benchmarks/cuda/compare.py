"""Builds the workloads of benchmarks/cuda, runs them in Strata and PyTorch in turn and writes one table.

    script/bench --cuda [--python PYTHON] [--device cuda|cpu] [--tiny] [--rows REGEX] [--rounds N] [--build DIR] ...

PYTHON (or $STRATA_BENCH_PYTHON) is one that has PyTorch; without it only Strata's own column is filled.
Writes DIR/cuda.md and DIR/cuda.json (--out, else the folder of the build), each under its name only when it is complete. The times are medians over all
samples of all rounds; ratio is Strata's time over PyTorch's, so less is better. "Wanted" is what the row is to reach and,
with a mark, whether it did. A row that cannot run says why. Without a CUDA device it prints one line and exits with 0;
it exits with 1 if a row failed, after writing the table. The files are written anew after each turn of a library.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COPY = "copy, 64M floats"
EAGER, GRAPH = "MNIST MLP step, batch 128, eager", "MNIST MLP step, batch 128, CUDA graph"
NO_GRAD, RECORDING = "op of a chain, host side, no grad", "op of a chain, host side, recording"
ON_TOP, GRAPH_OVER_EAGER = "recording, on top", "MNIST MLP step: our CUDA graph, PyTorch eager"
# What each row is to reach: `ratio` and `memory` at most, `copy` (its bytes per second over the copy's) at least, `ns`
# at most.
WANTED = {
    "a + b, 64M floats": {"ratio": 1, "copy": 0.9},
    "a * 2, 64M floats": {"ratio": 1, "copy": 0.9},
    "exp, 64M floats": {"ratio": 1, "copy": 0.9},
    "chain relu(a * b + a), 64M floats": {"ratio": 1, "copy": 0.9},
    "sum, 64M floats": {"ratio": 1, "copy": 0.9},
    "max, 64M floats": {"ratio": 1, "copy": 0.9},
    "mean of rows, 64M floats": {"ratio": 1, "copy": 0.9},
    "mean of columns, 64M floats": {"ratio": 1, "copy": 0.9},
    "softmax 16384x4096 bf16, forward + backward": {"ratio": 0.8},
    "layer norm 16384x4096 bf16, forward + backward": {"ratio": 0.8},
    "matmul 8192 bf16": {"ratio": 1 / 0.97},
    "attention 4x16x4096x64 causal bf16, forward + backward": {"ratio": 1.05},
    NO_GRAD: {"ns": 2500},
    ON_TOP: {"ns": 1500},
    EAGER: {"ratio": 1 / 3},
    GRAPH_OVER_EAGER: {"ratio": 1 / 5},
    "char GPT step, bf16, batch 64 x 256": {"ratio": 0.8, "memory": 1},
    "GPT-2 124M step, bf16, batch 8 x 1024": {"ratio": 0.8, "memory": 1},
    "Adam step over 1e9 parameters": {"copy": 0.85},
}


def parse_arguments():
    p = argparse.ArgumentParser(prog="script/bench --cuda", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--python", default=os.environ.get("STRATA_BENCH_PYTHON", ""))
    p.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    p.add_argument("--tiny", action="store_true", help="sizes of nothing: whether everything runs, not how fast")
    p.add_argument("--rows", default="", help="only rows whose name matches this regular expression")
    p.add_argument("--rounds", type=int, default=2, help="how often the two libraries take turns (default 2)")
    p.add_argument("--samples", type=int, default=20, help="per row and round, at most (default 20)")
    p.add_argument("--seconds", type=float, default=3, help="of measuring per row and round, about (default 3)")
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build-bench")
    p.add_argument("--no-build", action="store_true")
    p.add_argument("--out", type=pathlib.Path, help="folder of the results")
    a = p.parse_args()
    try:
        re.compile(a.rows)
    except re.error as e:
        p.error(f"--rows: {e}")
    a.out = a.out or a.build
    return a


def cuda_options():
    """What CMake is told of the compiler and the GPU that are here."""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        sys.exit("bench --cuda: no nvcc in PATH or /usr/local/cuda/bin")
    capability = first_line(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
    options = ["-DSTRATA_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}"]
    return options + ([f"-DSTRATA_CUDA_ARCHITECTURES={capability.replace('.', '')}-real"] if capability else [])


def build(a):
    cmake = ["cmake", "-S", ROOT, "-B", a.build, "-DSTRATA_BUILD_TESTS=OFF", "-DSTRATA_BUILD_EXAMPLES=OFF"]
    subprocess.run(cmake + (cuda_options() if a.device == "cuda" else []), check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", a.build, "--target", "bench_cuda_workloads", "--parallel", str(os.cpu_count())],
                   check=True, stdout=sys.stderr)


def run(command, rows):
    """Adds the samples that a command prints to `rows`; returns why it ran nothing, or None."""
    try:
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    except OSError as e:
        sys.exit(f"bench --cuda: cannot run {command[0]}: {e.strerror}")
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        row = json.loads(line)
        if "name" not in row:
            return row["skipped"]
        known = rows.setdefault(row["name"], {"samples_ns": []})
        known["samples_ns"] += row.pop("samples_ns", [])
        known.update(row)
    code = process.wait()
    if code not in (0, 1):
        print(f"bench --cuda: {command[0]} ended with {code}; its last rows are missing", file=sys.stderr)
        rows.setdefault("all of them", {"samples_ns": []})["error"] = f"the program ended with {code}"
    return None


def measure(a, write):
    """({row: result} of Strata, of PyTorch, why there are none of either). Calls write(them) after each program, so that
    a run that is cut off leaves what it has."""
    options = ["--device", a.device, "--rows", a.rows, "--samples", a.samples, "--seconds", a.seconds]
    options += ["--tiny"] if a.tiny else []
    ours, theirs, no_ours, no_theirs = {}, {}, None, None if a.python else "no --python was given"
    for turn in range(a.rounds):
        print(f"bench --cuda: round {turn + 1} of {a.rounds}", file=sys.stderr)
        no_ours = run([a.build / "benchmarks/cuda/cuda_workloads", *options], ours)
        if no_ours:
            break
        write(ours, theirs, no_theirs)
        if not no_theirs:
            no_theirs = run([a.python, HERE / "peer.py", *options], theirs)
            write(ours, theirs, no_theirs)
    return ours, theirs, no_ours, no_theirs


def median(rows, name):
    samples = rows.get(name, {}).get("samples_ns")
    return statistics.median(samples) if samples else None


def difference(rows):
    low, high = median(rows, NO_GRAD), median(rows, RECORDING)
    return high - low if low is not None and high is not None else None


def over(x, y):
    return x / y if x is not None and y else None


def table_rows(ours, theirs):
    """A dict per line of the table, in the order in which the rows ran."""
    copied = over(ours.get(COPY, {}).get("bytes"), median(ours, COPY))
    lines = []
    for name, row in ours.items():
        line = {"name": name, "ours_ns": median(ours, name), "theirs_ns": median(theirs, name),
                "note": row.get("error") or row.get("skipped") or "",
                "peer_note": theirs.get(name, {}).get("error", "")}
        speed = over(row.get("bytes"), line["ours_ns"])
        line["gb_per_s"], line["copy"] = speed or None, over(speed, copied) or None
        line["tflops"] = over(row.get("flops", 0) / 1e3, line["ours_ns"]) or None
        line["memory"], line["their_memory"] = row.get("memory") or None, theirs.get(name, {}).get("memory") or None
        lines.append(line)
        if name == RECORDING:
            lines.append({"name": ON_TOP, "ours_ns": difference(ours), "theirs_ns": difference(theirs)})
        if name == GRAPH and line["ours_ns"]:
            lines.append({"name": GRAPH_OVER_EAGER, "ours_ns": line["ours_ns"], "theirs_ns": median(theirs, EAGER)})
    for line in lines:
        line["ratio"] = over(line["ours_ns"], line["theirs_ns"])
        line["memory_ratio"] = over(line.get("memory"), line.get("their_memory"))
        line["wanted"] = WANTED.get(line["name"], {})
        line["reached"] = reached(line)
    return lines


def reached(line):
    """{what is wanted: whether it was reached, or None where it was not measured}."""
    measured = {"ratio": line["ratio"], "memory": line["memory_ratio"], "copy": line.get("copy"), "ns": line["ours_ns"]}
    compare = {"copy": lambda x, goal: x >= goal}
    return {what: None if measured[what] is None else compare.get(what, lambda x, g: x <= g)(measured[what], goal)
            for what, goal in line["wanted"].items()}


def time_text(ns):
    if ns is None:
        return ""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.4g} {unit}"
    return f"{ns:.3g} ns"


def rate_text(line):
    if line.get("tflops"):
        return f"{line['tflops']:.4g} TFLOP/s"
    if line.get("gb_per_s"):
        of_copy = f", {100 * line['copy']:.0f} % of copy" if line.get("copy") else ""
        return f"{line['gb_per_s']:.0f} GB/s{of_copy}"
    return ""


def memory_text(line):
    if not line.get("memory"):
        return ""
    theirs = f" / {line['their_memory'] / 2**20:.0f}" if line.get("their_memory") else ""
    return f"{line['memory'] / 2**20:.0f}{theirs} MiB"


def wanted_text(line, tiny):
    texts = {"ratio": "ratio ≤ {:.3g}", "memory": "memory ≤ {:.3g}x", "copy": "≥ {:.0%} of copy", "ns": "≤ {:.0f} ns"}
    marks = {True: " ✓", False: " ✗", None: ""}
    return ", ".join(texts[what].format(goal) + ("" if tiny else marks[line["reached"][what]])
                     for what, goal in line["wanted"].items())


def markdown(a, lines, about, no_theirs):
    out = [f"{about}; medians, {a.rounds} rounds. Ratio is Strata's time over PyTorch's; memory is the peak, of both.", ""]
    if a.tiny:
        out += ["Tiny sizes: this says that everything runs, and nothing about speed.", ""]
    if no_theirs:
        out += [f"No column of PyTorch: {no_theirs}.", ""]
    out += ["| what | Strata | PyTorch | ratio | Strata's rate | memory | wanted |", "|---|---|---|---|---|---|---|"]
    for l in lines:
        ours = time_text(l["ours_ns"]) or l.get("note", "")
        theirs = time_text(l["theirs_ns"]) or l.get("peer_note", "")
        ratio = f"{l['ratio']:.3g}" if l["ratio"] is not None else ""
        cells = [l["name"], ours, theirs, ratio, rate_text(l), memory_text(l), wanted_text(l, a.tiny)]
        out.append(f"| {' | '.join(c.replace('|', '/') for c in cells)} |")
    return "\n".join(out) + "\n"


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def machine(a):
    """What ran where, and when."""
    gpu = first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]) if a.device == "cuda" else ""
    torch = first_line([a.python, "-c", "import torch; print(torch.__version__)"]) if a.python else ""
    commit = first_line(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"])
    when = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    parts = [f"On {gpu or 'the CPU'}", when, f"commit {commit}" if commit else "", f"PyTorch {torch}" if torch else ""]
    return ", ".join(p for p in parts if p)


def write_file(path, text):
    """Under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def main():
    a = parse_arguments()
    if a.device == "cuda" and not os.path.exists("/dev/nvidiactl") and not first_line(["nvidia-smi", "-L"]):
        print("skipped: no NVIDIA GPU is here")
        return 0
    if not a.no_build:
        build(a)
    about = machine(a)

    def write(ours, theirs, no_theirs):
        lines = table_rows(ours, theirs)
        write_file(a.out / "cuda.md", markdown(a, lines, about, no_theirs))
        write_file(a.out / "cuda.json", json.dumps({"about": about, "tiny": a.tiny, "rows": lines, "strata": ours,
                                                    "pytorch": theirs, "no_pytorch": no_theirs}, indent=1) + "\n")

    ours, theirs, no_ours, no_theirs = measure(a, write)
    if no_ours:
        print(f"skipped: {no_ours}")
        return 0
    print((a.out / "cuda.md").read_text(encoding="utf-8"), end="")
    print(f"bench --cuda: written to {a.out / 'cuda.md'} and cuda.json", file=sys.stderr)
    failed = [name for rows in (ours, theirs) for name, row in rows.items() if "error" in row]
    if failed:
        print(f"bench --cuda: failed: {'; '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
