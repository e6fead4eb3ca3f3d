"""Verdicts on receipts and signed strings, by libreceiptmill (Sources/CReceiptMill/include/receiptmill.h).

    receiptmill.judge(receipt, bundle="com.example.app", environment="production").accepted
    receiptmill.verify(receipt).verdict
    receiptmill.verify_table(table, column="signed_transaction")
    receiptmill.Verifier(trust=Path("root.pem").read_text()).verify(receipt)

Any number of threads may use one verifier at once; Python's lock is released while documents are verified.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ._program import Name

if TYPE_CHECKING:
    import pyarrow

# Documents that a thread verifies at a time.
TASK_ROWS = 4096
# Types of Arrow that the library reads, and those that are cast for it.
READ, VIEWS = {"string", "large_string", "binary", "large_binary"}, {"string_view", "binary_view"}

__all__ = ["LibraryMissing", "Outcome", "Purchase", "VerificationFailed", "Verdict", "Verifier", "judge", "verify", "verify_table"]


class LibraryMissing(Exception):
    """There is no libreceiptmill where the package looks for one."""


class VerificationFailed(Exception):
    """The library could not do what it was asked, whatever the document; `status` is a receiptmill_status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Options(Structure):
    _fields_ = [("size", c_size_t), ("trust", c_char_p), ("trust_without_markers", c_char_p), ("intermediates", c_char_p)]


class _Expectation(Structure):
    _fields_ = [("size", c_size_t), ("bundle", c_char_p), ("environment", c_char_p), ("device", c_char_p),
                ("at", POINTER(c_int64))]


