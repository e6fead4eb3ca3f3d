"""The commands that the package installs beside the program, each a part that has packages of its own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from ._extras import ExtraMissing


def _main(part: str, words: Sequence[str] | None) -> int:
    """Runs a part's command; a user whose environment lacks a package reads one line, and no trace of calls."""
    try:
        command = importlib.import_module(f".{part}.command", __package__)
        return int(command.main(words))
    except ExtraMissing as fault:
        print(f"receiptmill-{part}: {fault}", file=sys.stderr)
        return 69


def duckdb(words: Sequence[str] | None = None) -> int:
    return _main("duckdb", words)


def spark(words: Sequence[str] | None = None) -> int:
    return _main("spark", words)


def parquet(words: Sequence[str] | None = None) -> int:
    return _main("parquet", words)


def mcp(words: Sequence[str] | None = None) -> int:
    return _main("mcp", words)


def datasette(words: Sequence[str] | None = None) -> int:
    return _main("datasette", words)


def fetch(words: Sequence[str] | None = None) -> int:
    return _main("fetch", words)


def semantic(words: Sequence[str] | None = None) -> int:
    return _main("semantic", words)
