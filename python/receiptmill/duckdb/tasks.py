"""What `receiptmill-duckdb` does, as functions."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from .._answers import Answer
from ..lake import reports
from ..lake.dialect import kept_models
from ..lake.progress import Progress
from .resources import Resources
from .warehouse import BadBuild, BadInput, Name, Warehouse


def build(
    database: Name,
    decoded: Iterable[Name] = (),
    *,
    parquet: Name | None = None,
    settings: Name | None = None,
    receiptmill: Name | None = None,
    options: Sequence[str] = (),
    resources: Resources | None = None,
    progress: Progress | None = None,
) -> int:
    """Adds archives to a file of DuckDB's and refreshes its tables; how many archives are new. All of them are
    added, or none.

    decoded      files of `receiptmill decode`, plain or .gz
    parquet      a lake that a night's run on Spark wrote
    settings     a database of receiptmill's that holds apps and thresholds
    receiptmill  the program, to verify transaction receipts again, and `options` of its decode
    resources    how much memory and disk space the build may take; `Resources.chosen` has the defaults
    progress     where the build says how far it is; without one it says nothing
    """
    decoded = list(decoded)
    if not decoded and not parquet:
        raise BadInput("name files that decode wrote, or a lake by --parquet")
    resources = resources or Resources.chosen(database)
    progress = progress or Progress(is_quiet=True)
    with resources.named_in_errors(database), changed(database, resources) as warehouse:
        warehouse.make_stores()
        progress.at("archives read")
        new = warehouse.add_decoded(*decoded)
        if parquet:
            new += warehouse.add_parquet(parquet)
        progress.at("tables merged")
        warehouse.make_tables(receiptmill, options)
        warehouse.make_views(settings, progress)
        archives = warehouse.counted("SELECT count(*) FROM archive")
    # As a reader opens it: what is read before may be of memory, not of the file.
    with Warehouse(database, read_only=True) as reader:
        try:
            reader.hold(warehouse.expected)
        except BadBuild as fault:
            raise BadBuild(
                f"{database} holds {fault}: a fault of DuckDB {duckdb.__version__}, not of the input."
                " Remove the file, and build it with another version of DuckDB"
            ) from None
    progress.ended(
        f"{os.fspath(database)}: {archives} archives, {new} of them new, {len(kept_models())} models",
        shlex.join(["receiptmill-duckdb", "report", os.fspath(database), "coverage"]),
    )
    return new


@contextlib.contextmanager
def changed(database: Name, resources: Resources) -> Iterator[Warehouse]:
    """A file that is changed in one transaction. One that a build made and could not fill is removed."""
    is_new = not os.path.exists(database)
    try:
        warehouse = Warehouse(database, resources=resources)
    except duckdb.Error:
        # On a full disk, DuckDB leaves an empty file, which it does not open again.
        if is_new:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(database)
        raise
    try:
        with warehouse:
            resources.remove_leftovers(database)
            with warehouse.transaction():
                yield warehouse
    except BaseException:
        if is_new:
            for path in (os.fspath(database), f"{os.fspath(database)}.wal"):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
        raise


def report(
    database: Name, name: str, parameters: Mapping[str, str | None] | None = None, *, sql: Path | None = None
) -> Answer:
    """A report of a file that `build` made. `sql` is a folder of reports that go before those built in."""
    return Answer.of_rows(*written(database, name, parameters, sql=sql), reports.report(name, sql).schema)


def written(
    database: Name, name: str, parameters: Mapping[str, str | None] | None = None, *, sql: Path | None = None
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Columns and rows as the report writes them."""
    found = reports.report(name, sql)
    try:
        with Warehouse(database, read_only=True) as warehouse:
            return warehouse.rows(found, parameters or {})
    except duckdb.InternalException:
        # DuckDB 2.0.0 fails in some joins whose sides it swapped (docs/duckdb-fault.md). Swapping none takes up to
        # twice the time; the database has to be opened anew.
        with Warehouse(database, read_only=True) as warehouse:
            warehouse.execute("SET disabled_optimizers = 'build_side_probe_side'")
            return warehouse.rows(found, parameters or {})


def connect(database: Name) -> duckdb.DuckDBPyConnection:
    """A connection that reads the views of a file that `build` made, with times in UTC."""
    return Warehouse(database, read_only=True).connection
