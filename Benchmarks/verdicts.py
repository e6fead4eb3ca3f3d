#!/usr/bin/env python3
"""Measures the verification of signed transactions in Python: receiptmill's module beside Apple's own library.

Needs pyarrow and app-store-server-library, and RECEIPTMILL_LIBRARY. Arguments: the folder of an archive that
`receiptmint --signed 1` made, and how many transactions Apple's library is given. One core, CPU time, one run. Both have
to accept the same transactions and to read the same identifiers in them. Payloads that name a key twice are left out:
Apple's library takes the last value, and receiptmill refuses them.
"""
import base64
import gzip
import importlib.util
import itertools
import json
import os
import sys
import time
from pathlib import Path

import jwt
import pyarrow
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

FOLDER = Path(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
SOURCE = Path(__file__).resolve().parent.parent / "python/receiptmill/_verify.py"
spec = importlib.util.spec_from_file_location("receiptmill_verify", SOURCE)
receiptmill = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = receiptmill
spec.loader.exec_module(receiptmill)


def members(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def payload(string):
    return json.loads(base64.urlsafe_b64decode(string.split(".")[1] + "=="), object_pairs_hook=members)


def strings(value):
    """The signed strings in a value of JSON, those in payloads of others too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str) and value.count(".") == 2 and value.startswith("eyJ"):
        yield value
        try:
            yield from strings(payload(value))
        except ValueError:
            pass


def transactions():
    """Distinct transactions with the app and the environment that Apple's library has to be told."""
    found = {}
    for file in sorted(FOLDER.glob("receipts-*.jsonl.gz")):
        for line in gzip.open(file, "rt"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            for string in strings(value):
                try:
                    fields = payload(string)
                except ValueError:
                    continue
                if "transactionId" in fields and "bundleId" in fields and "environment" in fields:
                    found[string] = fields
    return found


def measured(name, count, body):
    started = time.process_time()
    answer = body()
    spent = (time.process_time() - started) / count * 1e6
    print(f"{name:<58} {count:>7} transactions {spent:>9.1f} us each")
    return answer, spent


def main():
    os.sched_setaffinity(0, {next(iter(os.sched_getaffinity(0)))})
    found = transactions()
    texts = list(found)
    roots = [
        base64.b64decode("".join(one.split("-----")[0].split()))
        for one in (FOLDER / "root.pem").read_text().split("-----BEGIN CERTIFICATE-----")[1:]]
    verifiers = {}

    def apples(string):
        fields = found[string]
        key = fields["bundleId"], fields["environment"]
        if key not in verifiers:
            # The certificates of the mint lack extensions that X509_STRICT demands.
            verifiers[key] = SignedDataVerifier(roots, False, Environment(key[1]), key[0], 1)
            verifiers[key]._chain_verifier.enable_strict_checks = False
        try:
            return verifiers[key].verify_and_decode_signed_transaction(string).transactionId
        except VerificationException:
            return None

    def apple_cached(string):
        """What Apple's library would take if it remembered the chain, which it does where it asks the network."""
        try:
            return jwt.decode(string, keys[tuple(jwt.get_unverified_header(string)["x5c"])], algorithms=["ES256"])
        except jwt.PyJWTError:
            return None

    few = texts[:COUNT]
    wanted, slow = measured("Apple's app-store-server-library", len(few), lambda: [apples(one) for one in few])
    keys = {}
    for string in few:
        chain = jwt.get_unverified_header(string)["x5c"]
        if tuple(chain) not in keys:
            keys[tuple(chain)] = public_key(chain[0])
    _, cached = measured("PyJWT alone, every chain known", len(few), lambda: [apple_cached(one) for one in few])

    verifier = receiptmill.Verifier((FOLDER / "root.pem").read_text())

    def singly():
        answers = []
        for one in texts:
            verdict = verifier.verify(one)
            answers.append(verdict.transaction_id if verdict.trusted else None)
        return answers

    ours, single = measured("receiptmill.verify", len(texts), singly)
    table = pyarrow.table({"text": list(itertools.islice(itertools.cycle(texts), max(len(texts), 20_000)))})
    answer, fast = measured("receiptmill.verify_table", len(table), lambda: verifier.verify_table(table))
    rows = zip(answer.column("verdict").to_pylist(), answer.column("transaction_id").to_pylist())
    listed = [identifier if verdict == "trusted" else None for verdict, identifier in rows][:len(few)]
    ours = ours[:len(few)]
    if not wanted == ours == listed or not any(wanted):
        for string, *answers in zip(few, wanted, ours, listed):
            if len(set(answers)) > 1:
                print(f"{answers}: {verifier.verify(string)} {found[string]}", file=sys.stderr)
        sys.exit("transactions are judged differently")
    print(f"{sum(one is not None for one in wanted)} of {len(few)} are trusted by all")
    print(f"verify is {slow / single:.1f} times, verify_table {slow / fast:.1f} times as fast as Apple's library "
          f"({cached / fast:.1f} times as PyJWT alone)")
    if slow / fast < 20:
        sys.exit("verify_table is to be 20 times as fast as Apple's library, or more")


def public_key(certificate):
    from cryptography import x509

    return x509.load_der_x509_certificate(base64.b64decode(certificate)).public_key()


main()
