"""Models and views in the words of DuckDB or Spark SQL.

A model of sql/core or sql/marts runs as it stands; where its header says that keys are numbered, the numbers are added.
A view of sql/views, which is SQLite's, is its text with the few rewritings below. What SQLite looks up row by row has
another text in sql/engines/views/, which computes it for all rows.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from .sql_folder import SQL as SQL

DUCKDB = "duckdb"
SPARK = "spark"

# What a division of whole numbers is called.
DIVISION = {DUCKDB: "//", SPARK: "div"}
CREATE_VIEW = {DUCKDB: "CREATE OR REPLACE VIEW", SPARK: "CREATE OR REPLACE TEMPORARY VIEW"}
# A model is computed once where tables are kept.
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
    # Whole numbers are divided by those that stand there; what is a DOUBLE, by what is no such number.
    (r"(?<!AS DOUBLE\)) / (\d+)", r" {division} \1", r"(?<!AS DOUBLE\))\s/\s|\s/\s\d"),
    # Identifiers of transactions: numbers and text in SQLite, a key elsewhere.
    (r"CAST\(((?:[^()]|\([^()]*\))*)\sAS TEXT\s*\)", r"transaction_text(\1)", r"\bAS\s+TEXT\b"),
    # Identifiers of submissions: numbers in SQLite, text elsewhere.
    (
        r"submission\.submission_id = 4503599627370496 \+ \(rejection\.archive_id << 32\) \+ rejection\.line",
        "submission.archive_id = rejection.archive_id AND submission.line = rejection.line AND submission.document = 2",
        "<<",
    ),
    # Parts of bytes, of which elsewhere all are compared.
    (r"substr\((\w+\.device_hash), 1, 6\)", r"\1", r"substr\(\s*\w+\.device_hash"),
    (r"CREATE VIEW", "{create_view}", r"CREATE (?!OR REPLACE)"),
]

# What SQLite takes and no view uses: hexadecimal numbers, limits that are none, a plus that keeps the planner from
# an index, and a condition on a CROSS JOIN, which no other engine can read.
UNKNOWN = r"\b0x[0-9a-f]|\bLIMIT\s+-|\bAND \+\w|CROSS JOIN \w+(\s+AS)?(\s+(?!JOIN|LEFT|CROSS|WHERE)\w+)?\s+(ON|USING)\b"


class Untranslated(Exception):
    """A view that says something in words that no rewriting knows, or a rewriting that no view needs."""


def without_comments(text: str) -> str:
    return re.sub(r"(?m)(^|\s)--.*$", "", text).strip()


def statements(path: Path) -> list[str]:
    """The statements of a file of sql/engines or the like."""
    return [part.strip() for part in without_comments(path.read_text()).split(";") if part.strip()]


def rewritings(engine: str) -> Iterator[tuple[str, str, str]]:
    """Pattern, replacement and what must not be left, in order."""
    words = {
        "{division}": DIVISION[engine],
        "{create_view}": CREATE_VIEW[engine],
    }
    for pattern, replacement, rest in REWRITINGS:
        yield pattern, re.sub(r"\{\w+\}", lambda match: words[match[0]], replacement), rest


def translated(text: str, engine: str, used: set[str] | None = None) -> str:
    """One statement of sql/views in an engine's words; patterns that match are added to those used."""
    text = without_comments(text).rstrip(";")
    refuse(UNKNOWN, text, engine)
    for pattern, replacement, rest in rewritings(engine):
        text, count = re.subn(pattern, replacement, text)
        refuse(rest, text, engine)
        if count and used is not None:
            used.add(pattern)
    return with_named_extremes(text)


def refuse(pattern: str, text: str, engine: str) -> None:
    left = re.search(pattern, text)
    if left:
        raise Untranslated(f"no rewriting for {engine}: {text[max(0, left.start() - 40):left.end() + 40]!r}")


def with_named_extremes(text: str) -> str:
    """Of SQLite's max and min, those of two values, which elsewhere have a name of their own."""
    found: list[int] = []
    opened: list[tuple[int | None, int]] = []  # For each bracket that is open: where a max or min before it stands, and the commas in it.
    # Commas and brackets in quotes are text.
    for place, sign in enumerate(re.sub(r"'[^']*'", lambda quoted: "'" * len(quoted[0]), text)):
        if sign == "(":
            name = re.search(r"\b(max|min)$", text[max(0, place - 4) : place])
            opened.append((place - 3 if name else None, 0))
        elif sign == "," and opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
        elif sign == ")" and opened:
            start, commas = opened.pop()
            if start is not None and commas == 1:
                found.append(start)
    for start in sorted(found, reverse=True):
        text = text[:start] + {"max": "greater", "min": "lesser"}[text[start : start + 3]] + "_of" + text[start + 3 :]
    return text


# A list behind FROM or JOIN: names, each with another name or without.
TABLES = r"\b(?:FROM|JOIN)((?:\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,)*\s+\w+)\b(?![.(])"


def mentions(statement: str) -> list[str]:
    """Names behind FROM and JOIN, as often as they stand there."""
    lists = re.findall(TABLES, statement, re.IGNORECASE)
    return [part.split()[0].lower() for part in ",".join(lists).split(",") if part.strip()]


def read_by(statement: str) -> set[str]:
    """The tables and views that a statement reads, but for those that it defines itself."""
    defined = re.findall(r"\b(\w+)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s*)?\(", statement)
    return set(mentions(statement)).difference(defined)


def read_behind_filters(statement: str) -> set[str]:
    """The tables and views that a report's statement reads. The filters before it take the names of the views that they
    filter, and read those as `main.apps`."""
    return read_by(statement).union(re.findall(r"\bmain\.(\w+)", statement))


