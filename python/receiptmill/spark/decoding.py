"""What a Spark task does with archives: it sends them through decode.

Runs on the workers, in functions for DataFrame.mapInArrow. A task that meets a
fault raises, so that Spark runs it again from its beginning and drops what it had
written: rows of half an archive are never seen.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.json

from ..lake import decoded
from .archives import Source, feed

Feed = Callable[[], Iterable[bytes]]

# Read from decode at a time.
CHUNK = 4 << 20
# Digests by which repetitions within an archive are left out. Beyond these a
# receipt is told again, which the merged tables make one.
REMEMBERED = 1 << 20
# Of some 1.5 kB each; the store's receipts carry a handful.
REMEMBERED_ISSUERS = 1 << 10

# Statuses of decode: all is well; the archive is damaged, and what stands before
# the damage was decoded. Any other is the worker's fault, not the archive's.
DONE, DAMAGED = 0, 65

ENDING = {"lines": decoded.NUMBER, "complete": decoded.TRUTH, "problem": decoded.TEXT}
ROW = {
    "archive_sha256": decoded.TEXT,
    "line": decoded.NUMBER,
    "is_repeated": decoded.TRUTH,
    **{name: kind for name, kind in decoded.ANSWER.items() if name != "schema"},
    # Of one row behind the last line of an archive.
    "ending": ENDING,
}


class DecodeFailed(Exception):
    """Decode did not end well."""


class Command:
    """Decode's command line on a worker. Files that were shipped are found by their names."""

    def __init__(self, program: str, options: Sequence[str], shipped: Iterable[str]) -> None:
        self.program, self.options = program, options
        self.shipped = {os.path.basename(path) for path in shipped}

    def __call__(self) -> list[str]:
        from pyspark import SparkFiles

        words = [SparkFiles.get(word) if word in self.shipped else word for word in (self.program, *self.options)]
        # A task has one core: many tasks, not many workers in each.
        return [words[0], "decode", "-", "--jobs", "1", *words[1:]]


class Decoding:
    """One run of decode over a stream: whole lines out, then how it ended."""

    def __init__(self, command: Sequence[str], feed: Feed) -> None:
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0
        )
        self.fault: BaseException | None = None
        self.feeder = threading.Thread(target=self.write, args=(feed,), daemon=True)
        self.feeder.start()

    def write(self, feed: Feed) -> None:
        assert self.process.stdin
        try:
            with self.process.stdin as pipe:
                for chunk in feed():
                    view = memoryview(chunk)
                    while view:
                        view = view[pipe.write(view) :]
        except BrokenPipeError:
            pass  # Its exit status says why.
        except BaseException as fault:  # Raised again in the task's own thread.
            self.fault = fault
            self.process.kill()

    def blocks(self) -> Iterator[bytes]:
        """Bytes that end with a newline, all that decode writes."""
        assert self.process.stdout
        parts: list[bytes] = []
        size = 0
        while chunk := self.process.stdout.read(CHUNK):
            parts.append(chunk)
            size += len(chunk)
            if size >= CHUNK and b"\n" in chunk:
                block = b"".join(parts)
                end = block.rindex(b"\n") + 1
                yield block[:end]
                parts, size = [block[end:]], len(block) - end
        rest = b"".join(parts)
        if rest and not rest.endswith(b"\n"):
            self.end()
            raise DecodeFailed("decode ended within a line")
        if rest:
            yield rest

    def end(self) -> tuple[int, str]:
        """The exit status, DONE or DAMAGED, and what it said; anything else is raised."""
        status = self.process.wait()
        self.feeder.join()
        if self.fault:
            raise self.fault
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip()[-1000:]
        if status not in (DONE, DAMAGED):
            raise DecodeFailed(f"decode ended with status {status}: {said or 'it said nothing'}")
        return status, said

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.errors.close()


ANSWER_SCHEMA = [(name, decoded.arrow_type(kind)) for name, kind in decoded.ANSWER.items()]
ROW_SCHEMA = pyarrow.schema([(name, decoded.arrow_type(kind)) for name, kind in ROW.items()])


def answers(block: bytes) -> pyarrow.Table:
    """Lines of decode as an Arrow table; one row for each."""
    table = pyarrow.json.read_json(
        pyarrow.BufferReader(block),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=pyarrow.schema(ANSWER_SCHEMA), unexpected_field_behavior="ignore"
        ),
    ).combine_chunks()
    lines = block.count(b"\n")
    if table.num_rows != lines:
        raise DecodeFailed(f"{table.num_rows} rows were read from {lines} lines of decode")
    versions = set(table["schema"].to_pylist())
    if versions - set(decoded.SCHEMAS):
        raise DecodeFailed(f"decode writes schema {versions}, and this job reads {decoded.SCHEMAS}")
    return table


