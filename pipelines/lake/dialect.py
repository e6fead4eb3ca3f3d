"""The views of sql/views, which are SQLite's, in the words of DuckDB or Spark SQL.

A view is its text with the few rewritings below; a view that needs another text
in some engine would stand in sql/engines/ENGINE/NAME.sql, and none does.
"""

import re
from pathlib import Path

SQL = Path(__file__).resolve().parents[2] / "sql"

DUCKDB = "duckdb"
SPARK = "spark"

# What a division of whole numbers is called.
DIVISION = {DUCKDB: "//", SPARK: "div"}
CREATE_VIEW = {DUCKDB: "CREATE OR REPLACE VIEW", SPARK: "CREATE OR REPLACE TEMPORARY VIEW"}

# How the views subscription_terms and subscription_ends ask for the period that begins next, and the same as windows
# over the periods of a subscription: of those that ran, the least begin, then expiration, beyond the row's own, then
# the least transaction. A window has one range, so those that begin at the same moment have one of their own.
NEXT_PERIOD = (
    r" FROM purchase AS next\b[^()]*coalesce\(term\.original_transaction_id, term\.transaction_id\)"
    r"\s+AND \(next\.purchase_date, next\.expires_date\) > \(term\.purchase_date, term\.expires_date\)"
    r"\s+AND next\.expires_date > next\.purchase_date"
    r"\s+ORDER BY next\.purchase_date, next\.expires_date, next\.transaction_id\s+LIMIT 1\s*\)"
)
FIRST_PERIOD = (
    "min(CASE WHEN original_transaction_id IS NOT NULL AND expires_date > purchase_date"
    " THEN struct(purchase_date, expires_date, transaction_id, product_number) END)"
    " OVER (PARTITION BY app_id, coalesce(original_transaction_id, transaction_id){same} ORDER BY {order}"
    " RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)"
)
TERMS = (
    "SELECT *, coalesce("
    + FIRST_PERIOD.format(same=", purchase_date", order="expires_date")
    + ", "
    + FIRST_PERIOD.format(same="", order="purchase_date")
    + ") AS later FROM purchase"
)
# For Spark alone, before the others: it answers such a subquery by pairing every period with every expiration there is.
SPARK_REWRITINGS = [
    (r"\(\s*SELECT next\.purchase_date( / 1000)?" + NEXT_PERIOD, r"term.later.purchase_date\1"),
    (r"\(\s*SELECT next\.product_number" + NEXT_PERIOD, "term.later.product_number"),
    (r"FROM purchase AS term\b", f"FROM ({TERMS}) AS term"),
]

# In order. Functions on the right stand in sql/engines/.
REWRITINGS = [
    # Times: milliseconds in tables, text in views.
    (r"strftime\('%Y-%m-%dT%H:%M:%SZ',\s*", "time_text("),
    (r"strftime\('%Y-%m-%d',\s*", "day_text("),
    (r"\s*/ 1000, 'unixepoch'\)", ")"),
    (r"CAST\(strftime\('%s', 'now'\) AS INTEGER\) \* 1000", "now_ms()"),
    (r" / (\d+)", r" {division} \1"),
    # Identifiers of transactions: numbers and text in SQLite, a key elsewhere.
    (r"CAST\(((?:[^()]|\([^()]*\))*) AS TEXT\)", r"transaction_text(\1)"),
    # Hints for SQLite's planner: its order of joins, an index not to be used, a subquery not to be opened.
    (r"CROSS JOIN (\w+(?: AS \w+)?)(?=\s+(?:ON|USING)\b)", r"JOIN \1"),
    (r"(?<=AND )\+(?=\w)", ""),
    (r"\s+LIMIT -1\b", ""),
    # Numbers of 64 bits.
    (r"\b0x([0-9a-f]+)\b", lambda match: str(int(match[1], 16))),
    (r"\b(\d+) << ", r"CAST(\1 AS BIGINT) << "),
    # Bytes behind text, which only SQLite joins; parts of bytes.
    (r"place\.place \|\| receipt\.sha256", "place.place || hex(receipt.sha256)"),
    (r"substr\((\w+\.device_hash), 1, 6\)", r"substr(hex(\1), 1, 12)"),
    (r"hex\(substr\(CAST\(owned\.evidence AS BLOB\), 10\)\)", "substr(owned.evidence, 10)"),
    (r"CREATE VIEW", "{create_view}"),
]


def without_comments(text):
    return re.sub(r"(?m)(^|\s)--.*$", "", text).strip()


def statements(path):
    """The statements of a file of sql/engines or the like."""
    return [part.strip() for part in without_comments(path.read_text()).split(";") if part.strip()]


def translated(text, engine):
    """One statement of sql/views in an engine's words."""
    text = without_comments(text).rstrip(";")
    for pattern, replacement in [*(SPARK_REWRITINGS if engine == SPARK else []), *REWRITINGS]:
        if isinstance(replacement, str):
            words = {"{division}": DIVISION[engine], "{create_view}": CREATE_VIEW[engine]}
            replacement = re.sub(r"\{\w+\}", lambda match: words[match[0]], replacement)
        text = re.sub(pattern, replacement, text)
    return with_named_extremes(text)


def with_named_extremes(text):
    """Of SQLite's max and min, those of two values, which elsewhere have a name of their own."""
    found = []
    opened = []  # For each bracket that is open: where a max or min before it stands, and the commas in it.
    for place, sign in enumerate(text):
        if sign == "(":
            name = re.search(r"\b(max|min)$", text[:place])
            opened.append([name and name.start(), 0])
        elif sign == "," and opened:
            opened[-1][1] += 1
        elif sign == ")" and opened:
            start, commas = opened.pop()
            if start is not None and commas == 1:
                found.append(start)
    for start in sorted(found, reverse=True):
        text = text[:start] + {"max": "greater", "min": "lesser"}[text[start : start + 3]] + "_of" + text[start + 3 :]
    return text


def in_order(texts):
    """Names of SELECTs or views, each behind those that it reads."""
    found = []

    def visit(name):
        for other in texts:
            if other != name and other not in found and re.search(rf"\b{other}\b", texts[name]):
                visit(other)
        if name not in found:
            found.append(name)

    for name in texts:
        visit(name)
    return found


def views(engine):
    """Statements that create every view but calendar and numbers, which an engine makes itself, in sql/engines/."""
    texts = {path.stem: without_comments(path.read_text()) for path in sorted((SQL / "views").glob("*.sql"))}
    texts = {name: text for name, text in texts.items() if name not in ("calendar", "numbers")}
    return [translated(texts[name], engine) for name in in_order(texts)]


def lake_selects(folder):
    """Name and SELECT of every file in a folder of sql/lake, which both engines run as they stand."""
    return {path.stem: without_comments(path.read_text()) for path in sorted((SQL / "lake" / folder).glob("*.sql"))}
