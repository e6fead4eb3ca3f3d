-- The loader's tables, schema version 8: that of the first release.
--
-- Tables are the loader's and may change; the views in ../views are everybody
-- else's and are kept. Times are integer Unix milliseconds, UTC. Texts that
-- repeat (apps, versions, products, signers) stand once and are referred to by
-- number, so that the tables that grow with the archives hold little but
-- integers.

-- "RcMl", by which file(1) and others can tell whose database this is, and the version.
PRAGMA application_id = 0x52634d6c;
PRAGMA user_version = 8;

-- Which database this is. Its copies have the same; no two that were made apart do.
CREATE TABLE identity (
    database_id BLOB NOT NULL
) STRICT;

INSERT INTO identity (database_id) VALUES (randomblob(16));

-- One file of the night's intake, recognised by its content.
CREATE TABLE archive (
    archive_id      INTEGER PRIMARY KEY,
    name            TEXT    NOT NULL,           -- file name when first loaded, "-" for standard input
    sha256          BLOB    NOT NULL UNIQUE,    -- of the file's bytes as stored
    bytes           INTEGER NOT NULL,
    lines           INTEGER NOT NULL DEFAULT 0, -- loaded so far: submissions and rejections
    loaded_lines    INTEGER NOT NULL DEFAULT 0, -- of these, submissions
    pruned_lines    INTEGER NOT NULL DEFAULT 0, -- of these, submissions that were deleted since
    other_stores    INTEGER NOT NULL DEFAULT 0, -- lines about purchases of other stores: rejections that are dismissed
    headers         INTEGER NOT NULL DEFAULT 0, -- headers of tables: rejections that are dismissed
    complete        INTEGER NOT NULL DEFAULT 0, -- 1: read to its end, undamaged
    first_loaded_at INTEGER NOT NULL,
    completed_at    INTEGER,
    -- The text whose lines are processed, inflated: a file that is compressed anew has the same. Null where unknown.
    text_sha256     BLOB,
    text_bytes      INTEGER,
    -- Of a damaged archive, the lines of gzip members whose checksums are right: others may differ from what was
    -- written. Null where nothing is damaged.
    sound_lines     INTEGER,
    -- An archive of the same name that holds nearly all of its submissions, which count twice.
    repeated_in     INTEGER REFERENCES archive
) STRICT;
-- The few archives that count twice, which status reads.
CREATE INDEX archive_repeated ON archive (repeated_in) WHERE repeated_in IS NOT NULL;

-- An archive that has grown keeps its name: looked for once for each file that comes.
CREATE INDEX archive_by_name ON archive (name);

-- Where archives lay when they were loaded or met again: which entry of a
-- pipeline file has had one, and when.
CREATE TABLE archive_place (
    folder     TEXT    NOT NULL,                -- without links, from the root
    name       TEXT    NOT NULL,
    archive_id INTEGER NOT NULL REFERENCES archive,
    found_at   INTEGER NOT NULL,                -- when the content was met there first, or had grown last
    PRIMARY KEY (folder, name, archive_id)
) STRICT, WITHOUT ROWID;

-- What an archive held when it was loaded before it grew: the same content is
-- known when it comes again.
CREATE TABLE archive_prefix (
    sha256     BLOB    PRIMARY KEY NOT NULL,
    archive_id INTEGER NOT NULL REFERENCES archive,
    lines      INTEGER NOT NULL                 -- of it, without a last one that was half, and rejected
) STRICT, WITHOUT ROWID;

-- A document of a line that can't be read, or a line in which there is none.
CREATE TABLE rejection (
    archive_id INTEGER NOT NULL REFERENCES archive,
    line       INTEGER NOT NULL,
    document   INTEGER NOT NULL DEFAULT 1,      -- the n-th of the line
    reason     TEXT    NOT NULL,
    detail     TEXT    NOT NULL,
    status     TEXT    NOT NULL DEFAULT 'open'  -- cleared: the document was read later, and is a submission
        CHECK (status IN ('open', 'cleared', 'dismissed')),
    PRIMARY KEY (archive_id, line, document)
) STRICT, WITHOUT ROWID;

-- Rejections that wait for a person, and the first archive that has one, are found without the others.
CREATE INDEX rejection_open ON rejection (archive_id) WHERE status = 'open';

-- Rejected lines as they were, where a run was asked to keep them, while a
-- rejection of theirs is open. Rows are large, so that this is no table WITHOUT ROWID.
CREATE TABLE dead_letter (
    letter_id  INTEGER PRIMARY KEY,             -- archive_id << 32 | line
    bytes      INTEGER NOT NULL,                -- of the line
    kept_at    INTEGER NOT NULL,
    deflated   BLOB    NOT NULL,                -- zlib's format
    archive_id INTEGER NOT NULL GENERATED ALWAYS AS (letter_id >> 32) VIRTUAL,
    line       INTEGER NOT NULL GENERATED ALWAYS AS (letter_id & 0xffffffff) VIRTUAL
) STRICT;

-- How many lines are kept and since when, told without reading the lines.
CREATE INDEX dead_letter_by_time ON dead_letter (kept_at);

