-- fraud-case: The file of one case
-- What do the archives hold about one device, account, receipt, installation or transaction, and who shares it?
--
-- Grain: one row per place
--
-- Parameters:
--   :case     text                                required  device, account, SHA-256 of a receipt, transaction
--                                                           identifier, or lineage of an installation (as in the view
--                                                           receipts)
--   :section  text(all, case, event, evidence, presenter, party)  all  section shown; or all
--
-- Columns:
--   place           integer               order of the rows: by section, then by time, then by event
--   section         text                  case: summary of the case; event: what happened; evidence: lines that show
--                                         signals; presenter: who presented the receipts; party: who shares receipts or
--                                         purchases with others
--   at              time                  time of the event, or of the first presentation; of the case, time of the
--                                         last evidence; null if unknown
--   event           text                  in section case: case, or a kind of signal; in event: receipt (the store
--                                         created it), purchase, refund, claim (a purchase that an untrusted receipt
--                                         states), submission (a line presented the receipt), or decision; in
--                                         presenter: the device check; in evidence and party: the kind of signal
--   receipt_sha256  text                  SHA-256 of the receipt
--   transaction_id  text                  the store's identifier of the transaction; null if the row is about none
--   device_id       text                  device that presented the receipt
--   account_id      text                  account that presented the receipt
--   role            text                  holder: presented what is shared on the device for which it was made, or with
--                                         an account seen there; copier: presented it on another device, and a holder
--                                         is known; unknown: neither is known; null if nothing is shared
--   submissions     integer(submissions)  number of submissions by a presenter or party; of a signal in section case,
--                                         number of submissions that show it
--   detail          text                  details of the event, in words
--   archive         text                  name of the archive that has the line
--   line            integer               number of the line in the archive, from 1
--
-- Shown: at, event, account_id, detail, transaction_id, device_id, section, receipt_sha256, role, archive, line
--
-- Notes:
--   The report uses these receipts:
--   - if :case is a device or account, the receipts that it presented, with the identifier as the lines write it
--   - if :case is a receipt or installation, that receipt or the trusted receipts of the installation
--   - if :case is a transaction, the receipts that state it, or a transaction of which it is the original
--   It shows all submissions of these receipts, by anyone, their purchases, and the signals on their lines. A purchase
--   that an untrusted receipt states is called a claim. Presenters include those of other receipts of the same
--   installations; holder and copier are decided over all trusted receipts of an installation. Parties are all who
--   present what a signal of sharing is about.
--   No chart: a case is read event by event.
--
-- Example:
--   receiptmill report fraud-case 0A1B2C3D-0000-4000-8000-000000000001 --database mill.sqlite

WITH digits(digit, least, beyond) AS (
    -- The range of digests and hashes for each first hexadecimal digit, because an index of bytes cannot be searched by
    -- hexadecimal text.
    VALUES
        ('0', x'00', x'10'), ('1', x'10', x'20'), ('2', x'20', x'30'), ('3', x'30', x'40'),
        ('4', x'40', x'50'), ('5', x'50', x'60'), ('6', x'60', x'70'), ('7', x'70', x'80'),
        ('8', x'80', x'90'), ('9', x'90', x'a0'), ('a', x'a0', x'b0'), ('b', x'b0', x'c0'),
        ('c', x'c0', x'd0'), ('d', x'd0', x'e0'), ('e', x'e0', x'f0'),
        ('f', x'f0', x'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff')
),

named AS (
    -- An identifier in canonical decimal form is stored as a number. A sum, unlike a cast, lets SQLite use the index.
    SELECT
        CASE WHEN CAST(CAST(:case AS BIGINT) AS VARCHAR(20)) = :case THEN CAST(:case AS BIGINT) + 0 ELSE :case END
            AS transaction_id
),

