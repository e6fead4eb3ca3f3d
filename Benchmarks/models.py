#!/usr/bin/env python3
"""Measures working out the models beside loading the same lines: README and docs/reports.md quote it.

    Benchmarks/models.py MILL [--count 60000] [--signed 0.5] [--of-2026 0] [--nights 100] [--runs 3]

Mints archives of that many nights, in the order of time. Each run loads all but the last into a new database (ingest
--no-refresh) and works out the models (refresh), then does both with the last, and works out a copy whole (refresh
--whole). So what a busy machine adds is added to all: the ratios of their CPU times count.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile

import archives
import measure


def measured(mill, minted, folder):
    """One run: loading and refreshing, a night of the last archive, a whole refresh behind it, and the file's bytes."""
    database, copy = (os.path.join(folder, name) for name in ("mill.sqlite", "whole.sqlite"))
    for name in os.listdir(folder):
        if ".sqlite" in name:
            os.remove(os.path.join(folder, name))
    files = sorted(os.path.join(minted, name) for name in os.listdir(minted) if name.endswith(".jsonl.gz"))
    trust = ["--trust", os.path.join(minted, "root.pem"), "--no-refresh"]

    def run(*arguments, database=database):
        return measure.run([mill, *arguments, "--database", database], folder)

    loads = [run("ingest", *files[:-1], *trust)]
    loaded = os.path.getsize(database)
    refreshes = [run("refresh")]
    refreshed = os.path.getsize(database)
    loads.append(run("ingest", files[-1], *trust))
    shutil.copy(database, copy)
    refreshes.append(run("refresh"))
    refreshes.append(run("refresh", "--whole", database=copy))
    return *loads, *refreshes, loaded, refreshed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", help="the receiptmill to measure")
    parser.add_argument("--count", type=int, default=60_000, help="lines to mint")
    parser.add_argument("--signed", default="0.5", help="share of them with signed strings")
    parser.add_argument("--of-2026", default="0", help="share of these with what the store signs since 2026")
    parser.add_argument("--nights", default="100", help="archives to spread the lines over")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="models-")
    try:
        minted = os.path.join(folder, "minted")
        command = [archives.MINT, "--output", minted, "--count", str(given.count), "--archives", given.nights]
        measure.run([*command, "--signed", given.signed, "--of-2026", given.of_2026], folder)
        runs = [measured(given.mill, minted, folder) for _ in range(max(1, given.runs))]
    except measure.Failed as failure:
        sys.exit(str(failure))
    finally:
        shutil.rmtree(folder)
    first_loads, night_loads, firsts, nights, wholes, loaded, refreshed = (list(column) for column in zip(*runs))

    def line(name, results):
        cpu, peak = measure.median(results, "cpu"), measure.median(results, "peak") / 2**20
        print(f"{name:22} {cpu:8.2f} CPU s  {peak:5.0f} MiB at most")

    def ratio(name, results, others):
        ratios = [result.cpu / other.cpu for result, other in zip(results, others)]
        print(f"{name:22} {statistics.median(ratios):8.2f} ({min(ratios):.2f} to {max(ratios):.2f})")

    line("first load", first_loads)
    line("first refresh", firsts)
    ratio("refresh / load", firsts, first_loads)
    line("a night's load", night_loads)
    line("a night's refresh", nights)
    line("whole refresh", wholes)
    ratio("night / whole", nights, wholes)
    growth = refreshed[-1] / loaded[-1] - 1
    print(f"{'file':22} {loaded[-1] / 1e6:8.1f} MB, with models {refreshed[-1] / 1e6:.1f} MB: +{growth:.0%}")


if __name__ == "__main__":
    main()
