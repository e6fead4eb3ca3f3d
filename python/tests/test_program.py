"""The package as `pip install` leaves it, without packages of other extras: the program, its reports, and what is missing.

Run by `make test-wheel` with the Python of a new environment.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.metadata import distribution
from pathlib import Path

import receiptmill

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, TRUST = ROOT / "data-samples/receipts-001.jsonl.gz", ROOT / "data-samples/root.pem"
TRUTH = json.loads((ROOT / "data-samples/truth.json").read_text())


class Package(unittest.TestCase):
    def test_is_the_installed_one(self):
        self.assertNotEqual(Path(receiptmill.__file__).parents[1], ROOT / "python")
        self.assertTrue(Path(receiptmill.__file__).with_name("py.typed").exists())

    def test_has_every_statement(self):
        inside = Path(receiptmill.__file__).with_name("sql")
        for path in sorted((ROOT / "sql").rglob("*.sql")):
            self.assertEqual((inside / path.relative_to(ROOT / "sql")).read_bytes(), path.read_bytes(), path)

    def test_brings_a_program_of_its_version(self):
        self.assertEqual(receiptmill.program(), Path(sys.executable).with_name("receiptmill"))
        self.assertEqual(receiptmill.run("--version").strip(), receiptmill.__version__)

    def test_program_needs_the_c_library_alone(self):
        tag = re.search(r"^Tag: py3-none-(\w+)", distribution("receiptmill").read_text("WHEEL"), re.MULTILINE)[1]
        if not tag.startswith("manylinux"):
            self.skipTest(f"built for {tag}")
        told = subprocess.run(["ldd", receiptmill.program()], capture_output=True, text=True, check=True).stdout
        needed = {line.split()[0].rpartition("/")[2] for line in told.splitlines()}
        # ISA-L comes along, because Debian has no archive to link.
        self.assertTrue("libisal.so.2" not in needed or (Path(sys.prefix) / "lib/receiptmill/libisal.so.2").exists())
        self.assertLessEqual(
            {name for name in needed if not name.startswith(("ld-linux", "libisal"))},
            {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"},
        )

    def test_is_a_module_to_run(self):
        done = subprocess.run([sys.executable, "-m", "receiptmill", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), receiptmill.__version__)

    def test_parts_say_what_they_need(self):
        for part in ("duckdb", "spark", "parquet", "datasette", "mcp", "semantic"):
            with self.subTest(part):
                command = Path(sys.executable).with_name(f"receiptmill-{part}")
                words = {
                    "duckdb": ["build", "none.duckdb", "none.jsonl"], "spark": ["night", "--lake", "/none"],
                    "parquet": ["none.sqlite", "none"], "datasette": ["serve", __file__], "mcp": ["none.sqlite"],
                    "semantic": ["none.sqlite", "--into", "none"],
                }[part]
                helped = subprocess.run([command, "--help"], capture_output=True, text=True, check=False)
                self.assertEqual((helped.returncode, helped.stderr), (0, ""))
                done = subprocess.run([command, *words], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 69)
                self.assertIn(f"pip install 'receiptmill[{part}]'", done.stderr)
                self.assertNotIn("Traceback", done.stderr)


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.database = Path(folder.name, "mill.sqlite")
        receiptmill.run("ingest", SAMPLE, "--trust", TRUST, "--database", cls.database, "--quiet")

    def test_a_report_has_columns_and_rows(self):
        found = receiptmill.report(self.database, "receipts-by-month", {"by": "verdict"})
        self.assertEqual(found.columns[:3], ["month", "value", "receipts"])
        counted = {}
        for row in found.dicts():
            counted[row["value"]] = counted.get(row["value"], 0) + row["receipts"]
        # The mint counts what it minted.
        self.assertEqual(counted["trusted"], TRUTH["totals"]["receipts_by_verdict"]["trusted"])

    def test_a_report_without_rows_has_columns(self):
        found = receiptmill.report(self.database, "revenue", {"bundle": "none.of.these"})
        self.assertEqual(found.rows, [])
        self.assertIn("net", found.columns)

    def test_faults_are_those_of_the_program(self):
        with self.assertRaises(receiptmill.ProgramFailed) as failed:
            receiptmill.report(self.database, "refund")
        self.assertEqual(failed.exception.status, 64)
        self.assertIn("refund", failed.exception.message)

    def test_the_program_of_the_environment_is_found_without_a_path(self):
        done = subprocess.run(
            [sys.executable, "-c", "import receiptmill; print(receiptmill.program())"],
            env={"PATH": "/nowhere"}, capture_output=True, text=True, check=True,
        )
        self.assertEqual(done.stdout.strip(), str(receiptmill.program()))
        self.assertTrue(shutil.which(done.stdout.strip()))


if __name__ == "__main__":
    unittest.main()