-- Environment and bundle identifier, as receipts state them; '' where absent.
CREATE TABLE app (
    app_id      INTEGER PRIMARY KEY,
    environment TEXT NOT NULL,
    bundle_id   TEXT NOT NULL,
    UNIQUE (bundle_id, environment)
) STRICT;

-- A version as text and the key by which it sorts.
CREATE TABLE version (
    version_id  INTEGER PRIMARY KEY,
    version     TEXT NOT NULL UNIQUE,
    version_key TEXT NOT NULL
) STRICT;

CREATE TABLE product (
    product_number INTEGER PRIMARY KEY,
    product_id     TEXT NOT NULL UNIQUE
) STRICT;

-- The subject of a signing certificate.
CREATE TABLE signer (
    signer_id INTEGER PRIMARY KEY,
    subject   TEXT NOT NULL UNIQUE
) STRICT;

-- A set of attribute types that Apple does not document, as trusted receipts
-- hold them; the store's hold a few dozen different ones.
CREATE TABLE attribute_set (
    attribute_set_id INTEGER PRIMARY KEY,
    types            TEXT NOT NULL UNIQUE             -- in decimal, ascending, parted by commas
) STRICT;

CREATE TABLE attribute_set_member (
    attribute_set_id INTEGER NOT NULL REFERENCES attribute_set,
    attribute_type   INTEGER NOT NULL,
    PRIMARY KEY (attribute_set_id, attribute_type)
) STRICT, WITHOUT ROWID;

-- A set of members of signed documents, or of their values, that the table of fields does
-- not know, as one document states them. The same few sets repeat.
CREATE TABLE unknown_set (
    unknown_set_id INTEGER PRIMARY KEY,
    members        TEXT NOT NULL UNIQUE               -- one line for each member: path, a tab, type of the value
) STRICT;

CREATE TABLE unknown_set_member (
    unknown_set_id INTEGER NOT NULL REFERENCES unknown_set,
    path           TEXT    NOT NULL,
    value_type     TEXT    NOT NULL,
    PRIMARY KEY (unknown_set_id, path, value_type)
) STRICT, WITHOUT ROWID;

-- A store's signed document, once for each distinct content.
CREATE TABLE receipt (
    receipt_id                      INTEGER PRIMARY KEY,
    sha256                          BLOB    NOT NULL, -- unique: see receipt_digest
    kind                            TEXT    NOT NULL,
    verdict                         TEXT    NOT NULL,
    verdict_detail                  TEXT,             -- why, where the verdict is not trusted
    app_id                          INTEGER NOT NULL REFERENCES app,
    app_version_id                  INTEGER REFERENCES version,
    original_application_version_id INTEGER REFERENCES version,
    original_purchase_date          INTEGER,
    receipt_creation_date           INTEGER,
    expiration_date                 INTEGER,
    app_item_id                     INTEGER,
    version_external_identifier     INTEGER,
    download_id                     INTEGER,
    digest_algorithm                TEXT,
    signer_id                       INTEGER REFERENCES signer,
    opaque_value                    BLOB,             -- attribute 4, null where it is absent or empty
    device_hash                     BLOB,             -- attribute 5, the same
    purchase_count                  INTEGER NOT NULL,
    bytes                           INTEGER NOT NULL,
    -- Undocumented attributes, of trusted receipts alone: its own, and those of its
    -- purchases together; null where there are none.
    attribute_set_id                INTEGER REFERENCES attribute_set,
    purchase_attribute_set_id       INTEGER REFERENCES attribute_set,
    -- Members and values of trusted signed documents that the table of fields does not know.
    unknown_set_id                  INTEGER REFERENCES unknown_set
) STRICT;

-- The receipt that has a digest. Stands apart from the receipts, because digests
-- come in no order: the loader fills this by windows, each in the order of the
-- digests, so that a night writes each page a few times and not once a receipt.
CREATE TABLE receipt_digest (
    sha256     BLOB    PRIMARY KEY NOT NULL,
    receipt_id INTEGER NOT NULL REFERENCES receipt
) STRICT, WITHOUT ROWID;

-- Receipts of one installation of an app share opaque value and hash across
-- refreshes (their lineage), and so the beginning of the hash; hardly any others
-- do, and every look-up compares the whole. Holds no more than that because these,
-- too, come in no order: a third of the pages to be read and written in a night.
-- Filled as receipt_digest is; receipts without either attribute are not in it.
CREATE TABLE receipt_lineage (
    hash_prefix BLOB    NOT NULL,                     -- substr(device_hash, 1, 6), all of a shorter one
    receipt_id  INTEGER NOT NULL REFERENCES receipt,
    PRIMARY KEY (hash_prefix, receipt_id)
) STRICT, WITHOUT ROWID;

-- Receipts that are not trusted: what the fraud team reads. Rare by nature, so
-- that keeping the index costs nothing, and building it later a scan.
CREATE INDEX receipt_not_trusted ON receipt (verdict) WHERE verdict <> 'trusted';

