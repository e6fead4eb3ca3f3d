"""ReceiptMill from Python: the program, and its views and reports on DuckDB, on Spark, as Parquet, in Datasette, and for
assistants.

    receiptmill.run("ingest", "receipts.jsonl.gz", "--database", "mill.sqlite")
    receiptmill.report("mill.sqlite", "revenue", from_="2025-01-01").df()
    receiptmill.judge(signed_transaction, bundle="com.example.app", environment="production").accepted
    receiptmill.duckdb.build("warehouse.duckdb", ["night.jsonl"])             receiptmill[duckdb]
    receiptmill.spark.night("/lake", ["/intake/*.jsonl.gz"])                  receiptmill[spark]
    receiptmill.parquet.export("mill.sqlite", "/warehouse/mill")              receiptmill[parquet]
    receiptmill.datasette.serve("mill.sqlite")                                receiptmill[datasette]

docs/python.md has the whole.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._extras import ExtraMissing
from ._answers import Answer, Column
from ._program import ProgramFailed, ProgramMissing, ReportWarning, program, report, run
from ._version import __version__

if TYPE_CHECKING:
    from . import datasette, duckdb, parquet, spark
    from ._verify import LibraryMissing, Outcome, Purchase, VerificationFailed, Verdict, Verifier, judge, verify, verify_table

__all__ = [
    "Answer", "Column", "ExtraMissing", "LibraryMissing", "Outcome", "ProgramFailed", "ProgramMissing", "Purchase",
    "ReportWarning", "VerificationFailed", "Verdict", "Verifier", "__version__", "datasette", "duckdb", "judge", "parquet",
    "program", "report", "run", "spark", "verify", "verify_table",
]

# Imported when they are first named: each needs packages of its own.
_PARTS = ("datasette", "duckdb", "parquet", "spark")
# Functions and classes that are imported with their first use: their module loads libreceiptmill.
_FUNCTIONS = dict.fromkeys(
    ["LibraryMissing", "Outcome", "Purchase", "VerificationFailed", "Verdict", "Verifier", "judge", "verify", "verify_table"],
    "_verify")


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f".{name}", __name__)
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f".{_FUNCTIONS[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
