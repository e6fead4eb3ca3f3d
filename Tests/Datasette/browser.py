#!/usr/bin/env python3
"""Opens Datasette's dashboards in a headless Chromium and follows their links: every
chart of the topics draws marks or says why not, nothing on the console but what Vega
always says, and from a bar of signals one comes to its rows, to the lines that show
them, to an account's case and on to another's.

    browser.py RECEIPTMILL DATABASE CHROMIUM FOLDER

Screenshots are left in the folder. Run by `make test-datasette`.
"""

import html
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETTINGS = ["sql_time_limit_ms", "10000", "max_returned_rows", "10000", "suggest_facets", "off"]
# Vega's own: the plugin names an older version of its language.
USUAL = ["input spec uses Vega-Lite", "Symbol legend count exceeds limit"]


def main(mill, database, chromium, folder):
    folder.mkdir(parents=True, exist_ok=True)
    metadata = folder / "metadata.json"
    with metadata.open("w") as file:
        subprocess.run([ROOT / "pipelines/datasette/metadata.py", database, "--receiptmill", mill], check=True, stdout=file)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [pathlib.Path(sys.executable).with_name("datasette"), "serve", database, "--metadata", metadata,
               "--plugins-dir", ROOT / "pipelines/datasette/plugins", "--port", port]
    for name, value in zip(SETTINGS[::2], SETTINGS[1::2]):
        command += ["--setting", name, value]
    with (folder / "datasette.log").open("w") as log:
        server = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log)
    try:
        return Visit(f"http://127.0.0.1:{port}", database.stem, chromium, folder).run(json.loads(metadata.read_text()))
    finally:
        server.terminate()


class Visit:
    def __init__(self, host, name, chromium, folder):
        self.host, self.name, self.chromium, self.folder = host, name, chromium, folder
        self.faults = []

    def run(self, metadata):
        self.wait()
        dashboards = metadata["plugins"]["datasette-dashboards"]
        drawn = sum(self.dashboard(topic, dashboard) for topic, dashboard in dashboards.items())
        if drawn == 0:
            self.faults.append("no chart was drawn")
        self.filters(dashboards["refunds"])
        self.follow()
        for fault in self.faults:
            print(fault, file=sys.stderr)
        charts = sum(len(dashboard["charts"]) for dashboard in dashboards.values())
        print(f"{len(dashboards)} dashboards, {drawn} of {charts} charts drawn, {len(self.faults)} faults, "
              f"screenshots in {self.folder}")
        return 1 if self.faults else 0

    def dashboard(self, topic, dashboard):
        page = self.opened(f"/-/dashboards/{topic}", topic)
        drawn = 0
        for name in dashboard["charts"]:
            card = re.search(rf'<div id="chart-{name}".*?(?=<div id="card-|<script)', page, re.DOTALL)
            card = card[0] if card else ""
            if dashboard["charts"][name]["library"] == "metric":
                if not re.search(r"<p[^>]*>[^<]*(?: in \d{4}-\d\d|not known yet)</p>", card):
                    self.faults.append(f"{topic}: {name} has no figure: {words(card)[-200:]}")
                continue
            marks = re.findall(r'aria-roledescription="(?:bar|point|rect mark|line mark|area mark|symbol|circle)"', card)
            if "No rows." in card:
                continue
            if not marks:
                self.faults.append(f"{topic}: {name} has neither marks nor a word why: {words(card)[-200:]}")
                continue
            if not self.links(card, ""):
                self.faults.append(f"{topic}: {name} leads nowhere")
            drawn += 1
        return drawn

    def filters(self, dashboard):
        """An app that is chosen is the only one that is drawn, and stands in the links."""
        page = self.opened("/-/dashboards/refunds?bundle=com.example.lumen&from=2021-01-01", "refunds-filtered")
        panels = set(re.findall(r"com\.example\.\w+", " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", page))))
        if panels != {"com.example.lumen"}:
            self.faults.append(f"chosen com.example.lumen, drawn {sorted(panels)}")
        links = self.links(page, "refunds?")
        if not links or not all("bundle=com.example.lumen" in link and "from=2021-01&" in link for link in links):
            self.faults.append("links of a filtered chart lose the filter")

    def follow(self):
        """From a bar to its rows, to the lines behind them, to a case, to another case."""
        page = self.opened("/-/dashboards/fraud", "fraud")
        links = self.links(page, "fraud-signals?")
        high = [link for link in links if "severity=high" in link and "signal=shared" in link]
        if not high:
            return self.faults.append("no bar of shared signals at high severity to click on")
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(high[0]).query)
        rows = self.rows(high[0])
        expected = {"signal": asked["signal"][0], "severity": "high", "bundle_id": asked["bundle"][0]}
        if len(rows) != 1 or any(rows[0][key] != value for key, value in expected.items()):
            self.faults.append(f"{high[0]} leads to {rows}")
        lines = self.link(self.opened(high[0], "rows"), "fraud_signals")
        lines = lines and self.opened(lines, "lines")
        case = lines and self.link(lines, "fraud-case")
        other = case and self.link(self.opened(case, "case"), "fraud-case", case)
        if not other:
            return self.faults.append("no way from the rows of a bar to a case, and on to another")
        if not self.rows(other):
            self.faults.append(f"{other} has no rows")

    def links(self, markup, target):
        """Where marks lead: Vega follows a link on a click, and reads it out in its label."""
        labels = [html.unescape(label) for label in re.findall(r'aria-label="([^"]*)"', markup)]
        return [link[1] for label in labels if (link := re.search(rf"link: (/{self.name}/{re.escape(target)}\S*)", label))]

    def link(self, page, target, but=None):
        links = [html.unescape(link) for link in re.findall(rf'<td[^>]*><a href="(/{self.name}/{target}\?[^"]*)"', page)]
        return next((link for link in links if link != but), None)

    def rows(self, path):
        path, _, query = path.partition("?")
        with urllib.request.urlopen(f"{self.host}{path}.json?{query}&_shape=array") as answer:
            return json.load(answer)

    def opened(self, path, picture):
        """The page as the browser has it once its scripts are done."""
        command = [self.chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                   "--v=0", "--virtual-time-budget=20000", "--window-size=1300,2400", "--dump-dom",
                   f"--screenshot={self.folder / picture}.png", self.host + path]
        seen = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
        self.faults += [f"{path}: {line}" for line in seen.stderr.splitlines()
                        if "CONSOLE" in line and not any(usual in line for usual in USUAL)]
        return seen.stdout

    def wait(self):
        for _ in range(600):
            try:
                urllib.request.urlopen(self.host + "/-/versions.json").close()
                return
            except OSError:
                time.sleep(0.2)
        sys.exit("Datasette does not answer")


def words(markup):
    return re.sub(r"<[^>]+>", " ", markup)


sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])))
