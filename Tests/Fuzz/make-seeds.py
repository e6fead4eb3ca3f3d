#!/usr/bin/env python3
"""Writes Tests/Fuzz/seeds/TARGET/* from the minted sample in data-samples/.

Small inputs that reach deep: one receipt of each defect, its payload, short
lines of every form, gzip of every shape, property lists of iOS 6 receipts,
certificates of every defect of trust, signatures by keys made on the spot,
signed strings of every kind.
"""
import base64, gzip, json, os, pathlib, ssl, subprocess, tempfile

here = pathlib.Path(__file__).resolve().parent
samples = here.parent.parent / "data-samples"
seeds = here / "seeds"


def write(target, name, data):
    folder = seeds / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


lines = gzip.open(samples / "receipts-001.jsonl.gz").read().splitlines()
truth = json.loads((samples / "truth.json").read_text())
chosen = {kind: sorted(places.values())[0][0] for kind, places in truth["defects"].items()}
planted = {line for places in truth["defects"].values() for numbers in places.values() for line in numbers}
genuine = min(
    (line for number, line in enumerate(lines, 1) if number not in planted and line.startswith(b'{"receipt":"MII')),
    key=len)


def receipt(line):
    value = json.loads(line)
    text = next(v for k, v in value.items() if k.lower().startswith("receipt"))
    text = text.replace("-", "+").replace("_", "/").replace(" ", "").replace("\n", "").rstrip("=")
    return base64.b64decode(text + "=" * (-len(text) % 4))


def payload(der):
    run = subprocess.run(
        ["openssl", "cms", "-verify", "-noverify", "-inform", "DER", "-binary"], input=der, capture_output=True)
    return run.stdout


for kind in ("foreign_chain", "weak_key", "malformed_payload", "truncated_container"):
    der = receipt(lines[chosen[kind] - 1])
    write("container", kind, der)
    write("elements", kind, der[:1500])
    if payload(der):
        write("payload", kind, payload(der)[:3000])
der = receipt(genuine)
write("container", "trusted", der)
write("payload", "trusted", payload(der))


def certificates(der):
    run = subprocess.run(["openssl", "pkcs7", "-inform", "DER", "-print_certs"], input=der, capture_output=True)
    end = "-----END CERTIFICATE-----"
    blocks = run.stdout.decode().split(end)[:-1]
    return [block[block.index("-----BEGIN"):] + end + "\n" for block in blocks]


for kind in ("foreign_chain", "weak_key", "missing_markers", "broken_chain", "expired_signer"):
    pem = certificates(receipt(lines[chosen[kind] - 1]))
    write("certificates", kind, b"".join(ssl.PEM_cert_to_DER_cert(block) for block in pem))
pem = certificates(der)
write("certificates", "trusted", b"".join(ssl.PEM_cert_to_DER_cert(block) for block in pem))
write("certificates", "text", "".join(pem).encode())

indefinite = bytes.fromhex("30800609 2a864886f70d010702 a080 3080 020101 0000 0000 0000".replace(" ", ""))
write("elements", "indefinite", indefinite)
write("container", "indefinite", indefinite)
write("elements", "chunks", bytes.fromhex("2480 0403414243 2405 0403444546 0000".replace(" ", "")))

short = base64.b64encode(der[:90]).decode()
forms = [
    {"receipt": short, "device_id": "8C58A1B3-03A2-4043-9C11-F86285449DC5", "account_id": "u1",
     "submitted_at": "2024-02-29T12:00:00Z"},
    {"receipt-data": short, "guid": "00:17:f2:c4:bc:c0", "userId": 12, "timestamp": 1709208000.5},
    {"a": [1, -2.5e3, True, None, {"b": "\u00e9\U0001f600"}], "receipt": None},
]
for index, form in enumerate(forms):
    write("line", f"object-{index}", json.dumps(form, ensure_ascii=index == 0).encode())
write("line", "escapes", json.dumps(forms[0]).replace("/", "\\/").replace("u1", "\\ud83d\\ude00").encode())
write("line", "list", json.dumps([short, *forms, {"body": json.dumps(forms[0])}]).encode())
write("line", "body", json.dumps({"body": json.dumps({"data": json.dumps(forms[1])}), "token": short}).encode())
write("line", "string", json.dumps(short).encode())
write("line", "bare", short.encode())
write("line", "cut", b'{"receipt":"MII')

rejected = {"archive_sha256": "4f" * 32, "archive": "a.gz", "line": 152, "reason": "invalid_json", "detail": "x"}
for name, letter in {
    "line": {"rejected": rejected, "line": 'a"\\\u00e9\U0001f600\n\u0000'},
    "base64": {"rejected": rejected, "line_base64": base64.b64encode(b"\xff\xfe{}").decode()},
    "sorted": {"line": "{}", "note": [1, {"a": None}], "rejected": {**rejected, "document": 3}},
}.items():
    write("letter", name, json.dumps(letter).encode())

