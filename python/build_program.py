"""Puts the program into a wheel, beside the commands of Python, and tags the wheel with the machines on which it runs.

RECEIPTMILL_BINARY names the program; `make wheel` builds one and says so. Without it, or with an empty value, the wheel
has Python alone and fits every machine: the commands then look for a program on the PATH.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What every Linux with the GNU C library has, by PEP 600.
EVERYWHERE = re.compile(r"(lib(c|m|dl|rt|pthread|util|nsl|resolv|gcc_s|stdc\+\+)|ld-linux-[\w-]+)\.so\.\d+")


class ProgramHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        named = os.environ.get("RECEIPTMILL_BINARY")
        if not named:
            return
        binary = Path(named).resolve()
        if not binary.is_file():
            raise FileNotFoundError(f"RECEIPTMILL_BINARY={named}: there is no such program; `make wheel` builds one")
        build_data["pure_python"] = False
        build_data["shared_scripts"] = {str(binary): "receiptmill"}
        built = [binary]
        # A library that the program looks for in lib/receiptmill beside its folder, where there is one.
        beside = os.environ.get("RECEIPTMILL_BESIDE")
        if beside:
            built.append(Path(beside).resolve())
            build_data["shared_data"] = {str(built[-1]): f"lib/receiptmill/{built[-1].name}"}
        # libreceiptmill, where there is one.
        library = os.environ.get("RECEIPTMILL_LIBRARY")
        if library:
            built.append(Path(library).resolve())
            build_data["force_include"][str(built[-1])] = "receiptmill/libreceiptmill.so"
        build_data["tag"] = f"py3-none-{platform_tag(built)}"


def platform_tag(built: Iterable[Path]) -> str:
    """manylinux_2_N where what is built needs libraries of every Linux alone, besides each other, N that of the C library
    whose symbols are needed; else linux, which a registry refuses."""
    built = list(built)
    told = "".join(objdump("-p", path) for path in built)
    needed = re.findall(r"^\s*NEEDED\s+(\S+)", told, re.MULTILINE)
    machine = platform.machine()
    brought = {path.name for path in built}
    foreign = [name for name in needed if not EVERYWHERE.fullmatch(name) and name not in brought]
    if foreign:
        print(f"{', '.join(foreign)} is needed: the wheel is for machines that have it", file=sys.stderr)
        return f"linux_{machine}"
    versions = re.findall(r"\bGLIBC_(\d+)\.(\d+)", told)
    if not versions:
        return f"linux_{machine}"
    major, minor = max((int(major), int(minor)) for major, minor in versions)
    return f"manylinux_{major}_{minor}_{machine}"


def objdump(option: str, binary: Path) -> str:
    return subprocess.run(["objdump", option, str(binary)], check=True, capture_output=True, text=True).stdout