-- Documents with unknown members, which change what the store writes: none, as a rule.
CREATE INDEX receipt_with_unknown ON receipt (unknown_set_id, kind) WHERE unknown_set_id IS NOT NULL;

-- A document that stands in a line of an archive.
CREATE TABLE submission (
    submission_id INTEGER PRIMARY KEY,                -- (document - 1) << 52 | archive_id << 32 | line
    receipt_id    INTEGER NOT NULL REFERENCES receipt,
    device_id     TEXT,
    account_id    TEXT,
    submitted_at  INTEGER,
    device_check  TEXT    NOT NULL,
    -- Numbers that stand for the identifiers, which an index can hold: the same for
    -- the same one, and for two but once in a hundred million pairs.
    device_tag    INTEGER,
    account_tag   INTEGER,
    archive_id    INTEGER NOT NULL GENERATED ALWAYS AS (submission_id >> 32 & 0xfffff) VIRTUAL REFERENCES archive,
    line          INTEGER NOT NULL GENERATED ALWAYS AS (submission_id & 0xffffffff) VIRTUAL,
    document      INTEGER NOT NULL GENERATED ALWAYS AS ((submission_id >> 52) + 1) VIRTUAL
) STRICT;

-- Submissions of lines that were rejected first and loaded later, since the models were refreshed last: behind no other
-- line of their archive.
CREATE TABLE late_submission (
    submission_id INTEGER PRIMARY KEY REFERENCES submission
) STRICT;

-- What makes tags: no one outside the database can see which identifiers share
-- one.
CREATE TABLE tag_seed (
    seed INTEGER NOT NULL
) STRICT;

INSERT INTO tag_seed (seed) VALUES (random());

-- Evidence of copied receipts, rare by nature too.
CREATE INDEX submission_with_hash_mismatch ON submission (device_check) WHERE device_check = 'mismatch';

