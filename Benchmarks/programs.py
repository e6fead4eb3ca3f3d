"""The programs that are compared: how each is started, and what it must have found."""

import functools
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field

from measure import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINES = os.path.join(HERE, "baselines")
SCHEMA = os.path.join(BASELINES, "schema.sql")
LIMIT_OPTIONS = ["rsa=lib", "key=int", "coalesce=1", "index=after"]


@dataclass
class Findings:
    """What a program says of an archive; None where it doesn't say."""

    verified: int | None = None  # lines whose receipt holds
    devices: int | None = None  # of these, lines whose device the receipt was made for
    purchases: int | None = None  # distinct transactions
    purchase_digest: str | None = None  # of their keys, products and dates

    def require(self, other, who):
        """Raises Failed unless another program's findings are the same as far as it has any."""
        for name, expected in vars(self).items():
            found = getattr(other, name)
            if found is not None and found != expected:
                raise Failed(f"{who} is not to be compared: {name} {found}, and the mill's {expected}")


def ask(path, verified, purchases, *parameters):
    """Findings from a database: a query for two counts, one for a row per purchase."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    lines, devices = database.execute(verified, parameters).fetchone()
    digest, count = hashlib.sha256(), 0
    for row in database.execute(purchases):
        digest.update(repr(row).encode())
        count += 1
    database.close()
    return Findings(lines, devices, count, digest.hexdigest())


@dataclass
class Program:
    name: str
    kind: str  # mill, limit, c, python or shell
    start: list[str] = field(default_factory=list)  # the command, or its beginning

    def command(self, archive, database):
        return [*self.start, archive.path, archive.root, database, SCHEMA]

    def environment(self, archive):
        return {}

    def findings(self, archive, database, run):
        return ask(
            database,
            "SELECT count(*), ifnull(sum(device_match), 0) FROM receipt",
            "SELECT environment, bundle_id, transaction_id, product_id, substr(purchase_date, 1, 19) AS at"
            " FROM purchase ORDER BY environment, bundle_id, transaction_id",
        )

    def stages(self, run):
        return {}


@dataclass
class Mill(Program):
    jobs: int = 1

    def command(self, archive, database):
        options = ["--trust", archive.root, "--database", database, "--jobs", str(self.jobs), "--stats", "--quiet"]
        # The others work out nothing for reports.
        options.append("--no-refresh")
        return [*self.start, "ingest", archive.path, *options]

    def findings(self, archive, database, run):
        return ask(
            database,
            "SELECT count(*), ifnull(sum(device_check = 'match'), 0) FROM submissions"
            " WHERE verdict = 'trusted' AND archive = ?",
            "SELECT environment, bundle_id, transaction_id, product_id, substr(purchase_date, 1, 19) AS at"
            " FROM purchases ORDER BY environment, bundle_id, transaction_id",
            os.path.basename(archive.path),
        )

    def stages(self, run):
        """CPU microseconds per line, by stage, as --stats prints them."""
        found = re.findall(r"^(\w+) +[\d.]+ CPU s +[\d.]+ % +([\d.]+) us per line$", run.errors, re.MULTILINE)
        return {stage: float(microseconds) for stage, microseconds in found}

    @functools.cached_property
    def inflater(self):
        """isal if the binary is linked with ISA-L, else zlib."""
        listed = subprocess.run(["ldd", self.start[0]], capture_output=True, text=True, check=False).stdout
        return "isal" if "libisal" in listed else "zlib"


@dataclass
class Limit(Program):
    inflater: str = "zlib"
    threads: int = 1

    def command(self, archive, database):
        threads, inflater = f"threads={self.threads}", f"gz={self.inflater}"
        return [*self.start, archive.path, database, threads, *LIMIT_OPTIONS, inflater]

    def environment(self, archive):
        return {"ROOT_DER": archive.root_der}

    def findings(self, archive, database, run):
        found = ask(database, "SELECT count(*), NULL FROM receipt", "SELECT transaction_id FROM purchase")
        return Findings(found.verified, None, found.purchases, None)


class Loop(Program):
    def command(self, archive, database):
        return [*self.start, archive.path, archive.root]

    def findings(self, archive, database, run):
        return Findings(verified=int(re.search(r"(\d+) receipts verified", run.output)[1]))


def make_c(cache):
    """The guide in C, built with what cc there is."""
    built = os.path.join(cache, "guide")
    source = os.path.join(BASELINES, "guide.c")
    flags = ["-O2", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-o", built, source, "-lz", "-lcrypto", "-lsqlite3"]
    subprocess.run([os.environ.get("CC", "cc"), *flags], check=True)
    return Program("guide in C", "c", [built])


def make_python(cache, skip):
    """The guide in Python, in an environment of its own; None where its packages can't be had."""
    folder = os.path.join(cache, "venv")
    python = os.path.join(folder, "bin", "python")
    imports = [python, "-c", "import asn1crypto, cryptography"]
    if not os.path.exists(python) or subprocess.run(imports, capture_output=True, check=False).returncode:
        requirements = os.path.join(BASELINES, "requirements.txt")
        for command in (
            [sys.executable, "-m", "venv", "--clear", folder],
            [python, "-m", "pip", "install", "--quiet", "--requirement", requirements],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
                shutil.rmtree(folder, ignore_errors=True)
                skip(f"the guide in Python: its packages could not be installed: {' '.join(reason)}")
                return None
    return Program("guide in Python", "python", [python, os.path.join(BASELINES, "guide.py")])


def make_loop():
    return Loop("openssl in a loop", "shell", [os.path.join(BASELINES, "openssl-loop.sh")])


def make_limits(cache, sources, inflaters, skip):
    """The limit program, built outside of its folder; none where it is absent or does not build."""
    if not os.path.exists(os.path.join(sources, "limit.c")):
        skip(f"the limit: no limit.c in {os.path.relpath(sources)}")
        return []
    folder = os.path.join(cache, "limit")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(sources):
        if name == "Makefile" or name.endswith((".c", ".h")):
            copy = os.path.join(folder, name)
            if os.path.exists(copy):
                os.chmod(copy, 0o644)
            shutil.copy2(os.path.join(sources, name), copy)
    done = subprocess.run(["make", "-C", folder, "limit"], capture_output=True, text=True, check=False)
    if done.returncode:
        skip(f"the limit: it does not build (libisal-dev?): {done.stderr.strip().splitlines()[-1]}")
        return []
    return [Limit(f"limit, {one}", "limit", [os.path.join(folder, "limit")], one) for one in inflaters]
