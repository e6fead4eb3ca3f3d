"""The line that `receiptmill decode` writes, as a type of columns.

docs/decode-format.md says what the keys mean. A test holds these against
docs/decode-format.schema.json.
"""

# Versions that are read. The first knows one receipt in a line, and no signed data.
SCHEMAS = (1, 2)

TEXT, NUMBER, REAL, TRUTH = "STRING", "BIGINT", "DOUBLE", "BOOLEAN"


def fields(kind, names):
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
    | {"issuers": [TEXT]}
    | {"undocumented_attributes": [NUMBER], "undocumented_purchase_attributes": [NUMBER]}
)

PURCHASE = fields(TEXT, "transaction_id original_transaction_id product_id promotional_offer_id") | fields(
    NUMBER,
    "quantity product_type purchase_date_ms original_purchase_date_ms expires_date_ms cancellation_date_ms"
    " web_order_line_item_id is_trial_period is_in_intro_offer_period",
)

# What signed data states beside what receipts do.
TERMS = (
    fields(
        TEXT,
        "currency storefront ownership offer_id offer_discount_type offer_period transaction_reason"
        " subscription_group_id app_account_token app_transaction_id revocation_type",
    )
    | fields(NUMBER, "price_milliunits offer_type is_upgraded revocation_date_ms revocation_reason")
    | fields(REAL, "revoked_share")
)

RENEWAL = fields(
    TEXT,
    "original_transaction_id product_id auto_renew_product_id currency offer_id app_account_token app_transaction_id",
) | fields(
    NUMBER,
    "auto_renew_status expiration_intent is_in_billing_retry grace_period_expires_date_ms renewal_date_ms"
    " renewal_price_milliunits offer_type price_increase_status recent_subscription_start_date_ms",
)

APP_TRANSACTION = fields(TEXT, "original_platform app_transaction_id")

NOTIFICATION = fields(
    TEXT, "notification_uuid notification_type subtype consumption_request_reason"
) | fields(NUMBER, "status")

REJECTION = fields(TEXT, "reason detail")

STATEMENT = {
    "receipt": RECEIPT,
    "purchases": [PURCHASE],
    "terms": TERMS,
    "renewal": RENEWAL,
    "app_transaction": APP_TRANSACTION,
    "notification": NOTIFICATION,
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


def duckdb_type(kind):
    if isinstance(kind, dict):
        return "STRUCT(" + ", ".join(f'"{name}" {duckdb_type(part)}' for name, part in kind.items()) + ")"
    if isinstance(kind, list):
        return duckdb_type(kind[0]) + "[]"
    return "VARCHAR" if kind == TEXT else kind


def spark_type(kind):
    if isinstance(kind, dict):
        return "STRUCT<" + ", ".join(f"`{name}`: {spark_type(part)}" for name, part in kind.items()) + ">"
    if isinstance(kind, list):
        return f"ARRAY<{spark_type(kind[0])}>"
    return kind


def arrow_type(kind):
    import pyarrow

    if isinstance(kind, dict):
        return pyarrow.struct([(name, arrow_type(part)) for name, part in kind.items()])
    if isinstance(kind, list):
        return pyarrow.list_(arrow_type(kind[0]))
    return {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), REAL: pyarrow.float64(), TRUTH: pyarrow.bool_()}[kind]
