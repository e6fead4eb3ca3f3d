"""What is measured: for each case, programs and archives, and which ratios they are for."""

import os
import shutil
from dataclasses import dataclass, field

import measure
from measure import Failed, Run
from programs import Findings, Limit, Mill, Program


@dataclass
class Entry:
    """A program at work on an archive; its runs are filled in as they are made."""

    program: Program
    archive: object
    loaded: object = None  # archive that the database holds before
    against: tuple = ()  # ratios to other entries of the case: (name, entry, field)
    runs: list[Run] = field(default_factory=list)
    findings: Findings | None = None

    @property
    def lines(self):
        return self.archive.lines


class Start(Program):
    """A command whose whole time is its start; it loads nothing."""

    def command(self, archive, database):
        return [archive.path if word == "ARCHIVE" else archive.root if word == "ROOT" else word for word in self.start]

    def findings(self, archive, database, run):
        return Findings()


ABOUT = {
    "plain": "distinct receipts, SHA-256, one gzip member, one worker",
    "sha1": "distinct receipts, SHA-1",
    "many-purchases": "the tenth of the receipts with the most purchases",
    "duplicates": "a twentieth of the receipts, each twenty times",
    "members": "as plain, in gzip members of 1,000 lines",
    "workers": "as plain, one worker and two",
    "known": "as plain, into a database that holds 95 % of it from another archive",
    "rerun": "as plain, into a database that holds this archive",
    "start": "commands that take as long as they take to start; per run instead of per line",
}
FAST = ("mill", "limit")


class Bench:
    """The programs and archives of one comparison, and the cases made of them."""

    def __init__(self, mills, others, archives, work, everything=False):
        self.mills, self.others, self.archives, self.work = mills, others, archives, work
        self.everything = everything
        self.references, self.templates = {}, {}

    def case(self, name):
        return getattr(self, name.replace("-", "_"))()

    def programs(self, archive, slow):
        """Every program on one archive; the slow ones only where they are asked for."""
        return [Entry(one, archive) for one in self.mills + self.others if one.kind in FAST or slow or self.everything]

    def plain(self):
        entries = self.programs(self.archives.get("plain"), slow=True)
        for entry in entries:
            if entry.program.kind == "shell":
                entry.archive = self.archives.get("loop")
        return entries

    def sha1(self):
        return self.without_loop(self.programs(self.archives.get("plain", "sha1"), slow=False))

    def many_purchases(self):
        return self.without_loop(self.programs(self.archives.get("many-purchases"), slow=False))

    def duplicates(self):
        return self.without_loop(self.programs(self.archives.get("duplicates"), slow=False))

    def members(self):
        # The limit reads one member only.
        entries = self.without_loop(self.programs(self.archives.get("members"), slow=False))
        return [entry for entry in entries if entry.program.kind != "limit"]

    @staticmethod
    def without_loop(entries):
        return [entry for entry in entries if entry.program.kind != "shell"]

    def workers(self):
        archive = self.archives.get("plain")
        entries = []
        for one in self.mills + self.others:
            if isinstance(one, Mill):
                two = Mill(f"{one.name}, two workers", "mill", one.start, jobs=2)
            elif isinstance(one, Limit):
                two = Limit(f"{one.name}, two threads", "limit", one.start, one.inflater, threads=2)
            else:
                continue
            alone = Entry(one, archive)
            entries += [alone, Entry(two, archive, against=(("wall of one worker's", alone, "wall"),))]
        return entries

    def known(self):
        archive, held = self.archives.get("plain"), self.archives.get("known")
        entries = []
        for one in self.mills:
            fresh = Entry(one, archive)
            again = Mill(f"{one.name}, 95 % known", "mill", one.start)
            entries += [fresh, Entry(again, archive, held, (("CPU of a fresh load's", fresh, "cpu"),))]
        return entries

    def rerun(self):
        archive = self.archives.get("plain")
        hashing = Entry(Start("openssl dgst -sha256", "other", ["openssl", "dgst", "-sha256", "ARCHIVE"]), archive)
        again = [Mill(f"{one.name}, again", "mill", one.start) for one in self.mills]
        return [Entry(one, archive, archive, (("CPU of hashing alone", hashing, "cpu"),)) for one in again] + [hashing]

    def start(self):
        one = self.archives.get("one")
        entries = []
        for mill in self.mills:
            version = Start(f"{mill.name} --version", "other", [*mill.start, "--version"])
            verify = Start(f"{mill.name} verify", "other", [*mill.start, "verify", "ARCHIVE", "--trust", "ROOT"])
            entries += [Entry(version, one), Entry(verify, one)]
        return entries

    def reference(self, archive):
        """What the first mill finds in an archive: all of its lines, which are clean."""
        if archive.path not in self.references:
            mill, database = self.mills[0], self.fresh("reference")
            done = measure.run(mill.command(archive, database), self.work)
            found = mill.findings(archive, database, done)
            if (found.verified, found.devices) != (archive.lines, archive.lines):
                raise Failed(
                    f"{archive.path} has {archive.lines} lines, all trusted and of their devices; {mill.name} finds"
                    f" {found.verified} trusted, {found.devices} devices"
                )
            self.references[archive.path] = found
        return self.references[archive.path]

    def fresh(self, name):
        database = os.path.join(self.work, f"{name}.sqlite")
        for suffix in ("", "-wal", "-shm", "-lock"):
            if os.path.exists(database + suffix):
                os.remove(database + suffix)
        return database

    def loaded(self, entry):
        """A database of its own that holds an archive, copied so that each run meets the same."""
        key = (entry.program.start[0], entry.loaded.path)
        if key not in self.templates:
            template = self.fresh(f"loaded-{len(self.templates)}")
            measure.run(entry.program.command(entry.loaded, template), self.work)
            self.templates[key] = template
        database = self.fresh("run")
        shutil.copyfile(self.templates[key], database)
        return database

    def run(self, entries, rounds):
        """Every program once, then every program again, so that noise meets all alike."""
        for entry in entries:
            self.reference(entry.archive)
        for _ in range(rounds):
            for entry in entries:
                database = self.loaded(entry) if entry.loaded else self.fresh("run")
                program = entry.program
                done = measure.run(
                    program.command(entry.archive, database), self.work, program.environment(entry.archive)
                )
                entry.findings = program.findings(entry.archive, database, done)
                self.reference(entry.archive).require(entry.findings, program.name)
                entry.runs.append(done)
