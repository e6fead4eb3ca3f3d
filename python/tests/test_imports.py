"""What `import receiptmill` brings, and how its parts answer where their packages are absent."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = {
    "duckdb": ("duckdb/warehouse.py", ["build", "none.duckdb", "none.jsonl"]),
    "parquet": ("parquet/export.py", ["none.sqlite", "none"]),
    "spark": ("spark/night.py", ["--lake", "/none"]),
}


def python(*words, folder=None, **variables):
    """Python without packages of an environment or of a user, in a folder."""
    command = [sys.executable, "-S", "-I", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, **variables})


def after(statement, **variables):
    path = f"import sys; sys.path[:0] = [{str(ROOT / 'python')!r}]; "
    return python("-c", path + statement, **variables)


class Imports(unittest.TestCase):
    def test_bring_no_part_before_it_is_named(self):
        done = after("import receiptmill; print(*sys.modules)")
        self.assertEqual(done.returncode, 0, done.stderr)
        loaded = set(done.stdout.split())
        self.assertIn("receiptmill._program", loaded)
        parts = {f"receiptmill.{part}" for part in ("_verify", "duckdb", "spark", "parquet", "datasette", "lake")}
        self.assertEqual(loaded & (parts | {"ctypes", "pyarrow", "sqlite3"}), set())

    def test_every_name_of_the_package_is_there(self):
        done = after("import receiptmill; print([name for name in receiptmill.__all__ if not hasattr(receiptmill, name)])")
        self.assertEqual(done.stdout.strip(), "[]", done.stderr)

    def test_verify_says_that_the_library_is_absent(self):
        done = after("import receiptmill; receiptmill.verify('')", RECEIPTMILL_LIBRARY="/none.so")
        last = done.stderr.strip().splitlines()[-1]
        self.assertRegex(last, r"^receiptmill\._verify\.LibraryMissing: /none\.so: .*RECEIPTMILL_LIBRARY$")


class Commands(unittest.TestCase):
    def test_help_needs_no_package(self):
        for part, (script, _) in SCRIPTS.items():
            with self.subTest(part):
                done = python(ROOT / "pipelines" / script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("usage: ", done.stdout)

    def test_what_is_missing_is_one_line_and_status_69(self):
        with tempfile.TemporaryDirectory() as folder:
            for part, (script, words) in SCRIPTS.items():
                with self.subTest(part):
                    done = python(ROOT / "pipelines" / script, *words, folder=folder)
                    self.assertEqual(done.returncode, 69, done.stderr)
                    self.assertRegex(done.stderr, rf"^receiptmill-{part}: .*pipelines/{part}/requirements\.txt\n$")
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
