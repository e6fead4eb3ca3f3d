"""The reports of sql/reports: found by name, with their parameters."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from .._answers import Column
from . import fields, filters
from .dialect import SQL, without_comments
from .fields import Amount

# Digits behind the point, of the currencies that do not have two.
DIGITS = {
    currency: int(digits)
    for currency, digits in re.findall(r"'([A-Z]{3})'[^,]*, (\d)", (SQL / "views/internal_currency_digits.sql").read_text())
}


class NoReport(Exception):
    """There is no such report, or it has no such parameter."""


class Report:
    """One file: its statement as it stands, and what its header says of parameters."""

    def __init__(self, path: Path) -> None:
        text = path.read_text()
        self.name = path.stem
        self.title = text.splitlines()[0].partition(": ")[2]
        aliases = re.search(r"^-- Aliases: (.*)$", text, re.MULTILINE)
        self.aliases = re.split(r",\s*", aliases[1].strip()) if aliases else []
        statement = self.written_statement = without_comments(text).rstrip(";")
        views = filters.read(statement)
        own = [name for name, _, _, _ in parameters(text)]
        self.statement = filters.applied(statement, views, own)
        # Those of the views that every report reads filtered come before its own.
        declared = [
            parameter
            for view in views
            for parameter in parameters((SQL / "filters" / f"{view}.sql").read_text())
            if parameter[0] not in own
        ] + parameters(text)
        # Those of money each with the column of its currency.
        self.schema = [
            Column(*found) for found in re.findall(r"^--   (\w+) +(\w+)(?:\([^)]*\))? +(.*)$", entries(text, "Columns"), re.MULTILINE)
        ]
        self.columns = [column.name for column in self.schema]
        self.money = dict(re.findall(r"^--   (\w+) +money\((\w+)\)", entries(text, "Columns"), re.MULTILINE))
        self.units = dict(re.findall(r"^--   (\w+) +(?:integer|real)\((\w+)\)", entries(text, "Columns"), re.MULTILINE))
        self.grain, self.optional, self.total = (names(text, section) for section in ("Grain", "Optional", "Total"))
        self.parameters = {name: default == "required" for name, _, _, default in declared}
        self.choices = {
            name: re.split(r",\s*", detail) for name, kind, detail, _ in declared if kind in ("text", "texts") and detail
        }
        # Parameters that take several of their choices, with commas between.
        self.lists = {name for name, kind, _, _ in declared if kind == "texts"}

    def values(self, given: Mapping[str, str | None]) -> dict[str, str | None]:
        """Every parameter; those not given are null, for which the statement holds its default."""
        unknown = sorted(set(given) - set(self.parameters))
        if unknown:
            names = ", ".join(self.parameters) or "none"
            raise NoReport(f"{self.name} has no parameter {unknown[0]}; it has {names}")
        for name, choices in self.choices.items():
            if name not in given:
                continue
            chosen = [word.strip() for word in (given[name] or "").split(",")] if name in self.lists else [given[name]]
            if not set(chosen) <= set(choices):
                several = ", or several with commas" if name in self.lists else ""
                raise NoReport(f"{name}={given[name]}: the value is not one of {', '.join(choices)}{several}")
        for name, required in self.parameters.items():
            if required and name not in given:
                raise NoReport(f"{self.name} needs --param {name}=…")
        return {name: given.get(name) for name in self.parameters}

    def answer(
        self, columns: Sequence[str], rows: Iterable[Sequence[Any]], given: Mapping[str, str | None]
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows, with money as decimal text: statements count whole thousandths of a currency. Optional
        columns are given where the parameter named as the first of them asks for them."""
        withheld = self.optional if self.optional and str(given.get(self.optional[0])) != "1" else []
        kept = [place for place, name in enumerate(columns) if name not in withheld]
        return [columns[place] for place in kept], [tuple(row[place] for place in kept) for row in self.written(columns, rows)]

    def written(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        places = [(columns.index(amount), columns.index(currency)) for amount, currency in self.money.items()]
        for found in rows:
            row = list(found)
            for amount, currency in places:
                row[amount] = money_text(row[amount], row[currency])
            yield tuple(row)


def entries(text: str, section: str) -> str:
    """The entries of a header's section, each on one line."""
    found = re.search(rf"^-- {section}:\n((?:--   .*\n)+)", text, re.MULTILINE)
    # A line that is indented further goes on with the one above.
    return re.sub(r"\n--    +", " ", found[1]) if found else ""


def names(text: str, section: str) -> list[str]:
    """The columns that a header lists in a section of its own, which may go on in further lines."""
    found = re.search(rf"^-- {section}: (?:one row per )?(.*\n(?:--  +.*\n)*)", text, re.MULTILINE)
    return re.findall(r"\w+", found[1]) if found else []


def parameters(text: str) -> list[tuple[str, str, str, str]]:
    """Name, type, detail and default of each parameter that a header declares."""
    return re.findall(r"^--   :(\w+) +(\w+)(?:\(([^)]*)\))? +(\S+)", entries(text, "Parameters"), re.MULTILINE)


def money_text(milliunits: int | None, currency: str | None) -> Amount | None:
    """An amount with the digits of its currency, and with more only where it has them."""
    if milliunits is None:
        return None
    whole, fraction = divmod(abs(int(milliunits)), 1000)
    digits = f"{fraction:03}".rstrip("0").ljust(DIGITS.get(currency or "", 2), "0")
    return Amount(("-" if milliunits < 0 else "") + str(whole) + ("." + digits if digits else ""))


def reports(folder: Path | None = None) -> dict[str, Report]:
    """Every report by name; those of a folder of one's own go first."""
    found = {path.stem: Report(path) for path in sorted((SQL / "reports").rglob("*.sql"))}
    if folder:
        found |= {path.stem: Report(path) for path in sorted(folder.rglob("*.sql"))}
    return found


def report(name: str, folder: Path | None = None) -> Report:
    found = reports(folder)
    for other in found.values():
        if name not in found and name in other.aliases:
            return other
    if name not in found:
        raise NoReport(f"there is no report {name}; there are {', '.join(sorted(found))}")
    return found[name]


def parameter(text: str) -> tuple[str, str]:
    """NAME=VALUE of --param."""
    name, separator, value = text.partition("=")
    if not separator:
        raise ValueError(f"{text} is not NAME=VALUE")
    return name, value


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], stream: TextIO, exact: bool = False) -> None:
    """Writes CSV as `receiptmill report --format csv` does; `exact` writes every text unchanged."""
    stream.write(fields.line(columns, exact=True))
    for row in rows:
        stream.write(fields.line(row, exact))
