"""The views of sql/views, which are SQLite's, in the words of DuckDB or Spark SQL.

A view is its text with the few rewritings below. What SQLite looks up row by row has
another text in sql/engines/views/, which works it out for all rows.
"""

import re
from collections import Counter
from pathlib import Path

SQL = Path(__file__).resolve().parents[2] / "sql"

DUCKDB = "duckdb"
SPARK = "spark"

# What a division of whole numbers is called.
DIVISION = {DUCKDB: "//", SPARK: "div"}
CREATE_VIEW = {DUCKDB: "CREATE OR REPLACE VIEW", SPARK: "CREATE OR REPLACE TEMPORARY VIEW"}
# A model is worked out once where tables are kept.
CREATE_MODEL = {DUCKDB: "CREATE OR REPLACE TABLE", SPARK: "CREATE OR REPLACE TEMPORARY VIEW"}

# Rewritings: a pattern, what stands in its place, and what must not be left behind it, a looser pattern. A view that
# says the same in other words, which the pattern misses, is an error and not wrong SQL.

# In order. Functions on the right stand in sql/engines/.
REWRITINGS = [
    # Times: milliseconds in tables, text in views.
    (r"strftime\('%Y-%m-%dT%H:%M:%SZ',\s*", "time_text(", r"strftime\('%Y[^']*T"),
    (r"strftime\('%Y-%m-%d',\s*", "day_text(", r"strftime\('%Y"),
    (r"\s*/ 1000, 'unixepoch'\)", ")", "unixepoch"),
    (r"CAST\(strftime\('%s', 'now'\) AS INTEGER\) \* 1000", "now_ms()", "strftime|'now'"),
    # Whole numbers are divided by those that stand there; what is a DOUBLE, by anything.
    (r" / (\d+)", r" {division} \1", r"(?<!AS DOUBLE\))\s/\s"),
    # Identifiers of transactions: numbers and text in SQLite, a key elsewhere.
    (r"CAST\(((?:[^()]|\([^()]*\))*)\sAS TEXT\s*\)", r"transaction_text(\1)", r"\bAS\s+TEXT\b"),
    # Hints for SQLite's planner: its order of joins, a subquery not to be opened.
    (
        r"CROSS JOIN (\w+(?: AS \w+)?)(?=\s+(?:ON|USING)\b)",
        r"JOIN \1",
        r"CROSS JOIN \w+(\s+AS)?(\s+(?!JOIN|LEFT)\w+)?\s+(ON|USING)\b",
    ),
    (r"\s+LIMIT -1\b", "", r"LIMIT\s+-"),
    # Identifiers of submissions: numbers in SQLite, text elsewhere.
    (
        r"submission\.submission_id = \(1 << 52\) \+ \(rejection\.archive_id << 32\) \+ rejection\.line",
        "submission.archive_id = rejection.archive_id AND submission.line = rejection.line AND submission.document = 2",
        r"<< 32",
    ),
    # Numbers of 64 bits.
    (r"\b(\d+) << ", r"CAST(\1 AS BIGINT) << ", r"(?<!AS BIGINT\) )<<"),
    # Parts of bytes, of which elsewhere all are compared.
    (r"substr\((\w+\.device_hash), 1, 6\)", r"\1", r"substr\(\s*\w+\.device_hash"),
    (r"CREATE VIEW", "{create_view}", r"CREATE (?!OR REPLACE)"),
]

# What SQLite takes and no view uses: hexadecimal numbers, and a plus that keeps the planner from an index.
UNKNOWN = r"\b0x[0-9a-f]|\bAND \+\w"


class Untranslated(Exception):
    """A view that says something in words that no rewriting knows, or a rewriting that no view needs."""


def without_comments(text):
    return re.sub(r"(?m)(^|\s)--.*$", "", text).strip()


def statements(path):
    """The statements of a file of sql/engines or the like."""
    return [part.strip() for part in without_comments(path.read_text()).split(";") if part.strip()]


def rewritings(engine):
    """Pattern, replacement and what must not be left, in order."""
    words = {
        "{division}": DIVISION[engine],
        "{create_view}": CREATE_VIEW[engine],
    }
    for pattern, replacement, rest in REWRITINGS:
        yield pattern, re.sub(r"\{\w+\}", lambda match: words[match[0]], replacement), rest


def translated(text, engine, used=None):
    """One statement of sql/views in an engine's words; patterns that match are added to those used."""
    text = without_comments(text).rstrip(";")
    refuse(UNKNOWN, text, engine)
    for pattern, replacement, rest in rewritings(engine):
        text, count = re.subn(pattern, replacement, text)
        refuse(rest, text, engine)
        if count and used is not None:
            used.add(pattern)
    return with_named_extremes(text)


def refuse(pattern, text, engine):
    left = re.search(pattern, text)
    if left:
        raise Untranslated(f"no rewriting for {engine}: {text[max(0, left.start() - 40):left.end() + 40]!r}")


def with_named_extremes(text):
    """Of SQLite's max and min, those of two values, which elsewhere have a name of their own."""
    found = []
    opened = []  # For each bracket that is open: where a max or min before it stands, and the commas in it.
    for place, sign in enumerate(text):
        if sign == "(":
            name = re.search(r"\b(max|min)$", text[max(0, place - 4) : place])
            opened.append([name and place - 3, 0])
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
    words = {name: set(re.findall(r"\w+", text)) for name, text in texts.items()}

    def visit(name):
        for other in texts:
            if other != name and other not in found and other in words[name]:
                visit(other)
        if name not in found:
            found.append(name)

    for name in texts:
        visit(name)
    return found


# Views that are worth keeping where several statements read them.
SLOW_VIEWS = ["fraud_signals"]


def slow_views_read_twice(statement, texts):
    """Of the slow views, those that a report's statement reads more than once, itself or
    through the views whose texts are given in order: each behind those that it reads."""
    kept = SLOW_VIEWS
    found = []
    reads = Counter(read_by(statement))
    for name in reversed(texts):
        times = reads[name]
        if times > 1 and name in kept:
            found.insert(0, name)
            times = 1
        for other in read_by(texts[name]):
            reads[other] += times
    return found


def read_by(text):
    """The tables and views that a statement reads, each as often as it does."""
    return re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", text)


def views(engine):
    """Statements that create every view and every model, by name and each behind those that it reads; but calendar and
    numbers, which an engine makes itself, in sql/engines/. Models run as they stand."""
    paths = {path.stem: path for folder in ("views", "engines/views") for path in sorted((SQL / folder).glob("*.sql"))}
    texts = {name: without_comments(path.read_text()) for name, path in paths.items()}
    texts = {name: text for name, text in texts.items() if name not in ("calendar", "numbers")}
    models = {path.stem: without_comments(path.read_text())
              for folder in ("core", "marts") for path in sorted((SQL / folder).glob("*.sql"))}
    used = set()
    translations = {
        name: f"{CREATE_MODEL[engine]} {name} AS\n{models[name]}" if name in models else translated(texts[name], engine, used)
        for name in in_order(texts | models)
    }
    unused = [pattern for pattern, _, _ in rewritings(engine) if pattern not in used]
    if unused:
        raise Untranslated(f"no view has what is rewritten for {engine}: {unused}")
    return translations


def lake_selects(folder):
    """Name and SELECT of every file in a folder of sql/lake, which both engines run as they stand."""
    return {path.stem: without_comments(path.read_text()) for path in sorted((SQL / "lake" / folder).glob("*.sql"))}
