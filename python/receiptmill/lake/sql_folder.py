"""Where the statements of sql/ stand: inside an installed package, and beside it in the source tree, which has no copy."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "sql"

SQL = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parents[1] / "sql"
