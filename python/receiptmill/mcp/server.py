"""The tools of receiptmill-mcp. An answer has its period, how many rows it has, what is unknown, and what could mislead."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from .. import _program
from .._answers import Answer
from .persons import DOCUMENTS, PERSONS, Pseudonyms

Tool = TypeVar("Tool", bound=Callable[..., Any])

# An assistant's memory is short: an answer has at most so many rows, and a text so many characters.
MOST_ROWS, MOST_CHARACTERS = 200, 500
USUAL_ROWS = 50
INSTRUCTIONS = (
    "Purchases, subscriptions and fraud signals of apps of the App Store, from documents whose signatures were verified."
    " Find a report by `list`, read what its columns mean by `describe`, and answer from `run`. State the period and the"
    " number of rows of an answer, what is unknown in it, and what it says could mislead. Null means not known, never 0."
    " Amounts of different currencies are never added."
)


def server(database: Path, *, shows_persons: bool = False, sql: Path | None = None) -> MCPServer:
    serving = MCPServer("receiptmill", instructions=INSTRUCTIONS)
    names = None if shows_persons else Pseudonyms()
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    def tool(work: Tool) -> Tool:
        @wraps(work)
        def told(*words: Any, **named: Any) -> Any:
            try:
                return work(*words, **named)
            except (_program.ProgramFailed, _program.ProgramMissing, sqlite3.Error) as fault:
                text = getattr(fault, "message", None) or str(fault)
                raise ToolError(names.without(text) if names else text) from None

        serving.tool(work.__name__.removesuffix("_reports"), annotations=reads)(told)
        return work

    def header(report: str) -> Any:
        found = _program.header(report, sql)
        if not found:
            raise ToolError(f"there is no report {report}; `list` names them all")
        return found

    @tool
    def list_reports(topic: str | None = None) -> list[dict[str, Any]]:
        """Names the reports, with the question that each answers; of a topic alone where one is given."""
        found = [{key: one[key] for key in ("name", "topic", "question")} for one in _program.headers(sql)]
        return [one for one in found if topic in (None, one["topic"])]

    @tool
    def describe(report: str) -> dict[str, Any]:
        """Says what a report answers: its parameters, its columns with their meanings, and notes on what they leave out."""
        found = header(report)
        told = {key: found[key] for key in ("name", "title", "question", "grain", "notes")}
        told["parameters"] = [{key: one.get(key) for key in PARAMETER if key in one} for one in found["parameters"]]
        told["columns"] = [{key: one[key] for key in ("name", "type", "unit", "meaning")} for one in found["columns"]]
        return told

    @tool
    def run(report: str, parameters: dict[str, str] | None = None, rows: int = USUAL_ROWS) -> dict[str, Any]:
        """Runs a report. Parameters are those of `describe`, such as {"from": "2026-01", "by": "product"}; at most 200 rows
        are given."""
        found, asked = header(report), parameters or {}
        answer, warnings = _program.answered(database, found["name"], names.resolved(asked) if names else asked, sql)
        columns = answer.columns
        shown: Sequence[Sequence[Any]] = answer.rows[: max(0, min(rows, MOST_ROWS))]
        if names:
            leading = {one["name"] for one in found["columns"] if one["case"]} - DOCUMENTS
            columns, shown = names.hidden(columns, shown, leading | PERSONS)
            warnings = [names.without(one) for one in warnings]
        texts, cut = written(shown)
        if cut:
            warnings = [*warnings, f"{cut} texts were cut behind {MOST_CHARACTERS} characters, and end with …"]
        return {
            "report": found["name"],
            "parameters": asked,
            "period": period(answer, found["parameters"], asked),
            "n": len(answer.rows),
            "rows_left_out": len(answer.rows) - len(shown),
            "unknown": unknown(answer),
            "could_mislead": warnings + ([found["notes"]] if found["notes"] else []),
            "columns": columns,
            "rows": texts,
        }

    @tool
    def catalog(view: str | None = None) -> list[dict[str, Any]]:
        """Names the views of the database; of one view, its columns and what they mean."""
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            if view is None:
                select = 'SELECT object, count(*) FROM catalog GROUP BY object ORDER BY object'
                return [{"view": name, "columns": count} for name, count in connection.execute(select)]
            select = 'SELECT "column", type, unit, meaning FROM catalog WHERE object = ? ORDER BY rowid'
            columns = [dict(zip(("column", "type", "unit", "meaning"), row)) for row in connection.execute(select, [view])]
        if not columns:
            raise ToolError(f"there is no view {view}; `catalog` without a name has them all")
        return columns

    @tool
    def case(subject: str, rows: int = USUAL_ROWS) -> dict[str, Any]:
        """Shows the evidence about an account, a device, a receipt or a transaction: the case in short, then who presented
        what, and when."""
        return run("fraud-case", {"case": subject}, rows)

    return serving


PARAMETER = ("name", "type", "default", "required", "meaning", "values")


def period(answer: Answer, parameters: Sequence[Mapping[str, Any]], given: Mapping[str, str]) -> dict[str, str | None]:
    """What was asked for, and the first and the last month, day or moment in the rows."""
    kinds = ("month", "date", "time")
    places = [place for place, column in enumerate(answer.schema) if column.type in kinds]
    told = sorted(str(value) for row in answer.rows for place in places[:1] if isinstance(value := row[place], date))
    defaults = {one["name"]: one["default"] for one in parameters}
    asked = {name: given.get(name, defaults.get(name)) for name in ("from", "until") if name in defaults}
    return {**asked, "first": told[0] if told else None, "last": told[-1] if told else None}


def unknown(answer: Answer) -> dict[str, int]:
    """In how many rows something is not known: rows that are not complete yet, columns that count what is unknown, and
    values that are null, of which the column's meaning says why."""
    told: dict[str, int] = {}
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows]
        if name == "is_complete":
            told["not complete"] = values.count(0)
        elif "unknown" in name or "untold" in name:
            told[f"{name} is not 0"] = sum(isinstance(value, (int, Decimal)) and value != 0 for value in values)
        if missing := values.count(None):
            told[f"{name} is null"] = missing
    return told


def written(rows: Sequence[Sequence[Any]]) -> tuple[list[list[Any]], int]:
    """Rows as JSON has them, with exact amounts and times as texts; how many texts were cut."""
    cut = 0

    def plain(value: Any) -> Any:
        nonlocal cut
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str) and len(value) > MOST_CHARACTERS:
            cut += 1
            return value[:MOST_CHARACTERS] + "…"
        return str(value) if isinstance(value, Decimal) else value

    return [[plain(value) for value in row] for row in rows], cut
