"""How much memory an engine takes on one machine."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# The part of a machine's memory that an engine takes unless it is told otherwise: others need memory, too.
PART = 1 / 2

# Files that limit the memory of a container or a service, by version of the interface.
LIMITS = [Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")]


def memory_of_machine() -> int:
    """Bytes of memory that the machine has, or that its container or service may take."""
    found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in LIMITS:
        with contextlib.suppress(OSError, ValueError):
            found = min(found, int(path.read_text()))
    return found
