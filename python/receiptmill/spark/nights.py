"""A night's run on Spark: archives in, facts, merged tables and rows of models out."""

from __future__ import annotations

import base64
import os
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel

from ..lake import seeds
from ..lake.dialect import kept_models, lake_selects
from ..lake.progress import Progress
from ..lake.settings import settings, time_zone
from . import archives, decoding
from .merged import Merged, Merging
from .origins import Origins
from .session import fit
from .storage import ARCHIVES, FACTS, Storage, is_gzip_name, views_of
from .views import Views, decoded_row

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Exit statuses, as receiptmill has them.
DONE, DAMAGED, MISSING = 0, 65, 66

# One gzip file is one task, whatever its size: from here on it is told.
LARGE_GZIP = 1 << 30
# Small archives share a task until they hold this much.
TASK_BYTES = 32 << 20

# Generations that stay, so that readers of the last one are not disturbed.
KEPT_GENERATIONS = 2


@dataclass
class Order:
    """What a night is asked to do."""

    lake: str
    archives: Sequence[str]
    # The program; sent to the workers where `ship` names it, too.
    receiptmill: str
    settings: str | os.PathLike[str] | None = None
    ship: Sequence[str] = ()
    # Options of decode.
    decode: Sequence[str] = ()
    progress: Progress = field(default_factory=Progress)


