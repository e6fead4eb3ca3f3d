"""Archives to compare engines on: minted ones with every defect, odd ones, report files of the store with the archives
that they tell of, real receipts where there are any."""

import gzip
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import documents

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data-samples"

APPS = [
    "com.example.lumen:100:ios",
    "com.example.tideline:1.10:ios",
    "com.example.chord:2022.4.0.1765:ios",
    "com.example.lumen.mac:4.0:macos",
]


@dataclass
class ArchiveDecision:
    """Two nights' archives, how they are to be trusted, and report files of the store."""

    first: list
    second: list
    roots: list
    report_files: list

    @property
    def trust(self):
        return [word for root in ["apple", *self.roots] for word in ("--trust", str(root))]

    @property
    def archives(self):
        return self.first + self.second


def make(mill, folder, count, corpus=None):
    """Mints and arranges. The sample has every kind of defect; the minted archives are another store's."""
    mint = os.environ.get("MINT") or Path(mill).with_name("receiptmint")
    minted = folder / "minted"
    command = [mint, "--output", minted, "--count", str(count), "--archives", "3", "--seed", "31"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    signed = folder / "signed"
    command = [mint, "--output", signed, "--count", str(count), "--archives", "2", "--seed", "32", "--signed", "1"]
    command += ["--of-2026", "0.5"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    books = folder / "books"
    command = [mint, "--output", books, "--count", str(count // 2), "--seed", "33", "--signed", "1", "--clean"]
    subprocess.run([*command, "--store-reports"], check=True, stdout=subprocess.DEVNULL)
    store = documents.Store(folder / "store")
    roots = [SAMPLES / "root.pem", minted / "root.pem", signed / "root.pem", books / "root.pem", store.root]
    intake = ArchiveDecision([], [], roots, sorted((books / "store-reports").iterdir()))
    archives = sorted(minted.glob("*.jsonl.gz"))
    night = folder / "intake"
    night.mkdir()
    sample = SAMPLES / "receipts-001.jsonl.gz"
    intake.first = [placed(night / "sample.jsonl.gz", sample.read_bytes())]
    for archive in archives[:2]:
        intake.first.append(placed(night / f"minted-{archive.name}", archive.read_bytes()))
    # The lines of the first archive once more, plain and in another order: nothing may depend on either.
    lines = gzip.decompress(archives[0].read_bytes()).splitlines(keepends=True)
    intake.second = [
        placed(night / f"minted-{archives[2].name}", archives[2].read_bytes()),
        placed(night / "again.jsonl", b"".join(reversed(lines))),
        placed(night / "damaged.jsonl.gz", archives[2].read_bytes()[: archives[2].stat().st_size // 2]),
    ]
    first, second = sorted(signed.glob("*.jsonl.gz"))
    intake.first.append(placed(night / f"signed-{first.name}", first.read_bytes()))
    intake.second.append(placed(night / f"signed-{second.name}", second.read_bytes()))
    (booked,) = books.glob("*.jsonl.gz")
    intake.second.append(placed(night / f"books-{booked.name}", booked.read_bytes()))
    intake.second.append(placed(night / "several.jsonl", b"".join(several(second, sample))))
    intake.second.append(placed(night / "documents-of-2026.jsonl", b"".join(documents.lines(store))))
    if corpus:
        intake.second.append(placed(night / "corpus.jsonl", b"".join(real_lines(corpus))))
    return intake


def placed(path, content):
    path.write_bytes(content)
    return path


def several(signed, receipts):
    """Lines of several documents, some of which can't be read: those of a signed archive, with receipts beside them."""
    beside = readable(gzip.decompress(receipts.read_bytes()))
    for number, (line, other) in enumerate(zip(readable(gzip.decompress(signed.read_bytes())), beside)):
        line |= {"latest_receipt": other.get("receipt") if number % 3 else "no receipt"}
        if number % 5 == 0:
            line |= {"jws": "a.b.c", "signedTransactions": ["d.e.f", line.get("receipt", "g.h.i")]}
        if number % 4 == 1:
            # As a server logs requests; the others have their documents under a key of several stores.
            line = {"body": json.dumps(line), "response": [{"token": other.get("receipt"), "user_id": "in a list"}]}
        yield json.dumps(line).encode() + b"\n"


def readable(lines):
    """The objects among the lines."""
    for line in lines.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def real_lines(corpus):
    """A line for each real receipt, by the device that it was made for where that is known."""
    for path in sorted(corpus.rglob("*.b64")):
        expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text())
        line = {"receipt": "".join(path.read_text().split()), "account_id": f"owner of {path.stem}"}
        if expected.get("device_id_hex"):
            line["device_id"] = expected["device_id_hex"]
        yield json.dumps(line).encode() + b"\n"
