#!/usr/bin/env python3
"""Loads the same archives through SQLite, DuckDB and Spark, and compares every model, view and report, row for row.

    Tests/Engines/compare.py RECEIPTMILL [--spark MASTER] [--kill decode|jvm]… [--corpus FOLDER] [--count LINES]

Always compares DuckDB, from what decode writes; with --spark also the lake that the
night's job writes, and DuckDB over that lake. `make test-engines` and `make
test-cluster` run it with a Python that has what it needs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import apart
import intake
from engines import DuckDB, Spark, SQLite

sys.dont_write_bytecode = True

from receiptmill.lake import filters
from receiptmill.lake.dialect import SQL, kept_models
from receiptmill.lake.reports import reports


def views():
    """Every view, and every model that is kept."""
    names = [path.stem for path in SQL.glob("views/*.sql")] + kept_models()
    return sorted(name for name in names if name not in apart.NOT_COMPARED)


def plain(value):
    """Engines differ in types of numbers and of bytes, and in the last digits of a quotient."""
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return round(float(value), 9) if value is not None and not isinstance(value, str) else value


def order(row):
    return [(value is not None, isinstance(value, str), value) for value in row]


def rows_of(rows, keep=None):
    return [tuple(plain(value) for place, value in enumerate(row) if not keep or place in keep) for row in rows]


def first_difference(ours, theirs):
    for mine, other in zip(ours, theirs):
        if mine != other:
            return f"{mine} in SQLite, {other} there"
    return f"{len(ours)} rows in SQLite, {len(theirs)} there"


def choices(found):
    """Each choice that a parameter of a report has, by how it is given, and all choices of a list together."""
    told = {(name, value): {name: value} for name, values in found.choices.items() for value in values}
    told |= {(name, "all of them"): {name: ",".join(found.choices[name])} for name in found.lists}
    return {f"{name}={value}": choice for (name, value), choice in told.items()}


class Comparison:
    def __init__(self, lite):
        self.lite = lite
        # With columns of runs, which no other engine has.
        self.columns = {name: lite.columns(name) for name in [*views(), *apart.NOT_COMPARED]}
        self.subjects = self.find_subjects()
        self.expected = {}
        found = reports().values()
        stale = apart.stale(
            self.columns, {one.name: one.columns for one in found}, {one.name: list(choices(one)) for one in found}
        )
        if stale:
            raise SystemExit(f"apart.py names what there is not: {', '.join(stale)}")

    def find_subjects(self):
        """Whom a report may ask for: the account, device, document and installation that most lines name, and a
        transaction of each kind of signal."""
        named = [
            ("submissions", column) for column in ("account_id", "device_id", "receipt_sha256")
        ] + [("presentations", "lineage")]
        found = [
            self.lite.view(
                f"{view} WHERE {column} IS NOT NULL GROUP BY {column} ORDER BY count(*) DESC, {column} LIMIT 1", [column]
            )[0][0]
            for view, column in named
        ]
        transactions = self.lite.view(
            "fraud_signals WHERE transaction_id IS NOT NULL GROUP BY signal ORDER BY signal", ["min(transaction_id)"]
        )
        return found + [row[0] for row in transactions]

    def settings_of(self, found):
        """Rounds of parameters: nothing set but what has to be; each other choice; all environments; everything ever."""
        required = [name for name, is_required in found.parameters.items() if is_required]
        for subject in self.subjects if required else [None]:
            given = dict.fromkeys(required, subject)
            yield given
            if subject != self.subjects[0] and required:
                continue
            everywhere = {"environment": "all"} if "environment" in found.parameters else {}
            for told, choice in choices(found).items():
                if told not in apart.NOT_ASKED.get(found.name, {}):
                    yield given | choice | everywhere
            if everywhere:
                yield given | everywhere
            if "months" in filters.read(found.written_statement):
                yield given | everywhere | {"from": "all"}

    def compare(self, name, engine):
        """Prints what differs; the number of differences."""
        started, faults, seen, answers = time.monotonic(), [], 0, 0
        for view in views():
            # Of one that has but numbers, how many rows there are.
            kept = [column for column in self.columns[view] if column not in apart.apart(view)] or ["1"]
            keys = apart.keys(view)
            ours = self.remember(view, lambda: sorted(rows_of(self.lite.view(view, kept, keys)), key=order))
            faults += self.held(view, ours, lambda: sorted(rows_of(engine.view(view, kept, keys)), key=order))
            seen += len(ours)
        asked = [found for found in reports().values() if found.name not in apart.NOT_ANSWERED]
        for found in asked:
            left_out = apart.IN_REPORT.get(found.name, {})
            for given in self.settings_of(found):
                ours = self.remember((found.name, *given.items()), lambda: self.answer(self.lite, found, given, left_out))
                told = f"{found.name} {' '.join(f'{name}={value}' for name, value in given.items())}"
                faults += self.held(told, ours, lambda: self.answer(engine, found, given, left_out))
                seen += len(ours)
                answers += 1
        for fault in faults:
            print(f"{name}: {fault}", file=sys.stderr)
        compared = f"{len(views())} views and models, {len(asked)} reports in {answers} rounds, {seen} rows"
        print(f"{name}: {compared}, {len(faults)} differ, {time.monotonic() - started:.0f} s", flush=True)
        if not seen:
            raise SystemExit("nothing was compared")
        return len(faults)

    def remember(self, key, make):
        if key not in self.expected:
            self.expected[key] = make()
        return self.expected[key]

    def answer(self, engine, found, given, left_out):
        columns, rows = engine.report(found, given)
        keep = {place for place, column in enumerate(columns) if column not in left_out}
        answered = rows_of(rows, keep)
        return [tuple(columns), *(sorted(answered, key=order) if left_out else answered)]

    def held(self, what, ours, make):
        try:
            theirs = make()
        except Exception as error:  # Whatever an engine raises is the finding.
            return [f"{what}: {str(error)[:600]}"]
        return [] if ours == theirs else [f"{what}: {first_difference(ours, theirs)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=Path)
    parser.add_argument("--spark", metavar="MASTER", help="local[2], local-cluster[2,1,1024]")
    parser.add_argument(
        "--kill", action="append", choices=["decode", "jvm"], default=[], help="once in the first night"
    )
    parser.add_argument("--corpus", type=Path, help="folder of real receipts, loaded too")
    parser.add_argument("--count", type=int, default=900, help="lines minted (default: %(default)s)")
    given = parser.parse_args()
    mill = given.mill.absolute()
    with tempfile.TemporaryDirectory(prefix="receiptmill-engines-") as name:
        folder = Path(name)
        archives = intake.make(mill, folder, given.count, given.corpus)
        lite = SQLite(mill, archives, folder)
        comparison = Comparison(lite)
        differing = comparison.compare("DuckDB", DuckDB(mill, archives, folder, lite.path))
        if given.spark:
            spark = Spark(mill, archives, folder, lite.path, given.spark, given.kill)
            differing += comparison.compare(
                "DuckDB over the lake", DuckDB(mill, archives, folder, lite.path, spark.lake)
            )
            differing += comparison.compare(f"Spark, {given.spark}", spark)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
