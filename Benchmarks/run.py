#!/usr/bin/env python3
"""Measures ReceiptMill side by side with a limit and with what people use instead.

Prints a table of medians for each case and writes all figures as JSON.
Benchmarks/README.md says how to read them.
"""

import argparse
import json
import os
import platform
import re
import sqlite3
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

import programs
import table
from archives import Archives
from cases import ABOUT, Bench
from measure import Failed

ROOT = os.path.dirname(programs.HERE)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--mill",
        action="append",
        metavar="[NAME=]PATH",
        help="a binary to measure; repeatable, to compare builds in one run (default: $MILL, else the release build)",
    )
    parser.add_argument("--cases", nargs="+", choices=ABOUT, default=list(ABOUT), metavar="CASE", help=", ".join(ABOUT))
    parser.add_argument("--runs", type=int, default=5, help="runs of each program (default: %(default)s)")
    parser.add_argument("--count", type=int, default=15000, help="receipts of an archive (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the mint (default: %(default)s)")
    parser.add_argument("--all-programs", action="store_true", help="the slow baselines in every case, not plain alone")
    parser.add_argument("--without", nargs="+", choices=["c", "python", "shell", "limit"], default=[], help="leave out")
    parser.add_argument(
        "--gz",
        nargs="+",
        choices=["zlib", "isal"],
        help="what the limit inflates with (default: zlib, and isal if a mill is built with the trait ISAL)",
    )
    parser.add_argument("--limit", default=os.path.join(ROOT, "..", "shared", "speed"), help="folder of limit.c")
    parser.add_argument(
        "--cache", default=os.path.join(ROOT, ".build", "bench"), help="archives and builds are kept here"
    )
    parser.add_argument("--json", help="where to write the figures (default: results.json in the cache)")
    given = parser.parse_args()
    if given.runs < 1 or given.count < 20:
        parser.error("--runs takes at least 1, --count at least 20")
    return given


def mills(given):
    """Binaries by name; a bare path is called mill, or by its file's name where there are several."""
    paths = given or [os.environ.get("MILL") or os.path.join(ROOT, ".build", "release", "receiptmill")]
    found = []
    for text in paths:
        name, _, path = text.rpartition("=")
        path = os.path.abspath(path)
        if not os.access(path, os.X_OK):
            raise Failed(f"{path} is no program: build it with make build, or name another with --mill")
        found.append(programs.Mill(name or (os.path.basename(path) if len(paths) > 1 else "mill"), "mill", [path]))
    if len({one.name for one in found}) < len(found):
        raise Failed("--mill: names have to differ")
    return found


def other_programs(given, subjects, cache, skip):
    """Baselines and limits that can be had here."""
    found = []
    if "limit" not in given.without:
        inflaters = given.gz or sorted({"zlib", *(one.inflater for one in subjects)}, reverse=True)
        found += programs.make_limits(cache, given.limit, inflaters, skip)
    if "c" not in given.without:
        found.append(programs.make_c(cache))
    if "python" not in given.without:
        found.append(programs.make_python(cache, skip))
    if "shell" not in given.without:
        found.append(programs.make_loop())
    return [one for one in found if one]


def output(*command):
    """First line of what a command prints; empty if it can't be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except OSError:
        return ""
    return (done.stdout.splitlines() or [""])[0]


def surroundings(subjects, cache):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"model name\s*: (.*)", file.read())
    venv = os.path.join(cache, "venv", "bin", "python")
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": output("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "machine": {
            "processor": processor[1] if processor else platform.machine(),
            "cores": len(os.sched_getaffinity(0)),
            "memory_mib": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
            "kernel": platform.release(),
            "load": os.getloadavg()[0],
        },
        "versions": {
            **{one.name: f"{output(one.start[0], '--version')}, {one.inflater}" for one in subjects},
            "openssl": output("openssl", "version"),
            "sqlite": sqlite3.sqlite_version,
            "cc": output(os.environ.get("CC", "cc"), "--version"),
            "python": platform.python_version(),
            "cryptography": output(venv, "-c", "import cryptography; print(cryptography.__version__)"),
        },
    }


def main():
    given = arguments()
    skipped = []

    def skip(what):
        skipped.append(what)
        print(f"!! SKIPPED {what} !!", file=sys.stderr, flush=True)

    cache = os.path.abspath(given.cache)
    os.makedirs(cache, exist_ok=True)
    subjects = mills(given.mill)
    others = other_programs(given, subjects, cache, skip)
    archives = Archives(cache, given.count, given.seed)
    report = surroundings(subjects, cache)
    machine = report["machine"]
    print(
        f"{machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}; commit {report['commit']}",
        flush=True,
    )
    if machine["load"] > machine["cores"] / 4:
        print("!! the machine is busy: believe ratios of CPU time, not times !!", file=sys.stderr, flush=True)
    print(f"medians of {given.runs} runs; times per line\n")
    report |= {"parameters": vars(given), "skipped": skipped, "cases": []}
    with tempfile.TemporaryDirectory(prefix="work-", dir=cache) as work:
        bench = Bench(subjects, others, archives, work, given.all_programs)
        for name in given.cases:
            entries = bench.case(name)
            bench.run(entries, given.runs)
            case = {"name": name, "about": ABOUT[name], "programs": [table.result(one, entries) for one in entries]}
            report["cases"].append(case)
            print("\n".join(table.case_text(case)) + "\n", flush=True)
    print("\n".join(table.stages_text(report["cases"])))
    path = given.json or os.path.join(cache, "results.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"\nevery program found the same receipts and purchases; figures: {os.path.relpath(path)}")


if __name__ == "__main__":
    try:
        main()
    except (Failed, subprocess.CalledProcessError) as failure:
        sys.exit(f"bench: {failure}")
