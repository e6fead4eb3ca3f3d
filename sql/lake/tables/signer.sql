SELECT DISTINCT
    signer AS signer_id,
    signer AS subject
FROM verified_receipts
WHERE signer IS NOT NULL
