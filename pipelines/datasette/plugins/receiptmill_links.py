"""The plugin of the package receiptmill out of the source tree, for `datasette serve --plugins-dir`."""

import sys
from importlib.metadata import entry_points
from pathlib import Path

# Where the package is installed, Datasette has found the plugin already.
if not any(one.name == "receiptmill-links" for one in entry_points(group="datasette")):
    sys.path[:0] = [str(Path(__file__).resolve().parents[3] / "python")]
    from receiptmill.datasette.links import *
