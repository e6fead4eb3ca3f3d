"""Cells that lead on: an account, a device, a receipt or a transaction to its case, a
signal to the lines that show it. Metadata says which column leads where. And a
chart that has no rows, or whose query failed, says so.

A plugin of Datasette's, which finds it as an entry point of the package; databases whose metadata
names no links are none of its business.
"""

from __future__ import annotations

import urllib.parse
from typing import Any

import markupsafe
from datasette import Response, hookimpl

# The plugin asks for its charts in the order of their cards. One without rows, or whose
# query failed, would be drawn as a mess; it never gets its answer.
SCRIPT = """
const send = window.fetch
let asked = 0
window.fetch = async (...request) => {
    const card = document.querySelectorAll("[id^='chart-']:not([id^='chart-tooltip'])")[asked++]
    const answer = await send(...request)
    const told = await answer.clone().json().catch(() => ({}))
    if (answer.ok && told.rows?.length !== 0) return answer
    const line = document.createElement("p")
    if (!answer.ok) line.className = "message-error"
    line.textContent = answer.ok ? "No rows." : "No chart: " + (told.error || "status " + answer.status)
    card?.append(line)
    return new Promise(() => {})
}
"""


@hookimpl
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str, datasette: Any) -> Any:
    links = datasette.plugin_config("receiptmill-links", database=database) or {}
    if value in (None, "", "(none)") or column not in links:
        return None
    link = links[column]
    names = set(row.keys())
    parameters = {link["parameter"]: value}
    parameters |= {name: row[name] for name in link.get("beside", []) if name in names and row[name] is not None}
    page = datasette.urls.path(f"/{database}/{link['page']}?{urllib.parse.urlencode(parameters)}")
    if link["page"] == table and link.get("stays"):
        return None
    return markupsafe.Markup('<a href="{}">{}</a>').format(page, value)


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    return [(r"^/-/receiptmill\.js$", script)]


async def script() -> Response:
    return Response(SCRIPT, content_type="text/javascript; charset=utf-8")


@hookimpl
def extra_js_urls(view_name: str | None, datasette: Any) -> list[str]:
    # Views that no plugin of Datasette's own names are the dashboards'.
    if view_name or not any(datasette.plugin_config("receiptmill-links", database=name) for name in datasette.databases):
        return []
    return [datasette.urls.path("/-/receiptmill.js")]
