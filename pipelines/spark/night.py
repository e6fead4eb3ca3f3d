"""A night's run on Spark: archives in, facts, merged tables and rows of models out.

    spark-submit pipelines/spark/night.py --lake hdfs:///lake --archives 'hdfs:///intake/*.jsonl.gz' \\
        --receiptmill /usr/local/bin/receiptmill [-- --trust …]

Options behind -- go to `receiptmill decode`. README.md says what is written, and
what becomes of a run that is killed.
"""

import argparse
import base64
import logging
import os
import sys
import time

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

from pyspark import StorageLevel

import archives
import decoding
from lake.dialect import lake_selects
from lake.settings import settings
from merged import Merged, Merging
from session import make_session
from storage import ARCHIVES, FACTS, Storage, is_gzip_name, views_of
from views import Views, decoded_row

log = logging.getLogger("night")

# Exit statuses, as receiptmill has them.
DONE, DAMAGED, MISSING = 0, 65, 66

# One gzip file is one task, whatever its size: from here on it is told.
LARGE_GZIP = 1 << 30
# Small archives share a task until they hold this much.
TASK_BYTES = 32 << 20

# Generations that stay, so that readers of the last one are not disturbed.
KEPT_GENERATIONS = 2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lake", required=True, help="folder on any Hadoop file system")
    parser.add_argument(
        "--archives", nargs="*", default=[], help="files, folders or patterns on any Hadoop file system"
    )
    parser.add_argument("--receiptmill", required=True, help="the program; sent to the workers with --ship")
    parser.add_argument(
        "--ship",
        action="append",
        default=[],
        metavar="FILE",
        help="a local file that workers need, such as the program or an anchor; options name it by its file name",
    )
    parser.add_argument("--settings", metavar="DATABASE", help="database of receiptmill that holds apps and thresholds")
    parser.add_argument("--master", help="where spark-submit does not say")
    parser.add_argument("decode", nargs="*", metavar="-- OPTION", help="options of receiptmill decode")
    return parser.parse_args()


