"""Archives as a Spark task reads them: from any file system that Hadoop knows, known by their content."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Any

import pyarrow

# Read from an archive at a time.
CHUNK = 1 << 20

# Hadoop writes paths as they are: nothing in them is escaped.
LOCAL = re.compile(r"(?:file:)?/+(.*)", re.DOTALL)
# Its client takes these for patterns.
PATTERN = re.compile(r"([*?\[\]{}\\])")

FOUND = "uri STRING, bytes BIGINT, beginnings ARRAY<STRUCT<sha256: STRING, bytes: BIGINT>>"
DIGESTED = "uri STRING, bytes BIGINT, sha256 STRING, replaces STRING"


class BadArchive(Exception):
    """An archive can't be read, or is not what it was when it was digested."""


class Source:
    """How archives are opened: local files as such, others by Hadoop's own client."""

    def __init__(self, hadoop_settings: Mapping[str, str]) -> None:
        self.hadoop_settings = hadoop_settings

    def open(self, uri: str) -> AbstractContextManager[IO[bytes]]:
        local = LOCAL.fullmatch(uri)
        return open("/" + local[1], "rb") if local else self.through_client(uri)

    @contextmanager
    def through_client(self, uri: str) -> Iterator[IO[bytes]]:
        with tempfile.TemporaryDirectory() as configuration, tempfile.TemporaryFile() as errors:
            self.write_settings(configuration)
            with subprocess.Popen(self.client(configuration, uri), stdout=subprocess.PIPE, stderr=errors) as client:
                assert client.stdout
                yield client.stdout
                # What has been appended since the archive was listed is nobody's business.
                if left := client.stdout.read(1):
                    client.kill()
            if client.returncode and not left:
                errors.seek(0)
                raise BadArchive(f"{uri}: can't be read: {errors.read().decode(errors='replace').strip()[-500:]}")

    def client(self, configuration: str, uri: str) -> list[str]:
        import pyspark

        home = os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__)
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
        classes = [configuration, os.environ.get("HADOOP_CONF_DIR", ""), os.path.join(home, "jars", "*")]
        shell = [java, "-cp", ":".join(part for part in classes if part), "org.apache.hadoop.fs.FsShell"]
        return [*shell, "-cat", PATTERN.sub(r"\\\1", uri)]

    def write_settings(self, folder: str) -> None:
        """spark.hadoop.* as a file that nobody else reads: there may be keys among them."""
        import xml.sax.saxutils as xml

        with open(os.path.join(folder, "core-site.xml"), "w", encoding="utf-8") as file:
            file.write("<configuration>")
            for name, value in self.hadoop_settings.items():
                file.write(f"<property><name>{xml.escape(name)}</name><value>{xml.escape(value)}</value></property>")
            file.write("</configuration>")


def chunks(file: IO[bytes], limit: int) -> Iterator[bytes]:
    """The first bytes of a file; fewer where it ends."""
    while limit and (chunk := file.read(min(CHUNK, limit))):
        limit -= len(chunk)
        yield chunk


def digest(
    source: Source, uri: str, size: int, beginnings: Iterable[tuple[str, int]]
) -> tuple[str, str | None]:
    """SHA-256 of an archive, and which of the given contents it begins with, if any.

    beginnings: contents, as (SHA-256, bytes), that were loaded under its name."""
    sha256, place, replaces = hashlib.sha256(), 0, None
    waiting = sorted((bytes_, known) for known, bytes_ in beginnings if 0 < bytes_ < size)
    with source.open(uri) as file:
        for chunk in chunks(file, size):
            view = memoryview(chunk)
            while waiting and waiting[0][0] <= place + len(view):
                bytes_, known = waiting.pop(0)
                sha256.update(view[: bytes_ - place])
                view, place = view[bytes_ - place :], bytes_
                if sha256.hexdigest() == known:
                    replaces = known
            sha256.update(view)
            place += len(view)
    if place < size:
        raise BadArchive(f"{uri}: holds {place} bytes instead of {size}; it was cut while it was read")
    return sha256.hexdigest(), replaces


def digesting(source: Source) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """For mapInArrow: rows of FOUND to rows of DIGESTED."""

    def digest_batches(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for row in batch.to_pylist():
                beginnings = [(known["sha256"], known["bytes"]) for known in row["beginnings"]]
                sha256, replaces = digest(source, row["uri"], row["bytes"], beginnings)
                yield pyarrow.RecordBatch.from_pylist(
                    [{"uri": row["uri"], "bytes": row["bytes"], "sha256": sha256, "replaces": replaces}],
                    pyarrow.schema(
                        [("uri", pyarrow.string()), ("bytes", pyarrow.int64())]
                        + [("sha256", pyarrow.string()), ("replaces", pyarrow.string())]
                    ),
                )

    return digest_batches


def feed(source: Source, row: Mapping[str, Any]) -> Callable[[], Iterator[bytes]]:
    """The archive's bytes, which have to be those that were digested."""

    def read() -> Iterator[bytes]:
        sha256 = hashlib.sha256()
        with source.open(row["uri"]) as file:
            for chunk in chunks(file, row["bytes"]):
                sha256.update(chunk)
                yield chunk
        if sha256.hexdigest() != row["sha256"]:
            raise BadArchive(f"{row['uri']}: was overwritten while it was read; the next run takes it up")

    return read
