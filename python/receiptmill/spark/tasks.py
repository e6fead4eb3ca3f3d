"""What `receiptmill-spark` does, as functions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._answers import Answer
from .._program import program
from ..lake import reports
from ..lake.progress import Progress
from . import reporting
from .nights import Night, Order
from .session import is_little, make_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Name = str | os.PathLike[str]


def night(
    lake: Name,
    archives: Iterable[Name] = (),
    *,
    master: str | None = None,
    receiptmill: Name | None = None,
    ship: Iterable[Name] = (),
    settings: Name | None = None,
    decode: Sequence[str] = (),
    session: SparkSession | None = None,
    conf: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> int:
    """A night's run; 0, 65 where an archive is damaged, or 66 where one is missing. All others are loaded then, too.

    lake         a folder on any file system that Hadoop knows
    archives     files, folders or patterns there
    receiptmill  the program on the workers; where none is named, the one that came with this package
    ship         files that workers need and have not, such as the program or an anchor; options name them by file name
    settings     a database of receiptmill's that holds apps and thresholds
    decode       options of `receiptmill decode`, such as ["--trust", "root.pem"]; the same every night
    session      Spark's session; without one, a session is made for `master` and `conf`, and stopped
    """
    order = Order(
        lake=os.fspath(lake),
        archives=[os.fspath(path) for path in archives],
        receiptmill=os.fspath(receiptmill or program()),
        settings=settings,
        ship=[os.fspath(path) for path in ship],
        decode=decode,
        progress=progress or Progress(),
    )
    if session:
        return Night(session, order).run()
    with order.progress.step("Spark started"):
        is_brief = is_little(order.lake, order.archives)
        own = make_session("receiptmill night", master, conf, is_brief=is_brief)
    try:
        return Night(own, order).run()
    finally:
        own.stop()


def report(
    lake: Name,
    name: str,
    parameters: Mapping[str, str | None] | None = None,
    *,
    sql: Path | None = None,
    master: str | None = None,
    session: SparkSession | None = None,
    conf: Mapping[str, str] | None = None,
) -> Answer:
    """A report over a lake. `sql` is a folder of reports that go before those built in."""
    found, given = reports.report(name, sql), dict(parameters or {})
    with running(lake, found, given, master=master, session=session, conf=conf) as spark:
        return Answer.of_rows(*rows(lake, found, given, spark), found.schema)


@contextmanager
def running(
    lake: Name,
    found: reports.Report,
    given: Mapping[str, str | None],
    *,
    master: str | None = None,
    session: SparkSession | None = None,
    conf: Mapping[str, str] | None = None,
) -> Iterator[SparkSession]:
    """The session for a report: the given one, or one that ends with the block."""
    # A wrong parameter is refused before Spark starts.
    found.values(given)
    if session:
        yield session
        return
    own = make_session(f"receiptmill {found.name}", master, conf, is_brief=is_little(os.fspath(lake)))
    try:
        yield own
    finally:
        own.stop()


def rows(
    lake: Name, found: reports.Report, given: Mapping[str, str | None], session: SparkSession
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Columns and rows as the report writes them."""
    reporting.show_reports(session, os.fspath(lake), [found.statement])
    return reporting.rows(session, found, given)


def show(lake: Name, session: SparkSession) -> None:
    """Makes views of the lake, by their names, temporary views of a session."""
    reporting.show_reports(session, os.fspath(lake))