class Night:
    def __init__(self, session, given):
        self.session = session
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

    def run(self):
        """The exit status; every archive that could be loaded is loaded whatever it is."""
        for table in ("archives", *FACTS):
            self.storage.make_folder(table)
        # Those of the night before: what replaced them has been merged since, and reports have moved on.
        self.storage.sweep({row["replaces"] for row in self.views.archives().collect()})
        found, missing = self.storage.archives(self.patterns)
        for pattern in missing:
            log.error("%s: there is no such archive", pattern)
        new = self.new_archives(found)
        log.info("%d archives, %d of them new", len(found), len(new))
        damaged = self.load(new) if new else []
        generation = self.merge()
        log.info("generation %s", generation)
        self.keep(generation)
        return MISSING if missing else DAMAGED if damaged else DONE

    def new_archives(self, found):
        """Archives whose content is not in the lake, each content once.

        A file that has the place, length and time of one that was loaded is taken
        for it; every other is digested."""
        known = [row.asDict() for row in self.views.archives().collect()]
        stamps = {(row["uri"], row["bytes"], row["modified_at"]) for row in known}
        replaced = {row["replaces"] for row in known}
        contents = {row["sha256"]: row for row in known}
        under_name = {}
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
        new = {}
        for row in sorted(digested, key=lambda row: row["uri"]):
            if row["sha256"] in contents or row["sha256"] in new:
                continue
            file = by_uri[row["uri"]]
            new[row["sha256"]] = file | {"sha256": row["sha256"], "replaces": row["replaces"]}
            new[row["sha256"]]["grown_from"] = contents.get(row["replaces"])
        return list(new.values())

    def parted(self, rows, schema):
        """A DataFrame whose partitions hold TASK_BYTES or one archive each, the largest first, which
        shortens the wait for the last."""
        tasks = []
        for row in sorted(rows, key=lambda row: (-row[1], row[0])):
            if tasks and sum(one[1] for one in tasks[-1]) + row[1] <= TASK_BYTES:
                tasks[-1].append(row)
            else:
                tasks.append([row])
        parts = self.session.sparkContext.parallelize(tasks, len(tasks)).flatMap(lambda task: task)
        return self.session.createDataFrame(parts, schema)

    def load(self, new):
        """Writes the facts of archives, and then the rows that commit them. The damaged ones."""
        for file in new:
            if is_gzip_name(file["uri"]) and file["bytes"] >= LARGE_GZIP:
                log.warning(
                    "%s: %.1f GiB of gzip are one task, which no other can help; have it delivered in parts",
                    file["uri"],
                    file["bytes"] / (1 << 30),
                )
        started = int(time.time() * 1000)
        rows = [(file["uri"], file["bytes"], file["sha256"], file["replaces"]) for file in new]
        merged = Merged(self.session, self.storage)
        issuers = certificates(merged.frame("issuer")) if merged.versions else []
        lines = self.parted(rows, archives.DIGESTED).mapInArrow(
            decoding.decoding(self.source, self.command, issuers), decoded_row()
        )
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
                log.error("%s: is damaged: %s", file["uri"], ending["problem"])
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

    def write_facts(self, lines, names, write):
        """Facts of decoded lines, each table by `write`; how each archive ended, by its digest."""
        # Decoded once, and read for every table. What a lost worker held is decoded again.
        lines = lines.persist(StorageLevel.DISK_ONLY)
        self.views.show_decoded(lines)
        selects = lake_selects("facts")
        for name in names:
            write(name, self.session.sql(selects[name]))
        endings = lines.where("ending IS NOT NULL").select("archive_sha256", "ending.*").collect()
        lines.unpersist()
        return {row["archive_sha256"]: row.asDict() for row in endings}

    def write_partitions(self, name, frame):
        """Whole folders of the archives are replaced: a run that is repeated leaves nothing twice."""
        writer = frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
        writer.partitionBy("archive_sha256").parquet(self.storage.path(name))

    def lines_of(self, new, *names):
        """Lines of archives of which facts stand in the lake now; a line may have several."""
        lines = None
        for name in names:
            facts = self.views.facts(name, [file["sha256"] for file in new]).select("archive_sha256", "line")
            lines = facts if lines is None else lines.union(facts)
        return dict(lines.distinct().groupBy("archive_sha256").count().collect())

    def merge(self):
        """Brings the tables up to date with all archives; their generation."""
        digests = [row["sha256"] for row in self.views.archives().collect()]
        if len(set(digests)) < len(digests):
            raise decoding.DecodeFailed(
                f"{self.storage.path('archives')}: an archive is committed twice: two runs were at work at once"
            )
        Merging(self.session, self.storage, self.views, self.review).merge(self.views.archives_that_count())
        return self.views.generation()

    def review(self, octets, issuers):
        """Verifies receipts again with all issuers that the lake knows; frames of receipts and purchases."""
        reviewed = {}

        def keep(name, frame):
            reviewed[name] = frame.persist()
            reviewed[name].count()

        command = decoding.reviewing(self.command, certificates(issuers))
        self.write_facts(octets.mapInArrow(command, decoded_row()), ["receipts", "purchases"], keep)
        return reviewed

    def keep(self, generation):
        """Keeps the rows of models over a generation, unless the last night did by the same settings."""
        kept = views_of(generation, self.settings)
        if self.storage.kept_views(generation) == kept:
            return
        self.storage.delete("views", kept)
        self.views.show_loaded()
        self.views.show_tables(Merged(self.session, self.storage))
        self.views.keep(kept, self.settings)
        for old in self.storage.folders("views")[:-KEPT_GENERATIONS]:
            self.storage.delete("views", old)


def certificates(issuers):
    """DER of certificates, in the order of their bytes."""
    return sorted(base64.b64decode(row["certificate"]) for row in issuers.collect())


def main():
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO, stream=sys.stderr)
    logging.getLogger("py4j").setLevel(logging.WARNING)
    given = arguments()
    session = make_session("receiptmill night", given.master)
    try:
        return Night(session, given).run()
    finally:
        session.stop()


if __name__ == "__main__":
    sys.exit(main())