def repeated(table: pyarrow.Table, seen: set[str]) -> pyarrow.Array:
    """For each row, whether the receipt of its first document was told shortly before."""
    found = []
    for sha256 in pyarrow.compute.struct_field(table["receipt"], "sha256").to_pylist():
        known = sha256 is not None and sha256 in seen
        found.append(known)
        if sha256 is not None and not known:
            if len(seen) >= REMEMBERED:
                seen.clear()
            seen.add(sha256)
    return pyarrow.array(found, pyarrow.bool_())


def without_known_issuers(receipts: pyarrow.StructArray, known: set[str]) -> pyarrow.StructArray:
    """The column of receipts; without certificates where all of them were told before, which are most of a line."""
    issuers = set(pyarrow.compute.unique(pyarrow.compute.struct_field(receipts, "issuers").flatten()).to_pylist())
    if not issuers <= known:
        if len(known) + len(issuers) > REMEMBERED_ISSUERS:
            known.clear()
        known |= issuers
        return receipts
    fields = list(receipts.type)
    columns = [
        pyarrow.nulls(len(receipts), field.type) if field.name == "issuers" else receipts.field(field.name)
        for field in fields
    ]
    return pyarrow.StructArray.from_arrays(columns, fields=fields, mask=receipts.is_null())


def ending_row(sha256: str, lines: int, complete: bool, problem: str | None) -> pyarrow.RecordBatch:
    ending = {"lines": lines, "complete": complete, "problem": problem}
    return pyarrow.RecordBatch.from_pylist([{"archive_sha256": sha256, "ending": ending}], ROW_SCHEMA)


def decode(command: Sequence[str], sha256: str, feed: Feed) -> Iterator[pyarrow.RecordBatch]:
    """Batches of ROW_SCHEMA: a row for each line of an archive, then one for its end."""
    decoding = Decoding(command, feed)
    try:
        lines = 0
        seen: set[str] = set()
        issuers: set[str] = set()
        for block in decoding.blocks():
            table = answers(block)
            count = table.num_rows
            columns = {
                "archive_sha256": pyarrow.repeat(sha256, count),
                "line": pyarrow.array(range(lines + 1, lines + count + 1), pyarrow.int64()),
                "is_repeated": repeated(table, seen),
                "receipt": without_known_issuers(table["receipt"].combine_chunks(), issuers),
                "ending": pyarrow.nulls(count, decoded.arrow_type(ENDING)),
            }
            arrays = [columns[name] if name in columns else table[name] for name in ROW]
            yield from pyarrow.Table.from_arrays(arrays, schema=ROW_SCHEMA).to_batches()
            lines += count
        status, said = decoding.end()
        yield ending_row(sha256, lines, status == DONE, said if status == DAMAGED else None)
    finally:
        decoding.stop()


@contextmanager
def issuer_options(issuers: Iterable[bytes]) -> Iterator[list[str]]:
    """Options that name certificates (DER), which have to be files."""
    with tempfile.TemporaryDirectory() as folder:
        options = []
        for number, der in enumerate(issuers):
            path = os.path.join(folder, f"{number}.der")
            with open(path, "wb") as file:
                file.write(der)
            options += ["--intermediate", path]
        yield options


def decoding(
    source: Source, command: Command, issuers: Sequence[bytes]
) -> Callable[[Iterable[Any]], Iterator[pyarrow.RecordBatch]]:
    """For mapInArrow: rows of DIGESTED to rows of ROW."""

    def decode_batches(batches: Iterable[Any]) -> Iterator[pyarrow.RecordBatch]:
        with issuer_options(issuers) as options:
            for batch in batches:
                for row in batch.to_pylist():
                    yield from decode(command() + options, row["sha256"], feed(source, row))

    return decode_batches


def reviewing(
    command: Command, issuers: Sequence[bytes]
) -> Callable[[Iterable[Any]], Iterator[pyarrow.RecordBatch]]:
    """For mapInArrow: octets of receipts (base64) to rows of ROW."""

    def review_batches(batches: Iterable[Any]) -> Iterator[pyarrow.RecordBatch]:
        with issuer_options(issuers) as options:

            def feed() -> Iterator[bytes]:
                for batch in batches:
                    yield "".join(f"{octets}\n" for octets in batch.column(0).to_pylist()).encode()

            yield from decode(command() + options, "", feed)

    return review_batches
