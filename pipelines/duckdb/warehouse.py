#!/usr/bin/env python3
"""The command `receiptmill-duckdb` out of the source tree, where the package is not installed: ../../docs/python.md."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "python")]

from receiptmill._commands import duckdb

if __name__ == "__main__":
    sys.exit(duckdb())
