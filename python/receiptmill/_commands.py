"""The commands that the package installs beside the program, each a part that has packages of its own."""

from __future__ import annotations

import importlib
import sys

from ._extras import ExtraMissing


def _main(part: str) -> int:
    try:
        command = importlib.import_module(f".{part}.command", __package__)
        return int(command.main() or 0)
    except ExtraMissing as fault:
        print(f"receiptmill-{part}: {fault}", file=sys.stderr)
        return 69


def duckdb() -> int:
    return _main("duckdb")


def spark() -> int:
    return _main("spark")


def parquet() -> int:
    return _main("parquet")


def datasette() -> int:
    return _main("datasette")
