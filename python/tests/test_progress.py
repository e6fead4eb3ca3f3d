"""How a night says how far it is, and what it takes for little, without Spark."""

import io
import os
import shlex
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from receiptmill.lake.progress import Progress
from receiptmill.spark import session


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Lines(unittest.TestCase):
    def test_a_step_ends_with_its_seconds(self):
        told = io.StringIO()
        with Progress(told).step("tables merged"):
            pass
        self.assertRegex(told.getvalue(), r"^night: tables merged: \d\.\d s\n$")

    def test_a_step_that_fails_is_no_step(self):
        told = io.StringIO()
        with self.assertRaises(ValueError), Progress(told).step("tables merged"):
            raise ValueError
        self.assertEqual(told.getvalue(), "")

    def test_quiet_prints_faults_alone(self):
        told = io.StringIO()
        progress = Progress(told, is_quiet=True)
        progress.line("3 archives")
        progress.fault("one: is damaged")
        self.assertEqual(told.getvalue(), "night: one: is damaged\n")

    def test_the_end_says_what_was_built_and_what_to_ask_next(self):
        told = io.StringIO()
        Progress(told, command="build").ended("mill.duckdb: 3 archives", "receiptmill-duckdb report mill.duckdb coverage")
        expected = r"^build: mill.duckdb: 3 archives, \d+ s in all\nbuild: ask next: receiptmill-duckdb report mill.duckdb coverage\n$"
        self.assertRegex(told.getvalue(), expected)

    def test_a_terminal_shows_what_is_at_work_and_forgets_it(self):
        told = Terminal()
        progress = Progress(told)
        progress.at("models, 1 of 2")
        progress.line("done")
        self.assertTrue(told.getvalue().endswith("\r" + " " * 21 + "\rnight: done\n"))


class Each(unittest.TestCase):
    def setUp(self):
        self.progress = Progress(io.StringIO())

    def test_each_is_behind_those_that_it_reads(self):
        made = []
        self.progress.each("numbers", range(20), made.append, lambda one: [one + 1])
        self.assertEqual(made, list(reversed(range(20))))

    def test_does_some_at_once(self):
        # Each waits for the other.
        meeting = threading.Barrier(2, timeout=30)
        self.progress.each("meetings", range(2), lambda _: meeting.wait())

    def test_names_what_is_at_work_on_a_terminal_alone(self):
        for stream in (Terminal(), io.StringIO()):
            Progress(stream).each("models", ["model_sales"], lambda _: None)
            self.assertEqual("night: models, 0 of 1 done: model_sales" in stream.getvalue(), stream.isatty())

    def test_raises_the_fault_and_begins_no_more(self):
        begun = []

        def work(one):
            begun.append(one)
            if one == 0:
                raise ValueError("the first")

        with self.assertRaisesRegex(ValueError, "the first"):
            self.progress.each("faults", range(1000), work)
        self.assertLess(len(begun), 1000)


class Little(unittest.TestCase):
    def test_is_counted_in_files_and_folders(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(session, "MODEST", 100):
            folder = Path(name)
            (folder / "one").write_bytes(b"x" * 60)
            self.assertTrue(session.is_little("/absent", [f"{name}/*", f"{name}/absent"]))
            (folder / "inside").mkdir()
            (folder / "inside/other").write_bytes(b"x" * 60)
            self.assertFalse(session.is_little("/absent", [f"{name}/*"]))
            self.assertFalse(session.is_little("/absent", [name]))

    def test_counts_the_lake_as_the_archives_that_it_holds(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(session, "MODEST", 100):
            Path(name, "merged").mkdir()
            Path(name, "merged/table").write_bytes(b"x" * 60)
            self.assertFalse(session.is_little(name))

    def test_is_nothing_of_another_file_system(self):
        self.assertFalse(session.is_little("hdfs:///lake"))
        self.assertFalse(session.is_little("/absent", ["hdfs:///intake"]))


class Memory(unittest.TestCase):
    """What Spark's Java is started with."""

    def options(self, *given, machine=24 << 30):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")}
        with (
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch.object(session, "memory_of_machine", lambda: machine),
            mock.patch.object(session, "first_jars", lambda: ""),
        ):
            session.launch(*given)
            return shlex.split(os.environ["PYSPARK_SUBMIT_ARGS"])

    def memory(self, *given, **machine):
        options = self.options(*given, **machine)
        return options[options.index("--driver-memory") + 1] if "--driver-memory" in options else None

    def test_is_half_of_the_machines_for_large_archives(self):
        self.assertEqual(self.memory(True, False), "12288m")
        self.assertEqual(self.memory(True, False, machine=3 << 30), "2048m")

    def test_is_two_gibibytes_for_small_ones(self):
        self.assertEqual(self.memory(True, True), "2048m")

    def test_is_what_the_user_says(self):
        for is_brief in (True, False):
            self.assertEqual(self.memory(True, is_brief, "900m"), "900m")
            self.assertNotIn("-Xms1g", " ".join(self.options(True, is_brief, "900m")))

    def test_of_a_cluster_is_left_to_spark(self):
        self.assertIsNone(self.memory(False, False))


if __name__ == "__main__":
    unittest.main()
