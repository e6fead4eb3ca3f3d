#!/usr/bin/env python3
"""Simulates nights on DuckDB or Spark, and what each costs: docs/scale.md quotes it.

    Benchmarks/nights.py RECEIPTMILL [--spark MASTER] [--nights 365] [--lines 500] [--before LINES]

Mints an archive for each night, adds one after the other to one file or lake, and prints the processor time of adding
the night's facts and of merging them, by months; on Spark also that of rows of views, in the first night and the last.
Then merges all at once into another: every table has to have the same rows. Needs what
pipelines/duckdb/requirements.txt names, or what `make test-cluster` installs.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "python")]

from archives import MINT
from receiptmill.lake.merging import KEYS

MONTHS = 12

# Hundreds of lines are not worth hundreds of tasks, nor code compiled for them.
SMALL_SPARK = (
    "--conf spark.ui.enabled=false --conf spark.log.level=ERROR --conf spark.sql.shuffle.partitions=2"
    " --conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN"
    " --driver-java-options -XX:TieredStopAtLevel=1 pyspark-shell"
)


class DuckDB:
    """A file, to which nights are added."""

    # Archives as decode writes them.
    pattern = "*.decoded"

    def __init__(self, given, name):
        from receiptmill.duckdb import Warehouse

        self.given, self.path = given, given.folder / f"{name}.duckdb"
        self.warehouse = Warehouse(self.path)

    @staticmethod
    def take(given, archive):
        with open(archive.with_suffix(".decoded"), "wb") as output:
            # Planted damage is a status of its own.
            subprocess.run([given.mill, "decode", archive, *given.trust], stdout=output, check=False)
        archive.unlink()

    def processor_seconds(self):
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    def add(self, paths, with_views):
        """Moments behind which the facts are added, the tables merged, and rows of views kept."""
        with self.warehouse.transaction():
            yield self.processor_seconds()
            self.warehouse.make_stores()
            for path in paths:
                self.warehouse.add_decoded(path)
            yield self.processor_seconds()
            self.warehouse.make_tables(self.given.mill, self.given.trust)
            yield self.processor_seconds()
            # Views are worked out when they are asked.
            yield self.processor_seconds()

    def rows_apart(self, other):
        """Tables that have other rows than the other file's."""
        other.warehouse.connection.close()
        self.warehouse.execute(f"ATTACH '{other.path}' AS other (READ_ONLY)")
        for name in KEYS:
            for one, two in (("", "other."), ("other.", "")):
                apart = f"SELECT count(*) FROM (SELECT * FROM {one}{name} EXCEPT ALL SELECT * FROM {two}{name})"
                if self.warehouse.execute(apart).fetchone()[0]:
                    yield name


class Spark:
    """A lake, to which nights are added."""

    pattern = "*.jsonl.gz"
    session = None

    def __init__(self, given, name):
        from receiptmill.spark.session import make_session

        os.environ |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": SMALL_SPARK}
        Spark.session = Spark.session or make_session("nights", given.spark)
        self.given, self.lake = given, str(given.folder / name)
        self.options = {"lake": self.lake, "receiptmill": str(given.mill), "ship": [], "settings": None}
        self.options["decode"] = list(map(str, given.trust))

    @staticmethod
    def take(given, archive):
        pass

    def processor_seconds(self):
        """Of this process, which writes Delta's logs, and of Java. Decoding costs the same every night."""
        with open(f"/proc/{self.session.sparkContext._gateway.proc.pid}/stat", encoding="utf-8") as file:
            used = file.read().rpartition(")")[2].split()
        return sum(map(int, used[11:13])) / os.sysconf("SC_CLK_TCK") + sum(os.times()[:2])

    def add(self, paths, with_views):
        from receiptmill.spark.nights import Night, Order

        night = Night(self.session, Order(archives=list(map(str, paths)), **self.options))
        keep, night.keep = night.keep, lambda generation: None
        merge, night.merge = night.merge, lambda: None
        yield self.processor_seconds()
        night.run()
        yield self.processor_seconds()
        generation = merge()
        yield self.processor_seconds()
        if with_views and not self.given.no_views:
            keep(generation)
        yield self.processor_seconds()

    def rows_apart(self, other):
        from receiptmill.spark.merged import TABLES, Merged
        from receiptmill.spark.storage import Storage

        ours, theirs = (Merged(self.session, Storage(self.session, one.lake)) for one in (self, other))
        for name in TABLES:
            one, two = ours.frame(name), theirs.frame(name)
            if not one.exceptAll(two).isEmpty() or not two.exceptAll(one).isEmpty():
                yield name


def mint(engine, given, folder, archives, lines, seed):
    """Archives of a seed's store, and how they are trusted."""
    command = [MINT, "--output", folder, "--count", str(archives * lines), "--signed", "0.3"]
    command += ["--archives", str(archives), "--seed", str(seed)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    given.trust += ["--trust", folder / "root.pem"]
    for archive in folder.glob("*.jsonl.gz"):
        engine.take(given, archive)
    return sorted(folder.glob(engine.pattern))


def seconds(engine, paths, with_views):
    """Of facts, merge and views."""
    moments = list(engine.add(paths, with_views))
    return [after - before for before, after in zip(moments, moments[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=lambda name: str(Path(name).absolute()))
    parser.add_argument("--spark", metavar="MASTER", help="the night's job instead of DuckDB: local[2], …")
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--lines", type=int, default=500, help="of each night (default: %(default)s)")
    parser.add_argument("--before", type=int, default=0, help="lines that are there before the first night")
    parser.add_argument("--no-views", action="store_true", help="on Spark, work out no rows of views")
    given = parser.parse_args()
    make = Spark if given.spark else DuckDB
    with tempfile.TemporaryDirectory(prefix="receiptmill-nights-") as name:
        given.folder = Path(name)
        given.trust = []
        before = mint(make, given, given.folder / "before", 1, given.before, 2) if given.before else []
        paths = mint(make, given, given.folder / "intake", given.nights, given.lines, 1)
        engine, size = make(given, "nights"), -(-given.nights // MONTHS)
        print(f"{given.nights} nights of {given.lines} lines; processor seconds of a night, medians")
        print(f"{'nights':>12} {'lines before':>13} {'facts':>8} {'merge':>8} {'views':>8}")

        def tell(what, lines, costs):
            facts, merge = (statistics.median(cost[place] for cost in costs) for place in (0, 1))
            views = sum(cost[2] for cost in costs)
            print(f"{what:>12} {lines:>13,} {facts:8.2f} {merge:8.2f} {views:8.2f}", flush=True)

        if before:
            tell("before", 0, [seconds(engine, before, False)])
        for first in range(0, given.nights, size):
            month = paths[first : first + size]
            costs = [seconds(engine, [path], path in (paths[0], paths[-1])) for path in month]
            tell(f"{first + 1}-{first + len(month)}", given.before + first * given.lines, costs)
        whole = make(given, "whole")
        tell("all at once", 0, [seconds(whole, before + paths, True)])
        apart = sorted(set(engine.rows_apart(whole)))
        print(f"tables that differ: {', '.join(apart) or 'none'}")
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
