"""A night's job on a cluster of Spark's, which keeps a lake of Parquet, and views and reports over the lake.

Workers import modules of this folder, and have neither `deltalake` nor a driver: nothing is imported here but on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tasks import night, report, show

__all__ = ["night", "report", "show"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from .._extras import needs

        needs("spark", "pyspark", "deltalake", "pyarrow", "pandas")
        from . import tasks

        return getattr(tasks, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
