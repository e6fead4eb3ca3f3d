"""A night of the wheel on Spark, as the command runs it on one machine.

Run by `make test-wheel` with a Python that has the wheel and the extra spark; needs Java.
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import receiptmill

ROOT = Path(__file__).resolve().parents[2]
SIGNED = ROOT / "data-samples/signed"
TRUTH = json.loads((SIGNED / "truth.json").read_text())


def command(*words):
    path = Path(sys.executable).with_name("receiptmill-spark")
    return subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=False)


class Night(unittest.TestCase):
    def test_a_night_is_quiet_and_its_reports_are_those_of_sqlite(self):
        with tempfile.TemporaryDirectory() as name:
            lake, database = Path(name, "lake"), Path(name, "mill.sqlite")
            archive, trust = SIGNED / "receipts-001.jsonl.gz", ["--trust", SIGNED / "root.pem"]
            receiptmill.run("ingest", archive, *trust, "--database", database, "--quiet")
            spark = ["--master", "local[2]", "--lake", lake]
            done = command("night", *spark, "--archives", archive, "--settings", database, "--", *trust)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stderr.splitlines()
            self.assertEqual([line for line in lines if not line.startswith("night: ")], [])
            for step in ("Spark started", "archives decoded, facts written", "tables merged", "models computed"):
                self.assertRegex(done.stderr, rf"night: {step}: \d+\.\d s")
            self.assertRegex(lines[-2], r"night: .*/lake: 1 archives, \d+ models, \d+ s in all")
            self.assertRegex(lines[-1], r"night: ask next: receiptmill-spark report --master 'local\[2\]' --lake .*/lake coverage")
            answer = command("report", *spark, "receipts-by-month")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            rows = list(csv.DictReader(io.StringIO(answer.stdout)))
            self.assertEqual(sum(int(row["receipts"]) for row in rows), TRUTH["totals"]["receipts"])
            ours = receiptmill.report(database, "receipts-by-month")
            self.assertEqual([row["value"] for row in rows], [row["value"] for row in ours.dicts()])
            # Reports with a filter read the view behind it; `coverage` is what the night's last line names.
            for report, *settings in (("refunds", "from=all", "environment=all"), ("coverage",)):
                answer = command("report", *spark, report, *(word for one in settings for word in ("--param", one)))
                self.assertEqual(answer.returncode, 0, answer.stderr)
                ours = receiptmill.run("report", report, *settings, "--database", database, "--format", "csv")
                self.assertEqual(list(csv.reader(io.StringIO(answer.stdout))), list(csv.reader(io.StringIO(ours))))
            again = command("night", *spark, "--archives", archive, "--settings", database, "--", *trust)
            self.assertIn("1 archives, 0 of them new", again.stderr)
            quiet = command("night", *spark, "--quiet", "--archives", archive, "--settings", database, "--", *trust)
            self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, "", ""))
            missing = command("night", *spark, "--archives", "/absent/*", "--settings", database, "--", *trust)
            self.assertEqual(missing.returncode, 66, missing.stderr)
            self.assertIn("/absent/*: there is no such archive", missing.stderr)


if __name__ == "__main__":
    unittest.main()
