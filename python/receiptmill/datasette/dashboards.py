"""Dashboards of the plugin datasette-dashboards: first the one that shows what the page
of `receiptmill report --html-dashboard` shows, then one for each topic, from the charts
that reports' headers declare. docs/reports.md says what a header declares.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from . import page

Report = Mapping[str, Any]

# The filters above the charts: a parameter of the reports, or a column.
FILTERS = {
    "environment": {"name": "Environment", "type": "select"},
    "bundle": {"name": "App", "type": "select"},
    "product": {"name": "Product", "type": "select"},
    "from": {"name": "First day", "type": "date"},
    "until": {"name": "Last day", "type": "date"},
}
# Views would count documents for these; the loader's small tables have them at once.
OPTIONS = {
    "environment": "SELECT environment FROM (SELECT DISTINCT environment FROM app WHERE environment <> '' "
                   "UNION SELECT 'all') ORDER BY environment = 'all', environment",
    "bundle": "SELECT DISTINCT bundle_id FROM app WHERE bundle_id <> '' ORDER BY 1",
    "product": "SELECT product_id FROM product ORDER BY 1",
}
# Panels, and cohorts in one, that can be read.
PANELS, COHORTS = 9, 24
# The colours of the mailed page; red is severity's alone.
COLOURS = ["#2f6fb5", "#e8960c", "#4e0665", "#3ac9de", "#8d85ed", "#aa7b54", "#744a70", "#9ec08d"]
MEANT = {
    "severity": {"high": "#b3261e", "medium": "#e8a33d", "low": "#a9b8c6"},
    "era": {"paid": "#2f6fb5", "free": "#e8960c", "unknown": "#a3abb3"},
}
TIME = {"month": ("utcyearmonth", "%Y-%m"), "date": ("utcyearmonthdate", "%Y-%m-%d")}
# Parameters that take a month, where a filter gives a day.
MONTHS = ("month", "month_or_all")
# The measure of a list: how many rows stand at a value of x.
ROWS = "rows"
MONEY = {"milliunits", "currency"}


def dashboards(
    reports: Sequence[Report], statements: Mapping[str, str], database: str, base: str
) -> dict[str, Any]:
    """Each topic's dashboard by its name.

    reports     what `receiptmill report --list` tells
    statements  the SELECT of each report, by name
    """
    made = {page.REPORT: overview(reports, statements, database, base)}
    for report in reports:
        topic = report["topic"] or "others"
        for number, chart in enumerate(report["charts"], 1):
            dashboard = made.setdefault(topic, begun(topic, database))
            drawn = Drawn(report, chart)
            name = f"{report['name']}-{number}"
            dashboard["charts"][name] = card(title(report, drawn), drawn, statements, database, base)
            dashboard["layout"].append([name])
    return made


def overview(reports: Sequence[Report], statements: Mapping[str, str], database: str, base: str) -> dict[str, Any]:
    """The page's figures and charts, all apps in one panel."""
    known = {report["name"]: report for report in reports}
    dashboard = begun("overview", database)
    figures = page.FIGURES if page.REPORT in known else ()
    for name in figures:
        dashboard["charts"][name] = {
            "title": words(name).capitalize(),
            "db": database,
            "query": compact(page.figure(name, bound(known[page.REPORT], statements[page.REPORT], {}))),
            "library": "metric",
            "display": {"field": "figure"},
        }
    wide = len(page.FIGURES) // 2
    dashboard["layout"] = [[*part] for part in (figures[:wide], figures[wide:]) if part]
    panels = [(panel, report) for report in reports for panel in report["panels"]]
    for number, (panel, report) in enumerate(sorted(panels, key=lambda each: (each[0]["place"], each[0]["id"])), 1):
        drawn = Drawn(report, panel["chart"], panel["settings"], is_together=True)
        name = f"panel-{number}-{report['name']}"
        dashboard["charts"][name] = card(panel["title"], drawn, statements, database, base)
        dashboard["layout"].append([name] * wide)
    return dashboard


def card(text: str, drawn: Drawn, statements: Mapping[str, str], database: str, base: str) -> dict[str, Any]:
    name = drawn.report["name"]
    return {
        "title": text,
        "db": database,
        "query": drawn.query(statements[name], f"{base}{database}/{name}"),
        "library": "vega-lite",
        "display": drawn.display(),
    }


