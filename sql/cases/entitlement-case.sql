-- Narrows a connection to what decides the rights of one owner, so that the report
-- entitlement-case reads thousands of rows, not millions: temporary tables that hide
-- the loader's of the same names. The temporary table `this` holds the owner.
--
-- The owner's documents tell of things: subscriptions, and purchases with their
-- copies. Around them stands all that is told of these: whatever states a transaction
-- of theirs, their renewal infos, and what holds either. Until when a subscription is
-- known, its other owners' documents and the newest notification of each app say, too.

CREATE TEMP TABLE shown (receipt_id INTEGER PRIMARY KEY);

INSERT INTO shown
SELECT submission.receipt_id
FROM this
CROSS JOIN main.submission ON coalesce(submission.account_id, submission.device_id) = this.name
UNION
SELECT receipt_part.part_receipt_id
FROM this
CROSS JOIN main.submission ON coalesce(submission.account_id, submission.device_id) = this.name
CROSS JOIN main.receipt_part USING (receipt_id);

CREATE TEMP TABLE thing (original_transaction_id PRIMARY KEY) WITHOUT ROWID;

INSERT INTO thing
SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id)
FROM shown
CROSS JOIN main.receipt_purchase USING (receipt_id)
CROSS JOIN main.purchase USING (transaction_id)
UNION
SELECT coalesce(claimed_purchase.original_transaction_id, claimed_purchase.transaction_id)
FROM shown
CROSS JOIN main.receipt_purchase USING (receipt_id)
CROSS JOIN main.claimed_purchase USING (transaction_id)
UNION
SELECT renewal.original_transaction_id
FROM shown
CROSS JOIN main.renewal USING (receipt_id);

CREATE TEMP TABLE part_of_thing (transaction_id PRIMARY KEY) WITHOUT ROWID;

INSERT INTO part_of_thing
SELECT original_transaction_id
FROM thing
UNION
SELECT purchase.transaction_id
FROM thing
CROSS JOIN main.purchase USING (original_transaction_id)
UNION
SELECT claimed_purchase.transaction_id
FROM main.claimed_purchase
CROSS JOIN thing USING (original_transaction_id);

CREATE TEMP TABLE surrounding (receipt_id INTEGER PRIMARY KEY);

INSERT INTO surrounding
SELECT receipt_id
FROM shown
UNION
SELECT receipt_purchase.receipt_id
FROM part_of_thing
CROSS JOIN main.receipt_purchase USING (transaction_id)
UNION
SELECT renewal.receipt_id
FROM thing
CROSS JOIN main.renewal USING (original_transaction_id);

INSERT OR IGNORE INTO surrounding
SELECT receipt_part.receipt_id
FROM surrounding
CROSS JOIN main.receipt_part ON receipt_part.part_receipt_id = surrounding.receipt_id;

CREATE TEMP TABLE presenter (owner PRIMARY KEY) WITHOUT ROWID;

INSERT INTO presenter
SELECT DISTINCT coalesce(submission.account_id, submission.device_id)
FROM surrounding
CROSS JOIN main.submission USING (receipt_id)
WHERE coalesce(submission.account_id, submission.device_id) IS NOT NULL;

INSERT OR IGNORE INTO surrounding
SELECT submission.receipt_id
FROM main.submission
CROSS JOIN presenter ON presenter.owner = coalesce(submission.account_id, submission.device_id);

INSERT OR IGNORE INTO surrounding
SELECT receipt_part.part_receipt_id
FROM surrounding
CROSS JOIN main.receipt_part USING (receipt_id);

INSERT OR IGNORE INTO surrounding
SELECT receipt_id
FROM (
    -- SQLite takes the row of the maximum.
    SELECT notification.receipt_id, max(receipt.receipt_creation_date)
    FROM main.notification
    CROSS JOIN main.receipt USING (receipt_id)
    GROUP BY receipt.app_id
);

CREATE TEMP TABLE receipt AS
SELECT receipt.* FROM surrounding CROSS JOIN main.receipt USING (receipt_id);

CREATE INDEX temp.receipt_by_id ON receipt (receipt_id);

CREATE TEMP TABLE submission AS
SELECT submission.* FROM surrounding CROSS JOIN main.submission USING (receipt_id);

CREATE INDEX temp.submission_by_id ON submission (submission_id);

CREATE INDEX temp.submission_of_receipt ON submission (receipt_id);

CREATE TEMP TABLE receipt_part AS
SELECT receipt_part.* FROM surrounding CROSS JOIN main.receipt_part USING (receipt_id);

CREATE INDEX temp.part_of_receipt ON receipt_part (receipt_id);

CREATE INDEX temp.receipt_of_part ON receipt_part (part_receipt_id);

CREATE TEMP TABLE receipt_purchase AS
SELECT receipt_purchase.*
FROM part_of_thing
CROSS JOIN main.receipt_purchase USING (transaction_id);

CREATE INDEX temp.purchase_of_receipt ON receipt_purchase (receipt_id);

CREATE INDEX temp.receipt_of_purchase ON receipt_purchase (transaction_id);

CREATE TEMP TABLE purchase AS
SELECT purchase.* FROM part_of_thing CROSS JOIN main.purchase USING (transaction_id);

CREATE INDEX temp.purchase_of_app ON purchase (transaction_id, app_id);

CREATE INDEX temp.purchase_of_original ON purchase (original_transaction_id, app_id, purchase_date, expires_date);

CREATE TEMP TABLE claimed_purchase AS
SELECT claimed_purchase.* FROM part_of_thing CROSS JOIN main.claimed_purchase USING (transaction_id);

CREATE TEMP TABLE renewal AS
SELECT renewal.* FROM surrounding CROSS JOIN main.renewal USING (receipt_id);

CREATE INDEX temp.renewal_of_original ON renewal (original_transaction_id, environment, signed_at);

CREATE TEMP TABLE notification AS
SELECT notification.* FROM surrounding CROSS JOIN main.notification USING (receipt_id);

CREATE INDEX temp.notification_of_receipt ON notification (receipt_id);

CREATE TEMP TABLE revocation AS
SELECT revocation.* FROM surrounding CROSS JOIN main.revocation USING (receipt_id);

CREATE INDEX temp.revocation_of_receipt ON revocation (receipt_id);
