-- The two tables of both baselines: what each line presented, and the latest
-- state of each purchase.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;

CREATE TABLE receipt (
    line INTEGER PRIMARY KEY,
    device_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    device_match INTEGER NOT NULL,
    environment TEXT,
    bundle_id TEXT,
    app_version TEXT,
    original_application_version TEXT,
    original_purchase_date TEXT,
    receipt_creation_date TEXT
);

CREATE TABLE purchase (
    environment TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    original_transaction_id TEXT,
    product_id TEXT,
    quantity INTEGER,
    product_type INTEGER,
    purchase_date TEXT,
    original_purchase_date TEXT,
    expires_date TEXT,
    cancellation_date TEXT,
    web_order_line_item_id INTEGER,
    is_in_intro_offer_period INTEGER,
    receipt_creation_date TEXT,
    PRIMARY KEY (environment, bundle_id, transaction_id)
);
