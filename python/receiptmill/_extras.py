"""Packages of PyPI that a part of this package needs, and how they are installed."""

import importlib.util
import os
from pathlib import Path


class ExtraMissing(ModuleNotFoundError):
    """A part of the package needs an extra that was not installed."""


def needs(extra: str, *modules: str) -> None:
    """Says which extra brings a module that is missing; in the source tree, which list of requirements does. What no extra
    brings ("") is installed by its own name."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            listed = Path(__file__).resolve().parents[2] / "pipelines" / extra / "requirements.txt"
            named = f"'receiptmill[{extra}]'" if extra else module
            source = f"-r {os.path.relpath(listed)}" if listed.is_file() else named
            raise ExtraMissing(f"{module} is not installed; it comes with: pip install {source}", name=module)
