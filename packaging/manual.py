#!/usr/bin/env python3
"""Writes a man page for each command, from what the binary says of itself.

    manual.py BINARY FOLDER VERSION
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path


def escaped(text):
    """A text as roff reads it: no line is a request, a hyphen stays one."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """Paragraphs; those that are indented are examples, and stay as they are."""
    found = []
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        while lines and not lines[0].startswith("  "):
            found.append(".PP\n" + escaped(lines.pop(0)))
        if lines:
            found.append(".PP\n.nf\n.RS 4\n" + escaped("\n".join(line[2:] for line in lines)) + "\n.RE\n.fi")
    return found


def option(argument):
    names = ", ".join(("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", []))
    value = argument.get("valueName", "")
    if argument["kind"] == "positional":
        return f"<{value}>" + ("..." if argument["isRepeating"] else "")
    return names if argument["kind"] == "flag" else f"{names} <{value}>"


def joined(arguments):
    """Arguments with a flag and the one that takes it back as one, which they are to the reader: one text is said of both."""
    found = []
    for argument in arguments:
        names = [name["name"] for name in argument.get("names", [])]
        before = found[-1] if found else {"names": []}
        if any(f"no-{name['name']}" in names for name in before.get("names", [])):
            found[-1] = before | {"names": before["names"] + argument["names"]}
        else:
            found.append(argument)
    return found


def meaning(argument):
    """What an argument means, and what it is unless given, as the command's own help says."""
    text = argument.get("abstract", "")
    return f"{text} (default: {argument['defaultValue']})" if "defaultValue" in argument else text


def page(command, name, version, subcommands):
    shown = joined(argument for argument in command.get("arguments", []) if argument["shouldDisplay"])
    lines = [
        f'.TH {name.upper().replace(" ", "-")} 1 "" "ReceiptMill {version}"',
        ".SH NAME",
        escaped(f"{name.replace(' ', '-')} - {command.get('abstract', '')}"),
        ".SH SYNOPSIS",
        f".B {escaped(name)}",
    ]
    positional = [argument for argument in shown if argument["kind"] == "positional"]
    lines.append(escaped(" ".join([option(a) for a in positional] + ["[options]" if len(shown) > len(positional) else ""])))
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    if shown:
        lines.append(".SH OPTIONS")
        for argument in shown:
            lines += [".TP", f".B {escaped(option(argument))}", escaped(meaning(argument))]
    if subcommands:
        lines.append(".SH COMMANDS")
        for other in subcommands:
            lines += [".TP", f".BR {escaped(name)}\\-{escaped(other['commandName'])} (1)", escaped(other["abstract"])]
    else:
        lines += [".SH SEE ALSO", ".BR receiptmill (1)"]
    return "\n".join(line for line in lines if line) + "\n"


def main(binary, folder, version):
    help_of_all = subprocess.run([binary, "--experimental-dump-help"], capture_output=True, check=True).stdout
    root = json.loads(help_of_all)["command"]
    commands = [command for command in root["subcommands"] if command["commandName"] != "help"]
    pages = {"receiptmill": page(root, "receiptmill", version, commands)}
    for command in commands:
        name = command["commandName"]
        pages[f"receiptmill-{name}"] = page(command, f"receiptmill {name}", version, [])
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (Path(folder) / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


main(*sys.argv[1:])
