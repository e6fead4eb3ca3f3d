"""Compact lines of the hand-worked cases in Tests/ReceiptReportsTests/HandWorked, made into lines of `decode`.

The same as CompactLine.swift does for the tests in Swift; of versions, those of numbers and points.
"""

import datetime
import json

TERMS = {
    "price_milliunits", "currency", "storefront", "ownership", "offer_type", "offer_id", "offer_discount_type",
    "offer_period", "transaction_reason", "subscription_group_id", "app_account_token", "app_transaction_id",
    "is_upgraded", "revocation_reason", "revocation_type", "revoked_share", "billing_plan", "commitment_period",
    "commitment_periods", "commitment_price_milliunits", "commitment_expires_date", "seat_invitations", "seats_revoked",
    "additional_reason", "previous_original_transaction_id",
}
PARTS = {"tiers", "items"}
OF_DOCUMENT = {"signed_at", "environment", "sha256"}


def digest(count):
    """The digest of a document that states none: its number, in the digits by which DuckDB's keys differ, too."""
    return f"{count:08x}".ljust(64, "0")


def milliseconds(value):
    if value is None:
        return None
    text = value.replace(" ", "T")
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return round((moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) / datetime.timedelta(milliseconds=1))


def stamped(members):
    return {
        (name + "_ms" if name.endswith(("_date", "_at")) else name): (
            milliseconds(value) if name.endswith(("_date", "_at")) else value)
        for name, value in members.items()
    }


def tiers(stated, name, total):
    """The prices of seats as the store writes them, and their sum."""
    if "tiers" not in stated:
        return {}
    written = json.dumps([{"price": price, "quantity": seats} for price, seats in stated["tiers"]], separators=(",", ":"))
    return {name: written, total: sum(price * seats for price, seats in stated["tiers"])}


def item(stated):
    made = stamped(stated)
    if "refunds" in made:
        made["refunds"] = [stamped(refund) for refund in made["refunds"]]
    return made


class Maker:
    def __init__(self, count=0, environment=lambda name: name):
        """count: documents before these, whose digests are the next numbers; environment: what it is named."""
        self.count, self.environment = count, environment

    def receipt(self, kind, stated, purchases=0, names_app=True):
        self.count += 1
        receipt = {
            "sha256": stated.get("sha256") or digest(self.count),
            "kind": kind,
            "verdict": stated.get("verdict", "trusted"),
            "environment": self.environment(stated.get("environment", "Production")),
            "receipt_creation_date_ms": milliseconds(stated["signed_at"]),
            "digest_algorithm": "sha256",
            "signer": "CN=Told",
            "purchase_count": purchases,
            "bytes": 100,
        }
        if names_app:
            receipt["bundle_id"] = stated.get("bundle_id", "com.example.club")
        for name in ("app_version", "original_application_version"):
            if name in stated:
                receipt[name] = stated[name]
                parts = [part.lstrip("0") for part in stated[name].split(".")]
                while parts and not parts[-1]:
                    parts.pop()
                receipt[name + "_key"] = " ".join(f"{len(part):02}{part}" for part in parts)
        if kind in ("app_receipt", "app_transaction") and "original_purchase_date" in stated:
            receipt["original_purchase_date_ms"] = milliseconds(stated["original_purchase_date"])
        return receipt

    @staticmethod
    def purchase(stated):
        made = {n: v for n, v in stated.items() if n not in TERMS | OF_DOCUMENT | PARTS | {"bundle_id"}}
        made.setdefault("original_transaction_id", stated["transaction_id"])
        made.setdefault("quantity", 1)
        made.setdefault("product_type", 3 if "expires_date" in stated else 0)
        if "purchase_date" in stated:
            made.setdefault("original_purchase_date", stated["purchase_date"])
        if stated.get("offer_type") == 1:
            if "offer_discount_type" in stated:
                trial = stated["offer_discount_type"] == "FREE_TRIAL"
                made.setdefault("is_trial_period", int(trial))
                made.setdefault("is_in_intro_offer_period", int(not trial))
        else:
            made.setdefault("is_trial_period", 0)
            made.setdefault("is_in_intro_offer_period", 0)
        if stated.get("offer_type") == 2 and "offer_id" in stated:
            made.setdefault("promotional_offer_id", stated["offer_id"])
        return stamped(made)

    def document(self, line):
        if "transaction" in line:
            stated = line["transaction"]
            terms = stamped({n: v for n, v in stated.items() if n in TERMS})
            terms |= tiers(stated, "seat_price_tiers", "amount_milliunits")
            if "items" in stated:
                terms["commerce"] = {"items": [item(one) for one in stated["items"]]}
            terms.setdefault("ownership", "PURCHASED")
            if "cancellation_date" in stated:
                terms["revocation_date_ms"] = milliseconds(stated["cancellation_date"])
            return {"receipt": self.receipt("signed_transaction", stated, 1), "purchases": [self.purchase(stated)], "terms": terms}
        if "renewal" in line:
            stated = line["renewal"]
            return {
                "receipt": self.receipt("signed_renewal", stated, names_app=False), "purchases": [],
                "renewal": stamped({n: v for n, v in stated.items() if n not in OF_DOCUMENT | PARTS})
                | tiers(stated, "renewal_price_tiers", "renewal_amount_milliunits"),
            }
        if "app_transaction" in line:
            stated = line["app_transaction"]
            names = ("original_platform", "app_transaction_id")
            return {
                "receipt": self.receipt("app_transaction", stated), "purchases": [],
                "app_transaction": {n: stated[n] for n in names if n in stated},
            }
        if "notification" in line:
            stated = line["notification"]
            names = {
                "notification_uuid", "notification_type", "subtype", "status", "consumption_request_reason",
                "external_purchase_id", "token_type", "token_creation_date", "token_expiration_date",
            }
            made = {"receipt": self.receipt("notification", stated), "purchases": []}
            made["notification"] = stamped({n: v for n, v in stated.items() if n in names})
            made["notification"].setdefault("notification_uuid", f"uuid-{self.count}")
            parts = []
            for name in ("transaction", "renewal"):
                if name in stated:
                    part = self.document({name: {"signed_at": stated["signed_at"], **stated[name]}})
                    part["part"] = name
                    parts.append(part)
            if parts:
                made["parts"] = parts
            return made
        stated = line["receipt"]
        return {"receipt": self.receipt("app_receipt", stated, len(stated.get("purchases", []))),
                "purchases": [self.purchase(p) for p in stated.get("purchases", [])]}

    def line(self, told):
        made = self.document(told)
        submission = {n: told[n] for n in ("device_id", "account_id") if n in told}
        submission["submitted_at_ms"] = milliseconds(told.get("submitted_at")) or made["receipt"]["receipt_creation_date_ms"] + 60000
        submission["device_check"] = "no_hash"
        submission["app_check"] = "not_configured"
        made["submission"] = submission
        return {"schema": 2, **made}


def decoded(text, count=0, environment=lambda name: name):
    maker = Maker(count, environment)
    return "".join(
        json.dumps(maker.line(json.loads(line))) + "\n"
        for line in text.splitlines() if line.strip() and not line.startswith("//")
    )


if __name__ == "__main__":
    import sys
    sys.stdout.write(decoded(sys.stdin.read()))
