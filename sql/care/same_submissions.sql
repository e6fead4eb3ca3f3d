-- The number of submissions from :otherFirst to :otherLast that have the same receipt, device, account and time as a
-- submission from :first to :last. Tags are compared instead of identifiers; two different identifiers hardly ever have
-- the same tag.
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
