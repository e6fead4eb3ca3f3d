"""What a database's catalog, its views and the headers of reports declare, as tools of semantic layers need it."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .._answers import Column
from ..lake.reports import Report, reports
from ..lake.sql_folder import SQL
from .lineage import Lineage

Name = str | os.PathLike[str]


@dataclass(frozen=True)
class ViewColumn:
    name: str
    type: str
    unit: str
    meaning: str
    is_filled: bool
    """Whether it is never null."""
    reference: tuple[str, str] | None
    """The view and its column that have each of the values."""

    @property
    def meaning_and_unit(self) -> str:
        return f"{self.meaning} ({self.unit})" if self.unit else self.meaning


@dataclass(frozen=True)
class View:
    name: str
    meaning: str
    columns: list[ViewColumn]
    key: list[str]
    """The columns that identify a row; empty if nothing declares them."""


@dataclass(frozen=True)
class Answer:
    """A report over all apps and months, whose columns add up."""

    name: str
    report: Report
    period: Column
    dimensions: list[Column]
    measures: list[Column]

    @property
    def columns(self) -> list[Column]:
        return [self.period, *self.dimensions, *self.measures]

    @property
    def statement(self) -> str:
        return statement(self.report, self.columns)


def views(database: Path) -> list[View]:
    """The views that the catalog lists."""
    with contextlib.closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as lite:
        listed: dict[str, list[tuple[str, str, str, str]]] = {}
        for view, *column in lite.execute('SELECT object, "column", type, unit, meaning FROM catalog ORDER BY rowid'):
            listed.setdefault(view, []).append((column[0], column[1], column[2], column[3]))
        lineage = Lineage(lite)
    columns = {view: [column[0] for column in found] for view, found in listed.items()}
    keys = {view: lineage.key(view, names) for view, names in columns.items()}
    # A column that identifies the rows of a view holds every value that refers to the column of the table behind it.
    targets = {
        (one.table, one.column): (view, key[0])
        for view, key in keys.items()
        if len(key) == 1 and lineage.has_all_rows(view) and (one := lineage.origin(view, key[0]))
    }

    def described(view: str, name: str, kind: str, unit: str, meaning: str) -> ViewColumn:
        origin = lineage.origin(view, name)
        target = targets.get(lineage.references.get(origin[:2], ("", ""))) if origin else None
        is_filled = origin is not None and not origin.is_nullable
        return ViewColumn(name, kind, unit, meaning, is_filled, target)

    return [
        View(view, heading(view), [described(view, *column) for column in found], keys[view]) for view, found in listed.items()
    ]


def heading(view: str) -> str:
    """The sentences with which a view's file begins."""
    path = SQL / "views" / f"{view}.sql"
    if not path.is_file():
        raise sqlite3.DatabaseError(f"its catalog lists the view {view}, which this version of receiptmill does not have")
    lines = [line[3:] for line in path.read_text().split("\n-- Columns:")[0].splitlines()]
    return " ".join("\n".join(lines).split("\n\n")[0].split())


def answers(sql: Name | None) -> Iterator[Answer]:
    """The reports of which a header states a month or day in the grain, and columns that add up."""
    for name, report in sorted(reports(Path(sql) if sql else None).items()):
        shown = [column for column in report.schema if column.name not in report.optional]
        periods = [column for column in shown if column.name in report.grain and column.type in ("month", "date")]
        measures = [column for column in shown if column.name in report.total]
        if not periods or not measures or any(report.parameters.values()):
            continue
        others = [column for column in shown if column not in measures and column != periods[0]]
        # What is no quantity tells rows apart.
        dimensions = [
            column for column in others
            if column.type in ("text", "date", "month", "time") or (column.type == "integer" and column.name not in report.units)
        ]  # fmt: skip
        yield Answer(name.replace("-", "_"), report, periods[0], dimensions, measures)


def statement(report: Report, columns: list[Column]) -> str:
    """The report's statement with values in place of parameters. A parameter that splits rows by columns of the grain
    names these; others are null, for which the statement holds the default."""
    values = dict.fromkeys(report.parameters, "NULL")
    for name, choices in report.choices.items():
        if split := [choice for choice in choices if {choice, f"{choice}_id"} & set(report.grain)]:
            values[name] = f"'{','.join(split) if name in report.lists else split[0]}'"
    text = re.sub(r"(?<![\w:]):(\w+)", lambda found: values.get(found[1], found[0]), report.written_statement)
    names = ", ".join(column.name for column in columns)
    # Where comments stood, lines are empty or end in spaces, which YAML would write as escapes.
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join([f"SELECT {names}", "FROM (", *lines, ") AS answered", ""])
