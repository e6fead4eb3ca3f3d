#!/usr/bin/env python3
"""Simulates a year of nights on DuckDB, and what each costs: docs/scale.md quotes it.

    Benchmarks/nights.py RECEIPTMILL [--nights 365] [--lines 500]

Mints an archive for each night, adds one after the other to one file, and prints the processor time of adding
the night's facts and of merging them, by months. Then merges all at once into another file: every table has to
have the same rows. Needs what pipelines/duckdb/requirements.txt names.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "pipelines" / folder) for folder in ("", "duckdb")]

from merging import KEYS
from warehouse import Warehouse

MONTHS = 12


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def mint(mill, folder, nights, lines):
    """What decode says of each night's archive, a file for each."""
    command = [mill, "mint", "--output", folder, "--count", str(nights * lines), "--archives", str(nights)]
    subprocess.run([*command, "--signed", "0.3"], check=True, stdout=subprocess.DEVNULL)
    for archive in sorted(folder.glob("*.jsonl.gz")):
        path = archive.with_suffix(".decoded")
        with open(path, "wb") as output:
            # Planted damage is a status of its own.
            subprocess.run([mill, "decode", archive, "--trust", folder / "root.pem"], stdout=output, check=False)
        archive.unlink()
        yield path


def add(warehouse, paths, given):
    """Seconds of adding facts and of merging."""
    with warehouse.transaction():
        before = processor_seconds()
        warehouse.make_stores()
        for path in paths:
            warehouse.add_decoded(path)
        added = processor_seconds()
        whole = warehouse.make_tables(given.mill, ["--trust", str(given.folder / "root.pem")])
    return added - before, processor_seconds() - added, whole


def rows_apart(warehouse, other):
    """Tables whose rows are not those of the other file, which is attached."""
    warehouse.execute(f"ATTACH '{other}' AS other (READ_ONLY)")
    for name in KEYS:
        for one, two in (("", "other."), ("other.", "")):
            apart = f"SELECT count(*) FROM (SELECT * FROM {one}{name} EXCEPT ALL SELECT * FROM {two}{name})"
            if warehouse.execute(apart).fetchone()[0]:
                yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=lambda name: Path(name).absolute())
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--lines", type=int, default=500, help="of each night (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="receiptmill-nights-") as name:
        given.folder = Path(name)
        paths = list(mint(given.mill, given.folder, given.nights, given.lines))
        costs = []
        with Warehouse(given.folder / "nights.duckdb") as warehouse:
            for path in paths:
                costs.append(add(warehouse, [path], given))
        print(f"{given.nights} nights of {given.lines} lines; processor seconds of a night, medians")
        print(f"{'nights':>12} {'lines before':>13} {'facts':>8} {'merge':>8} {'merged whole':>13}")
        size = -(-given.nights // MONTHS)
        for first in range(0, given.nights, size):
            month = costs[first : first + size]
            facts, merge = (statistics.median(column) for column in list(zip(*month))[:2])
            whole = sum(cost[2] for cost in month)
            span = f"{first + 1}-{first + len(month)}"
            print(f"{span:>12} {first * given.lines:>13,} {facts:8.2f} {merge:8.2f} {whole:>13}")
        with Warehouse(given.folder / "whole.duckdb") as warehouse:
            facts, merge, _ = add(warehouse, paths, given)
        print(f"{'all at once':>12} {given.nights * given.lines:>13,} {facts:8.2f} {merge:8.2f}")
        with Warehouse(given.folder / "nights.duckdb") as warehouse:
            apart = sorted(set(rows_apart(warehouse, given.folder / "whole.duckdb")))
        print(f"tables that differ: {', '.join(apart) or 'none'}")
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
