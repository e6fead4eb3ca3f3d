"""One run of a command: CPU time, wall time, peak resident set."""

import ctypes
import os
import resource
import statistics
import subprocess
import time
from dataclasses import dataclass


class Failed(Exception):
    """A program ended badly, or gave another answer than it must."""


@dataclass
class Run:
    cpu: float  # seconds, user and system, of the command and all its children
    wall: float  # seconds
    peak: int  # bytes; the largest of the command and its children
    floor: int  # bytes; a child starts with the peak of this process, so that a smaller one can't be told
    output: str
    errors: str


# prctl(2): orphans among a process's descendants become its children.
PR_SET_CHILD_SUBREAPER = 36


def orphans():
    """Resources of processes that a command left behind, as Python leaves Spark's Java, each waited for."""
    while True:
        try:
            yield os.wait3(0)[2]
        except ChildProcessError:
            return


def run(command, work, environment=None, with_orphans=False):
    """Runs a command to its end; its output goes to files, so that no pipe makes it wait.

    with_orphans: waits also for processes that outlive the command, and counts them."""
    if with_orphans:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    output, errors = os.path.join(work, "stdout"), os.path.join(work, "stderr")
    with open(output, "wb") as out, open(errors, "wb") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        used = [usage, *(orphans() if with_orphans else ())]
    process.returncode = os.waitstatus_to_exitcode(status)
    with open(output, errors="replace") as out, open(errors, errors="replace") as err:
        cpu, peak = sum(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used) * 1024
        finished = Run(cpu, wall, peak, floor, out.read(), err.read())
    if process.returncode != 0:
        raise Failed(f"exit status {process.returncode}: {' '.join(command)}\n{finished.errors.strip()}")
    return finished


def median(runs, field):
    return statistics.median(getattr(one, field) for one in runs)


def spread(runs, field):
    """(greatest - least) / median: how far the machine can be believed."""
    values = [getattr(one, field) for one in runs]
    middle = statistics.median(values)
    return (max(values) - min(values)) / middle if middle else 0.0