-- The latest state of a transaction, stated by trusted receipts.
--
-- transaction_id is an integer where the identifier is canonical decimal (the
-- store's always are) and text elsewhere.
CREATE TABLE purchase (
    purchase_id          INTEGER PRIMARY KEY,
    app_id                   INTEGER NOT NULL REFERENCES app,
    transaction_id           ANY     NOT NULL,
    original_transaction_id  ANY,
    product_number           INTEGER REFERENCES product,
    quantity                 INTEGER,
    product_type             INTEGER,
    purchase_date            INTEGER,
    original_purchase_date   INTEGER,
    expires_date             INTEGER,
    cancellation_date        INTEGER,
    web_order_line_item_id   INTEGER,
    is_trial_period          INTEGER,
    is_in_intro_offer_period INTEGER,
    promotional_offer_id     TEXT,
    -- Creation date of the receipt that states this; a transaction receipt states
    -- none and was created when its purchase was made. Neither this nor the receipt
    -- is ever null. But were a column that merging rewrites declared NOT NULL, SQLite
    -- would first copy each page that a merge touches to a file.
    as_of                  INTEGER,
    receipt_id               INTEGER REFERENCES receipt,
    -- The number that differs most comes first: SQLite then mostly compares one integer at each step.
    UNIQUE (transaction_id, app_id)
) STRICT;

-- What receipts that are not trusted claim, kept apart by verdict and by the
-- kind of receipt, because only those of transaction receipts may be withdrawn.
CREATE TABLE claimed_purchase (
    purchase_id          INTEGER PRIMARY KEY,
    app_id                   INTEGER NOT NULL REFERENCES app,
    transaction_id           ANY     NOT NULL,
    original_transaction_id  ANY,
    product_number           INTEGER REFERENCES product,
    quantity                 INTEGER,
    product_type             INTEGER,
    purchase_date            INTEGER,
    original_purchase_date   INTEGER,
    expires_date             INTEGER,
    cancellation_date        INTEGER,
    web_order_line_item_id   INTEGER,
    is_trial_period          INTEGER,
    is_in_intro_offer_period INTEGER,
    promotional_offer_id     TEXT,
    as_of                  INTEGER,
    receipt_id               INTEGER REFERENCES receipt,
    verdict                  TEXT    NOT NULL,
    kind                     TEXT    NOT NULL,
    UNIQUE (transaction_id, app_id, verdict, kind)
) STRICT;

-- Which receipt states which transaction; the receipt's app is the purchase's.
CREATE TABLE receipt_purchase (
    receipt_id     INTEGER NOT NULL REFERENCES receipt,
    transaction_id ANY     NOT NULL,
    PRIMARY KEY (receipt_id, transaction_id)
) STRICT, WITHOUT ROWID;

-- What the columns that receipts don't know say of a purchase, merged: each from the
-- newest signed transaction that states it, is_upgraded from the newest. Of trusted
-- documents, and of the others by verdict. Stands apart from the purchases, since
-- receipts would pay for it.
CREATE TABLE purchase_terms (
    terms_id              INTEGER PRIMARY KEY,
    app_id                INTEGER NOT NULL REFERENCES app,
    transaction_id        ANY     NOT NULL,
    verdict               TEXT    NOT NULL,
    price_milliunits      INTEGER,
    currency              TEXT,
    amount_milliunits     INTEGER,                    -- of seats: their prices together; else null
    seat_price_tiers      TEXT,                       -- JSON, as stated
    storefront            TEXT,
    storefront_id         TEXT,
    ownership             TEXT,
    offer_type            INTEGER,
    offer_id              TEXT,
    offer_discount_type   TEXT,
    offer_period          TEXT,
    transaction_reason    TEXT,
    subscription_group_id TEXT,
    app_account_token     TEXT,
    app_transaction_id    TEXT,
    is_upgraded           INTEGER,
    billing_plan          TEXT,
    commitment_period     INTEGER,
    commitment_periods    INTEGER,
    commitment_price_milliunits INTEGER,
    commitment_expires_date     INTEGER,
    seat_invitations      TEXT,
    seats_revoked         INTEGER,
    additional_reason     TEXT,
    previous_original_transaction_id ANY,             -- as purchase's
    product_type_name     TEXT,                       -- of a type that has no number
    receipt_id            INTEGER REFERENCES receipt, -- the newest
    -- The documents that state what the newest does not: null where it does, or none does.
    price_receipt_id              INTEGER,
    storefront_receipt_id         INTEGER,
    ownership_receipt_id          INTEGER,
    offer_receipt_id              INTEGER,
    reason_receipt_id             INTEGER,
    subscription_group_receipt_id INTEGER,
    app_account_token_receipt_id  INTEGER,
    app_transaction_receipt_id    INTEGER,
    plan_receipt_id               INTEGER,
    seats_receipt_id              INTEGER,
    previous_receipt_id           INTEGER,
    UNIQUE (transaction_id, app_id, verdict)
) STRICT;

-- What a signed document holds inside. The part has a row of receipt of its own.
CREATE TABLE receipt_part (
    receipt_id      INTEGER NOT NULL REFERENCES receipt,
    part            TEXT    NOT NULL CHECK (part IN ('transaction', 'renewal', 'app_transaction')),
    part_receipt_id INTEGER NOT NULL REFERENCES receipt,
    PRIMARY KEY (receipt_id, part)
) STRICT, WITHOUT ROWID;

-- A revocation, as a signed transaction states it. One row for each that states one:
-- the store may move its date, or take it back.
CREATE TABLE revocation (
    receipt_id        INTEGER PRIMARY KEY REFERENCES receipt,
    revocation_date   INTEGER NOT NULL,
    revocation_reason INTEGER,
    revocation_type   TEXT,
    revoked_share     REAL                            -- 0 to 1
) STRICT;

-- How many seats of a transaction were revoked, as a signed transaction states it. One
-- row for each that states a number: each change of the number is a refund.
CREATE TABLE seat_revocation (
    receipt_id    INTEGER PRIMARY KEY REFERENCES receipt,
    seats_revoked INTEGER NOT NULL
) STRICT;

-- What a signed transaction or renewal info states of a sale by the Advanced Commerce
-- API. The newest document's counts.
CREATE TABLE commerce (
    receipt_id                    INTEGER PRIMARY KEY REFERENCES receipt,
    commerce_period               TEXT,
    request_reference_id          TEXT,
    consistency_token             TEXT,
    tax_code                      TEXT,
    tax_rate                      TEXT,
    tax_exclusive_price_milliunits INTEGER,
    estimated_tax_milliunits      INTEGER,
    display_name                  TEXT,
    description                   TEXT
) STRICT;

-- An item of that sale.
CREATE TABLE commerce_item (
    receipt_id                INTEGER NOT NULL REFERENCES receipt,
    item                      INTEGER NOT NULL,       -- place in the document's list, from 1
    sku                       TEXT,
    display_name              TEXT,
    description               TEXT,
    price_milliunits          INTEGER,
    revoked_date              INTEGER,
    offer_period              TEXT,
    offer_period_count        INTEGER,
    offer_price_milliunits    INTEGER,
    offer_reason              TEXT,
    price_increase_milliunits INTEGER,
    price_increase_status     TEXT,
    dependent_skus            TEXT,                   -- JSON, as stated
    partners                  TEXT,                   -- JSON, as stated
    seat_price_tiers          TEXT,                   -- JSON, as stated
    PRIMARY KEY (receipt_id, item)
) STRICT, WITHOUT ROWID;

-- A refund of an item.
CREATE TABLE commerce_refund (
    receipt_id        INTEGER NOT NULL REFERENCES receipt,
    item              INTEGER NOT NULL,
    refund            INTEGER NOT NULL,               -- place in the item's list, from 1
    refund_date       INTEGER,
    refund_milliunits INTEGER,
    refund_type       TEXT,
    refund_reason     TEXT,
    seats_revoked     INTEGER,
    PRIMARY KEY (receipt_id, item, refund)
) STRICT, WITHOUT ROWID;

-- The state of a subscription's renewal, as a trusted renewal info states it. One row
-- for each: the states of days that have passed.
CREATE TABLE renewal (
    receipt_id                     INTEGER PRIMARY KEY REFERENCES receipt,
    environment                    TEXT    NOT NULL,  -- '' where absent
    original_transaction_id        ANY     NOT NULL,  -- as purchase's
    signed_at                      INTEGER NOT NULL,
    product_number                 INTEGER REFERENCES product,
    auto_renew_product_number      INTEGER REFERENCES product,
    auto_renew_status              INTEGER,
    expiration_intent              INTEGER,
    is_in_billing_retry            INTEGER,
    grace_period_expires_date      INTEGER,
    renewal_date                   INTEGER,
    renewal_price_milliunits       INTEGER,
    currency                       TEXT,
    offer_type                     INTEGER,
    offer_id                       TEXT,
    price_increase_status          INTEGER,
    recent_subscription_start_date INTEGER,
    app_account_token              TEXT,
    app_transaction_id             TEXT,
    offer_discount_type            TEXT,
    offer_period                   TEXT,
    eligible_win_back_offer_ids    TEXT,              -- JSON, as stated
    billing_plan                   TEXT,
    commitment_auto_renew_status   INTEGER,
    commitment_product_number      INTEGER REFERENCES product,
    commitment_renewal_date        INTEGER,
    commitment_renewal_price_milliunits INTEGER,
    commitment_billing_plan        TEXT,
    renewal_quantity               INTEGER,
    renewal_amount_milliunits      INTEGER,           -- of seats: their prices together; else null
    renewal_price_tiers            TEXT               -- JSON, as stated
) STRICT;

-- A trusted notification of version 2.
CREATE TABLE notification (
    receipt_id                 INTEGER PRIMARY KEY REFERENCES receipt,
    environment                TEXT NOT NULL,         -- '' where absent
    notification_uuid          TEXT,
    notification_type          TEXT NOT NULL,
    subtype                    TEXT,
    status                     INTEGER,
    consumption_request_reason TEXT,
    version                    TEXT,
    bundle_version             TEXT,
    -- Of a summary: what became of a request to extend the renewal dates of many.
    summary_product_number     INTEGER REFERENCES product,
    request_identifier         TEXT,
    storefront_country_codes   TEXT,                  -- JSON, as stated
    succeeded_count            INTEGER,
    failed_count               INTEGER,
    -- Of a purchase outside the store.
    external_purchase_id       TEXT,
    token_creation_date        INTEGER,
    token_type                 TEXT,
    token_expiration_date      INTEGER,
    -- Of seats that lost their members.
    unclaim_seat_ids           TEXT                   -- JSON, as stated
) STRICT;

-- What an app transaction states beside what receipts do.
CREATE TABLE app_transaction (
    receipt_id         INTEGER PRIMARY KEY REFERENCES receipt,
    original_platform  TEXT,
    app_transaction_id TEXT,
    store_type         TEXT,
    preorder_date      INTEGER,
    revocation_date    INTEGER
) STRICT;

-- A trusted request of the Retention Messaging API: a customer was about to cancel, and
-- the store asked which message to show.
CREATE TABLE realtime_request (
    receipt_id              INTEGER PRIMARY KEY REFERENCES receipt,
    environment             TEXT NOT NULL,            -- '' where absent
    original_transaction_id ANY,                      -- as purchase's
    product_number          INTEGER REFERENCES product,
    user_locale             TEXT,
    request_identifier      TEXT
) STRICT;

-- Receipts kept whole, where a run was asked to keep them: zlib's format.
CREATE TABLE raw_receipt (
    receipt_id INTEGER PRIMARY KEY REFERENCES receipt,
    deflated   BLOB NOT NULL
) STRICT;

-- The key by which devices and accounts are named, where they are: as the
-- digest of nothing under it.
CREATE TABLE pseudonym_key (
    fingerprint BLOB PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;

-- Kept lines hold devices and accounts as they are: no database has both them and
-- a key, whatever writes to it.
CREATE TRIGGER dead_letter_under_key BEFORE INSERT ON dead_letter
WHEN EXISTS (SELECT 1 FROM pseudonym_key)
BEGIN
    SELECT RAISE(ABORT, 'a database with a pseudonym key keeps no rejected lines');
END;

CREATE TRIGGER pseudonym_key_beside_dead_letter BEFORE INSERT ON pseudonym_key
WHEN EXISTS (SELECT 1 FROM dead_letter)
BEGIN
    SELECT RAISE(ABORT, 'a database that keeps rejected lines gets no pseudonym key');
END;

-- What each run did. Tells of the loads, never of what was loaded.
CREATE TABLE run (
    run_id          INTEGER PRIMARY KEY,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER,
    outcome         TEXT    NOT NULL,
    archives        INTEGER NOT NULL DEFAULT 0,       -- readable, those loaded before included
    archives_known  INTEGER NOT NULL DEFAULT 0,       -- of these, loaded before
    archives_failed INTEGER NOT NULL DEFAULT 0,       -- missing, or not read to their end
    lines           INTEGER NOT NULL DEFAULT 0,
    submissions     INTEGER NOT NULL DEFAULT 0,
    parts           INTEGER NOT NULL DEFAULT 0,       -- documents that submitted ones held
    receipts_new    INTEGER NOT NULL DEFAULT 0,
    purchases_new   INTEGER NOT NULL DEFAULT 0,
    rejected        INTEGER NOT NULL DEFAULT 0,
    version         TEXT    NOT NULL,                 -- of receiptmill
    reviews_alarms   INTEGER NOT NULL,                 -- 1: ends by reviewing what was loaded, as a pipeline file asks
    last_receipt    INTEGER NOT NULL,                 -- receipt_id of the last receipt before it; 0 where there was none
    -- Why a run that ended was no success; null of any other.
    exit_status     INTEGER,                          -- of the process
    reason          TEXT,                             -- the first fault, else the first alarm
    advice          TEXT,                             -- for the operator
    faults          INTEGER NOT NULL DEFAULT 0,       -- faults and alarms, the first included
    -- What the run deleted for its age, by which key of the pipeline file.
    submissions_expired INTEGER NOT NULL DEFAULT 0,   -- retention_days
    letters_expired     INTEGER NOT NULL DEFAULT 0,   -- keep_days
    archives_expired    INTEGER NOT NULL DEFAULT 0,   -- expire_days
    confirms_clock      INTEGER NOT NULL DEFAULT 0    -- 1: a person said that its clock is right
) STRICT;

-- What a run loaded of an archive. Stays as it was, whatever becomes of the archive's rows.
CREATE TABLE run_archive (
    run_id     INTEGER NOT NULL REFERENCES run,
    archive_id INTEGER NOT NULL,                      -- may be another archive's after a retraction
    name       TEXT    NOT NULL,
    lines      INTEGER NOT NULL,                      -- that the run processed
    rejected   INTEGER NOT NULL,                      -- of these, lines without a readable document
    untrusted  INTEGER NOT NULL,                      -- of these, lines with a document that is not trusted
    PRIMARY KEY (run_id, archive_id)
) STRICT, WITHOUT ROWID;

-- What a fraud team decided of a subject, in the order of deciding: the last counts. Decisions
-- are never evidence.
CREATE TABLE decision (
    decision_id  INTEGER PRIMARY KEY,
    subject_kind TEXT    NOT NULL CHECK (subject_kind IN ('account', 'device', 'installation', 'receipt')),
    subject      TEXT    NOT NULL,                    -- as views have it
    verdict      TEXT    NOT NULL CHECK (verdict IN ('confirmed', 'innocent', 'watching', 'undone')),
    note         TEXT,
    decided_by   TEXT,
    decided_at   INTEGER NOT NULL,
    UNIQUE (subject_kind, subject, decided_at, verdict)
) STRICT;

-- The kinds of signals that were known then: what is decided comes back with others alone.
CREATE TABLE decision_signal (
    decision_id INTEGER NOT NULL REFERENCES decision,
    signal      TEXT    NOT NULL,
    PRIMARY KEY (decision_id, signal)
) STRICT, WITHOUT ROWID;

-- Subjects that make no case, as a pipeline file names them: a tester's. Devices stand in one
-- notation, as device_key has them.
CREATE TABLE allowed_subject (
    subject_kind TEXT NOT NULL CHECK (subject_kind IN ('account', 'device', 'installation', 'receipt')),
    subject      TEXT NOT NULL,
    PRIMARY KEY (subject_kind, subject)
) STRICT, WITHOUT ROWID;

-- The run that found a signal first, for each that there is. Tells of the loads, as run does.
CREATE TABLE signal_sighting (
    submission_id  INTEGER NOT NULL REFERENCES submission,
    signal         TEXT    NOT NULL,
    transaction_id TEXT    NOT NULL,                  -- '' of a signal that is about none
    run_id         INTEGER NOT NULL REFERENCES run,
    PRIMARY KEY (submission_id, signal, transaction_id)
) STRICT, WITHOUT ROWID;

-- Archives that were taken out again, and what of them went.
CREATE TABLE retraction (
    retraction_id INTEGER PRIMARY KEY,
    retracted_at  INTEGER NOT NULL,
    name          TEXT    NOT NULL,                   -- as archive had it, as the next four
    sha256        BLOB    NOT NULL,
    lines         INTEGER NOT NULL,
    loaded_lines  INTEGER NOT NULL,
    pruned_lines  INTEGER NOT NULL
) STRICT;

-- Persons that were erased: what went, and when, never who.
CREATE TABLE erasure (
    erasure_id  INTEGER PRIMARY KEY,
    erased_at   INTEGER NOT NULL,
    identifier  TEXT    NOT NULL CHECK (identifier IN ('account', 'device', 'app_account_token', 'subscriber')),
    submissions INTEGER NOT NULL,
    receipts    INTEGER NOT NULL,
    purchases   INTEGER NOT NULL,
    dead_letters INTEGER NOT NULL,
    store_rows  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Presentations that were erased, so that an archive that comes again does not bring them
-- back. The second digest is SHA-256 over the receipt's, the account, a zero byte and the device: who
-- has no such receipt can't try identifiers.
CREATE TABLE erased_presentation (
    receipt_sha256 BLOB NOT NULL,
    presentation   BLOB NOT NULL,
    PRIMARY KEY (receipt_sha256, presentation)
) STRICT, WITHOUT ROWID;

-- A report file of the store's: sales, subscriptions, finance.
CREATE TABLE store_file (
    file_id   INTEGER PRIMARY KEY,              -- in the order of loading
    name      TEXT    NOT NULL,                 -- file name when first loaded, "-" for standard input
    sha256    BLOB    NOT NULL UNIQUE,          -- of the text, inflated
    report    TEXT    NOT NULL CHECK (report IN (
        'sales', 'subscription', 'subscription_event', 'subscriber', 'pre_order', 'offer_code', 'financial',
        'finance_detail', 'payments')),
    rows      INTEGER NOT NULL,                 -- read from it
    rejected  INTEGER NOT NULL,
    loaded_at INTEGER NOT NULL,
    bytes     INTEGER NOT NULL DEFAULT 0,       -- of the text, inflated
    folder    TEXT    NOT NULL DEFAULT '',      -- where it lay, without links; '' of standard input
    vendor    TEXT    NOT NULL DEFAULT ''       -- the developer account: its number, where the file's name has one,
                                                -- else a product of it; '' where nothing tells
) STRICT;

-- A file that comes again whole keeps its name: looked for once for each file that comes.
CREATE INDEX store_file_by_name ON store_file (name);

-- Products of the store's report files, and the account that sells them.
CREATE TABLE store_product (
    product TEXT PRIMARY KEY NOT NULL,          -- Apple's number, and the developer's name where stated
    vendor  TEXT NOT NULL                       -- as store_file's
) STRICT, WITHOUT ROWID;

-- Spans of days that a report file states.
CREATE TABLE store_period (
    file_id    INTEGER NOT NULL REFERENCES store_file,
    part       TEXT    NOT NULL,                -- of FINANCIAL the country, for a file holds one region; else ''
    begins_day INTEGER NOT NULL,                -- of FINANCE_DETAIL the fiscal month of the settlement
    ends_day   INTEGER NOT NULL,
    PRIMARY KEY (file_id, part, begins_day, ends_day)
) STRICT, WITHOUT ROWID;

-- Files that state the same days are looked for once for each run and each look at the status.
CREATE INDEX store_period_by_days ON store_period (begins_day, ends_day);

-- A row of a report file that can't be read.
CREATE TABLE store_rejection (
    file_id INTEGER NOT NULL REFERENCES store_file,
    line    INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    detail  TEXT    NOT NULL,
    PRIMARY KEY (file_id, line)
) STRICT, WITHOUT ROWID;

-- A row of a SALES, FINANCIAL or FINANCE_DETAIL report. Days are numbers of days since 1970-01-01, as the
-- file states dates. Refunds have units, gross and proceeds below zero.
CREATE TABLE store_sale (
    file_id              INTEGER NOT NULL REFERENCES store_file,
    line                 INTEGER NOT NULL,
    begins_day           INTEGER NOT NULL,      -- of FINANCE_DETAIL the transaction date
    ends_day             INTEGER NOT NULL,      -- of FINANCE_DETAIL the settlement date
    sku                  TEXT    NOT NULL,      -- of purchases in an app the product identifier
    parent_sku           TEXT,                  -- SKU of the app of such a purchase
    apple_id             INTEGER,
    title                TEXT,
    product_type         TEXT,                  -- the store's product type identifier, such as IAY
    country              TEXT,                  -- ISO 3166, two letters
    region               TEXT,
    currency             TEXT,                  -- of the customer's price
    units_thousandths    INTEGER NOT NULL,
    price_milliunits     INTEGER NOT NULL,      -- of one, never below zero
    gross_milliunits     INTEGER NOT NULL,      -- units times price
    proceeds_milliunits  INTEGER NOT NULL,      -- of all units
    proceeds_currency    TEXT,
    subscription         TEXT,                  -- New or Renewal, as stated
    period               TEXT,
    promo_code           TEXT,
    order_type           TEXT,
    proceeds_reason      TEXT,
    preserved_pricing    TEXT,
    PRIMARY KEY (file_id, line)
) STRICT, WITHOUT ROWID;

-- A row of any other report, whose fields stand as the file has them.
CREATE TABLE store_row (
    file_id       INTEGER NOT NULL REFERENCES store_file,
    line          INTEGER NOT NULL,
    day           TEXT,                         -- ISO 8601; null where the file states none
    app_apple_id  INTEGER,
    product       TEXT,                         -- subscription's or title's name; of payments the region
    country       TEXT,
    subscriber_id TEXT,                         -- the store's random number of a subscriber
    fields        TEXT    NOT NULL,             -- JSON object: column names and texts as the file has them
    PRIMARY KEY (file_id, line)
) STRICT, WITHOUT ROWID;

CREATE INDEX store_row_of_subscriber ON store_row (subscriber_id) WHERE subscriber_id IS NOT NULL;

-- Rows of persons that were erased, so that a file that comes again does not bring them
-- back: SHA-256 of the texts of the whole row, sorted, each with a zero byte behind it and
-- without the columns' names, which files may order and name otherwise. Who has no such
-- row can't try numbers.
CREATE TABLE erased_store_row (
    sha256 BLOB PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;

-- What the store keeps of a sale, by the user's rate card: a row for each storefront, kind of
-- product, year of paid service and span of days. Parts are of a million.
CREATE TABLE rate_rule (
    storefront     TEXT    NOT NULL,            -- ISO 3166, three letters
    kind           TEXT    NOT NULL CHECK (kind IN ('subscription', 'other')),
    paid_year      INTEGER NOT NULL CHECK (paid_year IN (1, 2)), -- 2: after a year of paid service
    from_day       INTEGER NOT NULL,            -- days since 1970-01-01, of the store's Pacific days
    until_day      INTEGER NOT NULL,            -- first day behind it
    commission_ppm INTEGER NOT NULL,
    tax_ppm        INTEGER NOT NULL,            -- of the price without tax; 0 where the tax is not in the price
    levy_ppm       INTEGER NOT NULL,            -- of the commission, which the store adds to it
    rounding       TEXT    NOT NULL CHECK (rounding IN ('nearest', 'up')),
    PRIMARY KEY (storefront, kind, paid_year, from_day)
) STRICT, WITHOUT ROWID;

-- Digits behind the point of the store's proceeds, where the rate card differs from ISO 4217.
CREATE TABLE rate_currency (
    currency TEXT    PRIMARY KEY NOT NULL,
    digits   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers to refund requests that were sent, as the user's files say.
CREATE TABLE consumption_answer (
    environment            TEXT    NOT NULL,
    transaction_id         ANY     NOT NULL,    -- as purchase's
    answered_at            INTEGER NOT NULL,
    delivery_status        TEXT    NOT NULL,
    consumption_percentage INTEGER,             -- thousandths of a percent
    refund_preference      TEXT,
    PRIMARY KEY (environment, transaction_id, answered_at)
) STRICT, WITHOUT ROWID;

-- What the user says of an app, by its platforms or of all at once.
CREATE TABLE app_setting (
    bundle_id              TEXT NOT NULL,
    platform               TEXT NOT NULL DEFAULT '',  -- ios, macos, tvos, visionos; '' of all
    first_free_version     TEXT,
    first_free_version_key TEXT,
    PRIMARY KEY (bundle_id, platform)
) STRICT, WITHOUT ROWID;

-- Versions of an app that its owner has published. Where an app has any, a
-- receipt of another version is unexpected.
CREATE TABLE app_expected_version (
    bundle_id TEXT NOT NULL,
    version   TEXT NOT NULL,                          -- as attribute 3 states it
    PRIMARY KEY (bundle_id, version)
) STRICT, WITHOUT ROWID;

-- Certificates of issuers, those the user gave and those that trusted chains of
-- app receipts held. Transaction receipts don't carry theirs.
CREATE TABLE issuer_certificate (
    sha256 BLOB PRIMARY KEY NOT NULL,
    der    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Transaction receipts whose signature holds, but which are not trusted: kept
-- whole, and verified again when more issuers are known than the last time.
CREATE TABLE reviewable_receipt (
    receipt_id INTEGER PRIMARY KEY REFERENCES receipt,
    octets     BLOB    NOT NULL,
    issuers    INTEGER NOT NULL                       -- known when it was verified last
) STRICT;

-- Thresholds of signals that the user sets; the view signal_settings names them
-- and holds what counts where nothing is set.
CREATE TABLE signal_setting (
    name  TEXT    PRIMARY KEY NOT NULL,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a user has set for all models. time_zone: the IANA name of the zone by which days, weeks and months are
-- told; UTC where it is not set.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What products cost, as the user lists it: receipts state no price.
-- It has row numbers: of a table without, whose key is not its first columns, SQLite 3.40's
-- integrity check takes one column for another, and says that values are missing.
CREATE TABLE listed_price (
    product_id              TEXT    NOT NULL,
    currency                TEXT    NOT NULL,
    price_milliunits        INTEGER NOT NULL,         -- of one
    introductory_milliunits INTEGER,                  -- of one at the introductory offer, where one is listed
    valid_from              TEXT    NOT NULL,         -- first day, YYYY-MM-DD; '' for as long as there is the product
    PRIMARY KEY (product_id, currency, valid_from)
) STRICT;

-- Rates of exchange into the reporting currency for each day, from the user's list.
CREATE TABLE exchange_rate (
    currency      TEXT    NOT NULL,                   -- the currency converted (ISO 4217)
    day_number    INTEGER NOT NULL,                   -- days since 1970
    into_currency TEXT    NOT NULL,                   -- the reporting currency, the same in all rows
    rate          REAL    NOT NULL,                   -- units of the reporting currency for one
    PRIMARY KEY (currency, day_number)
) STRICT, WITHOUT ROWID;

-- How many transactions have changed what models are computed from: models that were computed at another count are
-- outdated.
CREATE TABLE change_count (
    changes       INTEGER NOT NULL,
    whole_because TEXT                                -- why all models have to be computed; null: rows were only added
) STRICT;

INSERT INTO change_count (changes) VALUES (0);
