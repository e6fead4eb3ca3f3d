"""The documents of Tests/TestSupport/SignedStrings/Documents2026.swift, signed by a throw-away store: what minted archives
hold of the store's data of 2026 is not all of its members."""

import base64
import json
import re
import subprocess
from pathlib import Path

TEXTS = Path(__file__).resolve().parents[2] / "Tests/TestSupport/SignedStrings/Documents2026.swift"
# As SignedStringStore.signedAt, in milliseconds, and years around it for certificates.
SIGNED_AT, BEGINS, ENDS = 1_730_000_000_000, "20230101000000Z", "20330101000000Z"
# Certificates from the root down: the curve of the key, and extensions, among them the store's markers.
CERTIFICATES = {
    "root": ("secp384r1", ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"]),
    "intermediate": (
        "secp384r1",
        [
            "basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign",
            "1.2.840.113635.100.6.2.1=ASN1:NULL",
        ],
    ),
    "leaf": (
        "prime256v1",
        [
            "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
            "1.2.840.113635.100.6.11.1=ASN1:NULL",
        ],
    ),
}
AUTHORITY = """
[ca]
default_ca = authority
[authority]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = policy
unique_subject = no
[policy]
commonName = supplied
[req]
distinguished_name = subject
[subject]
"""


def payloads():
    """The documents' JSON by their names in Swift."""
    texts = re.findall(r'let (\w+) = """\n(.*?)\n +"""', TEXTS.read_text(), re.DOTALL)
    found = {name: re.sub(r"\\\n", "", re.sub(r"(?m)^ +", "", text)) for name, text in texts}
    found = {name: text.replace(r"\(signed)", str(SIGNED_AT)) for name, text in found.items()}
    for name, text in found.items():
        json.loads(text)
    if not found:
        raise SystemExit(f"{TEXTS} has no documents")
    return found


class Store:
    """Keys and certificates in a folder, made by openssl."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        (folder / "index.txt").touch()
        (folder / "serial").write_text("1000\n")
        extensions = "".join(f"[{name}]\n" + "\n".join(found) + "\n" for name, (_, found) in CERTIFICATES.items())
        (folder / "authority.cnf").write_text(AUTHORITY + extensions)
        issuer = None
        for name, (curve, _) in CERTIFICATES.items():
            self.openssl("ecparam", "-name", curve, "-genkey", "-noout", "-out", f"{name}.key")
            self.openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN=Throw-away {name}", "-out", f"{name}.csr",
                         "-config", "authority.cnf")
            signer = ["-cert", f"{issuer}.pem"] if issuer else ["-selfsign"]
            self.openssl("ca", "-batch", "-notext", "-config", "authority.cnf", "-extensions", name, "-in", f"{name}.csr",
                         "-out", f"{name}.pem", "-keyfile", f"{issuer or name}.key", "-startdate", BEGINS, "-enddate", ENDS,
                         *signer)
            self.openssl("x509", "-in", f"{name}.pem", "-outform", "DER", "-out", f"{name}.der")
            issuer = name
        self.root = folder / "root.pem"

    def openssl(self, *words, given=None):
        return subprocess.run(["openssl", *words], cwd=self.folder, input=given, capture_output=True, check=True).stdout

    def sign(self, payload):
        chain = [base64.b64encode((self.folder / f"{name}.der").read_bytes()).decode() for name in reversed(CERTIFICATES)]
        header = json.dumps({"alg": "ES256", "x5c": chain}, separators=(",", ":"))
        signed = f"{base64url(header.encode())}.{base64url(payload.encode())}"
        signature = self.openssl("dgst", "-sha256", "-sign", "leaf.key", given=signed.encode())
        return f"{signed}.{base64url(plain_signature(signature))}"


def plain_signature(der):
    """R and S of 32 bytes each (RFC 7518, 3.4), out of a SEQUENCE of two INTEGERs."""
    numbers, place = [], 2
    for _ in range(2):
        length = der[place + 1]
        numbers.append(int.from_bytes(der[place + 2 : place + 2 + length], "big").to_bytes(32, "big"))
        place += 2 + length
    return b"".join(numbers)


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def lines(store):
    """A line for each document, and one for each notification that delivers a transaction or renewal info."""
    found = payloads()
    for name, text in found.items():
        yield store.sign(text).encode() + b"\n"
    for number, (name, part) in enumerate(
        [("instalment", "Transaction"), ("leaving", "Renewal"), ("commerce", "Transaction"), ("tomorrow", "Transaction")]
    ):
        told = {
            "notificationType": "DID_RENEW", "notificationUUID": f"held-{number}", "version": "2.0",
            "signedDate": SIGNED_AT + 1000 * number,
            "data": {
                "bundleId": "com.example.app", "environment": "Production", "status": 1,
                f"signed{part}Info": store.sign(found[name]),
            },
        }
        line = {"signedPayload": store.sign(json.dumps(told)), "account_id": f"holder {number}"}
        yield json.dumps(line).encode() + b"\n"
