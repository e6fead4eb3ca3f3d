"""Datasette's metadata for a database of ReceiptMill's: every report as a canned query and its charts on dashboards,
columns described, facets on views, cells that lead to cases, tables of the loader's hidden.

Reports are those that `receiptmill report --list` names; the database's table `catalog` lists the views, and says what
their columns mean.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .._program import ProgramFailed, program
from ..lake import filters
from . import dashboards, money

Name = str | os.PathLike[str]
# A report as `receiptmill report --list --format json` tells of it.
Listed = Mapping[str, Any]

# What objects are made of, by the layer that the catalog tells.
LAYERS = {
    "sources": "What was loaded, as documents state it.",
    "core": "What was loaded, with what follows from it; as of the last refresh.",
    "marts": "What is counted or found in it; as of the last refresh.",
}

# Columns with few values, by which a view is worth filtering.
FACETS = [
    "environment", "bundle_id", "verdict", "device_check", "app_check", "severity", "signal", "reason",
    "product_type", "kind", "era", "owner_kind", "digest_algorithm", "outcome", "subject_kind", "decision", "is_open",
]
# Views that a million documents leave quick to count, within Datasette's 200 ms for each
# facet. Others, such as purchases or 200,000 fraud_cases, are counted on demand, by a column's menu.
FACETED = {"rejections", "runs", "archives", "fraud_decisions"}

# Where a signal's name leads, with the columns beside it whose values go along.
SIGNAL = {"page": "fraud_signals", "parameter": "signal", "beside": ["severity", "bundle_id"], "stays": True}


def metadata(
    database: Name, *, receiptmill: Name | None = None, sql: Name | None = None, base_url: str = "/"
) -> dict[str, Any]:
    """Metadata for a database that will be served.

    receiptmill  the program that is asked for reports; where none is named, the one that came with this package
    sql          a folder of reports that go before those built in
    base_url     where Datasette is served, if not at the root of its host
    """
    path = Path(database)
    name = path.stem
    mill = Mill(os.fspath(receiptmill or program()), ["--sql", os.fspath(sql)] if sql else [])
    reports = mill.reports()
    statements = {report["name"]: filtered(report, selected(mill.sql(report["name"]))) for report in reports}
    return {
        "title": "ReceiptMill",
        "description_html": f"<a href=\"{base_url}-/dashboards\">Dashboards</a> show the reports as charts.",
        "plugins": {
            "datasette-dashboards": dashboards.dashboards(reports, statements, name, base_url),
        },
        "databases": {
            name: {
                "queries": {report["name"]: query(report, statements[report["name"]]) for report in reports},
                "tables": tables(path),
                "plugins": {"receiptmill-links": links(reports)},
            }
        },
    }


class Mill:
    """The command, asked for what it knows of reports."""

    def __init__(self, command: str, options: Sequence[str]) -> None:
        self.command, self.options = command, options

    def reports(self) -> list[dict[str, Any]]:
        """A report that can't be read is told by the command and left out."""
        command = [self.command, "report", "--list", "--format", "json", *self.options]
        listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if not listed.stdout:
            raise ProgramFailed(command, listed.returncode, "")
        found: list[dict[str, Any]] = json.loads(listed.stdout)
        return found

    def sql(self, name: str) -> str:
        return self.ask("--show-sql", name)

    def ask(self, *arguments: str) -> str:
        command = [self.command, "report", *arguments, *self.options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def links(reports: Iterable[Listed]) -> dict[str, Any]:
    """Where a cell of a column leads: to the report about the case that it names, by the
    parameter that this requires."""
    required = {report["name"]: parameter["name"] for report in reports for parameter in report["parameters"]
                if parameter["required"]}
    cases = {column["name"]: column["case"] for report in reports for column in report["columns"]}
    return {name: {"page": case, "parameter": required[case]} for name, case in cases.items() if case in required} | {
        "signal": SIGNAL}


def query(report: Listed, statement: str) -> dict[str, Any]:
    parameters = [parameter["name"] for parameter in report["parameters"]]
    narrowing = [name for name in narrowed_by(report) if name.removesuffix("_id") not in parameters]
    sql = with_money_text(report, statement)
    for name in parameters:
        # A field that is left empty is null, for which the statement holds its default:
        # Datasette sends an empty text.
        sql = re.sub(rf":{name}\b", f"nullif(:{name}, '')", sql)
    if narrowing:
        moments = {column["name"] for column in report["columns"] if column["type"] == "time"}
        sql = f"SELECT * FROM (\n{sql}\n)\nWHERE " + "\n    AND ".join(
            # A day stands for its moments.
            f":{name} IN ('', {f'substr({name}, 1, length(:{name}))' if name in moments else f'CAST({name} AS TEXT)'})"
            for name in narrowing)
    return {
        "title": f"{report['topic'] or 'others'}: {report['title']}",
        "description_html": description(report, narrowing),
        "sql": sql,
        "hide_sql": True,
        "params": parameters + narrowing,
    }


def filtered(report: Listed, statement: str) -> str:
    """The statement behind the filters of the views that every report reads filtered."""
    views = {parameter["filters"] for parameter in report["parameters"]}
    own = [parameter["name"] for parameter in report["parameters"] if not parameter["filters"]]
    return filters.applied(statement, [view for view in filters.SELECTS if view in views], own)


def with_money_text(report: Listed, statement: str) -> str:
    """Money as decimal text, which statements count in whole thousandths of a currency."""
    if not any(column["currency"] for column in report["columns"]):
        return statement
    columns = ",\n    ".join(
        f"{money.text(column['name'], column['currency'])} AS {column['name']}" if column["currency"] else column["name"]
        for column in report["columns"])
    return f"SELECT\n    {columns}\nFROM (\n{statement}\n) AS counted"


def narrowed_by(report: Listed) -> list[str]:
    """Columns by which bars are told apart: a bar leads to the rows that have its values."""
    names = {"product_id"} if report["charts"] else set()
    for chart in report["charts"]:
        names |= {chart["x"], chart["series"], *report["grain"], "currency"}
    return [column["name"] for column in report["columns"] if column["name"] in names]


def selected(text: str) -> str:
    """The SELECT without its header."""
    lines = text.splitlines()
    while lines and (not lines[0].strip() or lines[0].startswith("--")):
        lines.pop(0)
    return "\n".join(lines).rstrip().removesuffix(";")


def description(report: Listed, narrowing: Iterable[str]) -> str:
    parts = [f"<p>{html.escape(report['question'])}</p>",
             "<details><summary>What parameters and columns mean</summary>"]
    if report["parameters"]:
        parts.append("<h3>Parameters</h3>" + definitions((p["name"], meaning(p)) for p in report["parameters"]))
    if narrowing:
        names = ", ".join(f"<code>{html.escape(name)}</code>" for name in narrowing)
        parts.append(f"<p>Only the rows that have these values, all where empty: {names}.</p>")
    parts.append("<h3>Columns</h3>" + definitions((c["name"], c["meaning"]) for c in report["columns"]))
    if report["notes"]:
        parts.append(f"<h3>Notes</h3><p>{html.escape(report['notes'])}</p>")
    return "\n".join([*parts, "</details>"])


def meaning(parameter: Listed) -> str:
    parts = [str(parameter["meaning"])]
    if "values" in parameter:
        count = "one or more of " if parameter["type"] == "texts" else "one of "
        parts.append(count + ", ".join(parameter["values"]))
    lower, upper = ("not before", "not after") if parameter["type"] in ("date", "month", "month_or_all") else ("at least", "at most")
    parts += [f"{words} {parameter[key].removeprefix(':')}" for key, words in (("minimum", lower), ("maximum", upper))
              if key in parameter]
    if parameter["required"]:
        parts.append("has to be given")
    elif parameter["default"] is not None:
        parts.append(f"{parameter['default']} where empty")
    return "; ".join(parts)


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt><code>{html.escape(n)}</code></dt><dd>{html.escape(m)}</dd>" for n, m in pairs) + "</dl>"


def tables(database: Path) -> dict[str, Any]:
    """Public objects as the table catalog tells of them; what is not in it is hidden: the loader's tables, models, and
    the views that others are made of."""
    with contextlib.closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as lite:
        # Datasette lists views whatever is hidden, but for those that nobody may open.
        described: dict[str, dict[str, Any]] = {
            name: {"hidden": True} | ({"allow": False} if kind == "view" else {})
            for name, kind in lite.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')")}
        for layer, name, column, unit, meaning in lite.execute(
                'SELECT layer, object, "column", unit, meaning FROM catalog ORDER BY rowid'):
            if described[name].get("hidden"):
                described[name] = {"description": LAYERS[layer], "columns": {}}
            described[name]["columns"][column] = f"{meaning} ({unit})" if unit else meaning
    for name in FACETED & described.keys():
        described[name]["facets"] = [column for column in FACETS if column in described[name]["columns"]]
    return described | {"catalog": {"description": "What there is to ask, column by column."}}
