#!/usr/bin/env python3
"""Prints the graph of the package's targets, and compares the graph with its drawing.

The drawing is under "## Targets" of docs/architecture.md: layers, where imports go down or
along an arrow, and a table with a row for each target: `name` | imports | why the target
stands alone. Fails where drawing and package differ, where a target declares a module that
none of its files imports, and where a target reaches a forbidden module.
"""
import difflib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Modules that a target must not import, neither itself nor through other targets.
FORBIDDEN = {
    "MillSystem": {"GRDB", "COpenSSL", "Yams"},
    "MillBytes": {"COpenSSL", "GRDB", "MillSystem"},
    "MillJSON": {"COpenSSL", "GRDB", "MillSystem", "ReceiptFormat"},
    "ReceiptArchive": {"GRDB", "ReceiptTrust"},
    "MillDatabase": {"COpenSSL"},
    "ReceiptReports": {"COpenSSL", "ReceiptVerification", "ReceiptWarehouse", "MillRun"},
    "ReportHeaders": {"COpenSSL", "GRDB"},
    "ReceiptVerification": {"GRDB"},
    "DecodedLines": {"GRDB"},
    "ReceiptVerdicts": {"GRDB"},
    "ReceiptMillC": {"GRDB"},
    "ReceiptInspection": {"GRDB"},
    "MillConfiguration": {"ReceiptWarehouse", "MillRun"},
    "receiptmill": {"ReceiptMint"},
    # The minting program shares no code with the readers that its data tests.
    "MintCommand": {"MillSystem", "ReceiptFormat", "ReceiptSQL"},
}


def package():
    described = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return [target for target in json.loads(described.stdout)["targets"] if is_ours(target)]


def is_ours(target):
    return target["type"] in ("regular", "executable") and not (target.get("path") or "").startswith("Tests")


def imports(target):
    """Names of targets and products that a target declares."""
    return sorted(next(iter(dependency.values()))[0] for dependency in target["dependencies"])


def swift_files(target):
    folder = ROOT / (target.get("path") or f"Sources/{target['name']}")
    return [file for part in target.get("sources") or ["."] for file in sorted((folder / part).rglob("*.swift"))]


def section():
    page = (ROOT / "docs/architecture.md").read_text()
    return page.partition("\n## Targets\n")[2].partition("\n## ")[0]


def misdrawn(graph):
    """Imports that the layers don't show as going down."""
    layers = section().split("```")[1].removeprefix("text").strip().splitlines()
    layer = {name: depth for depth, line in enumerate(layers) for name in re.findall(r"\w+", line)}
    arrows = set(re.findall(r"(\w+) ▶ (\w+)", "\n".join(layers)))
    for name, imported in sorted(graph.items()):
        if name not in layer:
            if not re.match(r"C[A-Z]|EmbedSQL", name):
                yield f"{name} is in no layer of docs/architecture.md"
            continue
        for other in imported:
            if other in layer and layer[other] <= layer[name] and (name, other) not in arrows:
                yield f"{name} imports {other}, which docs/architecture.md does not draw below it"


def drawn():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| ", section(), re.MULTILINE)
    return {name: sorted(re.findall(r"`(\w+)`", cell)) for name, cell in rows}


def reached(name, graph):
    found, rest = set(), [name]
    while rest:
        new = set(graph.get(rest.pop(), ())) - found
        found |= new
        rest += new
    return found


def faults(targets, graph):
    for target in targets:
        name, texts = target["name"], [file.read_text() for file in swift_files(target)]
        if not texts:
            continue
        used = set(re.findall(r"^\s*(?:@?\w+ )*import (\w+)", "\n".join(texts), re.MULTILINE))
        for unused in sorted(set(graph[name]) - used):
            yield f"{name} declares {unused}, and no file of it imports that"
        # Imports of other packages' products are left out, because SwiftPM checks them.
        for undeclared in sorted(used & set(graph) - set(graph[name])):
            yield f"{name} imports {undeclared}, and does not declare it"
        for foreign in sorted(FORBIDDEN.get(name, set()) & reached(name, graph)):
            yield f"{name} reaches {foreign}, which it must not"


def main():
    targets = package()
    graph = {target["name"]: imports(target) for target in targets}
    text = lambda graph: [" ".join([f"{name}:", *graph[name]]) for name in sorted(graph)]
    print(*text(graph), sep="\n")
    found = [*faults(targets, graph), *misdrawn(graph)]
    found += difflib.unified_diff(text(drawn()), text(graph), "docs/architecture.md", "Package.swift", lineterm="")
    if found:
        print(*found, sep="\n", file=sys.stderr)
        sys.exit(1)


main()
