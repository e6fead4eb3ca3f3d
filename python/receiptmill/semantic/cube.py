"""Models of Cube: the public views with their keys and joins, and reports with what adds up in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._answers import Column
from .declared import Answer, View, ViewColumn

# SQLite's types, and the types of columns of reports, as Cube names them.
TYPES = {"INTEGER": "number", "REAL": "number", "integer": "number", "date": "time", "month": "time", "time": "time"}


def files(views: Iterable[View], answers: Iterable[Answer]) -> dict[str, Any]:
    views = list(views)
    return {
        "views.yml": {"cubes": [view_cube(view) for view in views]},
        "reports.yml": {"cubes": [report_cube(answer) for answer in answers]},
    }


def view_cube(view: View) -> dict[str, Any]:
    joins = {one.reference[0]: one for one in view.columns if one.reference and one.reference[0] != view.name}
    return {
        "name": view.name,
        "sql_table": view.name,
        "description": view.meaning,
        "joins": [join(target, one) for target, one in joins.items()],
        "dimensions": [view_dimension(one, view) for one in view.columns],
        "measures": [{"name": "count", "type": "count", "description": "number of rows"}],
    }


def join(target: str, one: ViewColumn) -> dict[str, Any]:
    assert one.reference
    sql = f"{{CUBE}}.{one.name} = {{{target}}}.{one.reference[1]}"
    return {"name": target, "relationship": "many_to_one", "sql": sql}


def view_dimension(one: ViewColumn, view: View) -> dict[str, Any]:
    kind = TYPES.get(one.unit) or TYPES.get(one.type, "string")
    return dimension(one.name, kind, one.meaning_and_unit, one.unit, one.name in view.key)


def report_cube(answer: Answer) -> dict[str, Any]:
    report = answer.report
    return {
        # Views have the plain names.
        "name": f"report_{answer.name}",
        "sql": answer.statement,
        "description": report.title,
        "dimensions": [
            dimension(one.name, TYPES.get(one.type, "string"), one.meaning, one.type, one.name in report.grain)
            for one in [answer.period, *answer.dimensions]
        ],
        "measures": [measure for one in answer.measures for measure in measures(one, report.money.get(one.name))],
    }


def measures(one: Column, currency: str | None) -> list[dict[str, Any]]:
    if not currency:
        return [{"name": one.name, "sql": f"{{CUBE}}.{one.name}", "type": "sum", "description": one.meaning}]
    # Sums are exact in whole thousandths, and are divided once.
    return [
        {"name": f"{one.name}_milliunits", "sql": f"{{CUBE}}.{one.name}", "type": "sum", "public": False},
        {"name": one.name, "sql": f"{{{one.name}_milliunits}} / 1000.0", "type": "number",
         "description": f"{one.meaning}; amounts of several currencies can't be added: group by {currency}"},
    ]  # fmt: skip


def dimension(name: str, kind: str, meaning: str, period: str, is_key: bool) -> dict[str, Any]:
    # Cube reads a text of SQLite as a moment only if it is at least a day.
    sql = f"{{CUBE}}.{name}" + (" || '-01'" if period == "month" else "")
    key = {"primary_key": True, "public": True} if is_key else {}
    return {"name": name, "sql": sql, "type": kind, "description": meaning, **key}
