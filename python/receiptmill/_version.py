"""The version of the package: that of the program, which is built of the same sources."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("receiptmill")
except PackageNotFoundError:  # Imported from the source tree.
    __version__ = "0+source"
