"""What can't be equal in two engines, and why; and what is not compared at all.

An entry that fits nothing fails the comparison, so that the lists name only what there is.
"""

import engines  # Puts python/ on the path.

from receiptmill.lake.dialect import models

LOAD_TIMES = "each engine loads at its own time"
NUMBERS = "numbers that a database gives out for itself"
TEXTS = "keys of transactions and other texts, which a view tells apart"
RUNS = "runs are of one database; a lake keeps none"

# Wherever a view or a model has a column of the name.
EVERYWHERE = {
    **dict.fromkeys(
        [
            "app_id", "customer_id", "next_purchase_id", "other_receipt_id", "product_number",
            "purchase_id", "purchase_number", "receipt_id", "receipt_number", "submission_number", "terms_id",
            "user_id",
        ],
        NUMBERS,
    ),
    "found_by": RUNS,
}
# In models alone: views name submissions and archives by what they hold.
IN_MODELS = dict.fromkeys(
    [
        "archive_id", "auto_renew_product_number", "first_version_id", "from_product_number", "last_purchase_id",
        "last_version_id", "sale_id", "submission_id", "thing", "trial_product", "version_id",
    ],
    NUMBERS,
)
# In one view.
IN_VIEW = {
    "archives": {"first_loaded_at": LOAD_TIMES, "completed_at": LOAD_TIMES},
    "internal_device_submissions": {"submission_id": NUMBERS, "archive_id": NUMBERS},
    "internal_evidence": {"submission_id": NUMBERS},
    "internal_refunds": {"version_id": NUMBERS},
    "fraud_cases": {"found_at": RUNS},
    # Of customers that only their original transaction names.
    "model_customer_numbers": {"name": TEXTS},
    "model_findings": {"subject": TEXTS, "example": TEXTS},
    "model_gaps": {"example": TEXTS},
    "fraud_signals": {"found_at": RUNS, "is_new": RUNS},
}
# In one report, whose rows are sorted by what can't be equal and compared without it.
IN_REPORT = {
    "archive-loads": IN_VIEW["archives"],
    "fraud-queue": {"found_at": RUNS},
    "fraud-signals": {"found_at": RUNS},
}

# Identifiers of transactions as an engine keeps them: compared as text. Those of views are text, but for these.
KEYS_IN_MODELS = {"original_id", "transaction_id"}
KEYS_IN_VIEWS = {
    "fraud_signals": {"transaction_key"},
    "internal_known_subscriptions": {"original_id"},
    "internal_latest_renewals": {"original_transaction_id"},
    "internal_period_times": {"original_id"},
}

NOT_COMPARED = {"runs": RUNS, "erasures": RUNS, "retractions": RUNS}
# Reports that have no row without a run.
NOT_ANSWERED = {"standing": RUNS}
# Values of a report's parameter.
NOT_ASKED = {"fraud-signals": {"found=last-run": RUNS}}


def apart(name):
    """The columns of a view or a model that are not compared, where it has them."""
    return EVERYWHERE | (IN_MODELS if name in models() else {}) | IN_VIEW.get(name, {})


def keys(name):
    """The columns of a view or a model that are compared as the text of what they identify."""
    return (KEYS_IN_MODELS if name in models() else set()) | KEYS_IN_VIEWS.get(name, set())


def stale(columns_of, reports, choices):
    """Entries of these lists that fit nothing: columns are given by view or model, and by report; and the choices of
    reports' parameters."""
    in_models = {name: columns for name, columns in columns_of.items() if name in models()}
    found = []
    for names, tables in (
        (EVERYWHERE, columns_of), (IN_MODELS, in_models), (KEYS_IN_MODELS, in_models),
    ):
        known = {column for columns in tables.values() for column in columns}
        found += [column for column in names if column not in known]
    for entries, known in (
        (IN_VIEW, columns_of), (KEYS_IN_VIEWS, columns_of), (IN_REPORT, reports), (NOT_ASKED, choices),
    ):
        for name, columns in entries.items():
            found += [f"{name}.{column}" for column in columns if column not in known.get(name, [])]
    found += [name for name in NOT_COMPARED if name not in columns_of]
    return found + [name for name in NOT_ANSWERED if name not in reports]