text = b"\n".join(json.dumps(form).encode() for form in forms) + b"\n"
write("archive", "plain", text)
write("archive", "one-member", gzip.compress(text, mtime=0))
write("archive", "two-members", gzip.compress(text, mtime=0) + gzip.compress(b"AAAA\r\n" * 40, 1, mtime=0))
write("archive", "stored", gzip.compress(text, 0, mtime=0))
write("archive", "padded", gzip.compress(text, mtime=0) + bytes(16))
write("archive", "cut", gzip.compress(text, mtime=0)[:60])

info = '{\n\t"transaction-id" = "170000000000001";\n\t"bid" = "com.example.app";\n\t"bvrs" = "1.0";\n' \
    '\t"purchase-date-ms" = "1336000000000";\n\t"quantity" = "1";\n\t"product-id" = "com.example.app.coins";\n' \
    '\t"purchase-date" = "2012-05-02 23:06:40 Etc/GMT";\n}'
blob = bytes([2]) + bytes(128) + (4).to_bytes(4, "big") + b"\x30\x02\x05\x00"
envelope = '{\n\t"signature" = "%s";\n\t"purchase-info" = "%s";\n\tpod = 50; /* unquoted */\n\t"signing-status" = "0";\n}' % (
    base64.b64encode(blob).decode(), base64.b64encode(info.encode()).decode())
write("property-list", "purchase-info", info.encode())
write("property-list", "envelope", envelope.encode())
write("property-list", "escapes", rb'{ "a\"b" = "\U00e9\101\n"; c = d.e-f/g; // note')
write("property-list", "signature", blob)

# The purchase-info that the target `signature` has every blob sign.
info = b'{ "transaction-id" = "1"; }'
for version, bits, marker in ((2, 1024, "1.2.840.113635.100.6.5.1"), (3, 2048, "1.2.840.113635.100.6.11.1")):
    with tempfile.TemporaryDirectory() as folder:

        def openssl(*arguments, data=b""):
            return subprocess.run(
                ["openssl", *arguments], input=data, cwd=folder, capture_output=True, check=True).stdout

        openssl(
            "req", "-x509", "-newkey", f"rsa:{bits}", "-nodes", "-keyout", "key", "-subj", "/CN=Throw-away signer",
            "-days", "7300", "-outform", "DER", "-out", "certificate", "-addext", "keyUsage=critical,digitalSignature",
            "-addext", f"{marker}=ASN1:NULL")
        certificate = pathlib.Path(folder, "certificate").read_bytes()
        signature = openssl("dgst", "-sha1", "-sign", "key", data=bytes([version]) + info)
    write("signature", f"version-{version}", bytes([version]) + signature + len(certificate).to_bytes(4, "big") + certificate)
write("signature", "no-certificate", blob)
# Without certificates, which would be most of them.
golden = (here.parent / "CommandLineTests" / "Golden" / "decode.jsonl").read_text().splitlines()
for number, line in enumerate(golden):
    decoded = json.loads(line)
    decoded.get("receipt", {}).pop("issuers", None)
    text = json.dumps(decoded, separators=(",", ":")).encode() + b"\n"
    write("decoded", f"line-{number}", text)
    if number == 0:
        write("decoded", "twice", text + text.replace(b'"line":9', b'"line":10'))
        bare = {key: value for key, value in decoded.items() if key not in ("archive", "line")}
        write("decoded", "bare", json.dumps(bare).encode() + b"\n")