subject AS (
    SELECT receipt_id
    FROM submission
    WHERE :case IN (device_id, account_id)
    UNION
    SELECT receipt_id
    FROM receipt_digest
    WHERE length(:case) = 64
        AND sha256 >= (SELECT least FROM digits WHERE digit = substr(:case, 1, 1))
        AND sha256 < (SELECT beyond FROM digits WHERE digit = substr(:case, 1, 1))
        AND lower(hex(sha256)) = :case
    UNION
    -- A lineage ends in a hash of forty digits, so it is looked up by the first digit of that hash.
    SELECT receipt.receipt_id
    FROM receipt_lineage AS lineage
    JOIN receipt ON receipt.receipt_id = lineage.receipt_id
    WHERE length(:case) > 41
        AND lineage.hash_prefix >= (SELECT least FROM digits WHERE digit = substr(:case, length(:case) - 39, 1))
        AND lineage.hash_prefix < (SELECT beyond FROM digits WHERE digit = substr(:case, length(:case) - 39, 1))
        AND lower(hex(lineage.hash_prefix)) = substr(:case, length(:case) - 39, length(hex(lineage.hash_prefix)))
        AND lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)) = :case
        AND receipt.verdict = 'trusted'
    UNION
    SELECT receipt_id
    FROM receipt_purchase
    WHERE transaction_id = (SELECT transaction_id FROM named)
    UNION
    SELECT stated.receipt_id
    FROM (
        SELECT app_id, transaction_id
        FROM purchase
        WHERE original_transaction_id = (SELECT transaction_id FROM named)
        UNION
        SELECT app_id, transaction_id
        FROM claimed_purchase
        WHERE original_transaction_id = (SELECT transaction_id FROM named)
    ) AS copy
    JOIN receipt_purchase AS stated ON stated.transaction_id = copy.transaction_id
    JOIN receipt ON receipt.receipt_id = stated.receipt_id AND receipt.app_id = copy.app_id
),

told AS (
    SELECT DISTINCT receipt.app_id, receipt.verdict, stated.transaction_id
    FROM subject
    JOIN receipt ON receipt.receipt_id = subject.receipt_id
    JOIN receipt_purchase AS stated ON stated.receipt_id = subject.receipt_id
),

bought AS (
    SELECT texts.*
    FROM (SELECT DISTINCT app_id, transaction_id FROM told) AS stated
    JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = stated.app_id
    JOIN internal_purchase_texts AS texts ON texts.purchase_number = purchase.purchase_id
),

claimed AS (
    SELECT texts.*
    FROM told
    JOIN claimed_purchase AS claim
        ON claim.transaction_id = told.transaction_id
        AND claim.app_id = told.app_id AND claim.verdict = told.verdict
    JOIN internal_claim_texts AS texts ON texts.purchase_number = claim.purchase_id
),

-- The receipts above, and all trusted receipts of the same installations.
installed AS (
    SELECT other.receipt_id
    FROM subject
    JOIN receipt ON receipt.receipt_id = subject.receipt_id
    JOIN internal_installations AS same ON same.receipt_id = receipt.receipt_id
    JOIN receipt AS other ON other.receipt_id = same.other_receipt_id AND other.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
        AND other.verdict = 'trusted'
    UNION
    SELECT receipt_id FROM subject
),

presented AS (
    SELECT
        shown.receipt_sha256, shown.account_id, shown.device_id, shown.device_check, shown.verdict,
        shown.submitted_at,
        CASE WHEN shown.verdict = 'trusted' THEN coalesce(shown.lineage, shown.receipt_sha256) ELSE shown.receipt_sha256 END
            AS thing
    FROM installed
    JOIN presentations AS shown ON shown.receipt_number = installed.receipt_id
),

held AS (
    SELECT
        presented.*,
        max(CASE WHEN device_check = 'match' AND verdict = 'trusted' THEN 1 ELSE 0 END) OVER (PARTITION BY thing) AS is_bound,
        max(CASE WHEN device_check = 'match' AND verdict = 'trusted' AND account_id IS NOT NULL THEN 1 ELSE 0 END)
            OVER (PARTITION BY thing, account_id) AS is_holders
    FROM presented
),

