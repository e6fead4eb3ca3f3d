"""The dashboard that shows what the page of `receiptmill report --html-dashboard` shows: the six figures of the report
`overview`, then the panels that reports declare in their headers, in the page's order.
"""

from __future__ import annotations

FIGURES = ("recurring_revenue", "net_revenue", "active_subscriptions", "paid_churn", "trial_conversion", "refund_rate")
REPORT = "overview"


def figure(name: str, statement: str) -> str:
    """The newest month of a figure that is known, as a line of text; amounts are rounded as on the page."""
    digits = ("CASE WHEN abs(amount) >= 10000000 THEN 0 ELSE coalesce((SELECT digits FROM internal_currency_digits AS known "
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
