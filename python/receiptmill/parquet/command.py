"""Views and reports of a database as Parquet, for warehouses. Every export replaces only the files that differ.

    receiptmill-parquet mill.sqlite /warehouse/mill
    receiptmill-parquet mill.sqlite /warehouse/mill --views purchases,entitlements --reports revenue,churn

Exit status: 0 done, also where nothing differs; 64 wrong usage; 65 the database is damaged or holds what its
columns can't; 66 there is no such database; 73 the folder can't be written to or holds something else, or the
database is another version's; 74 a disk is full or failed; 75 a run or another export is at work. A report that
fails ends the export with the report's status.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .._extras import needs
from ..lake.sql_folder import SQL
from .faults import USAGE, Fault, status_of


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"export: {message}\nhint: {self.prog} --help\n")


def names(text: str) -> list[str]:
    found = [name for name in text.split(",") if name]
    if odd := [name for name in found if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name)]:
        raise argparse.ArgumentTypeError(f"{odd[0]!r} is no name")
    return list(dict.fromkeys(found))


def view_names(text: str) -> list[str]:
    found = names(text)
    if unknown := [name for name in found if name.startswith("internal_") or not (SQL / "views" / f"{name}.sql").exists()]:
        raise argparse.ArgumentTypeError(f"there is no view {unknown[0]}; docs/data-dictionary.md has them all")
    return found


def arguments() -> Parser:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, help="that receiptmill wrote; it is only read")
    parser.add_argument("folder", type=Path, help="of the export, made where it is not there")
    parser.add_argument("--views", type=view_names, metavar="A,B", help="instead of those that are kept stable")
    parser.add_argument("--reports", type=names, default=[], metavar="X,Y", help="reports, with the defaults of their parameters")
    parser.add_argument("--receiptmill", metavar="PATH", help="the program that makes reports (default: that of this package)")
    parser.add_argument("--sql", type=Path, metavar="FOLDER", help="reports that go before those built in")
    parser.add_argument("--quiet", action="store_true", help="print faults alone")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    given = arguments().parse_args(words)
    needs("parquet", "pyarrow")
    from .exporter import VIEWS
    from .tasks import export

    # An export may be killed at any time. Python would wait for SQLite's next row, and tell where it was.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # As reports: for their owner and the group.
    os.umask(os.umask(0o077) | 0o027)
    try:
        export(
            given.database,
            given.folder,
            views=VIEWS if given.views is None else given.views,
            reports=given.reports,
            receiptmill=given.receiptmill,
            sql=given.sql,
            quiet=given.quiet,
        )
    except Fault as fault:
        print(f"export: {fault}", file=sys.stderr)
        return fault.status
    except (sqlite3.Error, OSError) as error:
        status, hint = status_of(error)
        where = given.database if isinstance(error, sqlite3.Error) else given.folder
        print(f"export: {where}: {error}\nhint: {hint}", file=sys.stderr)
        return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
