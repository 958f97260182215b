"""Jobs that are measured from outside: started, watched by what their workers print, killed and cleared away."""
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import threading
import time
import uuid
from dataclasses import dataclass

FOLDER = pathlib.Path(__file__).resolve().parent
EVENT = re.compile(r"at (\d+) rank (\d+) pid (\d+) (\w+) ?(.*)")
LIMIT = 120  # s, of every wait that has none of its own


class Failure(Exception):
    """What was to be measured did not happen."""


def now():
    """Seconds of the clock that workers print, CLOCK_MONOTONIC."""
    return time.monotonic_ns() * 1e-9


@dataclass
class Event:
    at: float
    rank: int
    pid: int
    name: str
    text: str


class Job:
    """A launcher and all that it starts. `with` ends in SIGKILL for whatever is left."""

    def __init__(self, command, environment=None):
        self.mark = f"STRATA_MEASURED_JOB={uuid.uuid4().hex}"
        name, value = self.mark.split("=")
        self.lines, self.events, self.ended_at, self.silent = [], [], None, False
        self.changed = threading.Condition()
        self.launched = now()
        self.launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                                         env={**os.environ, **(environment or {}), name: value})
        for work in (self._read, self._wait):
            threading.Thread(target=work, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        deadline = now() + LIMIT
        while left := self.processes():
            for pid in left:
                send(pid, signal.SIGKILL)
            if now() > deadline:
                self.fail(f"SIGKILL has not ended {left}")
            time.sleep(0.01)

    def wait(self, what, found, limit=LIMIT):
        """What `found(events)` returns, once that is anything, or None when the time is over."""
        with self.changed:
            self.changed.wait_for(lambda: found(self.events) or self.silent, limit)
            result = found(self.events)
        if not result and (self.silent or limit == LIMIT):
            self.fail(f"{what} did not come" + ("" if self.silent else f" within {limit} s"))
        return result

    def of_ranks(self, name, ranks, limit=LIMIT):
        """The first event of this name of each of so many ranks, by rank; None when the time is over."""
        def found(events):
            first = {}
            for e in events:
                if e.name == name:
                    first.setdefault(e.rank, e)
            return first if len(first) >= ranks else None
        return self.wait(f"'{name}' of {ranks} ranks", found, limit)

    def end(self, limit=LIMIT):
        """When the launcher has exited."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.ended_at, limit):
                self.fail(f"the launcher did not exit within {limit} s")
        return self.ended_at

    def processes(self):
        """Those that have inherited the job's mark and live."""
        return [int(entry.name) for entry in pathlib.Path("/proc").iterdir()
                if entry.name.isdigit() and self._is_of_job(entry)]

    def gone(self, limit):
        """When the last process that lives now has ended; infinity where one is left after the limit."""
        watched = {pid: descriptor for pid in self.processes() if (descriptor := open_process(pid)) is not None}
        deadline = now() + limit
        try:
            for descriptor in watched.values():
                if not select.select([descriptor], [], [], max(0, deadline - now()))[0]:
                    return float("inf")
            ended = now()
        finally:
            for descriptor in watched.values():
                os.close(descriptor)
        return ended if not self.processes() else float("inf")

    def fail(self, what):
        raise Failure(f"{what}; the last lines were\n" + "".join(self.lines[-15:]))

    def _is_of_job(self, entry):
        try:
            alive = (entry / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
            return alive and self.mark.encode() in (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended, or is somebody else's
            return False

    def _read(self):
        for line in self.launcher.stdout:
            match = EVENT.search(line)
            with self.changed:
                self.lines.append(line)
                if match:
                    at, rank, pid, name, text = match.groups()
                    self.events.append(Event(int(at) * 1e-9, int(rank), int(pid), name, text))
                    self.changed.notify_all()
        with self.changed:
            self.silent = True  # nobody is left who could print
            self.changed.notify_all()

    def _wait(self):
        code = self.launcher.wait()
        with self.changed:
            self.ended_at, self.code = now(), code
            self.changed.notify_all()


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def open_process(pid):
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def last(events):
    return max(e.at for e in events.values())


def free_endpoint():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{s.getsockname()[1]}"


class Strata:
    """Starts jobs by stratarun, of programs of a build."""
    name = "Strata"

    def __init__(self, build):
        self.build = pathlib.Path(build)
        self.launcher = [str(self.build / "bin" / "stratarun")]

    def program(self, name):
        return [str(self.build / "benchmarks" / name)]

    def job(self, ranks, *arguments, options=(), program="worker"):
        return Job([*self.launcher, *options, f"--nproc-per-node={ranks}", *self.program(program), *arguments])

    def bound_job(self, ranks, *arguments, program):
        """Each rank on cores of its own."""
        return self.job(ranks, *arguments, options=["--numa-binding=exclusive"], program=program)

    def elastic_job(self, ranks):
        return self.job(ranks, "elastic", options=["--elastic", "--max-restarts=9"])

    def machine(self, before, rank, endpoint, *arguments):
        return Job([*before, *self.launcher, "--nnodes=2", f"--node-rank={rank}", f"--rdzv-endpoint={endpoint}",
                    "--rdzv-id=measured", "--nproc-per-node=1", *self.program("worker"), *arguments])

    def node(self, rank, endpoint):
        return self.job(1, "elastic", options=[
            "--nnodes=1:2", f"--node-rank={rank}", f"--rdzv-endpoint={endpoint}", "--rdzv-id=measured",
            "--max-restarts=9", "--rdzv-conf=last_call_timeout=1"])


class Torch:
    """Starts the same jobs by torchrun, of the twins of those programs."""
    name = "PyTorch"

    def __init__(self, python):
        self.launcher = [python, "-m", "torch.distributed.run"]

    def program(self, name):
        return [str(FOLDER / {"worker": "worker.py", "ranks": "peer.py"}[name])]

    def job(self, ranks, *arguments, options=("--standalone",), program="worker"):
        # In the agent's own store, ranks that are started again after a loss wait for ever (PyTorch 2.15).
        environment = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}
        return Job([*self.launcher, *options, f"--nproc-per-node={ranks}", *self.program(program), *arguments],
                   environment)

    def bound_job(self, ranks, *arguments, program):
        """Each rank on a core of its own: torchrun's --numa-binding wants a GPU."""
        bind = ["--no-python", "sh", "-c", 'exec taskset -c $LOCAL_RANK "$0" "$@"', self.launcher[0]]
        return Job([*self.launcher, "--standalone", f"--nproc-per-node={ranks}", *bind, *self.program(program), *arguments])

    def elastic_job(self, ranks):
        return self.job(ranks, "elastic", options=["--standalone", "--max-restarts=9"])

    def machine(self, before, rank, endpoint, *arguments):
        host, port = endpoint.split(":")
        return Job([*before, *self.launcher, "--nnodes=2", f"--node-rank={rank}", f"--master-addr={host}",
                    f"--master-port={port}", "--nproc-per-node=1", *self.program("worker"), *arguments])

    def node(self, _, endpoint):
        return self.job(1, "elastic", options=[
            "--nnodes=1:2", "--rdzv-backend=c10d", f"--rdzv-endpoint={endpoint}", "--rdzv-id=measured",
            "--local-addr=127.0.0.1", "--max-restarts=9", "--rdzv-conf=last_call_timeout=1"])
