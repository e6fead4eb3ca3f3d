"""Models of other tools' semantic layers, from what a database's catalog and the headers of reports declare.

    receiptmill-semantic mill.sqlite --into semantic
    receiptmill-semantic mill.sqlite --into semantic --tool dbt --tool cube

Each tool has a folder there: dbt (a package with sources, tests, semantic models and metrics), cube, datasette. Only
files whose first line says "Written by receiptmill-semantic" are replaced.

Exit status: 0 done; 64 wrong usage; 65 the file is no database of receiptmill's; 66 there is no such database or folder of reports; 69 the
extra or the program is not installed; 73 the folder can't be written to, or has a file that this command did not write.
A program that fails ends the command with its status.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .._extras import needs
from .._program import ProgramFailed, ProgramMissing

TOOLS = ("dbt", "cube", "datasette")


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{self.prog}: {message}\nhint: {self.prog} --help\n")


def arguments() -> Parser:
    parser = Parser(prog="receiptmill-semantic", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, help="a database that receiptmill wrote; it is only read")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where the files are written; it is made if need be")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="write only for this tool; may be repeated")
    parser.add_argument("--receiptmill", metavar="PATH", help="the program to ask for reports (default: that of this package)")
    parser.add_argument("--sql", type=Path, metavar="FOLDER", help="a folder of reports, which replace built-in ones of the same name")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    given = arguments().parse_args(words)
    needs("semantic", "yaml", "sqlglot")
    if not given.database.is_file():
        return refused(66, f"{given.database}: there is no such database", "name a database that receiptmill ingest wrote")
    if given.sql and not given.sql.is_dir():
        return refused(66, f"{given.sql}: there is no such folder", "name a folder of reports by --sql")
    from .tasks import Foreign, texts, write

    try:
        files = texts(given.database, given.tool or TOOLS, given.receiptmill, given.sql)
    except sqlite3.Error as fault:
        return refused(65, f"{given.database}: {fault}", "name a database that receiptmill ingest wrote")
    except (ProgramMissing, OSError) as fault:
        return refused(69, str(fault), "name the program by --receiptmill, or leave out datasette by --tool")
    except ProgramFailed as fault:
        return refused(fault.status, str(fault), "do what the program says, or leave out datasette by --tool")
    try:
        write(files, given.into)
    except Foreign as found:
        return refused(73, f"{found}: this command did not write the file", "move the file, or name another folder by --into")
    except OSError as fault:
        return refused(73, f"{fault.filename or given.into}: {fault.strerror}", "name a folder that can be written to by --into")
    return 0


def refused(status: int, what: str, hint: str) -> int:
    print(f"receiptmill-semantic: {what}\nhint: {hint}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
