"""A database in a browser, by Datasette: reports as queries and as charts, columns described, cells that lead on."""

from .served import metadata
from .tasks import serve

__all__ = ["metadata", "serve"]
