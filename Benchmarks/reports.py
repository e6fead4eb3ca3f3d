#!/usr/bin/env python3
"""Times every report of a database, and the dashboard: docs/reports.md quotes it.

    Benchmarks/reports.py MILL DATABASE [REPORT …] [--runs 3]

Each report runs as a process of its own, as a user runs it, and writes CSV to
nowhere. Of the runs the fastest counts: what a busy machine adds is not the
report's. Reports that need a subject are left out.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

REPORTS = Path(__file__).resolve().parents[1] / "sql" / "reports"
DASHBOARD = "dashboard"
SLOW_SECONDS = 5


def names():
    """The reports that run without a subject, and the dashboard."""
    reports = [path for path in REPORTS.glob("*/*.sql") if "  required  " not in path.read_text()]
    return sorted(path.stem for path in reports) + [DASHBOARD]


def command(mill, database, name):
    if name == DASHBOARD:
        return [mill, "report", "--html-dashboard", "/dev/stdout", "--database", database]
    return [mill, "report", name, "--database", database, "--format", "csv"]


def measured(words):
    """Seconds of wall time, seconds of CPU time, and MiB at most."""
    start = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(words)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", help="the receiptmill to measure")
    parser.add_argument("database")
    parser.add_argument("reports", nargs="*", metavar="report", help="by name; all and the dashboard unless given")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_intermixed_args()
    print(f"{'report':26} {'wall s':>7} {'CPU s':>7} {'MiB':>5}   load at the end")
    for name in arguments.reports or names():
        runs = [measured(command(arguments.mill, arguments.database, name)) for _ in range(max(1, arguments.runs))]
        wall, cpu, mebibytes = (min(column) for column in zip(*runs))
        mark = "*" if wall > SLOW_SECONDS else " "
        print(f"{name:26} {wall:6.2f}{mark} {cpu:7.2f} {mebibytes:5.0f}   {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
