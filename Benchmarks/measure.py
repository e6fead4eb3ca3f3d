"""One run of a command: CPU time, wall time, peak resident set."""

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


def run(command, work, environment=None):
    """Runs a command to its end; its output goes to files, so that no pipe makes it wait."""
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    output, errors = os.path.join(work, "stdout"), os.path.join(work, "stderr")
    with open(output, "wb") as out, open(errors, "wb") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    with open(output, errors="replace") as out, open(errors, errors="replace") as err:
        cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
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
