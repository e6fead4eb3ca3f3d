"""The line that `receiptmill decode` writes, as a type of columns.

docs/decode-format.md says what the keys mean. A test holds these against
docs/decode-format.schema.json.
"""

SCHEMA = 1

TEXT, NUMBER, TRUTH = "STRING", "BIGINT", "BOOLEAN"


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

REJECTION = fields(TEXT, "reason detail")

ANSWER = {
    "schema": NUMBER,
    "submission": SUBMISSION,
    "receipt": RECEIPT,
    "purchases": [PURCHASE],
    "rejection": REJECTION,
}

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
    return {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), TRUTH: pyarrow.bool_()}[kind]
