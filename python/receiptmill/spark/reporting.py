"""Reports of sql/reports on a lake, as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..lake import dialect
from .merged import Merged
from .session import fit
from .storage import Storage
from .views import Views

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..lake.reports import Report


class NotMerged(Exception):
    """The lake holds archives that no run has merged."""


def show_reports(session: SparkSession, lake: str, statements: Iterable[str] | None = None) -> None:
    """Makes the contract's views over the tables that the last run merged, and the rows that it kept: all, or those that
    statements read."""
    storage = Storage(session, lake)
    views = Views(session, storage)
    merged = Merged(session, storage)
    kept = storage.kept_views(views.generation())
    archives = views.archives_that_count()
    if not kept or not merged.are_of(archives):
        raise NotMerged(f"{lake}: the last run did not end; run the night again")
    fit(session, sum(archives.values()))
    views.show_loaded()
    views.show_tables(merged)
    views.show_views(kept, statements)


def rows(session: SparkSession, found: Report, given: Mapping[str, str | None]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """A report's column names and rows."""
    # The views are temporary ones of the session, and of no schema.
    statement = re.sub(r"\bmain\.", "", dialect.with_keys(found.statement))
    # Values of parameters may be null, which PySpark's types leave out.
    values: Any = found.values(given)
    frame = session.sql(statement, args=values)
    return found.answer(frame.columns, frame.collect(), given)