things AS (
    SELECT DISTINCT found.signal, found.thing
    FROM subject
    JOIN model_signals AS found ON found.receipt_id = subject.receipt_id
    WHERE found.thing IS NOT NULL
),

shared AS (
    SELECT
        found.signal, found.thing, found.submission_id, found.account_id, found.device_id, found.role,
        line.transaction_id
    FROM things
    JOIN model_shared AS document ON document.signal = things.signal AND document.thing = things.thing
    JOIN model_signals AS found
        ON found.receipt_id = document.receipt_id
        AND found.signal = document.signal AND found.thing = document.thing
    JOIN fraud_signals AS line
        ON line.submission_number = found.submission_id
        AND line.signal = found.signal AND line.receipt_number = found.receipt_id
        AND line.transaction_key = found.transaction_id
),

events AS (
    SELECT
        1 AS part,
        'event' AS section,
        receipts.receipt_creation_date AS happened_at, 1 AS kind,
        'receipt' AS event,
        receipts.receipt_sha256, NULL AS transaction_id, NULL AS device_id, NULL AS account_id, NULL AS role,
        NULL AS submissions,
        receipts.verdict || ', ' || coalesce(receipts.environment, 'no environment') || ', '
            || coalesce(receipts.bundle_id, 'no bundle') || coalesce(' ' || receipts.app_version, '')
            || coalesce(', first got as ' || receipts.original_application_version, '')
            || ', purchases: ' || CAST(receipts.purchase_count AS VARCHAR(20)) AS detail,
        NULL AS archive, NULL AS line
    FROM subject
    JOIN receipts ON receipts.receipt_number = subject.receipt_id
    UNION ALL
    SELECT
        1, 'event', purchase_date, 0, 'purchase', receipt_sha256, transaction_id, NULL, NULL, NULL, NULL,
        coalesce(product_id, 'no product') || coalesce(', until ' || expires_date, ''), NULL, NULL
    FROM bought
    UNION ALL
    SELECT
        1, 'event', cancellation_date, 2, 'refund', receipt_sha256, transaction_id, NULL, NULL, NULL, NULL,
        coalesce(product_id, 'no product') || ', refunded or upgraded', NULL, NULL
    FROM bought
    WHERE cancellation_date IS NOT NULL
    UNION ALL
    SELECT
        1, 'event', purchase_date, 0, 'claim', receipt_sha256, transaction_id, NULL, NULL, NULL, NULL,
        verdict || ', claims ' || coalesce(product_id, 'no product') || coalesce(', until ' || expires_date, ''), NULL, NULL
    FROM claimed
    UNION ALL
    SELECT
        1, 'event', shown.submitted_at, 3, 'submission', shown.receipt_sha256, NULL, shown.device_id, shown.account_id, NULL,
        NULL, shown.verdict || ', device ' || shown.device_check || ', app ' || shown.app_check, shown.archive, shown.line
    FROM subject
    JOIN presentations AS shown ON shown.receipt_number = subject.receipt_id
    UNION ALL
    SELECT
        2, 'evidence', found.observed_at, 0, found.signal, found.receipt_sha256, found.transaction_id, found.device_id,
        found.account_id, found.role, NULL, found.severity || coalesce(': ' || found.detail, ''), found.archive, found.line
    FROM subject
    JOIN fraud_signals AS found ON found.receipt_number = subject.receipt_id
    UNION ALL
    SELECT
        1, 'event', decided_at, 4, 'decision', CASE subject_kind WHEN 'receipt' THEN subject END, NULL,
        CASE subject_kind WHEN 'device' THEN subject END, CASE subject_kind WHEN 'account' THEN subject END, NULL, NULL,
        decision || coalesce(' by ' || decided_by, '') || coalesce(': ' || note, ''), NULL, NULL
    FROM fraud_decisions
    WHERE fraud_decisions.subject = :case
    UNION ALL
    SELECT
        3, 'presenter', min(submitted_at), CASE device_check WHEN 'match' THEN 0 ELSE 1 END, device_check, receipt_sha256, NULL,
        device_id, account_id,
        CASE
            WHEN verdict <> 'trusted' THEN 'unknown'
            WHEN device_check = 'match' OR is_holders = 1 THEN 'holder'
            WHEN device_check = 'mismatch' AND is_bound = 1 THEN 'copier'
            ELSE 'unknown'
        END,
        count(*), verdict || coalesce(', last ' || max(submitted_at), ''), NULL, NULL
    FROM held
    GROUP BY receipt_sha256, account_id, device_id, device_check, verdict, is_bound, is_holders
    UNION ALL
    SELECT
        4, 'party', min(shown.submitted_at), 0, shared.signal, min(shown.receipt_sha256), shared.transaction_id,
        shared.device_id, shared.account_id,
        -- The roles sort as copier, holder, unknown, so that the minimum is the gravest.
        min(shared.role), count(*),
        'shares ' || CASE
            WHEN shared.signal = 'shared_lineage' THEN 'installation ' || min(shown.lineage)
            WHEN shared.signal = 'shared_account_token' THEN 'token ' || shared.thing
            WHEN shared.transaction_id IS NOT NULL THEN 'transaction ' || shared.transaction_id
            ELSE 'receipt ' || min(shown.receipt_sha256)
        END || coalesce(', last ' || max(shown.submitted_at), ''),
        NULL, NULL
    FROM shared
    JOIN presentations AS shown ON shown.submission_number = shared.submission_id
    GROUP BY shared.signal, shared.thing, shared.transaction_id, shared.account_id, shared.device_id
    UNION ALL
    SELECT
        -1, 'case', last_seen, 0, 'case', CASE subject_kind WHEN 'receipt' THEN subject END, NULL,
        CASE subject_kind WHEN 'device' THEN subject END, CASE subject_kind WHEN 'account' THEN subject END, role, NULL,
        subject_kind || ' ' || subject || ': ' || CAST(score AS VARCHAR(20)) || ' points, '
            || CAST(signals AS VARCHAR(20)) || CASE signals WHEN 1 THEN ' kind' ELSE ' kinds' END || ' of evidence: ' || why,
        NULL, NULL
    FROM fraud_cases
    WHERE subject = :case
    UNION ALL
    -- A row for each kind of signal: how many submissions show it, and the detail of one of them.
    SELECT
        0, 'case', max(line.observed_at), 0, shown.signal, NULL, NULL, NULL, NULL, NULL, count(DISTINCT shown.submission_id),
        coalesce(max(line.detail), ''), NULL, NULL
    FROM fraud_cases AS found
    JOIN internal_evidence AS shown ON shown.subject_kind = found.subject_kind AND shown.subject = found.subject
    JOIN fraud_signals AS line
        ON line.submission_number = shown.submission_id AND line.signal = shown.signal
        AND line.receipt_number = shown.receipt_id
    WHERE found.subject = :case
    GROUP BY shown.signal
)

SELECT
    row_number() OVER (
        ORDER BY
            part, CASE WHEN part IN (1, 2) THEN coalesce(happened_at, '') ELSE event END, kind, coalesce(receipt_sha256, ''),
            coalesce(transaction_id, ''), coalesce(happened_at, ''), coalesce(archive, ''), coalesce(line, 0),
            coalesce(account_id, ''), coalesce(device_id, ''), detail
    ) AS place,
    section, happened_at AS at, event, receipt_sha256, transaction_id, device_id, account_id, role, submissions,
    detail, archive, line
FROM events
WHERE coalesce(:section, 'all') IN ('all', section)
ORDER BY 1;
