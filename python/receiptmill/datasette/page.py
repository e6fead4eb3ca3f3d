"""The dashboard that shows what the page of `receiptmill report --html-dashboard` shows: the six figures of the report
`overview`, then one chart of each of twelve reports, in the page's order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIGURES = ("recurring_revenue", "net_revenue", "active_subscriptions", "paid_churn", "trial_conversion", "refund_rate")
REPORT = "overview"


def panel(
    report: str, title: str, kind: str, x: str, y: str, series: str | None = None, n: str | None = None, **settings: str
) -> dict[str, Any]:
    """A chart of a report: what tells its rows apart is a parameter, where the page sets it, too."""
    chart = {"kind": kind, "x": x, "y": y.split(), "series": series, "n": n}
    return {"report": report, "title": title, "chart": chart, "settings": settings}


PANELS = [
    panel("recurring-revenue", "Recurring revenue by app", "area", "month", "closing", "bundle_id"),
    panel("recurring-revenue", "What moved recurring revenue", "lines", "month",
          "new expansion reactivation contraction churn"),
    panel("revenue", "Net revenue by product", "bars", "month", "net", "product_id"),
    panel("active-subscriptions", "Active subscriptions by app", "area", "month", "active", "bundle_id"),
    panel("new-subscriptions", "New trials and paid subscriptions", "bars", "month", "new_trials new_paid"),
    panel("subscription-churn", "Paid churn by app", "lines", "month", "churn", "bundle_id", "active_at_start"),
    panel("subscription-retention", "Retention by plan", "lines", "period", "retention", "plan", "subscriptions"),
    panel("trial-conversion", "Trial conversion by app", "lines", "month", "conversion", "bundle_id", "trials"),
    panel("refunds", "Refund rate by app", "lines", "month", "refund_rate", "bundle_id", "sales"),
    panel("freemium-migration", "Owners by month and era", "bars", "cohort", "owners", "era", by="month"),
    panel("fraud-signals", "Lines with signals of fraud, by month and severity", "bars", "by_value", "lines", "severity",
          by="month"),
    panel("receipts-by-month", "Documents by month of creation and verdict", "bars", "month", "receipts", "value"),
]


def can_draw(panel: Mapping[str, Any], report: Mapping[str, Any] | None) -> bool:
    """Whether a report, which may be a user's own, has what the panel draws."""
    chart = panel["chart"]
    needed = {chart["x"], *chart["y"], chart["series"], chart["n"]} - {None}
    return report is not None and needed <= {column["name"] for column in report["columns"]}


def figure(name: str, statement: str) -> str:
    """The newest month of a figure that is known, as a line of text; amounts are rounded as on the page."""
    digits = ("CASE WHEN abs(amount) >= 10000000 THEN 0 ELSE coalesce((SELECT digits FROM model_currency_digits AS known "
              "WHERE known.currency = counted.currency), 2) END")
    shown = (f"printf('%.*f', {digits}, amount / 1000.0) "
             "|| CASE WHEN currency GLOB '[A-Z][A-Z][A-Z]' THEN ' ' || currency ELSE '' END")
    if name == "active_subscriptions":
        shown = "CAST(value AS INTEGER)"
    elif name not in FIGURES[:2]:
        shown = "round(value * 100, 1) || ' %'"
    return f"""
        WITH counted AS ({statement})
        SELECT coalesce((
            SELECT {shown} || ' in ' || month FROM counted
            WHERE figure = '{name}' AND coalesce(amount, value) IS NOT NULL ORDER BY month DESC LIMIT 1
        ), 'not known yet') AS figure"""