# Signed strings under a throw-away chain of three, as the store's.
STEP = 1_730_000_000_000
signed_payloads = {
    "transaction": {
        "transactionId": "2000000123456789", "originalTransactionId": "2000000123456789", "bundleId": "com.example.app",
        "productId": "com.example.gold", "purchaseDate": STEP, "expiresDate": STEP + 0.5, "quantity": 1,
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": STEP,
        "environment": "Sandbox", "price": 1990, "currency": "EUR", "offerType": 1, "offerDiscountType": "FREE_TRIAL",
        "revocationDate": STEP, "revocationPercentage": 50000, "isUpgraded": True, "webOrderLineItemId": "7",
        "appAccountToken": "7edea87d-98f0-42d0-9682-49ca81022f73", "deviceVerification": "AAAA",
        "deviceVerificationNonce": "7edea87d-98f0-42d0-9682-49ca81022f73"},
    "renewal": {
        "originalTransactionId": "1", "autoRenewStatus": 1, "autoRenewProductId": "com.example.\u00e9\U0001f600",
        "isInBillingRetryPeriod": False, "renewalPrice": 9990, "signedDate": STEP, "eligibleWinBackOfferIds": ["a"]},
    "app-transaction": {
        "receiptType": "Production", "appAppleId": 9007199254740993, "bundleId": "com.example.app",
        "receiptCreationDate": STEP, "originalApplicationVersion": "1.0", "originalPlatform": "iOS"},
    "token": {
        "notificationType": "EXTERNAL_PURCHASE_TOKEN", "notificationUUID": "u", "signedDate": STEP,
        "externalPurchaseToken": {"externalPurchaseId": "SANDBOX_1", "bundleId": "com.example.app"}},
    "other": {"a": [1, {"b": None}], "data": {}},
}


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed_strings():
    extensions = {
        "root": "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n",
        "intermediate": "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\n"
        "1.2.840.113635.100.6.2.1=ASN1:NULL\n",
        "leaf": "keyUsage=critical,digitalSignature\n1.2.840.113635.100.6.11.1=ASN1:NULL\n",
    }
    with tempfile.TemporaryDirectory() as folder:

        def openssl(*arguments, data=b""):
            return subprocess.run(
                ["openssl", *arguments], input=data, cwd=folder, capture_output=True, check=True).stdout

        issuer = None
        for name, text in extensions.items():
            pathlib.Path(folder, f"{name}.ext").write_text(text)
            curve = "P-256" if name == "leaf" else "P-384"
            openssl(
                "req", "-new", "-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-nodes", "-keyout",
                f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            signing = ["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key"] if issuer else ["-signkey", f"{name}.key"]
            openssl(
                "x509", "-req", "-in", f"{name}.csr", "-days", "7300", "-extfile", f"{name}.ext", "-set_serial", "7",
                "-out", f"{name}.pem", *signing)
            issuer = name
        chain = [
            base64.b64encode(ssl.PEM_cert_to_DER_cert(pathlib.Path(folder, f"{name}.pem").read_text())).decode()
            for name in ("leaf", "intermediate", "root")]

        def integers(der):
            """r and s out of a SEQUENCE of two INTEGERs, 32 bytes each."""
            r = der[4:4 + der[3]]
            s = der[6 + len(r):]
            return b"".join(part.lstrip(b"\0").rjust(32, b"\0") for part in (r, s))

        def sign(header, payload):
            text = f"{base64url(header.encode())}.{base64url(payload.encode())}"
            return f"{text}.{base64url(integers(openssl('dgst', '-sha256', '-sign', 'leaf.key', data=text.encode())))}"

        header = json.dumps({"alg": "ES256", "x5c": chain})
        write("signed-header", "chain", header.encode())
        write("signed-header", "pinned", json.dumps({"alg": "ES256", "x5c": chain[:1], "kid": "Apple_Xcode_Key"}).encode())
        small = [
            {"alg": "none"}, {"alg": "ES256", "crit": ["b64"], "x5c": []}, {"x5c": ["AAAA", 1, None], "alg": "ES256"},
            {"alg": "ES256", "jwk": {"kty": "EC", "x": "\u00e9"}, "x5c": ["MAA="]},
        ]
        for number, members in enumerate(small):
            write("signed-header", f"small-{number}", json.dumps(members).encode())
        write("signed-header", "escapes", rb'{"\u0061lg":"\u0045S256","a":"\ud83d\ude00","x\u0035c":["MAA="]}')
        payloads = {name: json.dumps(members) for name, members in signed_payloads.items()}
        short = '{"alg":"ES256","x5c":["MAA="]}'
        inner = {
            "signedTransactionInfo": sign(short, payloads["transaction"]),
            "signedRenewalInfo": sign(short, payloads["renewal"])}
        payloads["notification"] = json.dumps({
            "notificationType": "DID_RENEW", "subtype": "BILLING_RECOVERY", "notificationUUID": "u", "signedDate": STEP,
            "data": {"bundleId": "com.example.app", "environment": "Sandbox", "status": 1, **inner}})
        for name, text in payloads.items():
            write("signed-payload", name, text.encode())
        write("signed-payload", "escapes", rb'{"transact\u0069onId":"\ud83d\ude00","bundleId":"\/\n","signedDate":1.5e12}')
        text = {name: sign(short, payload) for name, payload in payloads.items()}
        lines = [
            {"signedPayload": text["notification"], "account_id": "u1"},
            {"signedTransactions": [text["transaction"], text["renewal"], text["transaction"], "a.b.c"]},
            {"data": [{"lastTransactions": [{"signedTransactionInfo": text["transaction"], "signedRenewalInfo": "."}]}]},
            {"notificationHistory": [{"signedPayload": text["token"]}], "receipt": "AAAA", "jws": text["app-transaction"]},
            {"unified_receipt": {"latest_receipt": text["other"]}, "device_verification_id": "7edea87d-98f0-42d0-9682-49ca81022f73"},
            {"body": json.dumps({"fetch_token": text["transaction"], "receipt-data": "AAAA", "user_id": "u2"}),
             "response": [{"signedTransactions": [text["renewal"]]}, text["transaction"]], "timestamp": 1709208000},
            {"requestBody": json.dumps({"data": json.dumps({"lastTransactions": [{"signedRenewalInfo": "."}]})})[:-1],
             "token": "gibberish.AO-J1O", "purchaseToken": "MIIT", "jws": text["renewal"]},
        ]
        for number, line in enumerate(lines):
            write("signed-line", f"object-{number}", json.dumps(line).encode())
        write("signed-line", "bare", (text["app-transaction"] + "\n" + text["renewal"] + "\n").encode())
        write("signed-line", "chain", sign(header, payloads["app-transaction"]).encode())


signed_strings()

print(f"{sum(1 for _ in seeds.rglob('*') if _.is_file())} seeds")
