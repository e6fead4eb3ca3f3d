#!/usr/bin/env python3
"""Delta tables of a lake: what readers of any kind see when nights end, and when they die.

    python3 Tests/Engines/test_delta.py

Needs deltalake, pyarrow and pyspark, and no Java; `make test-cluster` runs it.
"""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import engines  # Puts python/ on the path.

sys.dont_write_bytecode = True

from receiptmill.spark import delta
import pyarrow
import pyarrow.parquet
from deltalake import DeltaTable
from receiptmill.spark.delta import Table
from pyspark.sql.types import LongType, StructType


class Frame:
    """Numbers that are written as Spark writes rows: to hidden files, too, a file for each number."""

    schema = StructType().add("number", LongType(), nullable=False)

    def __init__(self, *numbers):
        self.numbers = numbers
        self.write = self

    def mode(self, name):
        assert name == "overwrite"
        return self

    def row(self, number):
        return {"number": [number]}

    def parquet(self, path):
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for number in self.numbers:
            pyarrow.parquet.write_table(pyarrow.table(self.row(number)), folder / f"part-{number}.parquet")
        (folder / "_SUCCESS").touch()


class WiderFrame(Frame):
    """The same with a column that an earlier version did not know."""

    schema = StructType().add("number", LongType(), nullable=False).add("half", LongType())

    def row(self, number):
        return {"number": [number], "half": [number // 2]}


class Disk:
    """Storage of a lake that needs no Java."""

    def __init__(self, lake):
        self.lake = lake

    def path(self, *parts):
        return "/".join([self.lake, *parts])

    uri = path

    def files(self, *parts):
        listed = sorted(Path(self.path(*parts)).glob("part-*"))
        return [(path.name, path.stat().st_size, path.stat().st_mtime_ns // 1_000_000) for path in listed]

    def delete(self, *parts):
        shutil.rmtree(self.path(*parts))


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.disk = Disk(folder.name)

    def table(self, version=None):
        return Table(self.disk, "merged", "numbers", version=version)

    def read(self, version=None):
        """As any reader of Delta tables does."""
        table = DeltaTable(self.disk.uri("merged", "numbers"), version)
        return sorted(table.to_pyarrow_table()["number"].to_pylist())

    def test_hold_what_joins_them(self):
        self.table().write(Frame(1, 2))
        self.table().write(Frame(3), replaced=[])
        self.assertEqual(self.read(), [1, 2, 3])

    def test_lose_files_that_are_replaced(self):
        self.table().write(Frame(1, 2))
        self.table().write(Frame(3), replaced=["part-1.parquet"])
        self.assertEqual(self.read(), [2, 3])

    def test_are_made_anew(self):
        self.table().write(Frame(1, 2))
        self.table().write(Frame(3))
        self.assertEqual(self.read(), [3])

    def test_are_made_anew_with_columns_that_an_earlier_version_did_not_know(self):
        first = self.table().write(Frame(1, 2))
        self.table().write(WiderFrame(6))
        self.table().write(WiderFrame(8), replaced=[])
        rows = DeltaTable(self.disk.uri("merged", "numbers")).to_pyarrow_table().to_pylist()
        self.assertEqual(sorted(row["half"] for row in rows), [3, 4])
        self.assertEqual(self.read(first), [1, 2])

    def test_keep_versions_for_who_reads_them(self):
        first = self.table().write(Frame(1))
        self.table().write(Frame(2))
        self.table().forget_old()
        self.assertEqual(self.read(first), [1])
        self.assertEqual(list(self.table(first).files()), ["part-1.parquet"])

    def test_forget_versions_that_are_old(self):
        first = self.table().write(Frame(1))
        self.table().write(Frame(2))
        with mock.patch.object(delta, "KEPT_HOURS", 0):
            self.table().forget_old()
        self.assertFalse(Path(self.disk.path("merged", "numbers", str(first))).exists())
        self.assertEqual(self.read(), [2])

    def test_lose_what_a_night_that_died_had_committed(self):
        ended = self.table().write(Frame(1))
        self.table().write(Frame(2), replaced=["part-1.parquet"])
        table = self.table()
        table.roll_back(ended)
        table.write(Frame(3), replaced=[])
        self.assertEqual(self.read(), [1, 3])

    def test_lose_what_a_night_that_died_had_written(self):
        ended = self.table().write(Frame(1))
        Frame(2, 3).parquet(self.disk.path("merged", "numbers", str(ended + 1)))
        self.table().write(Frame(3), replaced=[])
        self.assertEqual(self.read(), [1, 3])
        self.assertEqual(len(list(Path(self.disk.lake).rglob("*.parquet"))), 2)

    def test_tell_small_files_where_there_are_many(self):
        self.table().write(Frame(*range(delta.MANY - 1)))
        self.assertEqual(self.table().small_files(), set())
        self.table().write(Frame(delta.MANY), replaced=[])
        self.assertEqual(len(self.table().small_files()), delta.MANY)


if __name__ == "__main__":
    unittest.main()
