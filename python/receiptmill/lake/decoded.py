"""The line that `receiptmill decode` writes, as a type of columns: that of docs/decode-format.schema.json."""

from __future__ import annotations

import json
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

# A type: its name, a structure of named types, or a list of one.
Kind = Any

# Versions that are read. The first has one receipt in a line, and no signed data.
SCHEMAS = (1, 2)

TEXT, NUMBER, REAL, TRUTH = "STRING", "BIGINT", "DOUBLE", "BOOLEAN"

SCHEMA_FILE = "decode-format.schema.json"


def schema_text() -> bytes:
    """The schema: in the package where it is installed, or in the zip file of Spark's tasks; in docs/ of the source tree."""
    try:
        found = pkgutil.get_data(__package__.partition(".")[0], SCHEMA_FILE)
    except OSError:
        found = None
    return found or (Path(__file__).resolve().parents[3] / "docs" / SCHEMA_FILE).read_bytes()


_SCHEMA = json.loads(schema_text())

# Members that no table has: the views read settings, and of a rejected line nothing is loaded.
UNREAD = {"app_check", "pseudonym_key"}
UNREAD_OF_REJECTIONS = {"octets"}


def kind_of(part: Any, without: set[str] = UNREAD) -> Kind:
    """The type of a part of the schema. A value of a closed list has the type of the list's values."""
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/$defs/")
        return kind_of(_SCHEMA["$defs"][name], UNREAD_OF_REJECTIONS if name == "rejection" else UNREAD)
    if "properties" in part:
        return {name: kind_of(value) for name, value in part["properties"].items() if name not in without}
    if "items" in part:
        return [kind_of(part["items"])]
    if "type" in part:
        return {"string": TEXT, "boolean": TRUTH, "integer": NUMBER, "number": REAL}[part["type"]]
    value = part["const"] if "const" in part else part["enum"][0]
    return {str: TEXT, bool: TRUTH, int: NUMBER}[type(value)]


# Lines of archives given by name say which.
LINE = kind_of(_SCHEMA)
ANSWER = {name: kind for name, kind in LINE.items() if name not in ("archive", "line", "last")}


def duckdb_type(kind: Kind) -> str:
    if isinstance(kind, dict):
        return "STRUCT(" + ", ".join(f'"{name}" {duckdb_type(part)}' for name, part in kind.items()) + ")"
    if isinstance(kind, list):
        return duckdb_type(kind[0]) + "[]"
    return "VARCHAR" if kind == TEXT else str(kind)


def spark_type(kind: Kind) -> str:
    if isinstance(kind, dict):
        return "STRUCT<" + ", ".join(f"`{name}`: {spark_type(part)}" for name, part in kind.items()) + ">"
    if isinstance(kind, list):
        return f"ARRAY<{spark_type(kind[0])}>"
    return str(kind)


def arrow_type(kind: Kind) -> pyarrow.DataType:
    import pyarrow

    if isinstance(kind, dict):
        return pyarrow.struct([(name, arrow_type(part)) for name, part in kind.items()])
    if isinstance(kind, list):
        return pyarrow.list_(arrow_type(kind[0]))
    return {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), REAL: pyarrow.float64(), TRUTH: pyarrow.bool_()}[kind]
