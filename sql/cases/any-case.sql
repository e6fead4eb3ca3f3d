-- Narrows a connection to what decides a case, so that a report about it
-- reads thousands of rows, not millions: temporary tables that hide the loader's
-- of the same names. The temporary table `this` holds the case as :case is given.
--
-- The subject is what fraud-case gathers. Around it stands all that decides which
-- signals its lines show: whatever the same devices and accounts presented, the
-- other receipts of its installations, all who state its purchases or of others
-- of the same original, and of each app and environment a trusted receipt.

CREATE TEMP TABLE subject (receipt_id INTEGER PRIMARY KEY);

INSERT INTO subject
SELECT submission.receipt_id
FROM this
CROSS JOIN main.submission ON this.name IN (submission.device_id, submission.account_id)
UNION
SELECT found.receipt_id
FROM this
CROSS JOIN main.receipt_digest AS found ON lower(hex(found.sha256)) = this.name
UNION
-- A lineage ends in a hash of forty digits.
SELECT receipt.receipt_id
FROM this
CROSS JOIN main.receipt_lineage AS lineage
    ON length(this.name) > 41
    AND lower(hex(lineage.hash_prefix)) = substr(this.name, -40, 12)
CROSS JOIN main.receipt
    ON receipt.receipt_id = lineage.receipt_id
    AND lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)) = this.name
UNION
-- An identifier is a number where it is canonical decimal.
SELECT receipt_purchase.receipt_id
FROM this
CROSS JOIN main.receipt_purchase ON receipt_purchase.transaction_id IN (this.name, CAST(this.name AS INTEGER))
UNION
SELECT receipt_purchase.receipt_id
FROM this
CROSS JOIN main.purchase ON purchase.original_transaction_id IN (this.name, CAST(this.name AS INTEGER))
CROSS JOIN main.receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
UNION
SELECT receipt_purchase.receipt_id
FROM this
CROSS JOIN main.claimed_purchase
    ON claimed_purchase.original_transaction_id IN (this.name, CAST(this.name AS INTEGER))
CROSS JOIN main.receipt_purchase ON receipt_purchase.transaction_id = claimed_purchase.transaction_id;

CREATE TEMP TABLE presenter AS
SELECT DISTINCT submission.device_id, submission.device_key, submission.account_id
FROM subject
CROSS JOIN main.device_submissions AS submission USING (receipt_id);

CREATE TEMP TABLE stated AS
SELECT DISTINCT receipt.app_id, receipt_purchase.transaction_id
FROM subject
CROSS JOIN main.receipt USING (receipt_id)
CROSS JOIN main.receipt_purchase USING (receipt_id);

INSERT INTO stated
SELECT DISTINCT purchase.app_id, purchase.transaction_id
FROM (
    SELECT DISTINCT purchase.app_id, purchase.original_transaction_id
    FROM stated
    CROSS JOIN main.purchase USING (app_id, transaction_id)
) AS held
CROSS JOIN main.purchase USING (app_id, original_transaction_id);

CREATE TEMP TABLE surrounding (receipt_id INTEGER PRIMARY KEY);

INSERT INTO surrounding
SELECT receipt_id FROM subject
UNION
SELECT receipt_id
FROM main.device_submissions
WHERE device_id IN (SELECT device_id FROM presenter)
    OR device_key IN (SELECT device_key FROM presenter)
    OR account_id IN (SELECT account_id FROM presenter)
UNION
SELECT lineage.receipt_id
FROM subject
CROSS JOIN main.receipt AS own USING (receipt_id)
CROSS JOIN main.receipt_lineage AS lineage ON lineage.hash_prefix = substr(own.device_hash, 1, 6)
CROSS JOIN main.receipt AS other
    ON other.receipt_id = lineage.receipt_id
    AND other.opaque_value = own.opaque_value
    AND other.device_hash = own.device_hash
UNION
SELECT receipt_purchase.receipt_id
FROM stated
CROSS JOIN main.receipt_purchase USING (transaction_id)
UNION
SELECT witness
FROM (
    SELECT (
        SELECT genuine.receipt_id FROM main.receipt AS genuine
        WHERE genuine.app_id = app.app_id AND genuine.verdict = 'trusted'
        LIMIT 1
    ) AS witness
    FROM main.app
    WHERE app.bundle_id IN (
            SELECT own.bundle_id
            FROM subject
            CROSS JOIN main.receipt USING (receipt_id)
            CROSS JOIN main.app AS own USING (app_id)
        )
)
WHERE witness IS NOT NULL;

CREATE TEMP TABLE receipt AS
SELECT receipt.* FROM surrounding CROSS JOIN main.receipt USING (receipt_id);

CREATE INDEX temp.receipt_by_id ON receipt (receipt_id);

CREATE TEMP TABLE receipt_lineage AS
SELECT substr(device_hash, 1, 6) AS hash_prefix, receipt_id
FROM temp.receipt
WHERE opaque_value IS NOT NULL
    AND device_hash IS NOT NULL;

CREATE INDEX temp.receipt_of_lineage ON receipt_lineage (hash_prefix, receipt_id);

CREATE TEMP TABLE submission AS
SELECT submission.* FROM surrounding CROSS JOIN main.submission USING (receipt_id);

CREATE INDEX temp.submission_of_receipt ON submission (receipt_id);

CREATE TEMP TABLE receipt_purchase AS
SELECT receipt_purchase.* FROM surrounding CROSS JOIN main.receipt_purchase USING (receipt_id);

CREATE INDEX temp.purchase_of_receipt ON receipt_purchase (receipt_id);

CREATE INDEX temp.receipt_of_purchase ON receipt_purchase (transaction_id);

CREATE TEMP TABLE purchase AS
SELECT purchase.*
FROM (
    SELECT DISTINCT receipt.app_id, receipt_purchase.transaction_id
    FROM temp.receipt
    CROSS JOIN temp.receipt_purchase USING (receipt_id)
) AS known
CROSS JOIN main.purchase USING (app_id, transaction_id);

CREATE INDEX temp.purchase_of_app ON purchase (app_id, transaction_id);

CREATE INDEX temp.purchase_of_original ON purchase (app_id, original_transaction_id, purchase_date, expires_date);

CREATE INDEX temp.purchase_told ON purchase (receipt_id);

CREATE TEMP TABLE claimed_purchase AS
SELECT claimed_purchase.*
FROM (
    SELECT DISTINCT receipt.app_id, receipt_purchase.transaction_id
    FROM temp.receipt
    CROSS JOIN temp.receipt_purchase USING (receipt_id)
    WHERE receipt.verdict <> 'trusted'
) AS claimed
CROSS JOIN main.claimed_purchase USING (app_id, transaction_id);
