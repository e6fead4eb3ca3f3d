#!/usr/bin/env python3
"""Opens the dashboards of the sample and of an empty database in a headless
Chromium, on a phone's width and a desk's, light and dark: nothing on the console,
every chart drawn, no label on another, nothing wider than the page, at most five screens of a desk and four sheets
of paper, the figures on the first screen.

    browser.py RECEIPTMILL CHROMIUM FOLDER

Screenshots and pages are left in the folder, to be looked at.
"""

import html
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPS = ["com.example.lumen:100:ios", "com.example.tideline:1.10:ios", "com.example.chord:2022.4.0.1765:ios",
        "com.example.lumen.mac:4.0:macos"]
WIDTHS = [375, 1280]
GREATEST = {"panels": 12, "height": 5 * 800, "sheets": 4}
SCHEMES = {"dark": ("0", "rgb(21, 25, 29)"), "light": ("1", "rgb(255, 255, 255)")}

# A window has a least width, a frame has none.
HARNESS = """<!doctype html><style>body{margin:0}iframe{border:0}</style>
<iframe src="PAGE" width="WIDTH" height="1000" onload="measure(this)"></iframe>
<pre id="measured" hidden></pre>
<script>
function measure(frame) {
    const page = frame.contentDocument, view = frame.contentWindow, faults = []
    const root = page.documentElement
    frame.height = root.scrollHeight
    if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`)
    let charts = 0, labels = 0
    for (const figure of page.querySelectorAll("figure")) {
        const shown = [...figure.querySelectorAll("svg")].filter(svg => svg.getBoundingClientRect().width > 0)
        if (shown.length !== 1) { faults.push(`a figure shows ${shown.length} charts`); continue }
        const svg = shown[0], name = svg.querySelector("title").textContent
        const marks = [...svg.querySelectorAll("rect:not(.field), path, circle")].map(mark => mark.getBoundingClientRect())
        if (!marks.some(box => box.width > 0 && box.height > 0)) faults.push(`${name}: nothing is drawn`)
        for (const id of svg.getAttribute("aria-labelledby").split(" "))
            if (page.querySelectorAll("#" + CSS.escape(id)).length !== 1) faults.push(`${name}: no one ${id}`)
        const texts = [...svg.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()])
        texts.forEach(([text, box], index) => {
            if (box.left < -1 || box.right > view.innerWidth + 1) faults.push(`${name}: ${text} leaves the page`)
            for (const [other, place] of texts.slice(index + 1)) {
                const across = Math.min(box.right, place.right) - Math.max(box.left, place.left)
                const down = Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top)
                if (across > 1 && down > 3) faults.push(`${name}: ${text} lies on ${other}`)
            }
        })
        charts += 1
        labels += texts.length
    }
    const field = [...page.querySelectorAll(".field")].find(one => one.getBoundingClientRect().width > 0)
    if (field) {
        const told = field.textContent, box = field.getBoundingClientRect()
        const at = {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2}
        field.dispatchEvent(new view.PointerEvent("pointermove", at))
        const tip = page.querySelector(".tip")
        if (!tip || tip.hidden || tip.textContent !== told) faults.push("a pointer shows no values")
        page.dispatchEvent(new view.Event("scroll"))
        if (tip && !tip.hidden) faults.push("values stay when the page scrolls")
    } else if (charts > 0) {
        faults.push("no chart has a field that shows its values")
    }
    const standing = page.querySelector(".standing").getBoundingClientRect()
    document.getElementById("measured").textContent = JSON.stringify(
        {faults, panels: page.querySelectorAll("article").length, first: standing.bottom, charts, labels, height: root.scrollHeight, paper: view.getComputedStyle(page.body).backgroundColor})
}
</script>
"""


def main(mill, chromium, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.sqlite*"):
        old.unlink()
    sample, empty = folder / "sample.sqlite", folder / "empty.sqlite"
    (folder / "empty.jsonl").write_text("")
    root = ["--trust", ROOT / "data-samples/root.pem", "--quiet"]
    run(mill, "ingest", ROOT / "data-samples/receipts-001.jsonl.gz", "--database", sample, *root,
        *[part for app in APPS for part in ("--app", app)])
    run(mill, "ingest", folder / "empty.jsonl", "--database", empty, *root)

    faults = []
    for database in (sample, empty):
        page = folder / f"{database.stem}.html"
        run(mill, "report", "--html-dashboard", page, "--database", database)
        figures = page.read_text().count("<figure")
        if (figures > 0) != (database == sample):
            faults.append(f"{page.name}: {figures} charts")
        for width in WIDTHS:
            for scheme, (setting, paper) in SCHEMES.items():
                name = f"{database.stem}-{width}-{scheme}"
                harness = folder / f"{name}.harness.html"
                harness.write_text(HARNESS.replace("PAGE", page.name).replace("WIDTH", str(width)))
                found = measure(chromium, harness, setting)
                if found is None:
                    faults.append(f"{name}: the page did not load")
                    continue
                faults += [f"{name}: {fault}" for fault in found["faults"]]
                if found["charts"] != figures:
                    faults.append(f"{name}: {found['charts']} charts of {figures}")
                if found["panels"] > GREATEST["panels"]:
                    faults.append(f"{name}: {found['panels']} panels")
                if width == 1280 and (found["height"] > GREATEST["height"] or found["first"] > 800):
                    faults.append(f"{name}: {found['height']} high, and the figures end at {found['first']}")
                if found["paper"] != paper:
                    faults.append(f"{name}: the paper is {found['paper']}")
                picture = folder / f"{name}.png"
                open_page(chromium, harness, setting, f"--screenshot={picture}",
                          f"--window-size={max(width, 500)},{found['height']}")
                print(f"{name}: {found['charts']} charts, {found['labels']} labels, {picture}")
        # Tables are not printed, opened or not.
        opened = folder / f"{database.stem}-opened.html"
        opened.write_text(page.read_text().replace("<details>", "<details open>"))
        pages = [printed(chromium, file) for file in (page, opened)]
        print(f"{database.stem}: {pages[0]} pages in print")
        if pages[0] > GREATEST["sheets"]:
            faults.append(f"{page.name}: {pages[0]} pages in print")
        if pages[0] != pages[1]:
            faults.append(f"{page.name}: {pages[0]} pages in print, {pages[1]} with its tables open")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def measure(chromium, harness, scheme):
    answer = open_page(chromium, harness, scheme, "--dump-dom", "--window-size=1400,1000")
    consoles = [line for line in answer.stderr.splitlines() if "CONSOLE" in line]
    text = re.search(r'<pre id="measured"[^>]*>(.+?)</pre>', answer.stdout, re.DOTALL)
    if text is None:
        return None
    found = json.loads(html.unescape(text[1]))
    found["faults"] += consoles
    return found


def printed(chromium, page):
    """How many pages a file has on paper."""
    paper = page.with_suffix(".pdf")
    open_page(chromium, page, "1", "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    return len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))


def open_page(chromium, harness, scheme, *options):
    # Root, as in containers, can't be kept in a sandbox.
    return run(
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--v=0",
        "--allow-file-access-from-files", "--virtual-time-budget=5000",
        f"--blink-settings=preferredColorScheme={scheme}", *options, harness.resolve().as_uri())


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, timeout=120)


sys.exit(main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])))
