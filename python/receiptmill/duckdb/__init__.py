"""Views and reports on DuckDB, for one large machine or to look into a lake without a cluster."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..lake.reports import NoReport

if TYPE_CHECKING:
    from .resources import OutOfSpace, Resources
    from .tasks import build, connect, report
    from .warehouse import BadBuild, BadInput, Warehouse

MODULES = {"OutOfSpace": "resources", "Resources": "resources"} | dict.fromkeys(["build", "connect", "report"], "tasks")
__all__ = ["BadBuild", "BadInput", "NoReport", "OutOfSpace", "Resources", "Warehouse", "build", "connect", "report"]


# The command's help is there without DuckDB, which is imported for what is first named.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .._extras import needs

    needs("duckdb", "duckdb")
    return getattr(importlib.import_module(f".{MODULES.get(name, 'warehouse')}", __name__), name)
