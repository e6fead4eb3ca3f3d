"""A Datasette that receiptmill-datasette has started ends together with it.

    test_serving.py RECEIPTMILL DATABASE

Run by `make test-datasette` with a Python that has Datasette.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MILL, DATABASE = (os.path.abspath(word) for word in sys.argv[1:3])
SECONDS = 60


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/versions.json", timeout=5) as page:
            return bool(page.status == 200)
    except OSError:
        return False


class Serving(unittest.TestCase):
    def test_ends_when_it_is_told_to(self) -> None:
        # SIGINT comes to all processes of a terminal, or to this one alone from a container that stops.
        for number, is_of_all in ((signal.SIGTERM, False), (signal.SIGINT, True), (signal.SIGINT, False)):
            port = free_port()
            program = "import sys; from receiptmill._commands import datasette; sys.exit(datasette(sys.argv[1:]))"
            words = ["serve", DATABASE, "--receiptmill", MILL, "--port", str(port)]
            environment = os.environ | {"PYTHONPATH": str(ROOT / "python"), "PATH": f"{Path(MILL).parent}:{os.environ['PATH']}"}
            # A session of its own: Ctrl-C is sent to all its processes, as from a terminal.
            with subprocess.Popen(
                [sys.executable, "-c", program, *words], env=environment, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            ) as served:
                try:
                    deadline = time.monotonic() + SECONDS
                    while not answers(port):
                        self.assertIsNone(served.poll(), "Datasette did not start")
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.2)
                    if is_of_all:
                        os.killpg(served.pid, number)
                    else:
                        served.send_signal(number)
                    status = served.wait(SECONDS)
                    self.assertFalse(answers(port), "Datasette serves on")
                    self.assertEqual(status, 128 + number)
                finally:
                    try:
                        os.killpg(served.pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