class Night:
    def __init__(self, session: SparkSession, given: Order) -> None:
        self.session, self.progress = session, given.progress
        self.storage = Storage(session, given.lake)
        self.patterns = given.archives
        self.views = Views(session, self.storage)
        self.settings = settings(given.settings)
        context = session.sparkContext
        for path in given.ship:
            context.addFile(os.path.abspath(path))
        prefix = "spark.hadoop."
        hadoop = {name[len(prefix) :]: value for name, value in context.getConf().getAll() if name.startswith(prefix)}
        self.source = archives.Source(hadoop)
        program = os.path.basename(given.receiptmill) if given.receiptmill in given.ship else given.receiptmill
        self.command = decoding.Command(program, given.decode, given.ship)

    def run(self) -> int:
        """The exit status; every archive that could be loaded is loaded whatever it is."""
        for table in ("archives", *FACTS):
            self.storage.make_folder(table)
        # Those of the night before: what replaced them has been merged since, and reports have moved on.
        self.storage.sweep({row["replaces"] for row in self.views.archives().collect()})
        found, missing = self.storage.archives(self.patterns)
        for pattern in missing:
            self.progress.fault(f"{pattern}: there is no such archive")
        # Archives of the lake are counted twice where they are named again: that is as good as any bound.
        known = self.views.archives_that_count()
        fit(self.session, sum(file["bytes"] for file in found) + sum(known.values()))
        with self.progress.step("archives digested"):
            new = self.new_archives(found)
        self.progress.line(f"{len(found)} archives, {len(new)} of them new")
        damaged = self.load(new) if new else []
        with self.progress.step("tables merged"):
            generation = self.merge()
        with self.progress.step("models computed"):
            self.keep(generation)
        asking = ["receiptmill-spark", "report", "--master", self.session.sparkContext.master, "--lake", self.storage.lake]
        self.progress.ended(
            f"{self.storage.lake}: {len(self.views.archives_that_count())} archives, {len(kept_models())} models",
            shlex.join([*asking, "coverage"]),
        )
        return MISSING if missing else DAMAGED if damaged else DONE

    def new_archives(self, found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Archives whose content is not in the lake, each content once.

        A file that has the place, length and time of one that was loaded is taken
        for it; every other is digested."""
        known = [row.asDict() for row in self.views.archives().collect()]
        stamps = {(row["uri"], row["bytes"], row["modified_at"]) for row in known}
        replaced = {row["replaces"] for row in known}
        contents = {row["sha256"]: row for row in known}
        under_name: dict[str, list[tuple[str, int]]] = {}
        for row in known:
            if row["sha256"] not in replaced:
                under_name.setdefault(row["name"], []).append((row["sha256"], row["bytes"]))
        unknown = [file for file in found if (file["uri"], file["bytes"], file["modified_at"]) not in stamps]
        if not unknown:
            return []
        rows = [(file["uri"], file["bytes"], under_name.get(file["name"], [])) for file in unknown]
        digested = (
            self.parted(rows, archives.FOUND).mapInArrow(archives.digesting(self.source), archives.DIGESTED).collect()
        )
        by_uri = {file["uri"]: file for file in unknown}
        new: dict[str, dict[str, Any]] = {}
        for row in sorted(digested, key=lambda row: row["uri"]):
            if row["sha256"] in contents or row["sha256"] in new:
                continue
            file = by_uri[row["uri"]]
            new[row["sha256"]] = {**file, "sha256": row["sha256"], "replaces": row["replaces"]}
            new[row["sha256"]]["grown_from"] = contents.get(row["replaces"])
        return list(new.values())

    def parted(self, rows: Iterable[tuple[Any, ...]], schema: str) -> DataFrame:
        """A DataFrame whose partitions hold TASK_BYTES or one archive each, the largest first, which
        shortens the wait for the last."""
        tasks: list[list[tuple[Any, ...]]] = []
        for row in sorted(rows, key=lambda row: (-row[1], row[0])):
            if tasks and sum(one[1] for one in tasks[-1]) + row[1] <= TASK_BYTES:
                tasks[-1].append(row)
            else:
                tasks.append([row])
        parts = self.session.sparkContext.parallelize(tasks, len(tasks)).flatMap(lambda task: task)
        return self.session.createDataFrame(parts, schema)

    def load(self, new: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Writes the facts of archives, and then the rows that commit them. The damaged ones."""
        for file in new:
            if is_gzip_name(file["uri"]) and file["bytes"] >= LARGE_GZIP:
                self.progress.fault(
                    f"{file['uri']}: {file['bytes'] / (1 << 30):.1f} GiB of gzip are one task, which no other can help;"
                    " have it delivered in parts"
                )
        started = int(time.time() * 1000)
        rows = [(file["uri"], file["bytes"], file["sha256"], file["replaces"]) for file in new]
        merged = Merged(self.session, self.storage)
        issuers = certificates(merged.frame("issuer")) if merged.versions else []
        lines = self.parted(rows, archives.DIGESTED).mapInArrow(
            decoding.decoding(self.source, self.command, issuers), decoded_row()
        )
        with self.progress.step("archives decoded, facts written"):
            endings = self.write_facts(lines, FACTS, self.write_partitions)
        loaded, told = self.lines_of(new, "submissions"), self.lines_of(new, "submissions", "rejections")
        committed = []
        for file in new:
            ending, written = endings[file["sha256"]], told.get(file["sha256"], 0)
            if written != ending["lines"]:
                raise decoding.DecodeFailed(
                    f"{file['uri']}: {ending['lines']} lines were decoded, submissions and rejections of {written}"
                    " written; nothing of this night is committed"
                )
            if not ending["complete"]:
                self.progress.fault(f"{file['uri']}: is damaged: {ending['problem']}")
            grown = file["grown_from"]
            committed.append(
                (
                    file["sha256"],
                    file["name"],
                    file["bytes"],
                    ending["lines"],
                    loaded.get(file["sha256"], 0),
                    int(ending["complete"]),
                    grown["first_loaded_at"] if grown else started,
                    int(time.time() * 1000) if ending["complete"] else None,
                    file["uri"],
                    file["modified_at"],
                    file["replaces"],
                )
            )
        # One file, which comes to be by one renaming: all archives of the night, or none.
        frame = self.session.createDataFrame(committed, ARCHIVES).coalesce(1)
        frame.write.mode("append").parquet(self.storage.path("archives"))
        return [file for file in new if not endings[file["sha256"]]["complete"]]

    def write_facts(
        self, lines: DataFrame, names: Iterable[str], write: Callable[[str, DataFrame], None]
    ) -> dict[str, dict[str, Any]]:
        """Facts of decoded lines, each table by `write`; how each archive ended, by its digest."""
        # Decoded once, and read for every table. What a lost worker held is decoded again.
        lines = lines.persist(StorageLevel.DISK_ONLY)
        self.views.show_decoded(lines)
        selects = lake_selects("facts")
        # This decodes all; tables that are written at once would each begin to.
        endings = lines.where("ending IS NOT NULL").select("archive_sha256", "ending.*").collect()
        self.progress.each("facts", names, lambda name: write(name, self.session.sql(selects[name])))
        lines.unpersist()
        return {row["archive_sha256"]: row.asDict() for row in endings}

    def write_partitions(self, name: str, frame: DataFrame) -> None:
        """Whole folders of the archives are replaced: a run that is repeated leaves nothing twice."""
        writer = frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
        writer.partitionBy("archive_sha256").parquet(self.storage.path(name))

    def lines_of(self, new: Iterable[Mapping[str, Any]], *names: str) -> dict[str, int]:
        """Lines of archives of which facts stand in the lake now; a line may have several."""
        digests = [file["sha256"] for file in new]
        frames = [self.views.facts(name, digests).select("archive_sha256", "line") for name in names]
        lines = frames[0]
        for other in frames[1:]:
            lines = lines.union(other)
        return {row[0]: row[1] for row in lines.distinct().groupBy("archive_sha256").count().collect()}

    def merge(self) -> str:
        """Brings the tables up to date with all archives; their generation."""
        digests = [row["sha256"] for row in self.views.archives().collect()]
        if len(set(digests)) < len(digests):
            raise decoding.DecodeFailed(
                f"{self.storage.path('archives')}: an archive is committed twice: two runs were at work at once"
            )
        merging = Merging(self.session, self.storage, self.views, self.review, self.progress)
        merging.merge(self.views.archives_that_count())
        return self.views.generation()

    def review(self, octets: DataFrame, issuers: DataFrame) -> dict[str, DataFrame]:
        """Verifies receipts again with all issuers that the lake knows; frames of receipts and purchases."""
        reviewed: dict[str, DataFrame] = {}

        def keep(name: str, frame: DataFrame) -> None:
            reviewed[name] = frame.persist()
            reviewed[name].count()

        command = decoding.reviewing(self.command, certificates(issuers))
        self.write_facts(octets.mapInArrow(command, decoded_row()), ["receipts", "purchases"], keep)
        return reviewed

    def keep(self, generation: str) -> None:
        """Keeps the rows of models over a generation, unless the last night did by the same settings."""
        kept = views_of(generation, self.settings)
        if self.storage.kept_views(generation) == kept:
            return
        self.storage.delete("views", kept)
        self.views.show_loaded()
        merged = Merged(self.session, self.storage)
        self.views.show_tables(merged)
        known = {**self.settings, **seeds.rows(time_zone(self.settings))}
        origins = Origins(self.storage, merged, generation, self.views.archives_that_count(), known)
        self.views.keep(kept, known, origins, self.progress)
        for old in self.storage.folders("views")[:-KEPT_GENERATIONS]:
            self.storage.delete("views", old)


def certificates(issuers: DataFrame) -> list[bytes]:
    """DER of certificates, in the order of their bytes."""
    return sorted(base64.b64decode(row["certificate"]) for row in issuers.collect())
