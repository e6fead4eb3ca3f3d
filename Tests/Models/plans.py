#!/usr/bin/env python3
"""Compares the CPU time of each model on two versions of SQLite: that of this machine, and that of the package apsw.

    Tests/Models/plans.py RECEIPTMILL [--count 20000]

The models are written for the plans that SQLite chooses without statistics. Another version may choose others, which
take minutes in place of seconds: a model that takes more than four times as long is a fault.
"""

import argparse
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from receiptmill.lake import dialect

TIMES = 4
# Of what takes less, nobody notices four times as much.
LEAST_SECONDS = 0.05


class Model:
    """A file of sql/core or sql/marts as a table."""

    def __init__(self, path, select):
        text = path.read_text()
        self.name, self.select = path.stem, select
        self.schema = "temp" if re.search(r"(?m)^-- Kept: no$", text) else "main"
        types = dict(re.findall(r"(?m)^--   (\w+) +(INTEGER|TEXT|ANY|REAL|BLOB)!? ", text))
        (key,) = re.findall(r"(?m)^-- Key: (.+)$", text)
        first = key.split(", ")
        others = [column for column in types if column not in first]
        self.columns = ", ".join(f"{column} {types[column]}" for column in [*first, *others])
        self.names = ", ".join(types)
        number = re.findall(r"(?m)^-- Numbered: (.+)$", text)
        is_row = number or (len(first) == 1 and types[key] == "INTEGER")
        keys = f"PRIMARY KEY ({number[0]}), UNIQUE ({key})" if number else f"PRIMARY KEY ({key})"
        self.options = f"{keys}) STRICT{'' if is_row else ', WITHOUT ROWID'}"
        # An index may have a condition after its columns.
        self.indices = re.findall(r"(?m)^-- Index: (.+?)( WHERE .+)?$", text)

    def make(self, execute):
        table = f"{self.schema}.{self.name}"
        execute(f"DROP TABLE IF EXISTS {table}")
        execute(f"CREATE TABLE {table} ({self.columns}, {self.options}")
        execute(f"INSERT INTO {table} ({self.names}) SELECT {self.names} FROM ({self.select})")
        for place, (columns, condition) in enumerate(self.indices):
            execute(f"CREATE INDEX {table}_{place} ON {self.name} ({columns}){condition}")


def models():
    paths = {path.stem: path for folder in ("core", "marts") for path in (dialect.SQL / folder).glob("*.sql")}
    views = {path.stem: dialect.without_comments(path.read_text()) for path in (dialect.SQL / "views").glob("*.sql")}
    selects = dialect.models()
    return [Model(paths[name], selects[name]) for name in dialect.in_order(views | selects) if name in paths]


def seconds(execute):
    """CPU seconds of each model, of which nothing stays."""
    times = {}
    for schema in ("main", "temp"):
        execute(f"PRAGMA {schema}.cache_size = -65536")
    execute("BEGIN")
    for model in models():
        start = time.process_time()
        model.make(execute)
        times[model.name] = time.process_time() - start
    execute("ROLLBACK")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill")
    parser.add_argument("--count", type=int, default=20_000, help="lines to mint")
    given = parser.parse_args()
    mill = Path(given.mill).resolve()
    with tempfile.TemporaryDirectory() as folder:
        minted, database = Path(folder, "minted"), Path(folder, "mill.sqlite")
        subprocess.run(
            [mill.with_name("receiptmint"), "--output", minted, "--count", str(given.count), "--signed", "0.5",
             "--of-2026", "0.2", "--seed", "56"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            [mill, "ingest", *sorted(minted.glob("*.jsonl.gz")), "--trust", minted / "root.pem", "--database", database,
             "--quiet"], check=True)
        here = sqlite3.connect(database, isolation_level=None)
        there = apsw.Connection(str(database))
        times = [
            seconds(lambda sql: here.execute(sql).fetchall()),
            seconds(lambda sql: there.execute(sql).fetchall()),
        ]
    slow = [name for name, before in times[0].items() if times[1][name] > TIMES * before + LEAST_SECONDS]
    for name, before in sorted(times[0].items(), key=lambda one: -one[1]):
        print(f"{name:32} {before:8.3f} {times[1][name]:8.3f} s{'  TOO SLOW' if name in slow else ''}")
    total = [sum(one.values()) for one in times]
    versions = f"SQLite {sqlite3.sqlite_version} and {apsw.sqlite_lib_version()}"
    print(f"{'all':32} {total[0]:8.3f} {total[1]:8.3f} s on {versions}")
    if slow:
        sys.exit(f"more than {TIMES} times as long on SQLite {apsw.sqlite_lib_version()}: {', '.join(slow)}")


if __name__ == "__main__":
    main()
