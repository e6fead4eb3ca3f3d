#!/usr/bin/env python3
"""Cases that were worked out on paper (Tests/ReceiptReportsTests/HandWorked), answered by the other engines.

    Tests/Engines/hand_worked.py [--spark MASTER] [CASE]…

Cases that share settings stand in one warehouse, each in an environment of its own, so that the models are worked out
once. With --spark a night's run makes a lake of these, and of each case with tables, and reports run on Spark instead; what stands in for decode there
passes on lines that are decoded already.
"""

import argparse
import csv
import io
import re
import sqlite3
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import compact
from engines import DONE, ROOT, Lake

sys.dont_write_bytecode = True

from receiptmill.lake import fields
from receiptmill.lake.reports import reports
from receiptmill.lake.settings import TABLES
from receiptmill.duckdb.warehouse import Warehouse

FOLDER = ROOT / "Tests/ReceiptReportsTests/HandWorked"
# Rates of exchange, which `receiptmill report --rates` gives to one run. A lake has none: only DuckDB is given them here.
RATES = "rates.csv"
# Reports that count what is of production by that environment's name, or all environments together.
OF_ALL = ["freemium-migration", "findings", "storekit-migration", "receipts-by-month", "questions"]

# More than any case has.
DOCUMENTS = 10_000

# The day after the last one of the view days, 2040-12-31, up to which the last rate of two currencies holds.
END_OF_DAYS = 25_933


class Case:
    def __init__(self, folder, number):
        self.folder, self.name = folder, folder.name
        self.answers = sorted(path for path in folder.glob("*.csv") if path.name not in ("prices.csv", RATES))
        names = {path.stem.partition(",")[0] for path in self.answers}
        self.is_alone = any((folder / name).exists() for name in ("prices.csv", "time_zone", "tables")) or bool(names & set(OF_ALL))
        self.number = 0 if self.is_alone else number

    def environment(self, name):
        return f"{self.name}.{name}" if self.number else name

    def lines(self):
        """The case's lines of decode, in an environment that no other case has."""
        return compact.decoded((self.folder / "told.jsonl").read_text(), DOCUMENTS * self.number, self.environment)

    def rates(self):
        """Rates, each with its first day and the day on which the next rate of its currencies begins."""
        path = self.folder / RATES
        told = csv.DictReader(io.StringIO(path.read_text())) if path.exists() else []
        rows = sorted((row["currency"], row["into_currency"], day(row["valid_from"]), float(row["rate"])) for row in told)
        for row, later in zip(rows, [*rows[1:], ("", "", 0, 0.0)]):
            currency, into_currency, from_day, rate = row
            yield currency, into_currency, rate, from_day, later[2] if later[:2] == row[:2] else END_OF_DAYS

    def asked(self, answer):
        """The report of an answer's file name, and its parameters."""
        name, *parts = answer.stem.split(",")
        given = []
        for part in parts:
            if "=" in part:
                given.append(part.split("=", 1))
            else:  # Of the value before, which has a comma.
                given[-1][1] += f",{part}"
        given = dict(given)
        # A run's own rates convert nothing unless a currency is asked for.
        if (self.folder / RATES).exists() and "into_currency" in reports()[name].parameters:
            given.setdefault("into_currency", "none")
        if self.number:
            given.setdefault("environment", "Production")
        if given.get("environment", "all") != "all":
            given["environment"] = ",".join(map(self.environment, given["environment"].split(",")))
        return name, given

    def plain(self, value):
        """A cell as the case has it."""
        if isinstance(value, str) and self.number:
            value = value.replace(f"{self.name}.", "")
            if re.fullmatch("[0-9a-f]{8}0{56}", value):
                value = f"{int(value[:8], 16) - DOCUMENTS * self.number:064x}"
        return value

    def faults(self, engine):
        """Answers that are not those worked out."""
        for answer in self.answers:
            name, given = self.asked(answer)
            found = reports()[name]
            expected = list(csv.reader(io.StringIO(answer.read_text())))
            try:
                columns, rows = engine(found, given)
            except Exception as error:  # Whatever an engine raises is the finding.
                yield f"{self.name}/{answer.name}: {str(error)[:600]}"
                continue
            ours = [list(columns), *([self.plain(shown(value)) for value in row] for row in rows)]
            for told, row in zip(expected, ours):
                if len(told) != len(row) or not all(map(is_equal, told, row)):
                    yield f"{self.name}/{answer.name}: {','.join(told)} was worked out, the engine has {row}"
                    break
            if len(expected) != len(ours):
                yield f"{self.name}/{answer.name}: {len(expected)} lines were worked out, the engine has {len(ours)}"


def day(text):
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def shown(value):
    """A text as `receiptmill report --format csv` writes it; every other value as it is."""
    return next(csv.reader([fields.line([value])]))[0] if isinstance(value, str) and value else value


