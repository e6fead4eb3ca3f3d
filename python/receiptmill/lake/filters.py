"""Views that every report reads as far as it is asked for, without a word of that in its file: the SELECTs of
sql/filters, which `receiptmill report` runs before the report, stand here before its statement."""

import re
from collections.abc import Iterable

from .dialect import SQL, read_by, without_comments

# The months to count by depend on the apps that are counted.
SELECTS = {path.stem: without_comments(path.read_text()) for path in sorted((SQL / "filters").glob("*.sql"))}


def read(statement: str) -> list[str]:
    """The views that a statement reads, and does not define itself."""
    named = read_by(statement)
    return [view for view in SELECTS if view in named]


def applied(statement: str, views: Iterable[str], declared: Iterable[str]) -> str:
    """The statement behind definitions of the views; what it declares itself, it filters itself."""
    views, declared = list(views), list(declared)
    if not views:
        return statement
    definitions = []
    for view in views:
        select = SELECTS[view]
        for name in declared:
            value = f":{name}" if name == "into_currency" else "'all'"
            select = re.sub(rf"(?<![\w:]):{name}\b", value, select)
        definitions.append(f"{view} AS (\n{select}\n)")
    begun = re.match(r"WITH(?:\s+RECURSIVE)?\s+", statement, re.IGNORECASE)
    start, rest = (begun[0], statement[begun.end() :]) if begun else ("", statement)
    return (start or "WITH ") + ",\n".join(definitions) + (",\n" if start else "\n") + rest
