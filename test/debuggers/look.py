"""Checks what gdb and lldb show of the tensors of program.cpp: `look.py gdb PROGRAM SCRIPT`. Exits with 77 without the
debugger, which is a test that was skipped."""
import glob
import os
import re
import shutil
import subprocess
import sys

EXPECTED = {
    "matrix": "Tensor float32 (2, 3) [[0., 0.25, 0.5], [0.75, 1., 1.25]]",
    "turned": "Tensor float32 (3, 2) [[0., 0.75], [0.25, 1.], [0.5, 1.25]]",
    "wide": "Tensor int64 (1000,) [0, 1, 2, ..., 997, 998, 999]",
    "leaf": "Tensor float64 (2,) [1., 1.] requires_grad",
    "product": "Tensor float64 (2,) [2., 2.] grad_fn=<MulBackward0>",
    "flags": "Tensor bool (2,) [True, False]",
    "brain": "Tensor bfloat16 (2,) [1.5, -2.]",
    "waves": "Tensor complex64 (1,) [1+0j]",
    "many_dims": "Tensor float32 (1, 1, 1, 1, 1, 1, 2) [[[[[[[0., 0.]]]]]]]",
    "scalar": "Tensor float32 () 2.5",
    "nothing": "Tensor float32 (0, 3) []",
    "undefined": "Tensor undefined",
}
# The name of a node comes from a function that the debugger calls in the program. gdb 13 cannot call any on processors with
# AMX, whose state is larger than it knows ("Couldn't write extended state status"): "?" stands for the name there.
CALL = "print (int)abs(-12345)"


def expected(debugger, output):
    """What the debugger is to show, given what it has printed."""
    if debugger != "gdb" or re.search(r"\$\d+ = 12345$", output, re.M):
        return EXPECTED
    print("gdb calls no functions in programs here, so it has no names of nodes")
    return {name: re.sub("grad_fn=<.*>", "grad_fn=<?>", text) for name, text in EXPECTED.items()}


def command(debugger, program, script):
    """Stops in here() and prints each tensor of main()."""
    if debugger == "gdb":
        # As gdb finds it by itself: beside the library, in a folder that it was told to trust.
        steps = ["break here", "run", "up"] + [f"print {name}" for name in EXPECTED] + [CALL]
        return ["gdb", "-batch", "-nx", "-iex", f"add-auto-load-safe-path {script}",
                *[word for step in steps for word in ("-ex", step)], program]
    steps = [f"command script import {script}", "breakpoint set -n here", "run", "up"]
    steps += [f"frame variable {name}" for name in EXPECTED]
    return [debugger, "-b", *[word for step in steps for word in ("-o", step)], program]


def main():
    debugger, program, script = sys.argv[1:]
    found = shutil.which(debugger) or (debugger == "lldb" and shutil.which("lldb-14"))
    if not found:
        print(f"skipped: {debugger} is not installed")
        return 77
    words = command(debugger, program, script)
    environment = dict(os.environ)
    if debugger == "lldb":  # Debian's does not find its own Python module
        environment["PYTHONPATH"] = ":".join(sorted(glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages"), reverse=True))
        environment["PATH"] = "/usr/bin:" + environment["PATH"]  # it takes its library from the first python3
    run = subprocess.run([found, *words[1:]], capture_output=True, text=True, timeout=200, env=environment)
    if re.search("ptrace|not permitted|process launch failed|ModuleNotFoundError", run.stdout + run.stderr, re.I):
        print(f"skipped: {debugger} may not trace here\n{run.stdout}{run.stderr}")
        return 77
    wrong = [f"{name}: expected {text}" for name, text in expected(debugger, run.stdout).items()
             if not re.search(rf"(\$\d+|\) {name}) = {re.escape(text)}$", run.stdout, re.M)]
    print("\n".join(wrong + [run.stdout, run.stderr]) if wrong else f"{debugger}: {len(EXPECTED)} tensors")
    return bool(wrong)


sys.exit(main())
