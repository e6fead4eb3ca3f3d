"""Serves a database's reports to an assistant, by the Model Context Protocol, on standard input and output. It only reads.

    receiptmill-mcp mill.sqlite
    receiptmill-mcp mill.sqlite --persons

Tools: list, describe and run reports; catalog, which describes views; case, which shows the evidence about a person or a
document. Accounts and devices have other names in answers, which hold until the server ends, unless --persons is given.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .._extras import needs


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, help="that receiptmill wrote; it is only read")
    parser.add_argument("--persons", action="store_true", help="name accounts and devices as the lines do")
    parser.add_argument("--sql", type=Path, metavar="FOLDER", help="reports that go before those built in")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    given = arguments().parse_args(words)
    needs("mcp", "mcp")
    if not given.database.is_file():
        print(f"receiptmill-mcp: {given.database}: there is no such database", file=sys.stderr)
        return 66
    from .server import server

    server(given.database, shows_persons=given.persons, sql=given.sql).run("stdio")
    return 0


if __name__ == "__main__":
    sys.exit(main())