def bound(report: Report, statement: str, settings: Mapping[str, str]) -> str:
    """The statement with the settings and the filters for its parameters, and null, its default, for
    the others. Days become months where the report takes months."""
    for parameter in report["parameters"]:
        name = parameter["name"]
        value = f"'{settings[name]}'" if name in settings else "NULL"
        if name in FILTERS:
            value = f"nullif(:{name}, '')"
            if parameter["type"] in MONTHS:
                value = f"substr({value}, 1, 7)"
        statement = re.sub(rf"(?<!:):{name}\b", value, statement)
    return statement


def begun(topic: str, database: str) -> dict[str, Any]:
    filters = {name: dict(entry) for name, entry in FILTERS.items()}
    for name, query in OPTIONS.items():
        filters[name] |= {"db": database, "query": query}
    return {
        "title": topic.capitalize(),
        "description": "Click on a bar, a point or a cell for the report's rows behind it. Environments are those of "
                       "production, unless one is chosen; a report leaves out what it can't filter by.",
        "layout": [],
        "filters": filters,
        "charts": {},
    }


def title(report: Report, drawn: Drawn) -> str:
    measures = ", ".join(name.replace("_", " ") for name in drawn.measures)
    return f"{report['title']}: {measures}" if len(report["charts"]) > 1 else report["title"]


