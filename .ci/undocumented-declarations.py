#!/usr/bin/env python3
"""Lists public declarations without a doc comment, and throwing ones whose
comment has no `- Throws:`, in the folders given (else in the library's
modules). Exits with 1 where there are any.

Reads Swift line by line, as `swift format` lays it out: a declaration begins
a line, and so does its doc comment.
"""
import pathlib
import re
import sys

FOLDERS = ["Sources/ReceiptFormat", "Sources/ReceiptTrust", "Sources/ReceiptVerdicts"]
DECLARATION = re.compile(
    r"\s*(?P<attributes>(?:@\w+(?:\([^()]*\))?\s+)*)(?P<modifiers>(?:[a-z]+(?:\(\w+\))?\s+)*?)"
    r"(?P<kind>func|var|let|init|subscript|struct|class|actor|enum|protocol|extension|case|typealias|associatedtype)\b")
ATTRIBUTE = re.compile(r"\s*(?:@\w+(?:\([^()]*\))?\s*)+$")
HAS_MEMBERS = {"struct", "class", "actor", "enum", "protocol", "extension"}


def without_literals(text):
    """Swift without comments and the contents of strings, line breaks kept."""
    literals = re.compile(r'"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return literals.sub(lambda found: '""' + "\n" * found.group().count("\n"), text)


def signature(lines, index):
    """A declaration without what stands in parentheses, up to its body or its end."""
    depth, kept = 0, ""
    for line in lines[index:]:
        for character in line:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0 and character in "{=":
                return kept
            kept += character if depth == 0 else ""
        if depth == 0 and not re.match(r"\s*(?:async|throws|rethrows|where|->)", (lines[index + 1:] or [""])[0]):
            return kept
        index += 1
    return kept


def is_public(found, scope):
    modifiers = found["modifiers"].split()
    if {"public", "open"} & set(modifiers):
        return True
    narrowed = {"private", "fileprivate", "internal", "package"} & set(modifiers)
    kind, public = scope
    if found["kind"] == "extension" or narrowed or not public:
        return False
    return kind in ("protocol", "extension") or (kind == "enum" and found["kind"] == "case")


def faults(path):
    original = path.read_text().splitlines()
    lines = without_literals("\n".join(original)).split("\n")
    scopes, opening, comment = [("file", False)], ("body", False), []
    for index, line in enumerate(lines):
        if original[index].lstrip().startswith("///"):
            comment.append(original[index])
            continue
        found = DECLARATION.match(line) if scopes[-1][0] in HAS_MEMBERS | {"file"} else None
        if found:
            public = is_public(found, scopes[-1])
            opening = (found["kind"], public)
            stated = f"{path}:{index + 1}: {original[index].strip()}"
            if public and found["kind"] != "extension":
                if not comment:
                    yield f"{stated}: no doc comment"
                elif re.search(r"\b(?:re)?throws\b", signature(lines, index)) and "Throws:" not in "".join(comment):
                    yield f"{stated}: no `- Throws:` in its doc comment"
        if not ATTRIBUTE.match(line):
            comment = []
        for character in line:
            if character == "{":
                scopes.append(opening)
                opening = ("body", False)
            elif character == "}":
                scopes.pop()
                if not scopes:
                    yield f"{path}:{index + 1}: a brace too many, so that nothing after it is checked"
                    return
    if len(scopes) != 1:
        yield f"{path}: a brace too few, so that not all is checked"


found = [fault for folder in sys.argv[1:] or FOLDERS
         for path in sorted(pathlib.Path(folder).rglob("*.swift")) for fault in faults(path)]
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
