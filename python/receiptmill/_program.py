"""The program `receiptmill`, which a wheel installs beside Python's other commands."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from ._answers import Answer, Column

Name = str | os.PathLike[str]


class ProgramMissing(Exception):
    """There is no program `receiptmill` where commands are looked for."""


class ProgramFailed(Exception):
    """The program ended with another status than 0; `message` is what it wrote to standard error."""

    def __init__(self, command: Sequence[str], status: int, message: str) -> None:
        super().__init__(f"{' '.join(command[:2])} ended with {status}: {message.strip() or 'no message'}")
        self.status, self.message = status, message


class ReportWarning(UserWarning):
    """What the program warns of beside an answer, such as an amount that no rate converts."""


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
    return ended(*words)[0]


def ended(*words: Name) -> tuple[str, str]:
    """What the program wrote to standard output and to standard error."""
    command = [str(program()), *(os.fspath(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProgramFailed(["receiptmill", *command[1:]], done.returncode, done.stderr)
    return done.stdout, done.stderr


def report(
    database: Name, name: str, parameters: Mapping[str, Any] | None = None, *, sql: Name | None = None, **given: Any
) -> Answer:
    """A report of a database of SQLite: `report("mill.sqlite", "mrr", bundle="com.example.atlas", from_="2026-06")`.

    Parameters are texts, numbers, dates, or lists of these; one whose name Python reserves has an underscore behind it. `sql`
    is a folder of reports that go before those built in. What the program warns of is a `ReportWarning`."""
    answer, told = answered(database, name, {**(parameters or {}), **given}, sql)
    for warning in told:
        warnings.warn(warning, ReportWarning, stacklevel=2)
    return answer


def answered(
    database: Name, name: str, parameters: Mapping[str, Any], sql: Name | None = None
) -> tuple[Answer, list[str]]:
    """A report's answer, and what the program warns of."""
    words: list[Name] = ["report", name, "--database", database, "--format", "json"]
    for key, value in parameters.items():
        words += ["--param", f"{key.removesuffix('_')}={text_of(key, value)}"]
    if sql:
        words += ["--sql", sql]
    answer, told = ended(*words)
    found = header(name, sql)
    columns = [Column(one["name"], one["type"], one["meaning"]) for one in found["columns"]] if found else []
    return Answer.of(json.loads(answer, parse_float=Decimal), columns), list(warned(told))


def text_of(name: str, value: Any) -> str:
    """A parameter's value as the program reads it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime):
        raise TypeError(f"{name} is a moment: give a day, such as {value:%Y-%m-%d}")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (str, int, float, Decimal)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(name, one) for one in value)
    raise TypeError(f"{name} is of the type {type(value).__name__}: give a text, a number, a date, or a list of these")


def warned(errors: str) -> Iterator[str]:
    """Warnings that the program wrote to standard error, each with its hint."""
    for found in re.finditer(r"^receiptmill: warning: (.*(?:\nhint: .*)?)$", errors, re.MULTILINE):
        yield found[1]


def header(name: str, sql: Name | None = None) -> Any:
    """What a report's header declares, as `receiptmill report --list --format json` has it; None where there is none."""
    return next((found for found in headers(sql) if name == found["name"] or name in found["aliases"]), None)


def headers(sql: Name | None = None) -> Any:
    """The headers of all reports; those of a folder, which may change, are read each time."""
    return json.loads(run("report", "--list", "--format", "json", "--sql", sql)) if sql else built_in(program())


@functools.lru_cache(maxsize=8)
def built_in(path: Path) -> Any:
    """The headers of a program's own reports, asked for once."""
    return json.loads(run("report", "--list", "--format", "json"))
