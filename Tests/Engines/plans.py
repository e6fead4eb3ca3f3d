#!/usr/bin/env python3
"""Holds the plans by which a build on DuckDB fills its tables: no step makes or compares many more rows than are read.

    Tests/Engines/plans.py RECEIPTMILL [--count LINES] [--show]

Mints archives, builds a file of nearly all of them and then adds the last one, as a night does. A table that this
transaction has filled has no statistics, and without them DuckDB may join by app first. `--show` prints every
statement with the rows that were read, the largest step, and the number of rows that the planner expected there.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import engines as _  # Puts python/ on the path.

sys.dont_write_bytecode = True

from receiptmill.duckdb.warehouse import Warehouse

# The largest step of a statement, as a multiple of the rows that it reads and makes. The greatest was 1.4 with 20,000 lines; of plans
# that join by app first, it was 50 and 1,000 with 10,000 lines.
MOST = 4
# Rows that a step may have in any case, such as the days of a calendar.
ALWAYS = 20_000
# Columns that name an app: a comparison of these alone pairs each row with a part of all others.
APP = {"app_id", "environment", "bundle_id"}
# Joins that compare each row of one side with each row of the other.
LOOPS = ("NESTED_LOOP_JOIN", "BLOCKWISE_NL_JOIN", "CROSS_PRODUCT")
FILLS = ("CREATE OR REPLACE TABLE", "CREATE OR REPLACE TEMPORARY TABLE", "INSERT INTO", "DELETE FROM")


class Profiled:
    """A connection that keeps the profile of each statement that fills a table."""

    def __init__(self, connection):
        self.connection, self.profiles = connection, []
        connection.execute("SET enable_profiling = 'no_output'")

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def execute(self, statement, values=None):
        done = self.connection.execute(statement, values)
        # Lists of values are no rows that were read.
        if not values and statement.startswith(FILLS):
            profile = json.loads(self.connection.get_profiling_information())
            if "operator" in profile:
                self.profiles.append((statement, profile["operator"]))
        return done


def operators(found):
    for one in found:
        yield one
        yield from operators(one.get("children", []))


def rows(operator):
    return operator.get("intermediate_rows", 0)


def is_by_app(operator):
    """Whether a join's equalities name the app and nothing else."""
    told = operator["extra_info"].get("Conditions") or []
    conditions = [told] if isinstance(told, str) else told
    # What stands in brackets is asked of rows that have met already.
    keys = [re.split(" = | IS NOT DISTINCT FROM ", one)[0] for one in conditions if re.match(r"[^(].* (=|IS NOT) ", one)]
    return bool(keys) and APP.issuperset(keys)


def compared(operator, apps):
    """Pairs of rows that a join looks at, as far as the profile lets one reckon them."""
    sides = [rows(child) for child in operator.get("children", [])]
    if len(sides) != 2 or "JOIN" not in operator["type"] and operator["type"] not in LOOPS:
        return 0
    if operator["type"] in LOOPS:
        return sides[0] * sides[1]
    return sides[0] * sides[1] // max(apps, 1) if is_by_app(operator) else 0


class Step:
    """The largest step of a statement."""

    def __init__(self, statement, plan, apps):
        every = list(operators(plan))
        self.name = " ".join(statement.split()[:8])
        scans = [one for one in every if one["type"].endswith("SCAN") and "CTE" not in one["type"]]
        self.read = sum(max(rows(one), one.get("rows_scanned", 0)) for one in scans)
        largest = max(every, key=lambda one: max(rows(one), compared(one, apps)))
        self.rows = max(rows(largest), compared(largest, apps))
        self.told = largest["extra_info"]
        self.type = largest["type"]

    @property
    def is_too_large(self):
        return self.rows > max(ALWAYS, MOST * self.read)

    def __str__(self):
        conditions = str(self.told.get("Conditions", ""))[:80]
        expected = self.told.get("Estimated Cardinality", "?")
        return (
            f"{self.name[:64]:64} {self.read:>10,} read {self.rows:>12,} at most, {expected} expected:"
            f" {self.type} {conditions}"
        )


def build(database, paths):
    """Builds as the command does; the largest step of each statement."""
    with Warehouse(database) as warehouse:
        warehouse.connection = Profiled(warehouse.connection)
        with warehouse.transaction():
            warehouse.make_stores()
            warehouse.add_decoded(*paths)
            warehouse.make_tables(None, [])
            warehouse.make_views(None)
        apps = warehouse.counted("SELECT count(*) FROM app")
        return [Step(statement, plan, apps) for statement, plan in warehouse.connection.profiles]


def check_itself(database):
    """A join by app alone is found, also where another condition leaves few of its rows."""
    with Warehouse(database) as warehouse:
        apps = warehouse.counted("SELECT count(*) FROM app")
        profiled = Profiled(warehouse.connection)
        for condition in ("", " AND abs(one.as_of - other.as_of) = 12345"):
            profiled.execute(
                "CREATE OR REPLACE TEMPORARY TABLE joined AS SELECT one.purchase_id FROM purchase AS one"
                f" JOIN purchase AS other ON one.app_id = other.app_id{condition}"
            )
        return all(Step(statement, plan, apps).is_too_large for statement, plan in profiled.profiles)


def minted(mill, folder, count):
    """Archives as decode writes them, and what is new in each."""
    mint = Path(mill).with_name("receiptmint")
    command = [mint, "--output", folder, "--count", str(count), "--archives", "10", "--seed", "57"]
    subprocess.run([*command, "--signed", "0.5", "--of-2026", "0.2"], check=True, stdout=subprocess.DEVNULL)
    for archive in sorted(folder.glob("*.jsonl.gz")):
        decoded = archive.with_suffix(".decoded")
        with open(decoded, "wb") as output:
            # Planted damage is a status of its own.
            subprocess.run([mill, "decode", archive, "--trust", folder / "root.pem"], stdout=output, check=False)
        yield decoded


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=Path)
    parser.add_argument("--count", type=int, default=4000, help="lines minted (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print every statement")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="receiptmill-plans-") as name:
        paths = list(minted(given.mill.absolute(), Path(name), given.count))
        database = Path(name, "plans.duckdb")
        steps = build(database, paths[:-1]) + build(database, paths)
        found = check_itself(database)
    largest = max(steps, key=lambda step: step.rows / max(step.read, ALWAYS / MOST))
    for step in steps:
        if given.show or step.is_too_large:
            print(step, file=sys.stdout if given.show else sys.stderr)
    faults = [step for step in steps if step.is_too_large]
    print(f"DuckDB's plans: {len(steps)} statements, {len(faults)} too large; the largest step: {largest}")
    if not found:
        raise SystemExit("a join by app alone was not found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
