"""CSV fields as `receiptmill report --format csv` writes them, by the rules of the program's SpreadsheetText and
TerminalText. Strangers choose accounts and devices, and people open such files in terminals and spreadsheets."""

import unicodedata
from collections.abc import Iterable

# Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties: characters that fonts do not draw.
_IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]
# `=`, `+`, `-` and `@`, each also in its wide and its small form, and the minus sign.
_FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"


class Amount(str):
    """Decimal text of an amount of money. Its minus sign is no formula and stays as it is."""


def _is_ignorable(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _IGNORABLE)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Zl", "Zp") or _is_ignorable(character)


def _is_unseen(character: str) -> bool:
    return (character.isspace() or _is_ignorable(character)
            or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cn") or character == "\u2800")


def _may_run(text: str) -> bool:
    """Whether a spreadsheet may evaluate a text as a formula."""
    first = next((character for character in text if not _is_unseen(character)), None)
    return first is not None and (first in _FORMULA or text[0] in "\t\r")


def _harmless(text: str) -> str:
    """A text whose control and invisible characters are escaped, except line ends and tabs."""
    shown = []
    for place, character in enumerate(text):
        is_layout = character in "\n\t" or (character == "\r" and text[place + 1:place + 2] == "\n")
        shown.append(f"\\u{{{ord(character):x}}}" if _is_control(character) and not is_layout else character)
    return "".join(shown)


def _field(value: object, exact: bool) -> str:
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, str) and not exact:
        text = _harmless(f"'{text}" if not isinstance(value, Amount) and _may_run(text) else text)
    if not text or any(character in text for character in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def line(values: Iterable[object], exact: bool = False) -> str:
    """A row: null is an empty field, and an empty text is `""`. `exact` writes every text unchanged."""
    return ",".join(_field(value, exact) for value in values) + "\r\n"