@functools.cache
def _library() -> ctypes.CDLL:
    """The library that RECEIPTMILL_LIBRARY names, else that of this package, else that of the machine."""
    named, own = os.environ.get("RECEIPTMILL_LIBRARY"), Path(__file__).with_name("libreceiptmill.so")
    path = named or (str(own) if own.exists() else "libreceiptmill.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryMissing(
            f"{error}: install the wheel of this machine's kind, or name a file by RECEIPTMILL_LIBRARY") from None
    text = [c_void_p, c_int, POINTER(c_size_t)]
    for name, result, arguments in [
        ("receiptmill_status_text", c_char_p, [c_int]),
        ("receiptmill_verifier_new", c_int, [POINTER(_Options), POINTER(c_void_p)]),
        ("receiptmill_verifier_free", None, [c_void_p]),
        ("receiptmill_verify", c_int, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
        ("receiptmill_judge", c_int, [c_void_p, c_char_p, c_size_t, POINTER(_Expectation), POINTER(c_void_p)]),
        ("receiptmill_accepted", c_int, [c_void_p]),
        ("receiptmill_reason_count", c_size_t, [c_void_p]),
        ("receiptmill_reason", c_void_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
        ("receiptmill_purchase_in_force", c_int, [c_void_p, c_size_t]),
        ("receiptmill_document_free", None, [c_void_p]),
        ("receiptmill_text", c_void_p, text),
        ("receiptmill_integer", c_int, [c_void_p, c_int, POINTER(c_int64)]),
        ("receiptmill_purchase_text", c_void_p, [c_void_p, c_size_t, c_int, POINTER(c_size_t)]),
        ("receiptmill_purchase_integer", c_int, [c_void_p, c_size_t, c_int, POINTER(c_int64)]),
        ("receiptmill_json", c_void_p, [c_void_p]),
        ("receiptmill_json_free", None, [c_void_p]),
        ("receiptmill_verify_arrow", c_int, [c_void_p] * 5),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _check(status: int) -> None:
    if status:
        raise VerificationFailed(status, _library().receiptmill_status_text(status).decode())


def _time(milliseconds: int | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None


class Purchase(NamedTuple):
    """A purchase, with the verdict on the document that states it, which may stand inside of a notification.

    The fields are those of the enumeration receiptmill_purchase_field, in its order.
    """

    verdict: str
    transaction_id: str
    original_transaction_id: str | None
    product_id: str | None
    product_type: int | None
    quantity: int | None
    purchase_date: datetime | None
    original_purchase_date: datetime | None
    expires_date: datetime | None
    cancellation_date: datetime | None
    is_trial_period: int | None
    is_in_intro_offer_period: int | None
    promotional_offer_id: str | None
    web_order_line_item_id: int | None
    price_milliunits: int | None
    currency: str | None


_PURCHASE_TEXTS = frozenset([0, 1, 2, 3, 12, 15])
_PURCHASE_TIMES = frozenset([6, 7, 8, 9])


class Verdict:
    """A document with its verdict. Every statement of a document that is not trusted is a claim."""

    __slots__ = ("_document",)
    _document: c_void_p

    def __init__(self, document: c_void_p) -> None:
        self._document = document

    # The parameter keeps the function where the interpreter ends and modules lose their names.
    def __del__(self, library: Callable[[], ctypes.CDLL] = _library) -> None:
        library().receiptmill_document_free(self._document)

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false: check judge(…).accepted before you act on a document, "
                        "or .trusted, which only states that the App Store signed it")

    def _text(self, field: int) -> str | None:
        count = c_size_t()
        start = _library().receiptmill_text(self._document, field, byref(count))
        return ctypes.string_at(start, count.value).decode("utf-8", "replace") if start else None

    def _integer(self, field: int) -> int | None:
        value = c_int64()
        return value.value if _library().receiptmill_integer(self._document, field, byref(value)) else None

    @property
    def verdict(self) -> str:
        """`trusted`, the word of another verdict (docs/trust.md), or `unreadable`."""
        return self._text(0) or "unreadable"

    @property
    def trusted(self) -> bool:
        """Whether the App Store signed the document, for any app and environment, even if it was refunded since."""
        return self.verdict == "trusted"

    @property
    def kind(self) -> str | None:
        """The kind of the document, such as `signed_transaction`; None where it can't be read."""
        return self._text(1)

    @property
    def detail(self) -> str | None:
        """Why the document is not trusted, or not readable."""
        return self._text(2)

    @property
    def rejection(self) -> str | None:
        """The code of why the document, or one inside of it, can't be read."""
        return self._text(3)

    @property
    def sha256(self) -> str | None:
        """The SHA-256 of a receipt's bytes, or of a signed string's characters."""
        return self._text(4)

    @property
    def environment(self) -> str | None:
        """`Production`, `ProductionSandbox` for the sandbox, and others."""
        return self._text(5)

    @property
    def bundle_id(self) -> str | None:
        """The app's bundle identifier."""
        return self._text(6)

    @property
    def created_at(self) -> datetime | None:
        """When the document was signed."""
        return _time(self._integer(7))

    @property
    def transaction_id(self) -> str | None:
        """The transaction of a document about one; of a notification, that of the trusted document inside."""
        return self._text(8)

    @property
    def original_transaction_id(self) -> str | None:
        """The transaction that was restored or renewed."""
        return self._text(9)

    @property
    def product_id(self) -> str | None:
        """The product of a document about one transaction."""
        return self._text(10)

    @property
    def purchases(self) -> list[Purchase]:
        """The purchases of the document and of those inside of it."""
        return [self._purchase(index) for index in range(self._integer(11) or 0)]

    def _purchase(self, index: int) -> Purchase:
        library, count, value = _library(), c_size_t(), c_int64()
        values: list[Any] = []
        for field in range(len(Purchase._fields)):
            if field in _PURCHASE_TEXTS:
                start = library.receiptmill_purchase_text(self._document, index, field, byref(count))
                values.append(ctypes.string_at(start, count.value).decode("utf-8", "replace") if start else None)
            elif not library.receiptmill_purchase_integer(self._document, index, field, byref(value)):
                values.append(None)
            else:
                values.append(_time(value.value) if field in _PURCHASE_TIMES else value.value)
        return Purchase(*values)

    @property
    def fields(self) -> dict[str, Any]:
        """All fields, as `receiptmill decode` writes them (docs/decode-format.md)."""
        text = _library().receiptmill_json(self._document)
        if not text:
            raise MemoryError
        try:
            fields: dict[str, Any] = json.loads(ctypes.string_at(text))
            return fields
        finally:
            _library().receiptmill_json_free(text)

    def __repr__(self) -> str:
        detail = f", {self.detail}" if self.detail else ""
        return f"<Verdict {self.verdict}: {self.kind or 'no document'}{detail}>"


class Outcome:
    """Whether a service may act on a document, by the three steps of `receiptmill verify`: signature and chain; app and
    device; purchases."""

    __slots__ = ("verdict",)

    verdict: Verdict
    """The document with its verdict. If it is not accepted, nothing may be unlocked because of its statements."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def __bool__(self) -> bool:
        raise TypeError("an outcome is neither true nor false: check .accepted, and unlock .purchases")

    @property
    def accepted(self) -> bool:
        """Whether the App Store signed the document, it is as expected, and its purchase gives a right to the product.
        An app receipt or a notification may be accepted without such a purchase: see `purchases`."""
        return bool(_library().receiptmill_accepted(self.verdict._document))

    @property
    def reasons(self) -> list[str]:
        """Why the document is refused, each a word, a colon and a sentence; empty if it is accepted."""
        library, document, count = _library(), self.verdict._document, c_size_t()
        starts = (library.receiptmill_reason(document, index, byref(count))
                  for index in range(library.receiptmill_reason_count(document)))
        return [ctypes.string_at(start, count.value).decode("utf-8", "replace") for start in starts]

    @property
    def purchases(self) -> list[Purchase]:
        """The purchases of an accepted document that give a right to their products: they are not refunded, revoked,
        expired or upgraded."""
        in_force = _library().receiptmill_purchase_in_force
        return [purchase for index, purchase in enumerate(self.verdict.purchases)
                if in_force(self.verdict._document, index)]

    def __repr__(self) -> str:
        return "<Outcome accepted>" if self.accepted else f"<Outcome refused: {'; '.join(self.reasons)}>"


class Verifier:
    """Verifies under some anchors. Keep it: it remembers the chains that it verified.

    Each parameter is a text, or the path of a file with one. `trust` is a text of the words `apple` and `sha256:HEX`, and
    then of certificates in PEM, and replaces the default, Apple's roots. `trust_without_markers` names roots of test stores
    of your own, below which any key can sign trusted documents. `intermediates` are certificates in PEM that receipts of
    iOS 6 and before need and don't carry.
    """

    __slots__ = ("_handle",)

    def __init__(
        self, trust: Name | None = None, *, trust_without_markers: Name | None = None, intermediates: Name | None = None
    ) -> None:
        self._handle = c_void_p()
        texts = [_certificates(given) for given in (trust, trust_without_markers, intermediates)]
        options = _Options(ctypes.sizeof(_Options), *texts)
        _check(_library().receiptmill_verifier_new(byref(options), byref(self._handle)))

    def __del__(self, library: Callable[[], ctypes.CDLL] = _library) -> None:
        # Without a library there is no handle, and nothing to free.
        if getattr(self, "_handle", None):
            library().receiptmill_verifier_free(self._handle)

    def verify(self, document: bytes | str) -> Verdict:
        """Verifies a signed string, base64 of a receipt, or a receipt's bytes."""
        octets, found = _octets(document), c_void_p()
        _check(_library().receiptmill_verify(self._handle, octets, len(octets), byref(found)))
        return Verdict(found)

    def judge(
        self, document: bytes | str, *, bundle: str, environment: str, device: str | None = None,
        at: datetime | None = None
    ) -> Outcome:
        """Judges whether a service may act on a document.

        `environment` is `production` or `sandbox`; TestFlight's purchases are in the sandbox. `device` is the device
        that presents the document: identifierForVendor or a Mac's MAC address for a receipt,
        AppStore.deviceVerificationID for signed data; without it, documents of all devices are accepted. `at` is the
        time, with a time zone, at which purchases must give a right to their products; the default is now.
        """
        if environment not in ("production", "sandbox"):
            raise ValueError(f"{environment!r} is neither 'production' nor 'sandbox'")
        if not bundle:
            raise ValueError("name the bundle identifier of the app")
        if at is not None and at.tzinfo is None:
            raise ValueError("the time has no time zone")
        octets = _octets(document)
        milliseconds = None if at is None else c_int64(
            (at - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1))
        texts = [None if text is None else text.replace("\0", "?").encode("utf-8", "replace")
                 for text in (bundle, environment, device)]
        expectation = _Expectation(
            ctypes.sizeof(_Expectation), *texts, None if milliseconds is None else ctypes.pointer(milliseconds))
        found = c_void_p()
        _check(_library().receiptmill_judge(
            self._handle, octets, len(octets), byref(expectation), byref(found)))
        return Outcome(Verdict(found))

    def verify_table(self, data: Any, column: str | None = None) -> pyarrow.Table:
        """Verifies each document of a column, on all cores, without copying those that Arrow holds already.

        The answer has a row for each, with the columns of the enumeration receiptmill_field and a list `purchases`. A
        null gives a row of nulls. `data` is a list of texts or of bytes, or whatever shows its rows to Arrow (pandas,
        polars, pyarrow, DuckDB): a column of documents, or a table, whose `column` may be left out where no other holds
        texts or bytes. A terminal shows how many are done.
        """
        import pyarrow

        documents = _documents(data, column)
        chunks = documents.chunks if isinstance(documents, pyarrow.ChunkedArray) else [documents]
        parts = [chunk.slice(start, TASK_ROWS) for chunk in chunks for start in range(0, len(chunk), TASK_ROWS)]
        batches: list[Any] = []
        with ThreadPoolExecutor(len(os.sched_getaffinity(0)), thread_name_prefix="verify") as pool, _Done(len(documents)) as done:
            for batch in pool.map(self._batch, parts or [pyarrow.array([], documents.type)]):
                batches.append(batch)
                done.add(batch.num_rows)
        return pyarrow.Table.from_batches(batches)

    def _batch(self, documents: Any) -> Any:
        import pyarrow

        # The sizes of the structs ArrowArray and ArrowSchema, which hold ten and nine words.
        array, schema, verdicts, verdicts_schema = ((c_int64 * words)() for words in (10, 9, 10, 9))
        documents._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
        # The library takes the documents over, and releases them.
        _check(_library().receiptmill_verify_arrow(
            self._handle, *map(ctypes.addressof, (array, schema, verdicts, verdicts_schema))))
        rows = pyarrow.Array._import_from_c(ctypes.addressof(verdicts), ctypes.addressof(verdicts_schema))
        return pyarrow.RecordBatch.from_arrays(rows.flatten(), names=[field.name for field in rows.type])


class _Done:
    """How far a table is, in the last line of a terminal, which is empty in the end."""

    def __init__(self, all: int) -> None:
        self.done, self.all, self.shown = 0, all, 0
        self.is_shown = all > TASK_ROWS and sys.stderr.isatty()

    def __enter__(self) -> _Done:
        return self

    def add(self, documents: int) -> None:
        self.done += documents
        if self.is_shown:
            self.shown = sys.stderr.write(f"\rverified {self.done:,} of {self.all:,} documents")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")


def _octets(document: bytes | str) -> bytes:
    if isinstance(document, str):
        return document.encode("utf-8", "surrogatepass")
    if isinstance(document, (bytes, bytearray, memoryview)):
        return bytes(document)
    raise TypeError(f"a document is a text or bytes, not {type(document).__name__}: read a file by Path(…).read_bytes(), and "
                    "verify a column by verify_table")


def _certificates(given: Name | None) -> bytes | None:
    """What a parameter says, or the file that it names."""
    if given is None:
        return None
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"certificates are a text or the path of a file, not {type(given).__name__}")
    text = os.fspath(given)
    is_text = isinstance(given, str) and ("\n" in text or re.fullmatch(r"\s*((apple|sha256:\S*)\s*)*", text))
    return text.encode() if is_text else Path(text).read_bytes()


def _documents(data: Any, column: str | None) -> Any:
    """The column of documents, in one of the types that the library reads."""
    import pyarrow
    from pyarrow import types

    if isinstance(data, (list, tuple)):
        try:
            data = pyarrow.array(data)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as fault:
            raise TypeError(f"a list of documents holds texts, or bytes, and no other values: {fault}") from None
    elif not isinstance(data, (pyarrow.Table, pyarrow.RecordBatch, pyarrow.Array, pyarrow.ChunkedArray)):
        data = _shown_to_arrow(data)

    def is_text(kind: pyarrow.DataType) -> bool:
        return str(kind.value_type if types.is_dictionary(kind) else kind) in READ | VIEWS

    if isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        names: Sequence[str] = [column] if column else [field.name for field in data.schema if is_text(field.type)]
        if len(names) != 1:
            raise ValueError(f"name the column of documents: one of {', '.join(data.schema.names)}")
        data = data.column(names[0])
    if types.is_dictionary(data.type):
        data = data.cast(data.type.value_type)
    if types.is_null(data.type):
        data = data.cast(pyarrow.string())
    if not is_text(data.type):
        raise TypeError(f"a column of documents holds texts or bytes, not {data.type}: name another by column=…")
    if str(data.type) in VIEWS:
        data = data.cast(pyarrow.large_binary() if "binary" in str(data.type) else pyarrow.large_string())
    return data


def _shown_to_arrow(data: Any) -> Any:
    """Rows of pandas, polars, DuckDB and others, by Arrow's interface between libraries."""
    import pyarrow

    if not hasattr(data, "__arrow_c_stream__"):
        if hasattr(data, "__array__"):
            # A column of pandas before version 3.
            return pyarrow.array(data)
        raise TypeError(f"{type(data).__name__} shows no rows to Arrow: give a list, a column or a table of pandas, polars, "
                        "pyarrow or DuckDB")
    try:
        return pyarrow.table(data)
    except (TypeError, ValueError, pyarrow.ArrowInvalid):
        return pyarrow.chunked_array(data)


@functools.cache
def _apple() -> Verifier:
    return Verifier()


def verify(document: bytes | str) -> Verdict:
    """Verifies a signed string, base64 of a receipt, or a receipt's bytes, under Apple's roots."""
    return _apple().verify(document)


def judge(
    document: bytes | str, *, bundle: str, environment: str, device: str | None = None, at: datetime | None = None
) -> Outcome:
    """Judges whether a service may act on a document, under Apple's roots, as ``Verifier.judge`` does."""
    return _apple().judge(document, bundle=bundle, environment=environment, device=device, at=at)


def verify_table(data: Any, column: str | None = None) -> pyarrow.Table:
    """Verifies each document of a column under Apple's roots, as ``Verifier.verify_table`` does."""
    return _apple().verify_table(data, column)
