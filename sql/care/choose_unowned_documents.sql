-- Adds to erased_submission the documents about a person that lines present without account and device, such as
-- notifications. They belong to the person who presented another trusted document of the same purchase. Added are
-- submissions of original transactions that the chosen submissions prove and that nobody else presented. A receipt that
-- was made for another device proves nothing about its presenter.

DROP TABLE IF EXISTS temp.erased_original;
CREATE TEMP TABLE erased_original AS
WITH document AS (
    SELECT receipt_id FROM submission
    WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission) AND device_check <> 'mismatch'
    UNION
    SELECT part_receipt_id FROM submission JOIN receipt_part USING (receipt_id)
    WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission) AND device_check <> 'mismatch'
)
SELECT DISTINCT stated.app_id, coalesce(stated.original_transaction_id, stated.transaction_id) AS original
FROM document
CROSS JOIN receipt ON receipt.receipt_id = document.receipt_id
CROSS JOIN receipt_purchase AS link ON link.receipt_id = receipt.receipt_id
CROSS JOIN purchase AS stated
    ON stated.transaction_id = link.transaction_id AND stated.app_id = receipt.app_id
WHERE receipt.verdict = 'trusted';

DROP TABLE IF EXISTS temp.about_original;
CREATE TEMP TABLE about_original AS
WITH member AS (
    SELECT erased.app_id, erased.original, same.transaction_id
    FROM temp.erased_original AS erased
    CROSS JOIN purchase AS same
        ON same.original_transaction_id = erased.original AND same.app_id = erased.app_id
    UNION
    SELECT app_id, original, original FROM temp.erased_original
),
document AS (
    SELECT member.app_id, member.original, receipt.receipt_id
    FROM member
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = member.transaction_id
    CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id AND receipt.app_id = member.app_id
    UNION
    SELECT erased.app_id, erased.original, renewal.receipt_id
    FROM temp.erased_original AS erased
    CROSS JOIN app ON app.app_id = erased.app_id
    CROSS JOIN renewal
        ON renewal.original_transaction_id = erased.original AND renewal.environment = app.environment
),
presented AS (
    SELECT app_id, original, receipt_id FROM document
    UNION
    SELECT app_id, original, receipt_part.receipt_id
    FROM document JOIN receipt_part ON part_receipt_id = document.receipt_id
)
SELECT app_id, original, submission_id, account_id IS NULL AND device_id IS NULL AS is_unowned
FROM presented
CROSS JOIN submission ON submission.receipt_id = presented.receipt_id
WHERE submission_id NOT IN (SELECT submission_id FROM temp.erased_submission);

INSERT OR IGNORE INTO temp.erased_submission
SELECT submission_id
FROM temp.about_original AS about
WHERE is_unowned AND NOT EXISTS (
    SELECT 1 FROM temp.about_original AS other
    WHERE other.app_id = about.app_id AND other.original = about.original AND NOT other.is_unowned);
DROP TABLE temp.about_original;
DROP TABLE temp.erased_original;
