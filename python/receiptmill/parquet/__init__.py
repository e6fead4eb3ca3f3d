"""Views and reports of a database as Parquet, for warehouses and for pandas."""

from .._extras import needs

needs("parquet", "pyarrow")

from .exporter import VIEWS
from .faults import Fault
from .tasks import export

__all__ = ["VIEWS", "Fault", "export"]
