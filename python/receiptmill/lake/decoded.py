"""The line that `receiptmill decode` writes, as a type of columns.

docs/decode-format.md says what the keys mean. A test holds these against
docs/decode-format.schema.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

# A type: its name, a structure of named types, or a list of one.
Kind = Any

# Versions that are read. The first knows one receipt in a line, and no signed data.
SCHEMAS = (1, 2)

TEXT, NUMBER, REAL, TRUTH = "STRING", "BIGINT", "DOUBLE", "BOOLEAN"


def fields(kind: Kind, names: str) -> dict[str, Kind]:
    return {name: kind for name in names.split()}


SUBMISSION = fields(TEXT, "device_id account_id device_check") | fields(NUMBER, "submitted_at_ms")

RECEIPT = (
    fields(
        TEXT,
        "sha256 kind verdict verdict_detail environment bundle_id app_version app_version_key"
        " original_application_version original_application_version_key digest_algorithm signer"
        " opaque_value device_hash octets",
    )
    | fields(
        NUMBER,
        "original_purchase_date_ms receipt_creation_date_ms expiration_date_ms app_item_id"
        " version_external_identifier download_id purchase_count bytes",
    )
    | {"issuers": [TEXT], "unknown_members": [fields(TEXT, "path value_type")]}
    | {"undocumented_attributes": [NUMBER], "undocumented_purchase_attributes": [NUMBER]}
)

PURCHASE = fields(TEXT, "transaction_id original_transaction_id product_id promotional_offer_id") | fields(
    NUMBER,
    "quantity product_type purchase_date_ms original_purchase_date_ms expires_date_ms cancellation_date_ms"
    " web_order_line_item_id is_trial_period is_in_intro_offer_period",
)

REFUND = fields(TEXT, "refund_type refund_reason") | fields(NUMBER, "refund_date_ms refund_milliunits seats_revoked")

ITEM = (
    fields(
        TEXT,
        "sku display_name description offer_period offer_reason price_increase_status dependent_skus partners"
        " seat_price_tiers",
    )
    | fields(
        NUMBER,
        "price_milliunits revoked_date_ms offer_period_count offer_price_milliunits price_increase_milliunits",
    )
    | {"refunds": [REFUND]}
)

# A sale by the Advanced Commerce API.
COMMERCE = (
    fields(
        TEXT, "commerce_period request_reference_id consistency_token tax_code tax_rate display_name description"
    )
    | fields(NUMBER, "tax_exclusive_price_milliunits estimated_tax_milliunits")
    | {"items": [ITEM]}
)

# What signed data states beside what receipts do.
TERMS = (
    fields(
        TEXT,
        "currency storefront storefront_id ownership offer_id offer_discount_type offer_period transaction_reason"
        " subscription_group_id app_account_token app_transaction_id revocation_type billing_plan seat_invitations"
        " seat_price_tiers additional_reason previous_original_transaction_id product_type_name",
    )
    | fields(
        NUMBER,
        "price_milliunits amount_milliunits offer_type is_upgraded revocation_date_ms revocation_reason"
        " commitment_period commitment_periods commitment_price_milliunits commitment_expires_date_ms seats_revoked",
    )
    | fields(REAL, "revoked_share")
    | {"commerce": COMMERCE}
)

RENEWAL = (
    fields(
        TEXT,
        "original_transaction_id product_id auto_renew_product_id currency offer_id offer_discount_type offer_period"
        " eligible_win_back_offer_ids app_account_token app_transaction_id billing_plan commitment_product_id"
        " commitment_billing_plan renewal_price_tiers",
    )
    | fields(
        NUMBER,
        "auto_renew_status expiration_intent is_in_billing_retry grace_period_expires_date_ms renewal_date_ms"
        " renewal_price_milliunits offer_type price_increase_status recent_subscription_start_date_ms"
        " commitment_auto_renew_status commitment_renewal_date_ms commitment_renewal_price_milliunits renewal_quantity"
        " renewal_amount_milliunits",
    )
    | {"commerce": COMMERCE}
)

APP_TRANSACTION = fields(TEXT, "original_platform store_type app_transaction_id") | fields(
    NUMBER, "preorder_date_ms revocation_date_ms"
)

NOTIFICATION = fields(
    TEXT,
    "notification_uuid notification_type subtype consumption_request_reason version bundle_version summary_product_id"
    " request_identifier storefront_country_codes external_purchase_id token_type unclaim_seat_ids",
) | fields(NUMBER, "status succeeded_count failed_count token_creation_date_ms token_expiration_date_ms")

REALTIME_REQUEST = fields(TEXT, "original_transaction_id product_id user_locale request_identifier")

REJECTION = fields(TEXT, "reason detail")

STATEMENT = {
    "receipt": RECEIPT,
    "purchases": [PURCHASE],
    "terms": TERMS,
    "renewal": RENEWAL,
    "app_transaction": APP_TRANSACTION,
    "notification": NOTIFICATION,
    "realtime_request": REALTIME_REQUEST,
}

# The first document of a line stands in the line itself.
DOCUMENT = {
    "submission": SUBMISSION,
    **STATEMENT,
    "parts": [fields(TEXT, "part") | STATEMENT],
    "rejection": REJECTION,
}

ANSWER = {"schema": NUMBER, **DOCUMENT, "documents": [fields(NUMBER, "document") | DOCUMENT]}

# Lines of archives given by name say which.
ARCHIVE = fields(TEXT, "name sha256") | fields(NUMBER, "bytes")
LINE = ANSWER | {"archive": ARCHIVE, "line": NUMBER, "last": TRUTH}


def duckdb_type(kind: Kind) -> str:
    if isinstance(kind, dict):
        return "STRUCT(" + ", ".join(f'"{name}" {duckdb_type(part)}' for name, part in kind.items()) + ")"
    if isinstance(kind, list):
        return duckdb_type(kind[0]) + "[]"
    return "VARCHAR" if kind == TEXT else str(kind)


def spark_type(kind: Kind) -> str:
    if isinstance(kind, dict):
        return "STRUCT<" + ", ".join(f"`{name}`: {spark_type(part)}" for name, part in kind.items()) + ">"
    if isinstance(kind, list):
        return f"ARRAY<{spark_type(kind[0])}>"
    return str(kind)


def arrow_type(kind: Kind) -> pyarrow.DataType:
    import pyarrow

    if isinstance(kind, dict):
        return pyarrow.struct([(name, arrow_type(part)) for name, part in kind.items()])
    if isinstance(kind, list):
        return pyarrow.list_(arrow_type(kind[0]))
    return {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), REAL: pyarrow.float64(), TRUTH: pyarrow.bool_()}[kind]
