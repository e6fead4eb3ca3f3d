"""The lake's files on a Hadoop file system, seen from the driver.

LAKE/archives                      one row for each archive: what commits it
LAKE/submissions, receipts, …        facts of archives (sql/lake/facts), a folder for each archive
LAKE/merged/TABLE                  tables over all archives, see merged.py
LAKE/views/GENERATION-SETTINGS/NAME  rows of models over these tables, the
                                   settings by which they were worked out, and
                                   the calendar of their time zone; a
                                   generation is known by its archives
"""

import hashlib
import json
import re
import urllib.parse

from lake import dialect, seeds
from lake.dialect import lake_selects
from lake.settings import TABLES

FACTS = sorted(lake_selects("facts"))

ARCHIVES = (
    "sha256 STRING, name STRING, bytes BIGINT, lines BIGINT, loaded_lines BIGINT, complete INT, first_loaded_at BIGINT,"
    " completed_at BIGINT, uri STRING, modified_at BIGINT, replaces STRING"
)

# What is written before the models are worked out, and the models, of which the rows are kept. Spark puts a view's plan
# wherever the view is read: without these, reports would be plans of thousands of tables, for which the driver has no
# memory. Tests/Engines/test_depth.py holds them to a limit.
KNOWN = TABLES | seeds.COLUMNS
KEPT = sorted(dialect.models())


class Storage:
    def __init__(self, session, lake):
        self.session = session
        self.lake = lake.rstrip("/")
        self.hadoop = session.sparkContext._jvm.org.apache.hadoop.fs
        self.configuration = session.sparkContext._jsc.hadoopConfiguration()

    def path(self, *parts):
        return "/".join([self.lake, *parts])

    def system(self, path):
        """The file system of a path, and the path as that knows it."""
        at = self.hadoop.Path(path)
        return at.getFileSystem(self.configuration), at

    def uri(self, *parts):
        """A path as programs know it that are not Hadoop's."""
        system, at = self.system(self.path(*parts))
        return re.sub("^file:/+", "/", system.makeQualified(at).toString())

    def exists(self, *parts):
        system, at = self.system(self.path(*parts))
        return system.exists(at)

    def are_whole(self, tables, *folder):
        """Every table has the mark that Spark puts there when it is whole."""
        return all(self.exists(*folder, table, "_SUCCESS") for table in tables)

    def kept_views(self, generation):
        """Name of the folder of views that the last night wrote over a generation; None where none is whole."""
        for name in reversed(self.folders("views")):
            if name.startswith(f"{generation}-") and self.are_whole([*KNOWN, *KEPT], "views", name):
                return name
        return None

    def make_folder(self, *parts):
        system, at = self.system(self.path(*parts))
        system.mkdirs(at)

    def delete(self, *parts):
        system, at = self.system(self.path(*parts))
        system.delete(at, True)

    def folders(self, *parts):
        """Names of the folders in a folder, the one written last at the end."""
        system, at = self.system(self.path(*parts))
        if not system.exists(at):
            return []
        listed = [status for status in system.listStatus(at) if status.isDirectory()]
        return [status.getPath().getName() for status in sorted(listed, key=lambda one: one.getModificationTime())]

    def files(self, *parts):
        """Name, bytes and time of change of each file in a folder that is not hidden."""
        system, at = self.system(self.path(*parts))
        listed = ((one.getPath().getName(), one.getLen(), one.getModificationTime()) for one in system.listStatus(at))
        return [one for one in listed if not one[0].startswith((".", "_"))]

    def sweep(self, replaced):
        """Removes facts of archives that have grown to others, and what a killed run left half written."""
        # What a task had committed, its job not: the next job to append would commit it along with its own.
        self.delete("archives", "_temporary")
        for table in FACTS:
            for name in self.folders(table):
                if name.startswith(".spark-staging") or name.removeprefix("archive_sha256=") in replaced:
                    self.delete(table, name)

    def archives(self, patterns):
        """Files that are named, match, or stand in a folder that is named or matches, in the order of
        their names; and patterns that found nothing."""
        found, missing = {}, []
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


def generation_of(digests):
    """What the merged tables of these archives, and the views over them, made by these statements, are known by."""
    statements = [text for folder in ("loaded", "tables") for text in lake_selects(folder).values()]
    return digest_of([*sorted(digests), *statements, *dialect.views(dialect.SPARK).values()])


def views_of(generation, settings):
    """What the rows of views over a generation's tables are known by: rows of settings, by table."""
    return f"{generation}-{digest_of([json.dumps(settings, sort_keys=True, default=bytes.hex)])}"


def digest_of(texts):
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def is_gzip_name(uri):
    return urllib.parse.urlsplit(uri).path.endswith((".gz", ".gzip"))
