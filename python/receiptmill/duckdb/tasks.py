"""What `receiptmill-duckdb` does, as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from .._program import Answer
from ..lake import reports
from .warehouse import BadBuild, BadInput, Name, Warehouse


def build(
    database: Name,
    decoded: Iterable[Name] = (),
    *,
    parquet: Name | None = None,
    settings: Name | None = None,
    receiptmill: Name | None = None,
    options: Sequence[str] = (),
) -> int:
    """Adds archives to a file of DuckDB's and works out its tables anew; how many archives are new. All of them are
    added, or none.

    decoded      files of `receiptmill decode`, plain or .gz
    parquet      a lake that a night's run on Spark wrote
    settings     a database of receiptmill's that holds apps and thresholds
    receiptmill  the program, to verify transaction receipts again, and `options` of its decode
    """
    decoded = list(decoded)
    if not decoded and not parquet:
        raise BadInput("name files that decode wrote, or a lake by --parquet")
    with Warehouse(database) as warehouse, warehouse.transaction():
        warehouse.make_stores()
        new = sum(warehouse.add_decoded(path) for path in decoded)
        if parquet:
            new += warehouse.add_parquet(parquet)
        warehouse.make_tables(receiptmill, options)
        warehouse.make_views(settings)
    # As a reader opens it: what is read before may be of memory, not of the file.
    with Warehouse(database, read_only=True) as reader:
        try:
            reader.hold(warehouse.expected)
        except BadBuild as fault:
            raise BadBuild(
                f"{database} holds {fault}: a fault of DuckDB {duckdb.__version__}, not of the input."
                " Remove the file, and build it with another version of DuckDB"
            ) from None
    return new


def report(
    database: Name, name: str, parameters: Mapping[str, str | None] | None = None, *, sql: Path | None = None
) -> Answer:
    """A report of a file that `build` made. `sql` is a folder of reports that go before those built in."""
    found = reports.report(name, sql)
    try:
        with Warehouse(database, read_only=True) as warehouse:
            return Answer(*warehouse.rows(found, parameters or {}))
    except duckdb.InternalException:
        # DuckDB 2.0.0 fails in some joins whose sides it swapped (docs/duckdb-fault.md). Swapping none takes up to
        # twice the time; the database has to be opened anew.
        with Warehouse(database, read_only=True) as warehouse:
            warehouse.execute("SET disabled_optimizers = 'build_side_probe_side'")
            return Answer(*warehouse.rows(found, parameters or {}))


def connect(database: Name) -> duckdb.DuckDBPyConnection:
    """A connection that reads the views of a file that `build` made, with times in UTC."""
    return Warehouse(database, read_only=True).connection
