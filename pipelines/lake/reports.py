"""The reports of sql/reports: found by name, with their parameters."""

import csv
import re

from .dialect import SQL, without_comments


class NoReport(Exception):
    """There is no such report, or it has no such parameter."""


class Report:
    """One file: its statement as it stands, and what its header says of parameters."""

    def __init__(self, path):
        text = path.read_text()
        self.name = path.stem
        self.statement = without_comments(text).rstrip(";")
        self.title = text.splitlines()[0].partition(": ")[2]
        section = re.search(r"^-- Parameters:\n((?:--   .*\n)+)", text, re.MULTILINE)
        # A line that is indented further goes on with the one above.
        entries = re.sub(r"\n--    +", " ", section[1]) if section else ""
        declared = re.findall(r"^--   :(\w+) +(\w+)(?:\(([^)]*)\))? +(\S+)", entries, re.MULTILINE)
        self.parameters = {name: default == "required" for name, _, _, default in declared}
        self.choices = {name: re.split(r",\s*", detail) for name, kind, detail, _ in declared if kind == "text" and detail}

    def values(self, given):
        """Every parameter; those not given are null, for which the statement holds its default."""
        unknown = sorted(set(given) - set(self.parameters))
        if unknown:
            names = ", ".join(self.parameters) or "none"
            raise NoReport(f"{self.name} has no parameter {unknown[0]}; it has {names}")
        for name, choices in self.choices.items():
            if name in given and given[name] not in choices:
                raise NoReport(f"{name}={given[name]}: the value is not one of {', '.join(choices)}")
        for name, required in self.parameters.items():
            if required and name not in given:
                raise NoReport(f"{self.name} needs --param {name}=…")
        return {name: given.get(name) for name in self.parameters}


def reports(folder=None):
    """Every report by name; those of a folder of one's own go first."""
    found = {path.stem: Report(path) for path in sorted((SQL / "reports").rglob("*.sql"))}
    if folder:
        found |= {path.stem: Report(path) for path in sorted(folder.rglob("*.sql"))}
    return found


def report(name, folder=None):
    found = reports(folder)
    if name not in found:
        raise NoReport(f"there is no report {name}; there are {', '.join(sorted(found))}")
    return found[name]


def parameter(text):
    """NAME=VALUE of --param."""
    name, separator, value = text.partition("=")
    if not separator:
        raise ValueError(f"{text} is not NAME=VALUE")
    return name, value


def harmless(value):
    """A text that a spreadsheet would run gets an apostrophe before it; senders choose devices and accounts."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@\t\r")) else value


def write_csv(columns, rows, stream, exact=False):
    """As `receiptmill report --format csv`: a null is an empty field."""
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows if exact else ([harmless(value) for value in row] for row in rows))
