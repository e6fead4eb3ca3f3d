#!/usr/bin/env python3
"""Exports a minted database to Parquet, reads that with DuckDB and pandas, and compares with SQLite, row by row.

    Tests/Parquet/test_export.py RECEIPTMILL

Needs what `make test-parquet` installs.
"""

import contextlib
import decimal
import fcntl
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
EXPORT = ROOT / "pipelines/parquet/export.py"
sys.path[:0] = [str(ROOT / "python")]

import duckdb
import pandas
import pyarrow.parquet
from receiptmill.parquet import command as export_command, exporter as export

MILL = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "receiptmill"
LINES = 900
BASE = None


def setUpModule():
    """Three archives, of which two runs have loaded two."""
    global BASE
    BASE = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    mint = os.environ.get("MINT") or Path(MILL).with_name("receiptmint")
    options = ["--output", BASE, "--count", LINES, "--archives", 3, "--signed", 0.5, "--of-2026", 0.4, "--seed", 12]
    subprocess.run([mint, *map(str, options)], check=True, stdout=subprocess.DEVNULL)
    for number in (1, 2):
        ingest(number, BASE / "mill.sqlite")


def mill(*words):
    subprocess.run([MILL, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def ingest(number, database):
    mill(
        "ingest", BASE / f"receipts-00{number}.jsonl.gz", "--trust", BASE / "root.pem", "--database", database, "--quiet",
        "--app", "com.example.tideline:1.10:ios",
    )


def as_text(row):
    return tuple(value if value is None or isinstance(value, (int, float)) else str(value) for value in row)


def as_told(value):
    """A value of a column as a report tells it: times and days are text, amounts are exact."""
    return value if value is None or isinstance(value, (int, float, decimal.Decimal)) else str(value)


def by_text(rows):
    return sorted((as_text(row) for row in rows), key=repr)


class ExportCase(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.database, self.folder = self.scratch / "mill.sqlite", self.scratch / "out"
        mill("backup", self.database, "--database", BASE / "mill.sqlite")

    def run_export(self, *words, status=0):
        command = [EXPORT, self.database, self.folder, "--receiptmill", MILL, *words]
        ended, said = 0, io.StringIO()
        with mock.patch("sys.argv", [str(word) for word in command]), contextlib.redirect_stderr(said):
            try:
                ended = export_command.main()
            except SystemExit as end:
                ended = end.code
        self.assertEqual(ended, status, said.getvalue())
        return said.getvalue()

    def execute(self, statement):
        with contextlib.closing(sqlite3.connect(self.database)) as lite, lite:
            return lite.execute(statement).fetchall()

    def view(self, name):
        """A view's rows as a reader sees them, in DuckDB, and the types of its columns."""
        pattern = f"{self.folder}/views/{name}/{'*/' if name in export.BY_RUN else ''}*.parquet"
        with duckdb.connect() as duck:
            duck.execute("SET TimeZone = 'UTC'")
            read = f"read_parquet('{pattern}', hive_partitioning = false)"
            types = dict(duck.execute(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {read})").fetchall())
            words = ", ".join(
                f"strftime({column}, '%Y-%m-%dT%H:%M:%SZ') AS {column}" if kind.startswith("TIMESTAMP") else column
                for column, kind in types.items()
            )
            return duck.execute(f"SELECT {words} FROM {read}").fetchall(), types

    def compare(self, names=export.VIEWS):
        count = 0
        for name in names:
            rows, types = self.view(name)
            # Some views have identifiers as tables do, numbers and text in one column.
            expected = [
                tuple(str(value) if kind == "VARCHAR" and value is not None else value for value, kind in zip(row, types.values()))
                for row in self.execute(f"SELECT * FROM {name}")
            ]
            self.assertEqual(by_text(rows), by_text(expected), name)
            count += len(rows)
        manifest = json.loads((self.folder / "export.json").read_text())
        self.assertEqual(set(manifest["files"]), set(self.files()))
        for path, told in manifest["files"].items():
            self.assertEqual(pyarrow.parquet.read_metadata(self.folder / path).num_rows, told["rows"], path)
            self.assertEqual(export.digest(self.folder / path), told["sha256"], path)
        return count

    def files(self, manifest=False):
        """What a reader would find, and what changes when a file is replaced."""
        return {
            str(path.relative_to(self.folder)): (path.stat().st_ino, path.stat().st_mtime_ns)
            for path in [*self.folder.rglob("*.parquet"), *(self.folder.glob(export.MANIFEST) if manifest else [])]
        }

    def settle(self):
        """Long enough ago that a file which changes looks changed."""
        for path in self.scratch.glob("mill.sqlite*"):
            os.utime(path, (time.time() - 60,) * 2)


class Rows(ExportCase):
    def test_every_view_reads_as_in_sqlite(self):
        names = sorted({row[0] for row in self.execute("SELECT object FROM catalog")})
        self.run_export("--views", ",".join(names))
        self.assertGreater(self.compare(names), 10 * LINES)

    def test_stable_views_are_those_of_the_data_model(self):
        text = (ROOT / "docs/data-model.md").read_text()
        promised = re.search(r"These views keep their columns: (.*?)\.", text)[1]
        self.assertEqual(sorted(export.VIEWS), sorted([*re.findall(r"`(\w+)`", promised), "runs"]))

    def test_types_and_meanings(self):
        self.run_export()
        _, types = self.view("purchases")
        for column, kind in [
            ("transaction_id", "VARCHAR"),
            ("purchase_date", "TIMESTAMP WITH TIME ZONE"),
            ("price_milliunits", "BIGINT"),
            ("is_trial_period", "BIGINT"),
            ("revoked_share", "DOUBLE"),
        ]:
            self.assertEqual(types[column], kind, column)
        schema = pyarrow.parquet.read_schema(self.folder / "views/purchases/part-0.parquet")
        self.assertTrue(schema.metadata[b"description"].startswith(b"One row per transaction of an app"))
        self.assertEqual(schema.field("price_milliunits").metadata[b"unit"], b"milliunits")
        self.assertIn("thousandths of the currency, taxes", schema.field("price_milliunits").metadata[b"description"].decode())

    def test_versions_are_text_in_pandas_and_runs_a_column(self):
        self.run_export("--views", "receipts")
        frame = pandas.read_parquet(self.folder / "views/receipts")
        self.assertEqual(set(frame["run"].astype(int)), {1, 2})
        versions = {version for version in frame["app_version"] if version is not None}
        self.assertEqual(versions, {row[0] for row in self.execute("SELECT version FROM version")} & versions)
        self.assertTrue(any(re.fullmatch(r"\d+\.\d+0", version) for version in versions), versions)
        self.assertEqual(str(frame["receipt_creation_date"].dtype), "datetime64[ms, UTC]")

    def test_a_view_without_rows_has_a_file(self):
        self.execute("DELETE FROM receipt_part")
        self.run_export("--views", "receipt_parts")
        self.assertEqual(self.view("receipt_parts")[0], [])

    def test_reports(self):
        self.run_export("--views", "runs", "--reports", "refunds,revenue")
        for name in ("refunds", "revenue"):
            answer = subprocess.run(
                [MILL, "report", name, "--database", self.database, "--format", "jsonl"], check=True, capture_output=True
            ).stdout
            expected = [tuple(json.loads(line, parse_float=decimal.Decimal).values()) for line in answer.splitlines()]
            table = pyarrow.parquet.read_table(self.folder / f"reports/{name}/part-0.parquet")
            found = [tuple(row.values()) for row in table.to_pylist()]
            self.assertEqual(
                [tuple(map(as_told, row)) for row in found],
                [tuple(float(one) if isinstance(other, float) else one for one, other in zip(*both)) for both in zip(expected, found)],
            )
            self.assertTrue(expected)
        # Amounts are exact.
        self.assertEqual(str(table.schema.field("gross").type), "decimal128(19, 3)")
        self.assertTrue(any(row["gross"] % 1 for row in table.to_pylist()))
        self.assertEqual(table.schema.metadata[b"title"], b"Revenue by month: gross, refunded, net")
        # What is not asked for any more goes.
        self.run_export("--views", "runs")
        self.assertEqual(list(self.files()), ["views/runs/part-0.parquet"])


class Increments(ExportCase):
    def test_nothing_is_written_where_nothing_changed(self):
        self.assertIn(" of them written", self.run_export())
        before = self.files(manifest=True)
        # Read once more, then known by its files.
        for _ in range(3):
            self.assertEqual(self.run_export(), "nothing has changed\n")
            self.settle()
        self.assertEqual(self.run_export("--quiet"), "")
        self.assertEqual(self.files(manifest=True), before)

    def test_known_by_its_files(self):
        self.settle()
        self.run_export()
        with mock.patch.object(export.Export, "stage", side_effect=AssertionError):
            given = {"database": self.database, "folder": self.folder, "views": export.VIEWS, "reports": [], "sql": None}
            export.Export(mock.Mock(**given, receiptmill=MILL, quiet=True)).run()
        self.execute("UPDATE rejection SET status = 'dismissed'")
        self.assertIn(" 1 of them written", self.run_export())
        self.compare()

    def test_a_run_adds_its_parts_and_leaves_others(self):
        self.run_export()
        before = self.files()
        ingest(3, self.database)
        self.run_export()
        after = self.files()
        for name in ("submissions", "receipts", "receipt_purchases", "receipt_parts"):
            for run in (1, 2):
                path = f"views/{name}/run={run}/part-0.parquet"
                self.assertEqual(before[path], after[path])
            self.assertIn(f"views/{name}/run=3/part-0.parquet", set(after) - set(before))
        self.compare()
        # A run that loads nothing new shows in the view of runs, and by what was new before it.
        news = "SELECT count(*), sum(is_new) FROM fraud_signals"
        (signals, new) = self.execute(news)[0]
        self.assertGreater(new, 0)
        ingest(3, self.database)
        self.run_export()
        changed = {path for path, told in self.files().items() if told != after[path]}
        self.assertEqual(changed, {f"views/{name}/part-0.parquet" for name in ("runs", "fraud_signals")})
        self.assertEqual(self.execute(news), [(signals, 0)])
        self.compare()

    def test_what_changes_later_leaves_no_stale_row(self):
        names = ["submissions", "receipts", "rejections", "archives"]
        for change, stale in [
            # Retention, all of one part.
            ("DELETE FROM submission WHERE submission_id >> 32 & 0xfffff = 1", "views/submissions/run=1/part-0.parquet"),
            # A receipt is verified anew.
            ("UPDATE receipt SET verdict = 'invalid_chain' WHERE receipt_id = 1", "views/receipts/run=1/part-0.parquet"),
            # An app's setting, on which checks of all submissions depend.
            ("DELETE FROM app_setting", "views/submissions/run=2/part-0.parquet"),
            # A corrected line.
            ("UPDATE rejection SET status = 'cleared'", "views/rejections/part-0.parquet"),
            ("UPDATE archive SET sha256 = zeroblob(32) WHERE archive_id = 2", "views/archives/part-0.parquet"),
        ]:
            self.run_export("--views", ",".join(names))
            before = self.files()
            self.execute(change)
            self.run_export("--views", ",".join(names))
            self.assertNotEqual(before[stale], self.files().get(stale), change)
            self.compare(names)
        self.assertNotIn("views/submissions/run=1", [str(Path(path).parent) for path in self.files()])
        self.assertFalse((self.folder / "views/submissions/run=1").exists())

    def test_lost_and_altered_files_come_again(self):
        self.run_export()
        (self.folder / "views/purchases/part-0.parquet").unlink()
        (self.folder / "views/receipts/run=1/part-0.parquet").write_bytes(b"PAR1")
        self.run_export()
        self.compare()


class Deaths(ExportCase):
    def test_a_kill_leaves_whole_files(self):
        self.run_export()
        old = {name: by_text(self.view(name)[0]) for name in export.VIEWS}
        ingest(3, self.database)
        new = {name: by_text(self.execute(f"SELECT * FROM {name}")) for name in export.VIEWS}
        saved = self.scratch / "saved"
        shutil.copytree(self.folder, saved)
        begun = time.monotonic()
        self.run_export()
        took = time.monotonic() - begun
        for part in (0.4, 0.7, 0.9):
            shutil.rmtree(self.folder)
            shutil.copytree(saved, self.folder)
            process = subprocess.Popen([sys.executable, EXPORT, self.database, self.folder, "--quiet"])
            time.sleep(took * part)
            process.kill()
            process.wait()
            for name in export.VIEWS:
                self.assertIn(by_text(self.view(name)[0]), (old[name], new[name]), name)
        self.run_export()
        self.compare()

    def test_a_death_between_files_is_made_good(self):
        """Dies before each rename and removal, and then finds the database changed, or as it was before."""
        names = ["submissions", "receipts", "receipt_parts", "rejections", "runs"]
        words = ["--views", ",".join(names)]
        before, after = self.database, self.scratch / "after.sqlite"
        mill("backup", after, "--database", before)
        self.database = after
        self.execute("DELETE FROM submission WHERE submission_id >> 32 & 0xfffff = 1")
        ingest(3, after)
        died = 0
        for survived in range(0, 20, 3):
            self.database = before
            self.run_export(*words)
            self.compare(names)
            calls = iter(range(survived))

            def dying(original):
                def call(*given, **named):
                    if next(calls, None) is None:
                        raise MemoryError
                    return original(*given, **named)

                return call

            self.database = after
            with mock.patch("os.replace", dying(os.replace)), mock.patch("pathlib.Path.unlink", dying(Path.unlink)):
                try:
                    self.run_export(*words)
                except MemoryError:
                    died += 1
            if survived % 2:
                self.database = after
                self.run_export(*words)
                self.compare(names)
        # Every view has a new part, or is new; one part goes; the manifest is written twice.
        self.assertGreater(died, 2)
        self.assertLess(died, 7)


class Refusals(ExportCase):
    def test_leaves_a_run_at_work(self):
        self.run_export()
        before = self.files()
        self.execute("UPDATE run SET outcome = 'running', ended_at = NULL WHERE run_id = 2")
        self.assertIn("run 2 is at work", self.run_export(status=75))
        self.assertEqual(self.files(), before)

    def test_refuses_other_databases(self):
        self.run_export()
        ingest(3, self.scratch / "other.sqlite")
        self.database, ours = self.scratch / "other.sqlite", self.database
        self.assertIn("another database", self.run_export(status=73))
        self.database = ours
        self.execute("PRAGMA user_version = 99")
        self.assertIn("the schema is 99, and 8 is known here", self.run_export(status=73))
        self.database = self.scratch / "text.sqlite"
        self.database.write_text("no database " * 1000)
        self.assertIn("not a database", self.run_export(status=73))
        self.database = self.scratch / "absent.sqlite"
        self.assertIn("no such file", self.run_export(status=66))
        self.assertFalse(self.database.exists())
        with contextlib.closing(sqlite3.connect(self.database)) as lite:
            lite.execute("CREATE TABLE song (title)")
        self.assertIn("no database of receiptmill", self.run_export(status=73))

    def test_refuses_other_columns(self):
        self.execute("DROP VIEW archives")
        self.execute("CREATE VIEW archives AS SELECT name FROM archive")
        self.assertIn("archives has other columns", self.run_export(status=73))
        self.execute("DROP VIEW archives")
        self.assertIn("from the release of receiptmill", self.run_export(status=73))

    def test_refuses_other_folders(self):
        self.folder.mkdir()
        (self.folder / "letter.txt").write_text("mine")
        self.assertIn("holds something else", self.run_export(status=73))
        self.assertEqual(os.listdir(self.folder), ["letter.txt"])

    def test_two_exports_do_not_meet(self):
        self.run_export("--views", "runs")
        with open(self.folder / export.STATE) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assertIn("another export is at work", self.run_export(status=75))

    def test_refuses_wrong_usage(self):
        self.assertIn("no view purchase;", self.run_export("--views", "purchase", status=64))
        self.assertIn("is no name", self.run_export("--reports", "../refunds", status=64))
        self.assertIn("report refund: failed", self.run_export("--reports", "refund", status=64))
        self.assertIn("--receiptmill", self.run_export("--reports", "refunds", "--receiptmill", "/absent", status=66))

    def test_a_database_that_changes_while_reports_are_made(self):
        # As in a database that a run has left; a backup's writer would wait for the reader.
        self.execute("PRAGMA journal_mode = WAL")
        program = self.scratch / "program"
        program.write_text(
            f"#!{sys.executable}\nimport os, sqlite3, sys\n"
            f"lite = sqlite3.connect({str(self.database)!r})\n"
            "lite.execute('DELETE FROM app_setting')\nlite.commit()\nlite.close()\n"
            f"os.execv({MILL!r}, [{MILL!r}, *sys.argv[1:]])\n"
        )
        program.chmod(0o755)
        words = ["--views", "submissions", "--reports", "refunds", "--receiptmill", program]
        self.assertIn("changed while reports were made", self.run_export(*words, status=75))
        self.assertEqual(self.files(), {})
        self.assertFalse((self.folder / export.STAGING).exists())

    def test_a_value_that_no_column_takes(self):
        columns = ", ".join(f"'x' AS {name}" for (name,) in self.execute("SELECT name FROM pragma_table_info('archives')") if name != "archive_id")
        self.execute("DROP VIEW archives")
        self.execute(f"CREATE VIEW archives AS SELECT 1 AS archive_id, {columns}")
        self.assertIn("archives.archive_id: not every value", self.run_export(status=65))


if __name__ == "__main__":
    unittest.main()
