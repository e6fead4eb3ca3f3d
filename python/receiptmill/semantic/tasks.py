"""Files of semantic layers, written into a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from ..datasette import metadata
from . import cube, dbt
from .declared import Name, answers, views

MARK = "Written by receiptmill-semantic"


class Dumper(yaml.SafeDumper):
    """Texts of several lines, such as statements, as blocks that a person can read."""


Dumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)
)


class Foreign(Exception):
    """A file that this command did not write has the name of one that it would write."""


def texts(database: Path, tools: Iterable[str], receiptmill: Name | None, sql: Name | None) -> dict[Path, str]:
    """The files of tools, each tool's in a folder of its own."""
    return {
        Path(tool, name): marked(content)
        for tool in dict.fromkeys(tools)
        for name, content in TOOLS[tool](database, receiptmill, sql).items()
    }


def write(files: Mapping[Path, str], into: Path) -> None:
    """Writes every file, or none if one would replace a foreign one."""
    targets = {into / name: text for name, text in files.items()}
    for target in targets:
        if os.path.lexists(target) and not is_ours(target):
            raise Foreign(target)
    for target, text in targets.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        # A new file: what is there under another name, even a link, is left alone.
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
                os.fchmod(handle, 0o644)
            os.replace(part, target)
        except OSError:
            os.unlink(part)
            raise


def marked(content: Mapping[str, Any] | str) -> str:
    if isinstance(content, str):
        return f"{{# {MARK} #}}\n{content}"
    return f"# {MARK}\n{yaml.dump(content, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)}"


def is_ours(target: Path) -> bool:
    if not target.is_file() or target.is_symlink():
        return False
    with target.open("rb") as file:
        return MARK.encode() in file.readline(200)


# Each tool's files, by paths in its folder, of a database, a program and a folder of reports.
TOOLS: dict[str, Callable[[Path, Name | None, Name | None], dict[str, Any]]] = {
    "dbt": lambda database, _, sql: dbt.files(views(database), answers(sql)),
    "cube": lambda database, _, sql: cube.files(views(database), answers(sql)),
    "datasette": lambda database, program, sql: {"metadata.yaml": metadata(database, receiptmill=program, sql=sql)},
}
