"""The archives to measure on, minted once and kept.

`receiptmint` makes the lines. From them come archives of one form that
every program reads, limit and baselines included, which know neither other
keys nor absent accounts: {"receipt", "device_id", "user_id", "received_at"}.
"""

import gzip
import hashlib
import itertools
import multiprocessing
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from measure import Failed

# Part of the folder's name: change it with what the archives hold.
FORM = 1

LINE = re.compile(
    rb'\{"receipt":"((?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]{2})","device_id":"([^"\\]+)",'
    rb'"account_id":"([^"\\]+)","submitted_at":"([^"\\]+)"\}\n'
)
# Of minted lines, about two thirds are of this form and not repetitions.
MINTED_FOR_EACH = 1.8

LINES_PER_MEMBER = 1000
COPIES = 20
SHARE_KNOWN = 0.95
LINES_OF_LOOP = 200


@dataclass
class Archive:
    path: str
    root: str
    lines: int

    @property
    def root_der(self):
        return os.path.splitext(self.root)[0] + ".der"


def distinct(minted):
    """Lines in the one form, each receipt once."""
    seen = set()
    with gzip.open(minted, "rb") as lines:
        for line in lines:
            match = LINE.fullmatch(line)
            if not match:
                continue
            digest = hashlib.sha256(match[1]).digest()
            if digest not in seen:
                seen.add(digest)
                yield b'{"receipt":"%s","device_id":"%s","user_id":"%s","received_at":"%s"}\n' % match.groups()


def read(path):
    with gzip.open(path, "rb") as lines:
        yield from lines


def write(path, lines, lines_per_member=None):
    """Writes lines as a gzip file of one member, or of many, and beside it their number."""
    count = 0
    with open(path + ".part", "wb") as file:
        lines = iter(lines)
        while first := next(lines, None):
            member = itertools.chain([first], itertools.islice(lines, lines_per_member and lines_per_member - 1))
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as compressed:
                for line in member:
                    compressed.write(line)
                    count += 1
    with open(path + ".count", "w", encoding="ascii") as file:
        file.write(str(count))
    os.rename(path + ".part", path)


def counted(path):
    with open(path + ".count", encoding="ascii") as file:
        return int(file.read())


def most_purchases(plain, share=0.1):
    """The share of lines with the largest receipts; purchases are what makes them large."""
    sizes = sorted((len(line) for line in read(plain)), reverse=True)
    least = sizes[max(0, int(len(sizes) * share) - 1)]
    return (line for line in read(plain) if len(line) >= least)


def repeated(plain, count):
    """As many lines from a twentieth of the receipts, all of them in turn."""
    few = list(itertools.islice(read(plain), max(1, count // COPIES)))
    return itertools.islice(itertools.cycle(few), count)


# The program that makes test data; `make build-mint` builds it.
MINT = os.environ.get("MINT") or os.path.join(os.path.dirname(__file__), "..", ".build", "release", "receiptmint")


def prepare(folder, digest, count, seed):
    """Mints and arranges; in a process of its own, so that its memory is not taken for a program's."""
    minted = os.path.join(folder, "minted")
    command = [MINT, "--output", minted, "--force", "--clean", "--digest", digest]
    command += ["--count", str(int(count * MINTED_FOR_EACH) + 50), "--seed", str(seed)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(os.path.join(minted, "root.pem"), folder)
    to_der = ["openssl", "x509", "-in", f"{folder}/root.pem", "-outform", "DER", "-out", f"{folder}/root.der"]
    subprocess.run(to_der, check=True)
    path = os.path.join(minted, "distinct.gz")
    write(path, itertools.islice(distinct(os.path.join(minted, "receipts-001.jsonl.gz")), count))
    if (found := counted(path)) < count:
        raise SystemExit(f"receiptmint gave {found} receipts of use instead of {count}: raise MINTED_FOR_EACH")
    os.rename(path + ".count", os.path.join(folder, "plain.jsonl.gz.count"))
    os.rename(path, os.path.join(folder, "plain.jsonl.gz"))
    shutil.rmtree(minted)


ARRANGED = {
    "many-purchases": lambda plain, count: most_purchases(plain),
    "duplicates": repeated,
    "members": lambda plain, count: read(plain),
    "known": lambda plain, count: itertools.islice(read(plain), int(count * SHARE_KNOWN)),
    "loop": lambda plain, count: itertools.islice(read(plain), LINES_OF_LOOP),
    "one": lambda plain, count: itertools.islice(read(plain), 1),
}


def arrange(path, plain, name, count):
    write(path, ARRANGED[name](plain, count), LINES_PER_MEMBER if name == "members" else None)


def apart(function, *arguments):
    process = multiprocessing.get_context("fork").Process(target=function, args=arguments)
    process.start()
    process.join()
    if process.exitcode != 0:
        raise Failed(f"the archives could not be prepared ({function.__name__})")


class Archives:
    """Archives of one count and seed, made when first asked for."""

    def __init__(self, cache, count, seed):
        self.cache, self.count, self.seed = cache, count, seed

    def get(self, name, digest="sha256"):
        folder = os.path.join(self.cache, "archives", f"{FORM}-{digest}-{self.count}-{self.seed}")
        plain = os.path.join(folder, "plain.jsonl.gz")
        if not os.path.exists(plain):
            print(f"minting {self.count} receipts ({digest})", flush=True)
            os.makedirs(folder, exist_ok=True)
            apart(prepare, folder, digest, self.count, self.seed)
        path = os.path.join(folder, f"{name}.jsonl.gz")
        if not os.path.exists(path):
            apart(arrange, path, plain, name, self.count)
        return Archive(path, os.path.join(folder, "root.pem"), counted(path))
