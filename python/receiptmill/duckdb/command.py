"""Views and reports on DuckDB, from what decode writes or from a lake's Parquet.

    receiptmill decode --trust root.pem night-*.jsonl.gz > night.jsonl
    receiptmill-duckdb build warehouse.duckdb night.jsonl
    receiptmill-duckdb build warehouse.duckdb --parquet /lake
    receiptmill-duckdb report warehouse.duckdb refunds --param from=2025-01-01
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .._extras import needs
from ..lake.reports import NoReport, parameter, write_csv
from .resources import OutOfSpace, Resources, size


def build(given: argparse.Namespace) -> None:
    from ..lake.progress import Progress
    from . import tasks

    progress = Progress(command="build")
    resources = Resources.chosen(given.database, given.memory, given.spill, given.spill_limit)
    progress.line(f"takes {resources}")
    try:
        tasks.build(
            given.database,
            given.decoded,
            parquet=given.parquet,
            settings=given.settings,
            receiptmill=given.receiptmill,
            options=given.options,
            resources=resources,
            progress=progress,
        )
    finally:
        # After a fault the line of what was at work would stand before the error.
        progress.clear()


def answer(given: argparse.Namespace) -> None:
    from . import tasks

    columns, rows = tasks.written(given.database, given.report, dict(given.param), sql=given.sql)
    write_csv(columns, rows, sys.stdout, given.exact)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    building = commands.add_parser("build", help="add archives, and compute the tables anew")
    building.add_argument("database", type=Path)
    building.add_argument("decoded", nargs="*", type=Path, help="files that decode wrote, plain or .gz")
    building.add_argument("--parquet", metavar="LAKE", help="a lake that receiptmill-spark night wrote")
    building.add_argument(
        "--settings", metavar="DATABASE", help="database of receiptmill that holds apps and thresholds"
    )
    building.add_argument("--receiptmill", help="the program, to verify transaction receipts again")
    building.add_argument(
        "--option",
        dest="options",
        action="append",
        default=[],
        help="of decode, with --receiptmill: --option=--trust --option=root.pem",
    )
    building.add_argument("--memory", type=size, metavar="SIZE", help="maximum memory: 8GiB (default: half of the machine's)")
    building.add_argument(
        "--spill",
        type=Path,
        metavar="FOLDER",
        help="where to write what does not fit into memory (default: DATABASE.spill)",
    )
    building.add_argument(
        "--spill-limit", type=size, metavar="SIZE", help="its maximum size (default: half of the free disk space)"
    )
    building.set_defaults(run=build)
    reporting = commands.add_parser("report", help="run a report, as CSV")
    reporting.add_argument("database", type=Path)
    reporting.add_argument("report", help="its name")
    reporting.add_argument("--param", action="append", type=parameter, default=[], metavar="NAME=VALUE")
    reporting.add_argument("--exact", action="store_true", help="write texts that a spreadsheet would run as they are")
    reporting.add_argument("--sql", type=Path, metavar="FOLDER", help="reports that go before those built in")
    reporting.set_defaults(run=answer)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    given = arguments().parse_args(words)
    needs("duckdb", "duckdb")
    import duckdb

    from .warehouse import BadBuild, BadInput

    try:
        given.run(given)
    except (BadInput, BadBuild, OutOfSpace, NoReport, duckdb.Error, OSError) as fault:
        sys.exit(f"warehouse: {fault}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
