"""How the rows of a night's archives join those that are merged: the same on every engine.

A table of sql/lake/tables is merged from the facts of all archives. Its statement may as well run over the facts of
new archives alone: then of two rows for one key, the night's and the one that is there (`ours`), the same rule
chooses. What no such rule covers, an archive that went or a verdict that changed, has all tables merged anew.
"""

import hashlib

from . import dialect

# Read from facts or from another table as they are; all others are tables of a database or lake.
NOT_MERGED = (
    "allowed_subject archive decision decision_signal erasure receipt_digest receipt_lineage rejection retraction run"
    " signal_sighting"
).split()

NEWER = "(night.as_of, night.receipt_id) > (ours.as_of, ours.receipt_id)"
# What a row is known by, and when the night's goes before ours; where nothing is said, it says the same. Rows of other
# tables are known by their document.
KEYS = {
    "app": ("app_id",),
    "attribute_set_member": ("attribute_set_id, attribute_type",),
    "claimed_purchase": ("purchase_id", NEWER),
    "commerce_item": ("receipt_id, item",),
    "commerce_refund": ("receipt_id, item, refund",),
    "product": ("product_number",),
    "purchase": ("app_id, transaction_id", NEWER),
    "purchase_terms": ("app_id, transaction_id, verdict", "true"),
    "receipt": (
        "receipt_id",
        "(CASE WHEN night.verdict = 'trusted' THEN 0 ELSE 1 END, night.archive_sha256)"
        " < (CASE WHEN ours.verdict = 'trusted' THEN 0 ELSE 1 END, ours.archive_sha256)",
    ),
    "receipt_part": ("receipt_id, part",),
    "receipt_purchase": ("receipt_id, transaction_id",),
    "signer": ("signer_id",),
    # All of an archive that has more lines than it had.
    "submission": ("archive_id", "true"),
    "unknown_set_member": ("unknown_set_id, path, value_type",),
    "version": ("version_id",),
}
OF_DOCUMENT = ("receipt_id",)

# Terms are merged column by column, which needs all that was stated of a purchase.
PURCHASE = ("environment", "bundle_id", "transaction_id")


def keys_of(table: str) -> tuple[str, ...]:
    """What a table's row is known by, and when the night's goes before ours."""
    return KEYS.get(table, OF_DOCUMENT)


def rule(key: str, wins: str = "false") -> tuple[str, str]:
    """Condition under which a night's row and one of ours are for one key, and that under which the night's goes
    before ours."""
    return " AND ".join(f"night.{column} IS NOT DISTINCT FROM ours.{column}" for column in key.split(", ")), wins


def merged_selects() -> dict[str, str]:
    """Name and SELECT of every merged table."""
    return {name: text for name, text in dialect.lake_selects("tables").items() if name not in NOT_MERGED}


def fingerprint(engine: str) -> str:
    """What the statements that merge are known by: tables that others made are made anew."""
    texts = [*dialect.loaded_selects().values(), *dialect.lake_selects("tables").values()]
    texts += dialect.statements(dialect.SQL / f"engines/{engine}.sql")
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
