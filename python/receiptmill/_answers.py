"""The answer of a report: columns, typed rows, and what data frames, notebooks and tables of Arrow make of it."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any, NamedTuple

from ._extras import needs

# Rows that a notebook shows; the answer has them all.
SHOWN_ROWS = 60


class Column(NamedTuple):
    """A column as the report's header declares it."""

    name: str
    type: str
    """`text`, `integer`, `real`, `share`, `money`, `month`, `date` or `time`."""
    meaning: str


def month(value: str) -> date:
    """The first day of a month; with `grain=week` or `day`, a column of months holds days."""
    return date.fromisoformat(value if len(value) > len("2026-06") else f"{value}-01")


def moment(value: str) -> datetime:
    return datetime.fromisoformat(value.replace("Z", "+00:00")).astimezone(timezone.utc)


# What a value of each type of column is made by; the others are as JSON has them.
READERS: dict[str, Callable[[Any], Any]] = {
    "month": month, "date": date.fromisoformat, "time": moment, "money": lambda value: Decimal(str(value)), "share": float,
    "real": float,
}  # fmt: skip


def typed(value: Any, kind: str) -> Any:
    """A value in its column's type. What does not have it, such as `(all)` in a column of months, stays as it is."""
    if value is None or kind not in READERS:
        return value
    try:
        return READERS[kind](value)
    except (ArithmeticError, ValueError):
        return value


@dataclass(frozen=True)
class Answer:
    """Columns of a report, and its rows.

    Rows are typed: months and days are `date`, a month its first day; moments are `datetime` in UTC; amounts are `Decimal`;
    shares are `float`.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]
    schema: Sequence[Column] = ()
    """What the report's header declares of each column."""

    @staticmethod
    def of(rows: Sequence[dict[str, Any]], declared: Sequence[Column]) -> Answer:
        """Makes an answer of the program's JSON. If it has no rows, its columns are those of the header, among them such as
        a parameter asks for."""
        names = list(rows[0]) if rows else [column.name for column in declared]
        return Answer.of_rows(names, (tuple(row.values()) for row in rows), declared)

    @staticmethod
    def of_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]], declared: Sequence[Column]) -> Answer:
        """Makes an answer of rows as a report writes them, each value in its column's type."""
        by_name = {column.name: column for column in declared}
        schema = [by_name.get(name, Column(name, "text", "")) for name in columns]
        found = [tuple(typed(value, one.type) for one, value in zip(schema, row)) for row in rows]
        return Answer(list(columns), found, schema)

    def __len__(self) -> int:
        return len(self.rows)

    def dicts(self) -> Iterator[dict[str, Any]]:
        """The rows, each with its columns' names."""
        return (dict(zip(self.columns, row)) for row in self.rows)

    def arrow(self) -> Any:
        """The answer as a table of pyarrow; amounts are exact decimals."""
        needs("parquet", "pyarrow")
        import pyarrow

        kinds = {
            "text": pyarrow.string(), "integer": pyarrow.int64(), "real": pyarrow.float64(), "share": pyarrow.float64(),
            "month": pyarrow.date32(), "date": pyarrow.date32(), "time": pyarrow.timestamp("us", "UTC"),
        }  # fmt: skip
        types = {column.name: kinds.get(column.type) for column in self.schema}

        def array(name: str, values: Sequence[Any], kind: str | None) -> Any:
            amounts = [value for value in values if value is not None]
            if kind == "money":
                digits = max((-int(value.as_tuple().exponent) for value in amounts), default=2)
                return pyarrow.array(values, pyarrow.decimal128(38, max(digits, 0)))
            try:
                return pyarrow.array(values, types.get(name))
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
                # Values of another type stand among them, such as `(all)` for all months.
                return pyarrow.array([None if value is None else str(value) for value in values], pyarrow.string())

        declared = {column.name: column.type for column in self.schema}
        columns = list(zip(*self.rows)) or [()] * len(self.columns)
        return pyarrow.table(
            {name: array(name, values, declared.get(name)) for name, values in zip(self.columns, columns)}
        )

    def df(self) -> Any:
        """The answer as a data frame of pandas; amounts stay `Decimal`, days and moments become `datetime64`."""
        needs("", "pandas")
        import pandas

        frame = pandas.DataFrame(self.rows, columns=self.columns)
        for column in self.schema:
            values = frame[column.name]
            if column.type in ("month", "date", "time") and all(value is None or isinstance(value, date) for value in values):
                zone = ", UTC" if column.type == "time" else ""
                # Nanoseconds would end in 2262, and what documents state does not.
                frame[column.name] = values.astype(f"datetime64[us{zone}]")
            elif column.type == "integer":
                frame[column.name] = values.astype("Int64")
        return frame

    def pl(self) -> Any:
        """The answer as a data frame of polars; amounts are exact decimals."""
        needs("", "polars")
        import polars

        return polars.from_arrow(self.arrow())

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows, numbers to the right."""
        numbers = {column.name for column in self.schema if column.type in ("integer", "real", "share", "money")}
        aligned = [' style="text-align: right"' if name in numbers else "" for name in self.columns]
        head = "".join(f"<th{style}>{html.escape(name)}</th>" for name, style in zip(self.columns, aligned))
        body = "".join(
            "<tr>" + "".join(f"<td{style}>{html.escape(shown(value))}</td>" for value, style in zip(row, aligned)) + "</tr>"
            for row in self.rows[:SHOWN_ROWS]
        )
        left = f"<p>{len(self.rows)} rows, {SHOWN_ROWS} of them shown</p>" if len(self.rows) > SHOWN_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"


def shown(value: Any) -> str:
    return "" if value is None else value.strftime("%Y-%m-%d %H:%M:%S") if isinstance(value, datetime) else str(value)
