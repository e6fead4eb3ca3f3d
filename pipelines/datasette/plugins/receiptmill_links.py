"""Cells that lead on: an account, a device, a receipt or a transaction to its case, a
signal to the lines that show it. metadata.py says which column leads where. And a
chart that has no rows, or whose query failed, says so.
"""

import urllib.parse

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
def render_cell(row, value, column, table, database, datasette):
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
def register_routes():
    return [(r"^/-/receiptmill\.js$", script)]


async def script():
    return Response(SCRIPT, content_type="text/javascript; charset=utf-8")


@hookimpl
def extra_js_urls(view_name, datasette):
    # Views that no plugin of Datasette's own names are the dashboards'.
    return [] if view_name else [datasette.urls.path("/-/receiptmill.js")]
