#!/usr/bin/env python3
"""Draws the pictures of README out of what the program really prints: docs/pictures/terminal.svg has the commands of the
first block under README's heading "Tour" with their output, docs/pictures/dashboard.png is the dashboard that the tour
makes, photographed by a headless Chromium.

    pictures.py MILL CHROMIUM    draws both
    pictures.py MILL --check     says where the terminal's picture is not what the program prints now

What differs from run to run, the numbers on lines that speak of seconds, and times such as 0.3 s, is not compared.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs/pictures"
TERMINAL, DASHBOARD = PICTURES / "terminal.svg", PICTURES / "dashboard.png"
SIZE = "1200,900"  # of the dashboard's picture: its figures and first charts
GLYPH, LINE, MARGIN = 7.8, 18, 16  # pixels that a character and a line take at a size of 13, and around them
STYLE = """text { font: 13px "DejaVu Sans Mono", "Menlo", "Consolas", monospace; fill: #d7dde3; white-space: pre }
.command { fill: #ffffff; font-weight: bold }"""


def tour():
    """The commands under README's heading, block by block; a command's lines stay as they are."""
    _, _, section = (ROOT / "README.md").read_text().partition("\n## Tour\n")
    section = section.partition("\n## ")[0]
    blocks = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit("README.md has no block of commands under the heading Tour")
    # A command ends with the first line that no backslash continues.
    return [re.findall(r"(?:.*\\\n)*.+\n", block) for block in blocks]


def run(mill, folder, command):
    path = os.pathsep.join([str(mill.parent), os.environ["PATH"]])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=os.environ | {"PATH": path, "COLUMNS": "120"}, check=False)
    if done.returncode:
        sys.exit(f"{command}ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def screen(mill, folder):
    """The lines of the picture, each with whether it is a command's."""
    lines = []
    for command in tour()[0]:
        typed = command.rstrip("\n").split("\n")
        lines += [(True, f"$ {typed[0]}"), *((True, line) for line in typed[1:])]
        lines += [(False, line.rstrip()) for line in run(mill, folder, command).rstrip("\n").split("\n")]
        lines.append((False, ""))
    return lines[:-1]


def drawn(lines):
    width = round(max(len(text) for _, text in lines) * GLYPH + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    rows = "".join(
        f'<text{" class=" + chr(34) + "command" + chr(34) if typed else ""} x="{MARGIN}" y="{MARGIN + (row + 0.75) * LINE:g}"'
        f' xml:space="preserve">{escape(text)}</text>\n'
        for row, (typed, text) in enumerate(lines))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
            f"<title>A terminal with the first commands of the tour, and what they print</title>\n<style>{STYLE}</style>\n"
            f'<rect width="{width}" height="{height}" rx="8" fill="#1c2127"/>\n{rows}</svg>\n')


def compared(text):
    return re.sub(r"[\d.]+", "0", text) if "second" in text else re.sub(r"\d+\.\d s\b", "0 s", text)


def check(lines):
    texts = ElementTree.parse(TERMINAL).iter("{http://www.w3.org/2000/svg}text")
    shown = [compared(one.text or "") for one in texts]
    difference = list(difflib.unified_diff(
        shown, [compared(text) for _, text in lines], str(TERMINAL.relative_to(ROOT)), "what is printed now", lineterm=""))
    if difference:
        print(*difference, "README's picture of a terminal is out of date: make pictures", sep="\n", file=sys.stderr)
        sys.exit(1)
    print("README's picture of a terminal shows what the program prints")


def photograph(mill, chromium, folder):
    """The dashboard of the tour's other blocks, in which one command makes it."""
    made = [command for block in tour() for command in block if "--html-dashboard" in command]
    if len(made) != 1:
        sys.exit(f"{len(made)} commands of README's tour make a dashboard, one should")
    run(mill, folder, made[0])
    (page,) = folder.glob("*.html")
    subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1", f"--window-size={SIZE}",
         f"--screenshot={DASHBOARD}", page.as_uri()], check=True, timeout=120, stderr=subprocess.DEVNULL)


def main(mill, word):
    with tempfile.TemporaryDirectory(prefix="receiptmill-pictures-") as name:
        folder = Path(name)
        (folder / "data-samples").symlink_to(ROOT / "data-samples")
        lines = screen(mill, folder)
        if word == "--check":
            return check(lines)
        PICTURES.mkdir(exist_ok=True)
        TERMINAL.write_text(drawn(lines))
        photograph(mill, word, folder)
    print(*(f"{file.relative_to(ROOT)}: {file.stat().st_size} bytes" for file in (TERMINAL, DASHBOARD)), sep="\n")


main(Path(sys.argv[1]).resolve(), sys.argv[2])