def in_order(texts: dict[str, str]) -> list[str]:
    """Names of SELECTs or views, each behind those that it reads."""
    found: list[str] = []
    reads = {name: read_by(text) for name, text in texts.items()}

    def visit(name: str) -> None:
        for other in texts:
            if other != name and other not in found and other in reads[name]:
                visit(other)
        if name not in found:
            found.append(name)

    for name in texts:
        visit(name)
    return found


# Reports run as they stand, but for what a user names: the identifier of a transaction, a number or text in SQLite.
NAMED = r"CASE\s+WHEN CAST\(CAST\((:\w+) AS BIGINT\) AS VARCHAR\(20\)\) = \1\s+THEN CAST\(\1 AS BIGINT\) \+ 0\s+ELSE \1\s+END"


def with_keys(statement: str) -> str:
    """A report's statement with the keys by which a lake knows transactions."""
    return re.sub(NAMED, r"transaction_key(\1)", statement)


def models() -> dict[str, str]:
    """The SELECT of every model, by name."""
    return {path.stem: numbered(path.read_text())
            for folder in ("core", "marts") for path in sorted((SQL / folder).glob("*.sql"))}


def numbered(text: str) -> str:
    """A model's SELECT, with numbers in the order of the keys if the header says that they are numbered."""
    header = dict(re.findall(r"^-- (Key|Numbered): (.+)$", text, re.MULTILINE))
    select = without_comments(text)
    if "Numbered" not in header:
        return select
    number = f"row_number() OVER (ORDER BY {header['Key']}) AS {header['Numbered']}"
    tables, rest = with_tables(select)
    return with_those_read(tables, f"SELECT told.*, {number}\nFROM (\n{rest}\n) AS told")


def with_tables(select: str) -> tuple[dict[str, str], str]:
    """The tables of a statement's WITH by name, and what stands behind them."""
    tables: dict[str, str] = {}
    # Brackets in quotes are text.
    signs = re.sub(r"'[^']*'", lambda quoted: "'" * len(quoted[0]), select)
    beginning = re.compile(r"\s*(?:WITH\s|,)\s*(\w+)\s+AS\s*\(")
    place = 0
    while found := beginning.match(signs, place):
        opened, place = 1, found.end()
        while opened:
            opened += {"(": 1, ")": -1}.get(signs[place], 0)
            place += 1
        tables[found[1]] = select[found.end() : place - 1]
    return tables, select[place:].strip()


def with_those_read(tables: dict[str, str], rest: str) -> str:
    """A statement behind those tables of a WITH that it reads, directly or through others."""
    needed, told = set(mentions(rest)), []
    for name, text in reversed(tables.items()):
        if name in needed:
            needed.update(mentions(text))
            told.append(f"{name} AS ({text})")
    return f"WITH {', '.join(reversed(told))}\n{rest}" if told else rest


# A step must save at least this many reads, because writing its rows takes as long as a few reads.
WORTH_A_STEP = 4


def steps(name: str, select: str) -> dict[str, str]:
    """A model's SELECT, behind steps whose rows are written for it: those tables of its WITH that it reads several times.
    Spark would compute such a table, and all that it reads, each time."""
    tables, rest = with_tables(select)
    reads: dict[str, int] = {}
    for table, text in tables.items():
        reads[table] = sum(reads.get(other, 1) for other in mentions(text))
    copies, found = {name: 1}, []
    texts = {**tables, name: rest}
    for table in reversed(tables):
        copies[table] = sum(mentions(text).count(table) * copies.get(by, 0) for by, text in texts.items())
        if (copies[table] - 1) * reads[table] >= WORTH_A_STEP:
            copies[table] = 1
            found.append(table)
    selects: dict[str, str] = {}
    for table in reversed(found):
        selects[f"{name}_{table}"] = with_those_read(tables, tables[table])
        tables[table] = f"SELECT * FROM {name}_{table}"
    return {**selects, name: with_those_read(tables, rest)}


def kept_models() -> list[str]:
    """Names of the models that a database keeps: others are steps on the way, which a refresh removes again."""
    paths = [path for folder in ("core", "marts") for path in sorted((SQL / folder).glob("*.sql"))]
    return [path.stem for path in paths if not re.search(r"^-- Kept: no$", path.read_text(), re.MULTILINE)]


def views(engine: str) -> dict[str, str]:
    """Statements that create every view and every model, by name and each behind those that it reads."""
    paths = {path.stem: path for folder in ("views", "engines/views") for path in sorted((SQL / folder).glob("*.sql"))}
    texts = {name: without_comments(path.read_text()) for name, path in paths.items()}
    selects = models()
    used: set[str] = set()
    translations = {
        name: f"{CREATE_MODEL[engine]} {name} AS\n{selects[name]}" if name in selects else translated(texts[name], engine, used)
        for name in in_order(texts | selects)
    }
    unused = [pattern for pattern, _, _ in rewritings(engine) if pattern not in used]
    if unused:
        raise Untranslated(f"no view has what is rewritten for {engine}: {unused}")
    return translations


def lake_selects(folder: str) -> dict[str, str]:
    """Name and SELECT of every file in a folder of sql/lake, which both engines run as they stand."""
    return {path.stem: without_comments(path.read_text()) for path in sorted((SQL / "lake" / folder).glob("*.sql"))}


# Facts of an archive count once the archive does.
COUNTS = """
SELECT *
FROM stored_{fact}
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_{fact}.archive_sha256)
""".strip()


def loaded_selects() -> dict[str, str]:
    """Name and SELECT of the facts that count, and of what sql/lake/loaded makes of them."""
    facts = {f"loaded_{fact}": COUNTS.format(fact=fact) for fact in lake_selects("facts")}
    return dict(sorted((facts | lake_selects("loaded")).items()))
