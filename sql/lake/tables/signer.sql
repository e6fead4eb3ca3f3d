SELECT DISTINCT
    signer AS signer_id,
    signer AS subject
FROM judged_receipts
WHERE signer IS NOT NULL
