"""Packages of PyPI that a part of this package needs, and how they are installed."""

import importlib.util


class ExtraMissing(ModuleNotFoundError):
    """A part of the package needs an extra that was not installed."""


def needs(extra: str, *modules: str) -> None:
    """Says which extra brings a module that is missing."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise ExtraMissing(
                f"{module} is not installed; it comes with: pip install 'receiptmill[{extra}]'", name=module
            )
