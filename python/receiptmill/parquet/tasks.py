"""What `receiptmill-parquet` does, as a function."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .._program import ProgramMissing, program
from .exporter import VIEWS, Export, Order

Name = str | os.PathLike[str]


def export(
    database: Name,
    folder: Name,
    *,
    views: Iterable[str] = VIEWS,
    reports: Iterable[str] = (),
    receiptmill: Name | None = None,
    sql: Name | None = None,
    quiet: bool = True,
) -> None:
    """Writes views and reports of a database to a folder, where only the files that differ are replaced; raises Fault.

    receiptmill  the program that makes reports; where none is named, the one that came with this package
    sql          a folder of reports that go before those built in
    """
    Export(
        Order(
            database=Path(database),
            folder=Path(folder),
            views=list(views),
            reports=list(reports),
            receiptmill=os.fspath(receiptmill or default_program()),
            sql=Path(sql) if sql else None,
            quiet=quiet,
        )
    ).run()


def default_program() -> Name:
    """Views need no program: that there is none is told by a report."""
    try:
        return program()
    except ProgramMissing:
        return "receiptmill"
