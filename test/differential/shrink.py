"""Runs programs by the runner, and shrinks one that differs to a few statements that still differ in the same way."""
import dataclasses
import os
import pathlib
import re
import subprocess
import tempfile

import programs

RUNNER = pathlib.Path(__file__).resolve().parent.parent.parent / "build/test/differential/differential"
SECONDS = 60


@dataclasses.dataclass
class Difference:
    program: str
    line: int  # which statement
    what: str
    statement: str
    statements: list = None

    def kind(self):
        """What differences of one cause have in common, roughly."""
        function = re.sub(r"_$", "", programs.parse_statement(self.statement).function) if self.statement else ""
        what = self.what.split(":")[0] if self.what.startswith(("value", "requires")) else self.what
        return function, re.sub(r"[-+]?\d[\d.e+-]*|\(.*?\)|\[.*?\]|v\d+", "#", what)[:70]

    def is_of_gradients(self):
        """May it have one of many causes?"""
        return self.kind()[0] in ("grad", "backward", "show")


def run_file(path):
    """The runner's lines for a file of programs, and how it ended: None or words."""
    try:
        done = subprocess.run([RUNNER, "--each", path], capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace").splitlines(), f"takes more than {SECONDS} seconds"
    if done.returncode in (0, 1):
        return done.stdout.splitlines(), None
    if done.returncode > 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.splitlines(), f"ends the process by signal {-done.returncode}"


def differences(texts):
    """What differs among programs: a dict of names to recorded texts."""
    found, left = [], dict(texts)
    while left:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("".join(left.values()))
            file.flush()
            lines, end = run_file(file.name)
        for i, line in enumerate(lines):
            words = line.split(" ", 3)
            if words[0] == "agrees":
                left.pop(words[1])
            elif words[0] == "differs":
                found.append(Difference(words[1], int(words[2]), words[3], lines[i + 1].removeprefix("  in ")))
                left.pop(words[1])
        if end is None:
            break
        culprit = next(iter(left))
        left.pop(culprit)
        found.append(Difference(culprit, -1, end, ""))
    return found


def without(statements, index):
    """The statements without one and all that need its results."""
    gone, kept = set(), []
    for i, s in enumerate(statements):
        if i == index or gone.intersection(s.variables()):
            gone.update(s.outputs)
        else:
            kept.append(s)
    return kept


def simpler(s):
    """Statements that could stand in a statement's place."""
    if s.function == "backward" and len(s.arguments[0]) > 1:
        for i in range(len(s.arguments[0])):
            yield dataclasses.replace(s, arguments=[[a for j, a in enumerate(part) if j != i] for part in s.arguments])
    if s.no_grad:
        yield dataclasses.replace(s, no_grad=False)
    if s.function == "leaf":
        dtype, sizes, strides, offset, grad, memory = s.arguments
        plain, count = programs.plain_strides(sizes)
        if (strides, offset) != (plain, 0) or len(memory) != count:
            values = (memory * count)[:count] if memory else [0] * count
            yield dataclasses.replace(s, arguments=[dtype, sizes, plain, 0, grad, values])
        if grad:
            yield dataclasses.replace(s, arguments=[dtype, sizes, strides, offset, False, memory])
        short = [round(m) if isinstance(m, float) and abs(m) < 100 else m for m in memory]
        if any(isinstance(m, float) and m != n for m, n in zip(memory, short)):
            short = [float(m) if isinstance(o, float) else m for m, o in zip(short, memory)]
            yield dataclasses.replace(s, arguments=[dtype, sizes, strides, offset, grad, short])


def as_leaves(statements):
    """For each statement of one result, a leaf of the same elements."""
    run = programs.Run()
    for i, s in enumerate(statements):
        results, _ = run.step(s)
        if results and len(s.outputs) == 1 and s.function != "leaf":
            t = results[0]
            yield i, dataclasses.replace(s, function="leaf", named={}, no_grad=False, arguments=[
                t.dtype, list(t.shape), programs.plain_strides(t.shape)[0], 0, t.requires_grad, programs.elements(t)])


def candidates(statements):
    for i in reversed(range(len(statements))):
        yield without(statements, i)
    for i, leaf in as_leaves(statements):
        yield [*statements[:i], leaf, *statements[i + 1:]]
    for i, s in enumerate(statements):
        for other in simpler(s):
            yield [*statements[:i], other, *statements[i + 1:]]


def first_that_differs(tries, kind):
    """The first of some programs that differs in this way."""
    texts = {}
    for i, statements in enumerate(tries):
        try:
            texts[str(i)] = programs.record(i, statements)
        except Exception:  # without its operands a statement means nothing
            continue
    found = [d for d in differences(texts) if d.kind() == kind]
    return min(found, key=lambda d: int(d.program), default=None)


def minimal(statements, difference):
    """The text of the smallest program found that differs as `difference` does."""
    kind = difference.kind()
    if difference.line >= 0 and statements[difference.line].function not in ("grad", "show"):
        statements = statements[:difference.line + 1]
    for _ in range(100):
        tries = [t for t in candidates(statements) if t]
        found = first_that_differs(tries, kind)
        if not found:
            break
        statements, difference = tries[int(found.program)], found
    return f"# {difference.what}\n{programs.record('minimal', statements)}"
