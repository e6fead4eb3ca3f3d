"""Serves a database to browsers by Datasette, or writes the metadata by which Datasette does.

    receiptmill-datasette serve mill.sqlite
    receiptmill-datasette metadata mill.sqlite > metadata.json

Options behind -- go to `datasette serve`.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

from .._program import ProgramFailed, ProgramMissing
from . import metadata, serve


def served(given: argparse.Namespace) -> int:
    return serve(
        given.database, port=given.port, receiptmill=given.receiptmill, sql=given.sql, options=given.options
    )


def described(given: argparse.Namespace) -> int:
    found = metadata(given.database, receiptmill=given.receiptmill, sql=given.sql, base_url=given.base_url)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return 0


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    serving = commands.add_parser("serve", help="serve a database on 127.0.0.1")
    serving.add_argument("--port", type=int, default=8001, help="(default: %(default)s)")
    serving.add_argument("options", nargs="*", metavar="-- OPTION", help="options of datasette serve")
    serving.set_defaults(run=served)
    describing = commands.add_parser("metadata", help="write Datasette's metadata for a database")
    describing.add_argument("--base-url", default="/", help="where Datasette is served, if not at the root of its host")
    describing.set_defaults(run=described)
    for one in (serving, describing):
        one.add_argument("database", type=Path, help="the database that will be served")
        one.add_argument("--receiptmill", help="the program to ask for reports (default: that of this package)")
        one.add_argument("--sql", help="a folder of reports that go before those built in")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    given = arguments().parse_args(words)
    if not given.database.is_file():
        sys.exit(f"receiptmill-datasette: {given.database}: there is no such file; name a database of receiptmill's")
    try:
        return int(given.run(given))
    except (ProgramMissing, ProgramFailed) as fault:
        sys.exit(f"receiptmill-datasette: {fault}")
    except sqlite3.Error as fault:
        sys.exit(f"receiptmill-datasette: {given.database}: {fault}; name a database that receiptmill ingest wrote")


if __name__ == "__main__":
    sys.exit(main())
