"""Views and reports of a database as Parquet, for warehouses and for pandas."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .faults import Fault

if TYPE_CHECKING:
    from .exporter import VIEWS
    from .tasks import export

__all__ = ["VIEWS", "Fault", "export"]


# The command's help is there without pyarrow, which is imported for what is first named.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .._extras import needs

    needs("parquet", "pyarrow")
    return getattr(importlib.import_module(f".{'tasks' if name == 'export' else 'exporter'}", __name__), name)
