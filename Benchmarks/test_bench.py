"""What the comparison relies on: honest baselines, a check that fails, figures that mean what they say.

    python3 -m unittest discover --start-directory Benchmarks

Needs a binary, $MILL or the release build, and a C compiler; the Python
baseline is tested where its packages can be imported.
"""

import base64
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import archives
import measure
import programs
import table
from cases import Entry
from measure import Failed, Run
from programs import Findings, Limit, Mill, Program

RUN = os.path.join(programs.HERE, "run.py")
MILL = os.path.abspath(os.environ.get("MILL") or os.path.join(programs.HERE, "..", ".build", "release", "receiptmill"))


def lines_of(folder, seed):
    minted = archives.Archives(folder, 20, seed).get("plain")
    return minted, list(archives.read(minted.path))


def changed(line, key, change):
    """The line with another value of a key."""
    values = json.loads(line)
    values[key] = change(values[key])
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def with_last_byte_flipped(receipt):
    der = bytearray(base64.b64decode(receipt))
    der[-1] ^= 1
    return base64.b64encode(der).decode()


class HonestWork(unittest.TestCase):
    """An archive of 20 lines: 15 good, one of another device, two with a wrong signature, two of another root."""

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        with contextlib.redirect_stdout(io.StringIO()):
            minted, lines = lines_of(cls.folder, seed=1)
            _, foreign = lines_of(cls.folder, seed=2)
        lines[3] = changed(lines[3], "device_id", lambda _: "00000000-0000-4000-8000-000000000000")
        lines[5] = changed(lines[5], "receipt", with_last_byte_flipped)
        lines[6] = changed(lines[6], "receipt", with_last_byte_flipped)
        lines[8:10] = foreign[8:10]
        path = os.path.join(cls.folder, "mixed.jsonl.gz")
        archives.write(path, lines)
        cls.archive = archives.Archive(path, minted.root, len(lines))
        cls.mill = cls.found(Mill("mill", "mill", [MILL]))

    @classmethod
    def found(cls, program):
        database = os.path.join(cls.folder, f"{program.kind}.sqlite")
        return program.findings(cls.archive, database, measure.run(program.command(cls.archive, database), cls.folder))

    def test_the_mill_verifies_what_holds(self):
        self.assertEqual((self.mill.verified, self.mill.devices), (16, 15))

    def test_c_verifies_what_holds(self):
        found = self.found(programs.make_c(self.folder))
        self.assertEqual((found.verified, found.devices), (16, 15))
        self.mill.require(found, "C")

    @unittest.skipUnless(
        importlib.util.find_spec("asn1crypto") and importlib.util.find_spec("cryptography"),
        "asn1crypto and cryptography are not installed",
    )
    def test_python_verifies_what_holds(self):
        guide = os.path.join(programs.BASELINES, "guide.py")
        found = self.found(Program("guide in Python", "python", [sys.executable, guide]))
        self.assertEqual((found.verified, found.devices), (16, 15))
        self.mill.require(found, "Python")

    def test_the_loop_verifies_what_holds(self):
        self.assertEqual(self.found(programs.make_loop()).verified, 16)


class Comparison(unittest.TestCase):
    def test_a_purchase_that_differs_ends_it(self):
        with self.assertRaisesRegex(Failed, "purchase_digest"):
            Findings(4, 4, 9, "aa").require(Findings(4, 4, 9, "bb"), "C")

    def test_a_receipt_too_few_ends_it(self):
        with self.assertRaisesRegex(Failed, "verified 3"):
            Findings(4, 4, 9, "aa").require(Findings(verified=3), "the loop")

    def test_ratios_are_shares_of_speed_by_cpu_time(self):
        def entry(program, lines, *cpu):
            archive = archives.Archive("", "", lines)
            return Entry(program, archive, runs=[Run(one, one * 9, 1, 0, "", "") for one in cpu])

        # A binary that is not linked with ISA-L.
        mill = entry(Mill("mill", "mill", ["/bin/true"]), 100, 2.0, 9.0, 1.0)
        others = [
            entry(Limit("isal", "limit", inflater="isal"), 100, 0.5),
            entry(Limit("zlib", "limit", inflater="zlib"), 100, 1.0),
            entry(Program("C", "c"), 10, 1.6),
        ]
        self.assertEqual(table.ratios(mill, [mill, *others]), {"of the limit": 0.5, "times the C": 8.0})

    def test_time_of_children_counts(self):
        spin = "import time\nwhile time.process_time() < 0.2: pass"
        with tempfile.TemporaryDirectory() as folder:
            done = measure.run(["sh", "-c", '"$0" -c "$1"; true', sys.executable, spin], folder)
        self.assertGreaterEqual(done.cpu, 0.2)

    def test_members_hold_the_lines_they_were_given(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.gz")
            archives.write(path, [b"1\n", b"2\n", b"3\n"], lines_per_member=2)
            with open(path, "rb") as file:
                self.assertEqual(file.read().count(b"\x1f\x8b\x08"), 2)
            self.assertEqual((list(archives.read(path)), archives.counted(path)), ([b"1\n", b"2\n", b"3\n"], 3))


class WholeRun(unittest.TestCase):
    def test_every_case_has_figures_and_what_was_left_out_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            options = ["--count", "40", "--runs", "1", "--cache", folder, "--limit", folder, "--without", "python"]
            command = [sys.executable, RUN, "--mill", f"before={MILL}", "--mill", f"after={MILL}", *options]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
                report = json.load(file)
        cases = {case["name"]: case["programs"] for case in report["cases"]}
        self.assertEqual(len(cases), 9)
        self.assertIn("SKIPPED the limit", done.stderr)
        self.assertEqual(len(report["skipped"]), 1)
        before, after, c, loop = cases["plain"]
        self.assertEqual([one["program"] for one in (before, after)], ["before", "after"])
        self.assertEqual((c["findings"]["verified"], loop["findings"]["verified"]), (40, 40))
        self.assertGreater(min(after["cpu_us"], after["wall_us"], after["peak_mib"]), 0)
        self.assertEqual(list(after["stages_us"]), ["reading", "verifying", "loading"])
        self.assertAlmostEqual(after["ratios"]["times the C"], c["cpu_us"] / after["cpu_us"])


if __name__ == "__main__":
    unittest.main()