def is_equal(told, value):
    """A cell of CSV and an engine's value: engines write whole numbers and quotients each in its own way."""
    if value is None or isinstance(value, str):
        return told == (value or "")
    try:
        return abs(float(told) - float(value)) < 1e-6
    except ValueError:
        return False


def settings_of(cases, path):
    """A database of receiptmill, as far as a lake reads its settings: those that the cases share, and each case's answers."""
    case = cases[0]
    with sqlite3.connect(path) as lite:
        for table, columns in TABLES.items():
            lite.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        zone = case.folder / "time_zone"
        if zone.exists():
            lite.execute("INSERT INTO setting VALUES ('time_zone', ?)", (zone.read_text().strip(),))
        prices = case.folder / "prices.csv"
        for row in csv.DictReader(io.StringIO(prices.read_text())) if prices.exists() else []:
            lite.execute(
                "INSERT INTO listed_price VALUES (?, ?, ?, ?, ?)",
                (row["product_id"], row["currency"], milliunits(row["price"]), milliunits(row.get("introductory_price")),
                 row.get("valid_from") or ""),
            )
        for rows in sorted(case.folder.glob("tables/*.csv")):
            for row in csv.DictReader(io.StringIO(rows.read_text())):
                kinds = TABLES[rows.stem]
                # Identifiers of transactions are numbers in a database, too.
                numbers = {name for name in row if kinds[name] == "BIGINT" or name == "transaction_id"}
                values = [int(value) if value and name in numbers else value or None for name, value in row.items()]
                lite.execute(f"INSERT INTO {rows.stem} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", values)
    lite.close()
    return path


def milliunits(text):
    return round(float(text) * 1000) if text else None


def night(cases, folder):
    """An archive for each case."""
    for case in cases:
        path = folder / case.name / "told.decoded"
        path.parent.mkdir()
        path.write_text(case.lines())
        yield path


def duckdb_over(cases, folder):
    warehouse = Warehouse(":memory:")
    warehouse.make_stores()
    for path in night(cases, folder):
        warehouse.add_decoded(path)
    warehouse.make_tables(None, [])
    warehouse.make_views(settings_of(cases, folder / "settings.sqlite"))
    warehouse.execute("CREATE TABLE given_rates AS SELECT * FROM rates")
    warehouse.execute("ALTER TABLE given_rates ALTER rate TYPE DOUBLE")
    warehouse.execute("CREATE OR REPLACE VIEW rates AS SELECT * FROM given_rates")

    def engine_of(case):
        warehouse.execute("DELETE FROM given_rates")
        for row in case.rates():
            warehouse.execute("INSERT INTO given_rates SELECT ?, ?, ?, day FROM range(?, ?) AS days(day)", row)
        return warehouse.rows

    return engine_of


def spark_over(cases, folder, master):
    program = folder / "decoded-already"
    program.write_text("#!/bin/sh\nexec cat\n")
    program.chmod(0o755)
    settings = settings_of(cases, folder / "settings.sqlite")
    lake = Lake(folder, settings, master)
    lake.night(program, list(night(cases, folder)), DONE)
    lake.show()
    return lambda case: lake.report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="beginnings of cases' names (default: all)")
    parser.add_argument("--spark", metavar="MASTER", help="local[2]; of the cases, those that share settings, and those with tables")
    given = parser.parse_args()
    folders = [path for path in sorted(FOLDER.iterdir()) if path.is_dir()]
    if given.spark:
        folders = [path for path in folders if not (path / RATES).exists()]
    cases = [Case(path, number) for number, path in enumerate(folders, 1)]
    cases = [case for case in cases if not given.cases or case.name.startswith(tuple(given.cases))]
    groups = [[case for case in cases if not case.is_alone]] + [[case] for case in cases if case.is_alone]
    if given.spark:
        # A lake for each group takes long: those of report files and rate cards are few.
        groups = groups[:1] + [group for group in groups[1:] if (group[0].folder / "tables").exists()]
    faults, answers, started = [], 0, time.monotonic()
    for group in filter(None, groups):
        with tempfile.TemporaryDirectory(prefix="receiptmill-hand-worked-") as name:
            folder = Path(name)
            engine_of = spark_over(group, folder, given.spark) if given.spark else duckdb_over(group, folder)
            for case in group:
                faults += case.faults(engine_of(case))
                answers += len(case.answers)
    for fault in faults:
        print(fault, file=sys.stderr)
    engine = f"Spark, {given.spark}" if given.spark else "DuckDB"
    print(f"{engine}: {answers} answers worked out by hand, {len(faults)} differ, {time.monotonic() - started:.0f} s")
    return 1 if faults or not answers else 0


if __name__ == "__main__":
    sys.exit(main())
