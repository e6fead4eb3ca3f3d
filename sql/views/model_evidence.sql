-- The signals of each case.
--
-- Columns:
--   subject_kind  –  –  as in fraud_cases
--   subject       –  –  as in fraud_cases
--   signal        –  –  kind of signal, as often as it is shown
CREATE VIEW model_evidence AS
SELECT
    found.subject_kind,
    found.subject,
    shown.signal
FROM model_cases AS found
-- Each alternative has an index.
JOIN model_signals AS shown
    ON (found.subject_kind = 'account' AND shown.account_id = found.subject)
    OR (found.subject_kind = 'device' AND shown.device_id = found.subject)
    OR (found.subject_kind = 'receipt' AND shown.receipt_id = found.receipt_id)
    OR (
        found.subject_kind = 'installation'
        AND shown.receipt_id IN (
            SELECT installed.other_receipt_id
            FROM model_installations AS installed
            JOIN receipt ON receipt.receipt_id = installed.other_receipt_id
            WHERE installed.receipt_id = found.receipt_id
                AND receipt.verdict = 'trusted'
        )
    )
WHERE shown.is_tester = 0;
