"""From which column of which table a view's column comes.

Tables declare what can't be null, what identifies a row, and what refers to what; a view declares none of it. What a view
takes over from a table unchanged is therefore read from the view's SELECT. What a SELECT computes has no origin here.
"""

from __future__ import annotations

import re
import sqlite3
from typing import Any, NamedTuple

from sqlglot import exp, parse_one

from ..lake.reports import entries
from ..lake.sql_folder import SQL


class Origin(NamedTuple):
    table: str
    column: str
    is_nullable: bool
    """Whether the view's column may be null."""


class Lineage:
    def __init__(self, lite: sqlite3.Connection) -> None:
        schema = lite.execute("SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
        self.views = {name: parse_one(text, read="sqlite").expression for name, kind, text in schema if kind == "view"}
        # What identifies a row, the primary key first.
        self.keys: dict[str, list[list[str]]] = {}
        self.filled: set[tuple[str, str]] = set()
        self.references: dict[tuple[str, str], tuple[str, str]] = {}
        for table in (name for name, kind, _ in schema if kind == "table"):
            self.read_table(lite, table)
        # Tables of models have no constraints beside their keys; the headers of their files declare the rest.
        for path in sorted([*(SQL / "core").glob("*.sql"), *(SQL / "marts").glob("*.sql")]):
            self.read_header(path.stem, path.read_text())

    def read_table(self, lite: sqlite3.Connection, table: str) -> None:
        columns = lite.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', [table]).fetchall()
        key = [name for name, _, _, place in sorted(columns, key=lambda column: int(column[3])) if place]
        self.keys[table] = [key] if key else []
        unique = 'SELECT name FROM pragma_index_list(?) WHERE "unique" AND NOT partial ORDER BY name'
        for (index,) in lite.execute(unique, [table]).fetchall():
            held = [name for (name,) in lite.execute("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [index])]
            self.keys[table] += [held] if None not in held else []
        for name, kind, is_filled, place in columns:
            # SQLite lets keys be null, except the one that is the row's number.
            if is_filled or (place and len(key) == 1 and kind == "INTEGER"):
                self.filled.add((table, name))
        for column, other, target in lite.execute(
            'SELECT "from", "table", coalesce("to", (SELECT name FROM pragma_table_info(other."table") WHERE pk = 1)) '
            "FROM pragma_foreign_key_list(?) AS other", [table]
        ):
            self.references[table, column] = (other, target)

    def read_header(self, model: str, text: str) -> None:
        self.filled |= {(model, column) for column in re.findall(r"(?m)^--   (\w+) +\w+! ", entries(text, "Columns"))}
        for column, table, target in re.findall(r"(?m)^-- Reference: (\w+) = (\w+)\((\w+)\)$", text):
            self.references[model, column] = (table, target)

    def origin(self, view: str, column: str) -> Origin | None:
        select = self.select(view)
        if select is None:
            return None
        chosen: Any = next((one for one in select.expressions if one.alias_or_name == column), None)
        found = chosen.unalias() if chosen is not None else None
        # Text of a number is null only if the number is.
        found = found.this if isinstance(found, exp.Cast) else found
        if not isinstance(found, exp.Column) or found.table not in (known := sources(select)):
            return None
        name, is_outer = known[found.table]
        inner = self.origin(name, found.name) if name in self.views else None
        inner = inner or Origin(name, found.name, True)
        return inner._replace(is_nullable=is_outer or (inner.is_nullable and (name, found.name) not in self.filled))

    def key(self, view: str, columns: list[str]) -> list[str]:
        """The columns that identify a row: those of a key of its table, if the view's joins can't repeat a row."""
        select = self.select(view)
        if select is None or select.args.get("group") or select.args.get("distinct") or "from_" not in select.args:
            return []
        table = select.args["from_"].this
        if not all(self.finds_one(join) for join in select.args.get("joins") or []):
            return []
        held = {(one.table, one.column): name for name in columns if (one := self.origin(view, name))}
        for key in self.keys.get(table.name, []):
            # A key may hold nulls, and then more than once.
            if all((table.name, name) in held and (table.name, name) in self.filled for name in key):
                return [held[table.name, name] for name in key]
        return []

    def finds_one(self, join: Any) -> bool:
        """Whether a join finds at most one row: it compares every column of a key of the joined table."""
        table, on, using = join.this, join.args.get("on"), join.args.get("using") or []
        compared = {one.name for one in using}
        for condition in on.flatten() if isinstance(on, exp.And) else [on]:
            if isinstance(condition, exp.EQ):
                sides = [side for side in (condition.this, condition.expression) if isinstance(side, exp.Column)]
                own = {side.name for side in sides if side.table == table.alias_or_name}
                compared |= own if len(own) == 1 else set()
        return any(set(key) <= compared for key in self.keys.get(table.name, []))

    def has_all_rows(self, view: str) -> bool:
        """Whether no condition leaves out rows of the view's table."""
        select = self.select(view)
        return select is not None and not select.args.get("where")

    def select(self, view: str) -> exp.Select | None:
        """A view's SELECT, unless it is a union, defines tables of its own, or has joins that make either side null."""
        found = self.views.get(view)
        if not isinstance(found, exp.Select) or found.ctes:
            return None
        return None if any(join.side in ("RIGHT", "FULL") for join in found.args.get("joins") or []) else found


def sources(select: exp.Select) -> dict[str, tuple[str, bool]]:
    """The tables and views of a SELECT by the names they have in it, and whether a row may lack one."""
    first, joins = select.args.get("from_"), select.args.get("joins") or []
    tables = [(first and first.this, False), *((join.this, join.side == "LEFT") for join in joins)]
    return {one.alias_or_name: (one.name, is_outer) for one, is_outer in tables if isinstance(one, exp.Table)}
