"""Tables of the lake in Delta Lake's format: Spark reads and writes their Parquet, and deltalake the log that says
which files count. So a change is seen whole or not at all, and readers keep the version that they began with.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from deltalake import DeltaTable, Schema
from deltalake.transaction import AddAction, RemoveAction
from pyspark.sql.types import StructField, StructType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from .storage import Storage

# Files are made about this large. Smaller ones are written anew with a night's rows when there are many.
FILE_BYTES = 128 << 20
SMALL_BYTES, MANY = FILE_BYTES // 4, 16

# Files that no version has needed for this long are deleted: readers of an earlier version are done by then.
KEPT_HOURS = 48


class Table:
    """A table at one of its versions; at the last one where none is named."""

    def __init__(self, storage: Storage, *place: str, version: int | None = None) -> None:
        self.storage, self.place = storage, place
        self.uri = storage.uri(*place)
        # Of a package that is not read; None where there is no table yet.
        self.log: Any = DeltaTable(self.uri, version) if DeltaTable.is_deltatable(self.uri) else None

    def version(self) -> int | None:
        return self.log.version() if self.log else None

    def files(self) -> dict[str, tuple[str, int]]:
        """Path and bytes of each file that counts, by its name."""
        if not self.log:
            return {}
        added = self.log.get_add_actions()
        sizes = zip(added["path"].to_pylist(), added["size_bytes"].to_pylist())
        return {path.rpartition("/")[2]: (path, size) for path, size in sizes}

    def small_files(self) -> set[str]:
        """Names of files that are small, where there are many."""
        small = {name for name, (_, size) in self.files().items() if size < SMALL_BYTES}
        return small if len(small) >= MANY else set()

    def frame(self, session: SparkSession, names: Iterable[str] | None = None) -> DataFrame:
        """The rows of all files, or of those named."""
        schema = StructType.fromJson(json.loads(self.log.schema().to_json()))
        files = self.files()
        paths = [self.storage.path(*self.place, files[name][0]) for name in (files if names is None else names)]
        return session.read.schema(schema).parquet(*paths) if paths else session.createDataFrame([], schema)

    def roll_back(self, version: int | None) -> None:
        """Undoes what was committed behind a version."""
        if self.version() != version:
            self.log.restore(version)

    def write(self, frame: DataFrame, replaced: Iterable[str] | None = None) -> int:
        """Puts a frame's rows in the place of the files named, or of all; the new version."""
        # What a column holds one night says nothing of the next: any may be null.
        fields = [StructField(field.name, field.dataType) for field in frame.schema]
        schema = Schema.from_json(StructType(fields).json())
        if not self.log:
            self.log = DeltaTable.create(self.uri, schema)
        files = self.files()
        # A job that died wrote there, too: nothing of it stays.
        folder = str(self.log.version() + 1)
        frame.write.mode("overwrite").parquet(self.storage.path(*self.place, folder))
        now = int(time.time() * 1000)
        actions = [
            AddAction(f"{folder}/{name}", size, {}, modified, True, "{}")
            for name, size, modified in self.storage.files(*self.place, folder)
        ]
        if replaced is not None:
            actions += [RemoveAction(path, True, now, size) for path, size in (files[name] for name in replaced)]
        self.log.create_write_transaction(actions, "overwrite" if replaced is None else "append", schema)
        self.log.update_incremental()
        return int(self.log.version())

    def forget_old(self) -> None:
        deleted = self.log.vacuum(KEPT_HOURS, dry_run=False, enforce_retention_duration=False)
        for folder in {path.rpartition("/")[0] for path in deleted} - {""}:
            if not self.storage.files(*self.place, folder):
                self.storage.delete(*self.place, folder)
