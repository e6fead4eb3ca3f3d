"""The program `receiptmill`, which a wheel installs beside Python's other commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Name = str | os.PathLike[str]


class ProgramMissing(Exception):
    """There is no program `receiptmill` where commands are looked for."""


class ProgramFailed(Exception):
    """The program ended with another status than 0; `message` is what it wrote to standard error."""

    def __init__(self, command: Sequence[str], status: int, message: str) -> None:
        super().__init__(f"{' '.join(command[:2])} ended with {status}: {message.strip() or 'no message'}")
        self.status, self.message = status, message


class Answer(NamedTuple):
    """Columns of a report, and its rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> Iterator[dict[str, Any]]:
        """The rows, each with its columns' names."""
        return (dict(zip(self.columns, row)) for row in self.rows)


def program() -> Path:
    """The path of the program: that of this package, else the one that a shell would run."""
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    folders += [sysconfig.get_path("scripts", f"{os.name}_user"), os.environ.get("PATH", os.defpath)]
    found = shutil.which("receiptmill", path=os.pathsep.join(folders))
    if not found:
        raise ProgramMissing("the program receiptmill is not installed: install the wheel of this machine's kind")
    return Path(found)


def run(*words: Name) -> str:
    """Runs the program with these words, and gives what it wrote to standard output."""
    command = [str(program()), *(os.fspath(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProgramFailed(["receiptmill", *command[1:]], done.returncode, done.stderr)
    return done.stdout


def report(database: Name, name: str, parameters: Mapping[str, str] | None = None, *, sql: Name | None = None) -> Answer:
    """A report of a database of SQLite. `sql` is a folder of reports that go before those built in."""
    words: list[Name] = ["report", name, "--database", database, "--format", "json"]
    for key, value in (parameters or {}).items():
        words += ["--param", f"{key}={value}"]
    if sql:
        words += ["--sql", sql]
    rows = json.loads(run(*words))
    # Of an answer without rows the header alone tells, which also names columns that a parameter has to ask for.
    columns = list(rows[0]) if rows else described(name, sql)
    return Answer(columns, [tuple(row[column] for column in columns) for row in rows])


def described(name: str, sql: Name | None) -> list[str]:
    """Names of a report's columns, as its header has them."""
    words: list[Name] = ["report", "--list", "--format", "json"]
    if sql:
        words += ["--sql", sql]
    for found in json.loads(run(*words)):
        if name == found["name"] or name in found.get("aliases", []):
            return [column["name"] for column in found["columns"]]
    return []
