"""Views and reports on DuckDB, for one large machine or to look into a lake without a cluster."""

from .._extras import needs

needs("duckdb", "duckdb")

from ..lake.reports import NoReport
from .tasks import build, connect, report
from .warehouse import BadBuild, BadInput, Warehouse

__all__ = ["BadBuild", "BadInput", "NoReport", "Warehouse", "build", "connect", "report"]
