"""Tokens by which Apple knows who asks: JWT, signed with ES256. Neither the key nor a token is ever printed."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from .faults import Ended

# Apple accepts up to an hour. A token begins a little before its first use, because clocks differ by seconds.
LIFETIME, RENEWED, EARLIER = 20 * 60, 15 * 60, 30


class Tokens:
    """A token for each app, used again until shortly before it ends."""

    def __init__(self, file: Path, key_id: str, issuer: str) -> None:
        self.key, self.key_id, self.issuer = read(file), key_id, issuer
        self.made: dict[str, tuple[float, str]] = {}

    def token(self, bundle_id: str, now: float) -> str:
        begin, token = self.made.get(bundle_id, (0.0, ""))
        if not begin <= now < begin + RENEWED:
            token = self.signed(bundle_id, int(now))
            self.made[bundle_id] = now, token
        return token

    def forget(self) -> None:
        self.made.clear()

    def signed(self, bundle_id: str, now: int) -> str:
        header = {"alg": "ES256", "kid": self.key_id, "typ": "JWT"}
        claims = {"iss": self.issuer, "iat": now - EARLIER, "exp": now + LIFETIME, "aud": "appstoreconnect-v1", "bid": bundle_id}
        text = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
        r, s = utils.decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read(file: Path) -> ec.EllipticCurvePrivateKey:
    try:
        found = serialization.load_pem_private_key(file.read_bytes(), None)
    except OSError as fault:
        raise Ended(os.EX_NOINPUT, f"{file}: {fault.strerror}", "--key names the key's file, AuthKey_….p8") from None
    except Exception:
        # A message of the library might quote the file.
        found = None
    if not isinstance(found, ec.EllipticCurvePrivateKey) or not isinstance(found.curve, ec.SECP256R1):
        raise Ended(os.EX_DATAERR, f"{file}: this is no private key of the curve P-256", "name the file that Apple gave you")
    return found
