"""The wheel's parts as a person uses them: one archive through SQLite, DuckDB, Parquet and Datasette, with the same answers.

Run by `make test-wheel` with a Python that has the wheel and the extras duckdb, parquet and datasette.
"""

import asyncio
import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb
import pyarrow.parquet
import receiptmill

ROOT = Path(__file__).resolve().parents[2]
SIGNED = ROOT / "data-samples/signed"
TRUTH = json.loads((SIGNED / "truth.json").read_text())
REPORTS = ["recurring-revenue", "refunds", "active-subscriptions", "receipts-by-month", "fraud-queue"]
APART = {"fraud-queue": {"found_at"}}  # Each engine looks at its own time.


def setUpModule():
    global FOLDER, DATABASE, WAREHOUSE, DECODED
    FOLDER = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    DATABASE, WAREHOUSE, DECODED = FOLDER / "mill.sqlite", FOLDER / "warehouse.duckdb", FOLDER / "night.jsonl"
    trust = ["--trust", SIGNED / "root.pem"]
    archive = SIGNED / "receipts-001.jsonl.gz"
    receiptmill.run("ingest", archive, *trust, "--database", DATABASE, "--quiet")
    DECODED.write_text(receiptmill.run("decode", archive, *trust))


def command(name, *words):
    """What a command writes, which has to end well."""
    path = Path(sys.executable).with_name(name)
    return subprocess.run([path, *map(str, words)], check=True, capture_output=True, text=True).stdout


def plain(value):
    """Amounts are numbers in one answer and decimal text in the other."""
    try:
        return round(float(value), 6)
    except (TypeError, ValueError):
        return value


def table(answer, left_out=()):
    return [{name: plain(value) for name, value in row.items() if name not in left_out} for row in answer.dicts()]


class DuckDB(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.new = receiptmill.duckdb.build(WAREHOUSE, [DECODED], settings=DATABASE)

    def test_takes_an_archive_once(self):
        self.assertEqual(self.new, 1)
        self.assertEqual(receiptmill.duckdb.build(WAREHOUSE, [DECODED], settings=DATABASE), 0)

    def test_answers_as_sqlite_does(self):
        for name in REPORTS:
            with self.subTest(name):
                ours, theirs = receiptmill.report(DATABASE, name), receiptmill.duckdb.report(WAREHOUSE, name)
                self.assertEqual(theirs.columns, ours.columns)
                left_out = APART.get(name, ())
                self.assertEqual(sorted(map(repr, table(theirs, left_out))), sorted(map(repr, table(ours, left_out))))
                self.assertTrue(ours.rows)

    def test_views_are_there_to_ask(self):
        with receiptmill.duckdb.connect(WAREHOUSE) as connection:
            (count,) = connection.execute("SELECT count(*) FROM purchases").fetchone()
        self.assertEqual(count, TRUTH["totals"]["purchases"])

    def test_command_writes_csv(self):
        rows = list(csv.DictReader(io.StringIO(command("receiptmill-duckdb", "report", WAREHOUSE, "receipts-by-month"))))
        self.assertEqual(sum(int(row["receipts"]) for row in rows), TRUTH["totals"]["receipts"])

    def test_refuses_what_it_does_not_know(self):
        with self.assertRaisesRegex(receiptmill.duckdb.NoReport, "no parameter nothing"):
            receiptmill.duckdb.report(WAREHOUSE, "refunds", {"nothing": "1"})
        with self.assertRaises(receiptmill.duckdb.BadInput):
            receiptmill.duckdb.build(FOLDER / "none.duckdb")


class Parquet(unittest.TestCase):
    def test_has_the_views_and_reports(self):
        folder = FOLDER / "parquet"
        receiptmill.parquet.export(DATABASE, folder, reports=["refunds"])
        found = pyarrow.parquet.read_table(folder / "views/purchases/part-0.parquet")
        self.assertEqual(found.num_rows, TRUTH["totals"]["purchases"])
        refunds = pyarrow.parquet.read_table(folder / "reports/refunds/part-0.parquet")
        self.assertEqual(refunds.num_rows, len(receiptmill.report(DATABASE, "refunds").rows))

    def test_command_exports_too(self):
        folder = FOLDER / "parquet-by-command"
        command("receiptmill-parquet", DATABASE, folder, "--views", "purchases", "--quiet")
        (count,) = duckdb.execute(f"SELECT count(*) FROM '{folder}/views/purchases/*.parquet'").fetchone()
        self.assertEqual(count, TRUTH["totals"]["purchases"])

    def test_a_fault_has_a_status(self):
        with self.assertRaises(receiptmill.parquet.Fault) as failed:
            receiptmill.parquet.export(FOLDER / "none.sqlite", FOLDER / "none")
        self.assertEqual(failed.exception.status, 66)


class Datasette(unittest.TestCase):
    def served(self, metadata):
        from datasette.app import Datasette as Served

        async def pages():
            served = Served([str(DATABASE)], metadata=metadata)
            await served.invoke_startup()
            query = (await served.client.get("/mill/refunds.json?_shape=array")).json() if metadata else []
            page = (await served.client.get("/-/dashboards")).text
            return query, page

        return asyncio.run(pages())

    def test_serves_reports_as_queries(self):
        query, page = self.served(receiptmill.datasette.metadata(DATABASE))
        self.assertEqual(len(query), len(receiptmill.report(DATABASE, "refunds").rows))
        self.assertIn("/-/receiptmill.js", page)

    def test_plugin_leaves_other_databases_alone(self):
        _, page = self.served({"plugins": {"datasette-dashboards": {}}})
        self.assertNotIn("/-/receiptmill.js", page)

    def test_command_refuses_another_file(self):
        path = Path(sys.executable).with_name("receiptmill-datasette")
        done = subprocess.run([path, "metadata", __file__], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("name a database that receiptmill ingest wrote", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_command_writes_metadata(self):
        told = json.loads(command("receiptmill-datasette", "metadata", DATABASE))
        self.assertEqual(told, receiptmill.datasette.metadata(DATABASE))
        listed = json.loads(receiptmill.run("report", "--list", "--format", "json"))
        self.assertEqual(set(told["databases"]["mill"]["queries"]), {report["name"] for report in listed})


if __name__ == "__main__":
    unittest.main()