class Drawn:
    """A chart's columns by their role.

    settings     values of parameters by which the chart asks
    is_together  all apps in one panel: amounts are summed, shares averaged by the number that they rest on
    """

    def __init__(
        self, report: Report, chart: Mapping[str, Any], settings: Mapping[str, str] | None = None, is_together: bool = False
    ) -> None:
        self.report, self.chart, self.settings = report, chart, settings or {}
        self.kinds = {column["name"]: column["type"] for column in report["columns"]}
        if self.settings.get("by") == "month":
            self.kinds[chart["x"]] = "month"
        units = {column["name"]: column["unit"] for column in report["columns"]}
        self.x, self.measures = chart["x"], chart["y"]
        self.counts_rows = self.measures == [ROWS] and ROWS not in self.kinds
        if self.counts_rows:
            self.kinds[ROWS], units[ROWS] = "integer", None
        # Moments count by their day.
        self.is_moment = self.kinds[self.x] == "time"
        if self.is_moment:
            self.kinds[self.x] = "date"
        self.is_share = self.kinds[self.measures[0]] == "share"
        currencies = {column["name"]: column["currency"] for column in report["columns"]}
        is_amount = self.kinds[self.measures[0]] == "money"
        currency = currencies.get(self.measures[0]) or "currency"
        is_money = (is_amount or units[self.measures[0]] in MONEY) and currency in self.kinds
        # Statements count money in whole thousandths of a currency.
        self.divisor = 1000 if is_amount or units[self.measures[0]] == "milliunits" else 1
        self.is_counted = all(self.kinds[name] in ("integer", "money") for name in self.measures)
        self.has_count = bool(chart["n"]) and chart["n"] not in self.measures
        self.series = chart["series"] if len(self.measures) == 1 else None
        if is_money and self.series == currency:
            self.series = None
        # Amounts are summed over other columns of the grain; shares can't be, nor currencies.
        others = [name for name in report["grain"] if name not in (self.x, self.series)]
        summed = not self.is_share and chart["kind"] != "heat"
        self.panel = [name for name in others if not summed or name in ("environment", "bundle_id")]
        self.is_together, self.is_averaged = is_together, is_together and self.is_share
        if is_together:
            self.panel = []
        if is_money and currency not in self.panel:
            self.panel.append(currency)

    def query(self, statement: str, address: str) -> str:
        """Rows of x, series, panel, the measures and a link to the report's rows."""
        x = "day_of_x" if self.is_moment else self.x
        dimensions = list(dict.fromkeys([x, *([self.series] if self.series else []), *self.panel]))
        # A product's name begins with its app's: once is enough.
        shown = [name for name in self.panel if not (name == "bundle_id" and "product_id" in self.panel)]
        panel = " || ' · ' || ".join(f"coalesce({name}, '–')" for name in shown) or "''"
        newest = (f"AND {self.series} IN (SELECT DISTINCT {self.series} FROM named ORDER BY 1 DESC LIMIT {COHORTS})"
                  if self.chart["kind"] == "heat" else "")
        divided = f" / {self.divisor}.0" if self.divisor > 1 else ""
        sums = ", ".join(f'sum({name}){divided} AS "{words(name)}"' for name in self.measures)
        if self.counts_rows:
            sums = f'count(*) AS "{ROWS}"'
        if self.is_averaged:
            sums = ", ".join(f'sum({name} * {self.chart["n"]}) * 1.0 / sum({self.chart["n"]}) AS "{words(name)}"' for name in self.measures)
        count = f", sum({self.chart['n']}) AS n" if self.has_count else ""
        narrow = "WHERE :product IN ('', product_id)" if "product_id" in self.kinds else ""
        values = " OR ".join(f"{name} IS NOT NULL" for name in ([x] if self.counts_rows else self.measures))
        if self.is_averaged:
            # Of nothing there is no share.
            values = f"({values}) AND {self.chart['n']} > 0"
        day = f", substr({self.x}, 1, 10) AS {x}" if self.is_moment else ""
        series = f", {self.series} AS series" if self.series else ""
        drawn = f"""
            SELECT {x} AS x{series}, panel, {sums}{count}, {self.link(address, dimensions)} AS link,
                min(row_place) AS row_place
            FROM named WHERE panel IN (SELECT panel FROM most) {newest}
            GROUP BY {', '.join(dimensions)}, panel"""
        return compact(f"""
            WITH found AS (SELECT *{day}, row_number() OVER () AS row_place FROM ({bound(self.report, statement, self.settings)}) {narrow}),
            named AS (SELECT *, {panel} AS panel FROM found WHERE {values}),
            most AS (SELECT panel FROM named GROUP BY panel ORDER BY count(*) DESC, panel LIMIT {PANELS}),
            drawn AS ({drawn})
            {self.filled() if self.is_broken_line else "SELECT * FROM drawn"}
            ORDER BY row_place""")

    def filled(self) -> str:
        """The rows, and for months or days between the first and the last of a line that have
        none zeros, since nothing happened then; a share is not known there, and breaks it."""
        group = ["panel"] + (["series"] if self.series else [])
        column = {"month": "month", "date": "day"}[self.kinds[self.x]]
        same = " AND ".join(f"drawn.{name} = ends.{name}" for name in group)
        zeros = (", 0" if self.is_counted else ", NULL") * len(self.measures) + (", NULL" if self.has_count else "")
        return f"""
            SELECT * FROM drawn
            UNION ALL
            SELECT dates.x{', ends.series' if self.series else ''}, ends.panel{zeros}, NULL, NULL
            FROM (SELECT {', '.join(group)}, min(x) AS first, max(x) AS last FROM drawn
                  WHERE x GLOB '[0-9]*' GROUP BY {', '.join(group)}) AS ends
            JOIN (SELECT DISTINCT {column} AS x FROM days) AS dates ON dates.x > first AND dates.x < last
            WHERE NOT EXISTS (SELECT 1 FROM drawn WHERE drawn.x = dates.x AND {same})"""

    def link(self, address: str, dimensions: Sequence[str]) -> str:
        parameters = {parameter["name"]: parameter["type"] for parameter in self.report["parameters"]}
        parts = [f"'{address}?'", *(f"'{name}={value}&'" for name, value in self.settings.items())]
        own = {"environment": "environment", "bundle_id": "bundle", "product_id": "product"}
        bound = set()
        for name in dimensions:
            parameter = own[name] if own.get(name) in parameters else self.x if name == "day_of_x" else name
            bound.add(parameter)
            parts.append(f"'{parameter}=' || {encoded(f'coalesce({name}, {chr(39)*2})')} || '&'")
        for name in FILTERS:
            column = "product_id" if name == "product" else None
            if name in bound:
                continue
            if name in parameters:
                value = f"substr(:{name}, 1, 7)" if parameters[name] in MONTHS else f":{name}"
                parts.append(f"'{name}=' || {encoded(value)} || '&'")
            elif column in self.kinds and column not in bound:
                parts.append(f"'{column}=' || {encoded(f':{name}')} || '&'")
        return " || ".join(parts)

    def display(self) -> dict[str, Any]:
        time = TIME.get(self.kinds[self.x])
        is_text = self.kinds[self.x] == "text"
        series = "series" if self.series or len(self.measures) > 1 else None
        x: dict[str, Any] = {"field": "x", "title": words(self.x), "sort": None, "type": "ordinal"}
        if time:
            x = {"field": "x", "title": None, "type": "temporal", "timeUnit": time[0], "axis": {"format": time[1]}}
        elif self.kinds[self.x] in ("integer", "real", "share") and self.chart["kind"] in ("lines", "area"):
            x["type"] = "quantitative"
        measure: dict[str, Any] = {"field": "value", "type": "quantitative", "title": self.unit()}
        if self.is_share:
            measure["axis"] = {"format": "~%"}
        elif self.is_counted and self.divisor == 1:
            measure["axis"] = {"tickMinStep": 1}
        tooltip: list[dict[str, Any]] = [{"field": "x", "title": words(self.x)} | ({"type": "temporal", "format": time[1]} if time else {}),
                   *([{"field": "series", "title": words(self.series or "")}] if series else []),
                   {"field": "value", "title": self.unit(), "format": "~%" if self.is_share else ",.6~g"},
                   *([{"field": "n", "title": words(self.chart["n"])}] if self.has_count else [])]
        encoding: dict[str, Any] = {"x": x, "y": measure, "tooltip": tooltip, "href": {"field": "link"}}
        if series:
            encoding["color"] = self.colour()
        height: int | dict[str, int] = 170
        marks: dict[str, dict[str, Any]] = {"lines": {"type": "line", "point": {"size": 18}}, "area": {"type": "area"},
                 "bars": {"type": "bar"}, "heat": {"type": "rect"}}
        mark = marks[self.kind]
        if self.chart["kind"] == "heat":
            encoding["y"] = {"field": "series", "type": "ordinal", "title": words(self.series or "")}
            encoding["color"] = {"field": "value", "type": "quantitative", "title": self.unit(),
                                 "scale": {"scheme": "blues"} | ({"domain": [0, 1]} if self.is_share else {})}
            if self.is_share:
                encoding["color"]["legend"] = {"format": "~%"}
            height = 12 * COHORTS
        elif self.chart["kind"] == "bars" and is_text:
            encoding["y"], encoding["x"] = encoding["x"], encoding["y"]
            encoding["y"]["axis"] = {"labelLimit": 220}
            height = {"step": 14}
            if len(self.measures) > 1:
                encoding["x"]["stack"] = None
                encoding["yOffset"] = {"field": "series", "sort": None}
                height = {"step": 8}
        encoding["facet"] = {"field": "panel", "type": "nominal", "columns": 2 if is_text else 3, "title": None}
        cell = "color" if self.chart["kind"] == "heat" else "x" if is_text else "y"
        return {
            "width": (270 if self.is_together else 330) if self.panel else 900,
            "height": height,
            "transform": [{"fold": [words(name) for name in self.measures], "as": ["series" if len(self.measures) > 1 else "measure", "value"]},
                          *([] if self.is_broken_line else [{"filter": "isValid(datum.value)"}])],
            "mark": mark | {"cursor": "pointer"},
            "encoding": encoding,
            "resolve": {"scale": {"x": "independent" if is_text else "shared", "y": "independent", cell: "independent"}
                        if not (cell == "color" and self.is_share) else {"y": "independent"}},
        }

    @property
    def is_broken_line(self) -> bool:
        return self.kind == "lines" and self.kinds[self.x] in TIME

    @property
    def kind(self) -> str:
        """The kind of mark. Over time bars of several measures, which don't add up, are lines,
        and areas are bars, which leave a gap where there is no row. Flows are bars, without their line."""
        kind: str = self.chart["kind"]
        if kind == "flows":
            return "bars"
        if self.kinds[self.x] in TIME and kind in ("bars", "area"):
            return "lines" if kind == "bars" and len(self.measures) > 1 else "bars"
        return kind

    def colour(self) -> dict[str, Any]:
        colour: dict[str, Any] = {"field": "series", "type": "nominal", "title": None, "sort": None}
        meant = MEANT.get(self.series or "")
        if self.kinds.get(self.series or "") == "month":
            colour |= {"type": "ordinal", "scale": {"scheme": "blues"}}
        elif meant:
            colour["scale"] = {"domain": list(meant), "range": list(meant.values())}
        else:
            colour["scale"] = {"range": COLOURS}
        return colour

    def unit(self) -> str | None:
        return words(self.measures[0]).removesuffix(" milliunits") if len(self.measures) == 1 else None


def words(name: str) -> str:
    return name.replace("_", " ")


def encoded(expression: str) -> str:
    """A value as SQL puts it into an address; browsers encode the rest."""
    for character, code in (("%", "%25"), ("&", "%26"), ("#", "%23"), ("+", "%2B")):
        expression = f"replace({expression}, '{character}', '{code}')"
    return expression


def compact(statement: str) -> str:
    """The statement without comments and indentation: it travels in an address."""
    lines = (re.sub(r"(^|\s)--.*$", "", line).strip() for line in statement.splitlines())
    return "\n".join(line for line in lines if line)
