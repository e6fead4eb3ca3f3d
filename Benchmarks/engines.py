#!/usr/bin/env python3
"""Measures SQLite, DuckDB and Spark on the same archives: a first night, and a night of 1 % behind it.

    Benchmarks/engines.py MILL [--counts 10000 40000 100000] [--million] [--engines sqlite duckdb spark]
    Benchmarks/engines.py MILL --minted FOLDER

For each count, mints archives of a hundred nights, half of the lines with signed strings, and loads all but the last, then
the last: with `ingest`, with `decode` and `receiptmill-duckdb build`, with `receiptmill-spark night`. Every figure has all
stages in: verifying, loading or merging, models. docs/scale.md quotes the table.

CPU is of all processes and cores; peak is that of the largest process. Growth is CPU per line, over that of the count
before: 1.0 where cost grows as the lines do. Run it with a Python that has what the requirements.txt of pipelines/duckdb
and pipelines/spark name, on a machine that does nothing else.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import archives
import measure

PIPELINES = Path(__file__).resolve().parents[1] / "pipelines"
NIGHTS = 100
MILLION = 1_000_000
STEP = re.compile(r"^night: (.*): (\d+\.\d) s$", re.MULTILINE)


@dataclass
class Cost:
    """What one or several commands took."""

    cpu: float  # seconds
    wall: float  # seconds
    peak: int  # bytes
    steps: str  # as Spark's night prints them, with their seconds

    @staticmethod
    def of(*runs):
        steps = [f"{name} {seconds}" for run in runs for name, seconds in STEP.findall(run.errors)]
        return Cost(
            sum(run.cpu for run in runs), sum(run.wall for run in runs), max(run.peak for run in runs), "; ".join(steps)
        )


class SQLite:
    name = "SQLite"

    def __init__(self, given, folder, trust):
        self.path, self.folder = folder / "mill.sqlite", folder
        self.command = [given.mill, "ingest", *trust, "--database", str(self.path), "--quiet"]

    def load(self, files):
        return Cost.of(measure.run([*self.command, *files], self.folder))


class DuckDB:
    name = "DuckDB"

    def __init__(self, given, folder, trust):
        self.path, self.folder = folder / "warehouse.duckdb", folder
        self.mill, self.trust = given.mill, trust
        self.memory = ["--memory", given.memory] if given.memory else []

    def load(self, files):
        decoded = self.folder / "decoded.jsonl"
        # A shell writes what the command prints.
        shell = ["sh", "-c", 'decoded=$1; shift; exec "$0" decode "$@" > "$decoded"', self.mill, str(decoded)]
        decoding = measure.run([*shell, *files, *self.trust], self.folder)
        build = [sys.executable, str(PIPELINES / "duckdb/warehouse.py"), "build", str(self.path), str(decoded), *self.memory]
        building = measure.run(build, self.folder)
        decoded.unlink()
        return Cost.of(decoding, building)


class Spark:
    name = "Spark"

    def __init__(self, given, folder, trust):
        self.path, self.folder = folder / "lake", folder
        self.command = [sys.executable, str(PIPELINES / "spark/night.py"), "--lake", str(self.path), "--receiptmill", given.mill]
        self.command += ["--master", given.master, "--archives"]
        self.trust = ["--", *trust]

    def load(self, files):
        return Cost.of(measure.run([*self.command, *files, *self.trust], self.folder, with_orphans=True))


ENGINES = {engine.name.lower(): engine for engine in (SQLite, DuckDB, Spark)}


def bytes_at(path):
    """The size of a file, or of all files in a folder."""
    return path.stat().st_size if path.is_file() else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())


def mint(count, folder):
    command = [archives.MINT, "--output", str(folder), "--count", str(count), "--archives", str(NIGHTS), "--seed", "7"]
    measure.run([*command, "--signed", "0.5", "--of-2026", "0.1", "--last-day", "2026-11-01"], folder.parent)


def report(engine, count, given, minted, former):
    """Prints a line of the table; CPU seconds of a line."""
    files = sorted(str(path) for path in minted.glob("*.jsonl.gz"))
    folder = Path(tempfile.mkdtemp(prefix="engines-", dir=given.work))
    try:
        loader = engine(given, folder, ["--trust", str(minted / "root.pem")])
        first = loader.load(files if given.first else files[:-1])
        disk = bytes_at(loader.path)
        night = None if given.first else loader.load(files[-1:])
    finally:
        shutil.rmtree(folder)
    growth = f"{first.cpu / count / former:6.2f}" if former else "     -"
    print(
        f"{count:9,} {engine.name:7} {first.cpu:7.1f} {first.wall:7.1f} {first.peak / 2**20:9,.0f} {disk / 1e6:8,.0f}"
        f" {growth}" + (f"   {night.cpu:7.1f} {night.wall:7.1f} {night.peak / 2**20:9,.0f}" if night else ""),
        flush=True,
    )
    for name, cost in {"first": first, "then": night}.items():
        if cost and cost.steps:
            print(f"          {name}: {cost.steps}", flush=True)
    return first.cpu / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=os.path.abspath, help="the receiptmill to measure")
    parser.add_argument("--counts", nargs="+", type=int, default=[10_000, 40_000, 100_000], help="lines to mint")
    parser.add_argument("--million", action="store_true", help="and a million, which takes about an hour")
    parser.add_argument("--minted", type=Path, help="a folder of archives with root.pem to measure in the place of --counts")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--first", action="store_true", help="measure the first load alone")
    parser.add_argument("--master", default="local[2]", help="of Spark")
    parser.add_argument("--memory", help="of DuckDB's build, such as 8GiB (default: its own)")
    parser.add_argument("--work", type=Path, help="folder for databases (default: the system's for temporary files)")
    given = parser.parse_args()
    heading = "all archives" if given.first else "all archives but the last                     then the last one"
    print(f"                         {heading}")
    print("    lines engine    CPU s  wall s  peak MiB  disk MB growth     CPU s  wall s  peak MiB")
    former = {}
    for count in [*given.counts, *([MILLION] if given.million else [])] if not given.minted else [None]:
        folder = Path(tempfile.mkdtemp(prefix="minted-", dir=given.work))
        try:
            minted = given.minted or folder / "minted"
            if not given.minted:
                mint(count, minted)
            lines = count or sum(1 for archive in minted.glob("*.jsonl.gz") for _ in archives.read(archive))
            for name in given.engines:
                former[name] = report(ENGINES[name], lines, given, minted, former.get(name))
        except measure.Failed as failure:
            sys.exit(str(failure))
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
