"""How much memory and disk space a build may take, and what a build says if they do not suffice."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..lake.memory import PART, memory_of_machine

if TYPE_CHECKING:
    import duckdb

Name = str | os.PathLike[str]

# The part of the free disk that a build takes unless it is told otherwise: the database itself grows on that disk.
PART_OF_FREE_DISK = 1 / 2
# With less memory for each, there are fewer threads: buffers of a thread can't be spilled.
MEMORY_OF_THREAD = 512 << 20

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class OutOfSpace(Exception):
    """A build needs more memory or disk space than it has. The file is as it was."""


@dataclass(frozen=True)
class Resources:
    """Limits of a build, in bytes. What does not fit into memory is written to the folder `spill`."""

    memory: int
    spill: Path
    spill_limit: int

    @staticmethod
    def chosen(
        database: Name, memory: int | None = None, spill: Name | None = None, spill_limit: int | None = None
    ) -> Resources:
        """The given limits. By default, half of the machine's memory, and half of the free disk space in a folder
        beside the database.
        """
        folder = Path(spill or spill_beside(database))
        return Resources(
            memory or int(memory_of_machine() * PART),
            folder,
            spill_limit or int(free_disk(folder) * PART_OF_FREE_DISK),
        )

    def __str__(self) -> str:
        return (
            f"at most {size_text(self.memory)} of memory (--memory),"
            f" and {size_text(self.spill_limit)} of {self.spill} (--spill, --spill-limit)"
        )

    def apply(self, connection: duckdb.DuckDBPyConnection) -> None:
        folder = str(self.spill).replace("'", "''")
        connection.execute(f"SET memory_limit = '{self.memory}B'")
        threads = max(1, min(os.cpu_count() or 1, self.memory // MEMORY_OF_THREAD))
        connection.execute(f"SET threads = {threads}")
        connection.execute(f"SET temp_directory = '{folder}'")
        connection.execute(f"SET max_temp_directory_size = '{self.spill_limit}B'")

    def remove_leftovers(self, database: Name) -> None:
        """Removes what a killed build spilled beside the database, which only one process at a time can open. Other
        folders may hold files of other databases.
        """
        if self.spill == spill_beside(database) and self.spill.is_dir():
            for path in self.spill.glob("duckdb_temp_*"):
                path.unlink()
            with contextlib.suppress(OSError):
                self.spill.rmdir()

    @contextlib.contextmanager
    def named_in_errors(self, database: Name) -> Iterator[None]:
        """Says which limits there are, and what to set, if a build has too little memory or disk space."""
        import duckdb

        try:
            yield
        except duckdb.Error as fault:
            if isinstance(fault, duckdb.OutOfMemoryException):
                cure = "Set a greater --memory or --spill-limit, or a --spill on a disk with more space"
            elif "No space left on device" in str(fault):
                cure = "Free space on the disk that is full, or name a --spill or a database on another"
            else:
                raise
            disks = dict.fromkeys(nearest(path) for path in (self.spill, Path(database).absolute().parent))
            free = ", ".join(f"{size_text(free_disk(disk))} free on the disk of {disk}" for disk in disks)
            raise OutOfSpace(
                f"the build needs more than it has: {self}; {free}. {cure}. {database} has the rows that it had before."
                f" DuckDB: {str(fault).splitlines()[0]}"
            ) from fault


def spill_beside(database: Name) -> Path:
    return Path(f"{os.fspath(database)}.spill")


def nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(place for place in [folder, *folder.absolute().parents] if place.is_dir())


def free_disk(folder: Path) -> int:
    return shutil.disk_usage(nearest(folder)).free


def size(text: str) -> int:
    """Bytes of a size such as 8GiB, 500M or 1000000."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if not found or not (number := int(float(found[1]) * UNITS[found[2].upper()])):
        raise argparse.ArgumentTypeError(f"{text} is no size: 500M, 8GiB")
    return number


def size_text(number: int) -> str:
    for unit in ("TiB", "GiB", "MiB"):
        if number >= (whole := UNITS[unit[0]]):
            return f"{number / whole:.1f} {unit}"
    return f"{number} bytes"
