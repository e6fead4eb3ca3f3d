"""A package of dbt: the public views as sources with their tests, reports as models, and these as semantic models with
metrics for MetricFlow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .._answers import Column
from .declared import Answer, View, ViewColumn

# dbt finds an attached SQLite file by the name under which it is attached; a warehouse of DuckDB is the database itself.
SCHEMA = "{{ var('receiptmill_schema', 'mill' if target.type == 'sqlite' else 'main') }}"
# A type of time: the granularity of MetricFlow, and the SQL that makes a date or moment of a text.
TIMES = {
    "month": ("month", "CAST({name} || '-01' AS DATE)"),
    "date": ("day", "CAST({name} AS DATE)"),
    "time": ("second", "CAST(replace(replace({name}, 'T', ' '), 'Z', '') AS TIMESTAMP)"),
}
# dbt has no such test of its own; nulls are equal here.
COMBINATION = """{% test unique_combination(model, columns) %}
SELECT {{ columns | join(', ') }}
FROM {{ model }}
GROUP BY {{ columns | join(', ') }}
HAVING count(*) > 1
{% endtest %}
"""
# MetricFlow joins metrics by days of its own table; the view days has those of the mill's time zone. SQLite has no dates.
DAYS = """SELECT {{ 'day' if target.type == 'sqlite' else 'CAST(day AS DATE)' }} AS day
FROM days
"""


def files(views: Iterable[View], answers: Iterable[Answer]) -> dict[str, Any]:
    """Contents by path in the package: those to be written as YAML, and texts."""
    answers = list(answers)
    written: dict[str, Any] = without_jinja({
        "dbt_project.yml": {
            "name": "receiptmill", "config-version": 2, "version": "1.0", "profile": "receiptmill",
            "models": {"receiptmill": {"+materialized": "table"}},
        },
        "macros/unique_combination.sql": COMBINATION,
        "models/receiptmill_days.sql": DAYS,
        **{f"models/{model(answer)}.sql": answer.statement for answer in answers},
        "models/sources.yml": {"version": 2, "sources": [{
            "name": "receiptmill", "schema": SCHEMA, "tables": [source(view) for view in views],
        }]},
        "models/models.yml": {"version": 2, "models": [time_spine(), *(described(answer) for answer in answers)]},
        "models/semantic_models.yml": {"version": 2, "semantic_models": [semantic_model(answer) for answer in answers]},
        "models/metrics.yml": {"version": 2, "metrics": [metric(answer, one) for answer in answers for one in answer.measures]},
    })  # fmt: skip
    return written


def without_jinja(content: Any) -> Any:
    """Contents whose descriptions dbt renders as they are: a title of one's own report may have braces."""
    if isinstance(content, list):
        return [without_jinja(one) for one in content]
    if not isinstance(content, dict):
        return content
    return {
        name: re.sub(r"\{(?=[{%#])", "{ ", value) if name in ("description", "label") else without_jinja(value)
        for name, value in content.items()
    }


def model(answer: Answer) -> str:
    return f"report_{answer.name}"


def source(view: View) -> dict[str, Any]:
    columns = [column(one, view) for one in view.columns]
    return {"name": view.name, "description": view.meaning, **combination(view.key), "columns": columns}


def column(one: ViewColumn, view: View) -> dict[str, Any]:
    tests: list[Any] = ["not_null"] if one.is_filled else []
    if view.key == [one.name]:
        tests.append("unique")
    if one.unit == "0 or 1":
        tests.append({"accepted_values": {"arguments": {"values": [0, 1], "quote": False}}})
    if one.reference and one.reference[0] != view.name:
        table, field = one.reference
        tests.append({"relationships": {"arguments": {"to": f"source('receiptmill', '{table}')", "field": field}}})
    described = {"name": one.name, "description": one.meaning_and_unit, "data_type": one.type}
    return {**described, "data_tests": tests} if tests else described


def combination(names: list[str]) -> dict[str, Any]:
    return {"data_tests": [{"unique_combination": {"arguments": {"columns": names}}}]} if len(names) > 1 else {}


def described(answer: Answer) -> dict[str, Any]:
    columns = [{"name": one.name, "description": meaning(one, answer)} for one in answer.columns]
    return {"name": model(answer), "description": answer.report.title, **combination(answer.report.grain), "columns": columns}


def time_spine() -> dict[str, Any]:
    return {
        "name": "receiptmill_days", "description": "days of the mill's time zone",
        "time_spine": {"standard_granularity_column": "day"}, "columns": [{"name": "day", "granularity": "day"}],
    }  # fmt: skip


def semantic_model(answer: Answer) -> dict[str, Any]:
    return {
        "name": answer.name,
        "description": answer.report.title,
        "model": f"ref('{model(answer)}')",
        "primary_entity": answer.name,
        "defaults": {"agg_time_dimension": time_name(answer.period)},
        "dimensions": [dimension(one, answer) for one in [answer.period, *answer.dimensions]],
        "measures": [
            {"name": metric_name(answer, one), "agg": "sum", "expr": expression(one), "description": meaning(one, answer)}
            for one in answer.measures
        ],
    }


def dimension(one: Column, answer: Answer) -> dict[str, Any]:
    if one.type not in TIMES:
        return {"name": one.name, "type": "categorical", "description": one.meaning}
    granularity, sql = TIMES[one.type]
    return {
        "name": time_name(one), "type": "time", "expr": sql.format(name=one.name), "description": one.meaning,
        "type_params": {"time_granularity": granularity},
    }  # fmt: skip


def time_name(one: Column) -> str:
    """A name of its own, because MetricFlow keeps `month` and the like for itself."""
    return f"{one.name}_begins" if one.type == "month" else one.name


def expression(one: Column) -> str:
    # Whole thousandths of a currency become an exact decimal.
    return f"CAST({one.name} AS DECIMAL(18, 0)) * 0.001" if one.type == "money" else one.name


def metric(answer: Answer, one: Column) -> dict[str, Any]:
    name = metric_name(answer, one)
    return {
        "name": name, "label": name.replace("_", " "), "description": meaning(one, answer),
        "type": "simple", "type_params": {"measure": name},
    }  # fmt: skip


def metric_name(answer: Answer, one: Column) -> str:
    return f"{answer.name}_{one.name}"


def meaning(one: Column, answer: Answer) -> str:
    currency = answer.report.money.get(one.name)
    return f"{one.meaning}; amounts of several currencies can't be added: group by {currency}" if currency else one.meaning
