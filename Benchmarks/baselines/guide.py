"""What most people would write today, after the same guide: asn1crypto reads, cryptography verifies, sqlite3 stores.

    guide.py ARCHIVE ROOT.pem DATABASE SCHEMA.sql

A set of certificates is judged once and remembered, which is kinder than the guide.
"""

import base64
import functools
import gzip
import hashlib
import json
import sqlite3
import sys
from datetime import datetime, timezone

from asn1crypto import cms, parser
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

RECEIPTS_PER_TRANSACTION = 1000
INTEGER = 2
HASHES = {"sha1": hashes.SHA1(), "sha256": hashes.SHA256()}


class Refused(Exception):
    pass


@functools.lru_cache(maxsize=64)
def judged(certificates, root):
    """The signer's certificate first, each signed by the next, the last one the root."""
    chain = [x509.load_der_x509_certificate(certificate) for certificate in certificates]
    if len(chain) < 2 or certificates[-1] != root:
        raise Refused("another root")
    for certificate, issuer in zip(chain, chain[1:]):
        try:
            certificate.verify_directly_issued_by(issuer)
        except (InvalidSignature, ValueError, TypeError) as error:
            raise Refused("a certificate that the next did not sign") from error
        if not issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            raise Refused("an issuer that is no authority")
    begins = max(certificate.not_valid_before_utc for certificate in chain)
    ends = min(certificate.not_valid_after_utc for certificate in chain)
    return chain[0].public_key(), begins, ends


def elements(data):
    """Tag and content of each element; the schemas of asn1crypto.core would take twice as long."""
    position = 0
    while position < len(data):
        _, _, tag, header, content, trailer = parser.parse(data[position:])
        position += len(header) + len(content) + len(trailer)
        yield tag, content


def attributes(data):
    """ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }, in a SET."""
    ((_, members),) = elements(data)
    found = []
    for _, attribute in elements(members):
        (_, number), _, (_, stated) = elements(attribute)
        found.append((int.from_bytes(number, "big"), stated))
    return found


def value(data):
    """Text or number within an attribute's value; an empty text is absent."""
    ((tag, content),) = elements(data)
    if tag == INTEGER:
        return int.from_bytes(content, "big", signed=True)
    return content.decode() or None


def date(text):
    return datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)


def verified(der, root):
    """Attributes of a receipt by number, and its purchases; raises Refused."""
    try:
        signed = cms.ContentInfo.load(der)["content"]
        payload = signed["encap_content_info"]["content"].native
        signer = signed["signer_infos"][0]
        found = attributes(payload)
    except (ValueError, TypeError) as error:
        raise Refused("malformed") from error
    receipt = dict(found)
    key, begins, ends = judged(tuple(one.chosen.dump() for one in signed["certificates"]), root)
    if not begins <= date(value(receipt[12])) <= ends:
        raise Refused("not valid at creation")
    digest = HASHES[signer["digest_algorithm"]["algorithm"].native]
    try:
        key.verify(signer["signature"].native, payload, padding.PKCS1v15(), digest)
    except InvalidSignature as error:
        raise Refused("a signature that does not hold") from error
    return receipt, [dict(attributes(data)) for number, data in found if number == 17]


def device_matches(device, receipt):
    identifier = bytes.fromhex("".join(character for character in device if character.isalnum()))
    return hashlib.sha1(identifier + receipt[4] + receipt[2]).digest() == receipt[5]


def receipt_row(number, line, receipt):
    context = (number, line["device_id"], line["user_id"], line["received_at"])
    texts = (value(receipt[key]) if key in receipt else None for key in (0, 2, 3, 19, 18, 12))
    return (*context, device_matches(line["device_id"], receipt), *texts)


PURCHASE_ATTRIBUTES = (1703, 1705, 1702, 1701, 1707, 1704, 1706, 1708, 1712, 1711, 1719)


def purchase_row(receipt, purchase):
    stated = (value(purchase[key]) if key in purchase else None for key in PURCHASE_ATTRIBUTES)
    return (value(receipt[0]), value(receipt[2]), *stated, value(receipt[12]))


def main(archive, root_path, database_path, schema_path):
    with open(root_path, "rb") as file:
        root = x509.load_pem_x509_certificate(file.read()).public_bytes(serialization.Encoding.DER)
    database = sqlite3.connect(database_path, isolation_level=None)
    with open(schema_path, encoding="utf-8") as file:
        database.executescript(file.read())
    accepted = number = 0
    database.execute("BEGIN")
    with gzip.open(archive, "rt") as lines:
        for number, text in enumerate(lines, 1):
            line = json.loads(text)
            try:
                receipt, purchases = verified(base64.b64decode(line["receipt"]), root)
            except Refused:
                continue
            accepted += 1
            database.execute(
                "INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", receipt_row(number, line, receipt)
            )
            database.executemany(
                """INSERT INTO purchase VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET expires_date = excluded.expires_date,
                    cancellation_date = excluded.cancellation_date,
                    receipt_creation_date = excluded.receipt_creation_date
                WHERE excluded.receipt_creation_date > receipt_creation_date""",
                (purchase_row(receipt, purchase) for purchase in purchases),
            )
            if accepted % RECEIPTS_PER_TRANSACTION == 0:
                database.execute("COMMIT")
                database.execute("BEGIN")
    database.execute("COMMIT")
    database.close()
    print(f"{number} lines, {accepted} receipts verified")


if __name__ == "__main__":
    main(*sys.argv[1:])
