#!/usr/bin/env python3
"""A database as DuckDB's scanner for SQLite sees it, and what the table `catalog` lists.

    Tests/Engines/test_attach.py RECEIPTMILL

Needs duckdb and its extension from PyPI; `make test-engines` runs it.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb
from duckdb_extensions import import_extension

SQL = Path(__file__).resolve().parents[2] / "sql"
MILL = Path(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/receiptmill").absolute()
MINT = os.environ.get("MINT") or MILL.with_name("receiptmint")
# What a person has to read through to find the right one.
MOST_OBJECTS = 36


class Attached(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        minted, cls.path = Path(folder.name, "minted"), Path(folder.name, "mill.sqlite")
        mint = ["--output", minted, "--count", "300", "--archives", "1", "--seed", "5", "--signed", "0.5"]
        subprocess.run([MINT, *mint], check=True, stdout=subprocess.DEVNULL)
        load = ["ingest", *minted.glob("*.jsonl.gz"), "--trust", minted / "root.pem", "--database", cls.path, "--quiet"]
        subprocess.run([MILL, *load], check=True)
        cls.lite = sqlite3.connect(cls.path)
        cls.addClassCleanup(cls.lite.close)
        import_extension("sqlite_scanner")
        cls.duck = duckdb.connect()
        cls.addClassCleanup(cls.duck.close)
        cls.duck.execute("LOAD sqlite_scanner")
        cls.duck.execute(f"ATTACH '{cls.path}' AS mill (TYPE sqlite, READ_ONLY)")
        cls.duck.execute("USE mill")
        cls.catalog = cls.lite.execute('SELECT object, "column", type FROM catalog').fetchall()
        cls.objects = sorted({row[0] for row in cls.catalog})

    def test_lists_tables_and_views(self):
        tables = {row[2] for row in self.duck.execute("SHOW ALL TABLES").fetchall()}
        self.assertLessEqual({"catalog", "model_sales", "model_periods"}, tables)
        # DuckDB 1.5.5 tells of an attached database's views here alone.
        views = self.duck.execute("SELECT view_name FROM duckdb_views() WHERE database_name = 'mill'").fetchall()
        self.assertLessEqual(set(self.objects), {row[0] for row in views})

    def test_shows_models_typed(self):
        types = {"INTEGER": "BIGINT", "TEXT": "VARCHAR", "REAL": "DOUBLE", "BLOB": "BLOB"}
        models = [path for folder in ("core", "marts") for path in (SQL / folder).glob("*.sql")]
        for name in [path.stem for path in models if "\n-- Kept: no\n" not in path.read_text()]:
            declared = self.lite.execute("SELECT name, type FROM pragma_table_info(?)", [name]).fetchall()
            seen = {row[0]: row[1] for row in self.duck.execute(f"DESCRIBE {name}").fetchall()}
            for column, kind in declared:
                if kind in types:
                    with self.subTest(f"{name}.{column}"):
                        self.assertEqual(seen[column], types[kind])

    def test_reads_rows_of_public_objects(self):
        counted = 0
        for name in self.objects:
            (ours,) = self.lite.execute(f"SELECT count(*) FROM {name}").fetchone()
            (theirs,) = self.duck.execute(f"SELECT count(*) FROM sqlite_scan('{self.path}', '{name}')").fetchone()
            self.assertEqual(theirs, ours, name)
            counted += ours > 0
        self.assertGreater(counted, 20)

    def test_scans_public_objects_typed(self):
        for name in self.objects:
            statement = f"DESCRIBE SELECT * FROM sqlite_scan('{self.path}', '{name}')"
            seen = {row[0]: row[1] for row in self.duck.execute(statement).fetchall()}
            # SQLite tells no type of a column that a view works out; the catalog does.
            declared = dict(self.lite.execute("SELECT name, type FROM pragma_table_info(?)", [name]).fetchall())
            for column in [column for other, column, kind in self.catalog if (other, kind) == (name, "INTEGER")]:
                with self.subTest(f"{name}.{column}"):
                    self.assertEqual(seen[column], "BIGINT" if declared[column] else "BLOB")


class Catalog(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Attached.setUpClass.__func__(cls)

    def test_names_what_there_is(self):
        for name in self.objects:
            columns = [row[0] for row in self.lite.execute("SELECT name FROM pragma_table_info(?)", [name])]
            self.assertEqual(sorted(columns), sorted(column for other, column, _ in self.catalog if other == name), name)

    def test_names_every_view_that_is_a_persons(self):
        views = [row[0] for row in self.lite.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
        serving_reports = {"days", "months", "rates", "signal_settings"}
        named = {name for name in views if not name.startswith("internal_")}
        self.assertEqual(sorted(named - serving_reports), self.objects)

    def test_names_no_more_than_a_person_reads(self):
        self.assertLessEqual(len(self.objects), MOST_OBJECTS)
        self.assertGreater(len(self.objects), 20)

    def test_tells_what_each_column_means(self):
        silent = self.lite.execute("SELECT object, \"column\" FROM catalog WHERE meaning = ''").fetchall()
        self.assertEqual(silent, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
