#!/usr/bin/env python3
"""Measures working out all models beside loading the same lines: README and docs/reports.md quote it.

    Benchmarks/models.py MILL [--count 60000] [--signed 0.5] [--of-2026 0] [--runs 3]

Mints an archive, unless --archive and --trust name one. Each run loads it into a new database (ingest --no-refresh) and
works out the models (refresh), so that what a busy machine adds is added to both: the ratio of their CPU times counts.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile

import archives
import measure


def measured(mill, archive, trust, folder):
    """Runs of loading and of refreshing, and the file's bytes after each."""
    database = os.path.join(folder, "mill.sqlite")
    for name in os.listdir(folder):
        if name.startswith("mill.sqlite"):
            os.remove(os.path.join(folder, name))
    load = measure.run([mill, "ingest", archive, "--database", database, "--trust", trust, "--no-refresh"], folder)
    loaded = os.path.getsize(database)
    refresh = measure.run([mill, "refresh", "--database", database], folder)
    return load, refresh, loaded, os.path.getsize(database)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", help="the receiptmill to measure")
    parser.add_argument("--count", type=int, default=60_000, help="lines to mint")
    parser.add_argument("--signed", default="0.5", help="share of them with signed strings")
    parser.add_argument("--of-2026", default="0", help="share of these with what the store signs since 2026")
    parser.add_argument("--archive", help="an archive in place of a minted one")
    parser.add_argument("--trust", help="its trust anchor")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="models-")
    try:
        archive, trust = given.archive, given.trust
        if archive is None:
            minted = os.path.join(folder, "minted")
            command = [archives.MINT, "--output", minted, "--count", str(given.count), "--signed", given.signed]
            measure.run([*command, "--of-2026", given.of_2026], folder)
            archive, trust = os.path.join(minted, "receipts-001.jsonl.gz"), os.path.join(minted, "root.pem")
        elif trust is None:
            parser.error("--archive needs --trust")
        runs = [measured(given.mill, archive, trust, folder) for _ in range(max(1, given.runs))]
    except measure.Failed as failure:
        sys.exit(str(failure))
    finally:
        shutil.rmtree(folder)
    loads, refreshes, loaded, refreshed = (list(column) for column in zip(*runs))
    ratios = [refresh.cpu / load.cpu for load, refresh in zip(loads, refreshes)]
    print(f"load           {measure.median(loads, 'cpu'):8.2f} CPU s  {measure.median(loads, 'peak') / 2**20:5.0f} MiB at most")
    print(f"refresh        {measure.median(refreshes, 'cpu'):8.2f} CPU s  {measure.median(refreshes, 'peak') / 2**20:5.0f} MiB at most")
    print(f"refresh / load {statistics.median(ratios):8.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"file           {loaded[-1] / 1e6:8.1f} MB, with models {refreshed[-1] / 1e6:.1f} MB: +{refreshed[-1] / loaded[-1] - 1:.0%}")


if __name__ == "__main__":
    main()
