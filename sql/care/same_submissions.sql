-- How many of the submissions from :otherFirst to :otherLast have the receipt, device, account and time of one from :first
-- to :last. Tags are compared in place of identifiers, and hardly ever agree for two different ones.
SELECT count(*)
FROM submission AS other
WHERE submission_id BETWEEN :otherFirst AND :otherLast
    AND EXISTS (
        SELECT 1 FROM submission AS same
        WHERE same.receipt_id = other.receipt_id
            AND same.account_tag IS other.account_tag
            AND same.device_tag IS other.device_tag
            AND same.submission_id BETWEEN :first AND :last
            AND same.submitted_at IS other.submitted_at
    )
