"""The command `receiptmill-spark night` for spark-submit: ../../docs/python.md. Where the package is not installed, it comes
out of the source tree."""

import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "python"
if SOURCES.is_dir():
    sys.path[:0] = [str(SOURCES)]

from receiptmill._commands import spark

if __name__ == "__main__":
    sys.exit(spark(["night", *sys.argv[1:]]))
