"""The lake's files on a Hadoop file system, seen from the driver.

LAKE/archives                      one row for each archive: what commits it
LAKE/submissions, receipts, …        facts of archives (sql/lake/facts), a folder for each archive
LAKE/merged/TABLE                  tables over all archives, see merged.py
LAKE/views/GENERATION-SETTINGS/NAME  rows of models over these tables, the
                                   settings by which they were computed, and
                                   the calendar of their time zone; a
                                   generation is known by its archives
LAKE/views/GENERATION-SETTINGS/_origins  what the rows of each follow from
"""

from __future__ import annotations

import hashlib
import json
import re
import urllib.parse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..lake import dialect, seeds
from ..lake.dialect import lake_selects
from ..lake.settings import TABLES, Settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FACTS = sorted(lake_selects("facts"))

ARCHIVES = (
    "sha256 STRING, name STRING, bytes BIGINT, lines BIGINT, loaded_lines BIGINT, complete INT, first_loaded_at BIGINT,"
    " completed_at BIGINT, uri STRING, modified_at BIGINT, replaces STRING"
)

# What is written before the models are computed, and the models, of which the rows are kept. Spark puts a view's plan
# wherever the view is read: without these, reports would be plans of thousands of tables, for which the driver has no
# memory. Tests/Engines/test_depth.py holds them to a limit.
KNOWN = TABLES | seeds.COLUMNS
KEPT = sorted(dialect.models())
# Origins of the rows in a folder, by name; the last file that is written there.
ORIGINS = "_origins"
# Rows from which models are computed; they are deleted at the end of the night.
STEPS = "steps"


class Storage:
    def __init__(self, session: SparkSession, lake: str) -> None:
        self.session = session
        self.lake = lake.rstrip("/")
        # PySpark types neither.
        context: Any = session.sparkContext
        self.jvm = context._jvm
        self.hadoop = self.jvm.org.apache.hadoop.fs
        self.configuration = context._jsc.hadoopConfiguration()

    def path(self, *parts: str) -> str:
        return "/".join([self.lake, *parts])

    def system(self, path: str) -> tuple[Any, Any]:
        """The file system of a path, and the path as that knows it."""
        at = self.hadoop.Path(path)
        return at.getFileSystem(self.configuration), at

    def uri(self, *parts: str) -> str:
        """A path as programs know it that are not Hadoop's."""
        system, at = self.system(self.path(*parts))
        return re.sub("^file:/+", "/", system.makeQualified(at).toString())

    def exists(self, *parts: str) -> bool:
        system, at = self.system(self.path(*parts))
        return bool(system.exists(at))

    def are_whole(self, tables: Iterable[str], *folder: str) -> bool:
        """Every table has the mark that Spark puts there when it is whole."""
        return all(self.exists(*folder, table, "_SUCCESS") for table in tables)

    def kept_views(self, generation: str) -> str | None:
        """Name of the folder of views that the last night wrote over a generation; None where none is whole."""
        for name in reversed(self.folders("views")):
            if name.startswith(f"{generation}-") and self.are_whole([*KNOWN, *KEPT], "views", name):
                return name
        return None

    def last_views(self) -> tuple[str | None, dict[str, str]]:
        """The folder of views that the last night wrote, and what the rows of each follow from."""
        for name in reversed(self.folders("views")):
            if self.exists("views", name, ORIGINS) and self.are_whole([*KNOWN, *KEPT], "views", name):
                return name, json.loads(self.text("views", name, ORIGINS))
        return None, {}

    def text(self, *parts: str) -> str:
        system, at = self.system(self.path(*parts))
        stream = system.open(at)
        try:
            return str(self.jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write_text(self, text: str, *parts: str) -> None:
        system, at = self.system(self.path(*parts))
        stream = system.create(at, True)
        stream.writeBytes(text)
        stream.close()

    def copy(self, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        """Copies a folder, which is seen whole or not at all."""
        system, source = self.system(self.path(*old))
        _, at = self.system(self.path(*new))
        _, hidden = self.system(self.path(*new[:-1], f"_copied-{new[-1]}"))
        self.hadoop.FileUtil.copy(system, source, system, hidden, False, True, self.configuration)
        system.rename(hidden, at)

    def make_folder(self, *parts: str) -> None:
        system, at = self.system(self.path(*parts))
        system.mkdirs(at)

    def delete(self, *parts: str) -> None:
        system, at = self.system(self.path(*parts))
        system.delete(at, True)

    def folders(self, *parts: str) -> list[str]:
        """Names of the folders in a folder, the one written last at the end."""
        system, at = self.system(self.path(*parts))
        if not system.exists(at):
            return []
        listed = [status for status in system.listStatus(at) if status.isDirectory()]
        return [status.getPath().getName() for status in sorted(listed, key=lambda one: one.getModificationTime())]

    def files(self, *parts: str) -> list[tuple[str, int, int]]:
        """Name, bytes and time of change of each file in a folder that is not hidden."""
        system, at = self.system(self.path(*parts))
        listed = ((one.getPath().getName(), one.getLen(), one.getModificationTime()) for one in system.listStatus(at))
        return [one for one in listed if not one[0].startswith((".", "_"))]

    def sweep(self, replaced: Iterable[str | None]) -> None:
        """Removes facts of archives that have grown to others, and what a killed run left half written."""
        # What a task had committed, its job not: the next job to append would commit it along with its own.
        self.delete("archives", "_temporary")
        for table in FACTS:
            for name in self.folders(table):
                if name.startswith(".spark-staging") or name.removeprefix("archive_sha256=") in replaced:
                    self.delete(table, name)

    def archives(self, patterns: Iterable[str]) -> tuple[list[dict[str, Any]], list[str]]:
        """Files that are named, match, or stand in a folder that is named or matches, in the order of
        their names; and patterns that found nothing."""
        found: dict[str, dict[str, Any]] = {}
        missing: list[str] = []
        for pattern in patterns:
            system, at = self.system(pattern)
            matches = system.globStatus(at) or []
            if not matches:
                missing.append(pattern)
            for match in matches:
                for status in system.listStatus(match.getPath()) if match.isDirectory() else [match]:
                    name = status.getPath().getName()
                    if status.isFile() and not name.startswith((".", "_")):
                        uri = status.getPath().toString()
                        found[uri] = {
                            "uri": uri,
                            "name": name,
                            "bytes": status.getLen(),
                            "modified_at": status.getModificationTime(),
                        }
        return [found[uri] for uri in sorted(found)], missing


def generation_of(digests: Iterable[str]) -> str:
    """What the merged tables of these archives, and the views over them, made by these statements, are known by."""
    statements = [*dialect.loaded_selects().values(), *lake_selects("tables").values()]
    return digest_of([*sorted(digests), *statements, *dialect.views(dialect.SPARK).values()])


def views_of(generation: str, settings: Settings) -> str:
    """What the rows of views over a generation's tables are known by: rows of settings, by table."""
    return f"{generation}-{digest_of([json.dumps(settings, sort_keys=True, default=bytes.hex)])}"


def digest_of(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def is_gzip_name(uri: str) -> bool:
    return urllib.parse.urlsplit(uri).path.endswith((".gz", ".gzip"))
