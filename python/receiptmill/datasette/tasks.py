"""Datasette, started for a database."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from .._extras import needs
from .served import Name, metadata

# Reports take longer than Datasette's second, and have more rows than its thousand. It would count every column of a
# view for facets.
SETTINGS = {"sql_time_limit_ms": "10000", "max_returned_rows": "10000", "suggest_facets": "off"}


def serve(
    database: Name,
    *,
    port: int = 8001,
    receiptmill: Name | None = None,
    sql: Name | None = None,
    options: Sequence[str] = (),
) -> int:
    """Serves a database to browsers of this machine until this process is interrupted or terminated (SIGTERM).
    Datasette ends with this process. Returns Datasette's exit status.

    options      of `datasette serve`, such as ["--open"]
    receiptmill  the program that is asked for reports; where none is named, the one that came with this package
    sql          a folder of reports that go before those built in
    """
    needs("datasette", "datasette", "datasette_dashboards")
    with tempfile.TemporaryDirectory(prefix="receiptmill-") as folder:
        described = Path(folder, "metadata.json")
        described.write_text(json.dumps(metadata(database, receiptmill=receiptmill, sql=sql)))
        command = [sys.executable, "-m", "datasette", "serve", os.fspath(database), "--metadata", str(described)]
        for name, value in SETTINGS.items():
            command += ["--setting", name, value]
        command += [*plugins(), "--port", str(port), *options]
        return status_of(command)


def status_of(command: Sequence[str]) -> int:
    """Runs a program to its end. SIGTERM, by which systemd and containers end a service, is passed on to the program;
    otherwise only this process would end, and the program would continue to serve."""
    server = subprocess.Popen(command)
    # Only the main thread can handle signals.
    is_main = threading.current_thread() is threading.main_thread()
    former = signal.signal(signal.SIGTERM, lambda *_: server.terminate()) if is_main else None
    try:
        status = server.wait()
    except KeyboardInterrupt:
        # Ctrl-C reaches both processes; SIGINT to this process alone does not.
        server.terminate()
        server.wait()
        return 128 + signal.SIGINT
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, former)
    return 128 - status if status < 0 else status


def plugins() -> list[str]:
    """Options that name this package's plugin, where Datasette doesn't find it by itself: in the source tree."""
    from importlib.metadata import entry_points

    if any(one.name == "receiptmill-links" for one in entry_points(group="datasette")):
        return []
    return ["--plugins-dir", str(Path(__file__).resolve().parents[3] / "pipelines/datasette/plugins")]
