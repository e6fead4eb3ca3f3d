#!/usr/bin/env python3
"""Measures builds on DuckDB beside loads into SQLite, of the same lines: docs/scale.md quotes it.

    Benchmarks/warehouses.py MILL [--counts 10000 20000 40000 100000] [--signed 0.5] [--of-2026 0.1] [--nights 100]

For each count, mints archives of that many nights and loads them into SQLite (ingest). Then decodes them (decode),
builds a file of DuckDB's from all but the last night, and adds the last one. Needs what
pipelines/duckdb/requirements.txt names. CPU times are of all cores.
"""

import argparse
import os
import shutil
import sys
import tempfile

import archives
import measure

WAREHOUSE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pipelines/duckdb/warehouse.py")


def decoded(mill, files, trust, folder):
    """A file of decode's lines for each archive, and the CPU time of all."""
    paths, seconds = [], 0.0
    for number, file in enumerate(files):
        path = os.path.join(folder, f"{number:04}.decoded")
        # A shell writes what the command prints.
        command = ["sh", "-c", f'exec "$0" decode --jobs 1 "$@" > {path}', mill, file, *trust]
        seconds += measure.run(command, folder).cpu
        paths.append(path)
    return paths, seconds


def measured(given, count, folder):
    """CPU time of SQLite's load, of decode, and runs of the first build and of a night; bytes of the file."""
    minted = os.path.join(folder, "minted")
    command = [archives.MINT, "--output", minted, "--count", str(count), "--archives", given.nights, "--seed", "7"]
    command += ["--signed", given.signed, "--of-2026", given.of_2026, "--last-day", "2026-11-01"]
    measure.run(command, folder)
    files = sorted(os.path.join(minted, name) for name in os.listdir(minted) if name.endswith(".jsonl.gz"))
    trust = ["--trust", os.path.join(minted, "root.pem")]
    lite = measure.run([given.mill, "ingest", *files, *trust, "--database", os.path.join(folder, "mill.sqlite")], folder)
    paths, decode = decoded(given.mill, files, trust, folder)
    database = os.path.join(folder, "warehouse.duckdb")
    build = [sys.executable, WAREHOUSE, "build", database]
    first = measure.run([*build, *paths[:-1]], folder)
    size = os.path.getsize(database)
    night = measure.run([*build, paths[-1]], folder)
    return lite, decode, first, night, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=os.path.abspath, help="the receiptmill to measure")
    parser.add_argument("--counts", nargs="+", type=int, default=[10_000, 20_000, 40_000, 100_000], help="lines to mint")
    parser.add_argument("--signed", default="0.5", help="share of them with signed strings")
    parser.add_argument("--of-2026", default="0.1", help="share of these with what the store signs since 2026")
    parser.add_argument("--nights", default="100", help="archives to spread the lines over")
    given = parser.parse_args()
    print("    lines  SQLite  decode   build  x SQLite  wall s  peak MiB  file MB   night")
    for count in given.counts:
        folder = tempfile.mkdtemp(prefix="warehouses-")
        try:
            lite, decode, first, night, size = measured(given, count, folder)
        except measure.Failed as failure:
            sys.exit(str(failure))
        finally:
            shutil.rmtree(folder)
        print(
            f"{count:9,} {lite.cpu:7.1f} {decode:7.1f} {first.cpu:7.1f} {(decode + first.cpu) / lite.cpu:9.2f}"
            f" {first.wall:7.0f} {first.peak / 2**20:9.0f} {size / 1e6:8.0f} {night.cpu:7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
