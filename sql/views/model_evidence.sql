-- The kinds of signals that a case shows: fast for one case, not for all.
--
-- Columns:
--   subject_kind  –  –  as in fraud_cases
--   subject       –  –  as in fraud_cases
--   signal        –  –  kind of signal, as often as it is shown
CREATE VIEW model_evidence AS
SELECT 'account' AS subject_kind, found.account_id AS subject, found.signal
FROM model_signals AS found
WHERE found.is_tester = 0
UNION ALL
SELECT 'device' AS subject_kind, found.device_id AS subject, found.signal
FROM model_signals AS found
WHERE found.is_tester = 0
UNION ALL
SELECT subject_case.subject_kind, subject_case.subject, found.signal
FROM model_cases AS subject_case
JOIN model_signals AS found ON found.receipt_id = subject_case.receipt_id
WHERE found.is_tester = 0
    AND subject_case.subject_kind = 'receipt'
UNION ALL
SELECT subject_case.subject_kind, subject_case.subject, found.signal
FROM model_cases AS subject_case
JOIN receipt AS own ON own.receipt_id = subject_case.receipt_id
JOIN receipt_lineage AS lineage ON lineage.hash_prefix = substr(own.device_hash, 1, 6)
JOIN receipt
    ON receipt.receipt_id = lineage.receipt_id
    AND receipt.opaque_value = own.opaque_value
    AND receipt.device_hash = own.device_hash
JOIN model_signals AS found ON found.receipt_id = receipt.receipt_id
WHERE found.is_tester = 0
    AND receipt.verdict = 'trusted'
    AND subject_case.subject_kind = 'installation';
