-- The evidence of each case in fraud_cases: one row per signal, and per submission, document and transaction that shows
-- the signal.
--
-- Columns:
--   subject_kind   –  –  account, device, installation or receipt
--   subject        –  –  the account, the device, the installation's lineage (as in the view receipts), or the
--                        receipt's SHA-256
--   signal         –  –  kind of signal
--   submission_id  –  –  submission that shows the signal, by the loader's number
--   receipt_id     –  –  receipt that shows the signal, by the loader's number
CREATE VIEW internal_evidence AS
SELECT
    found.subject_kind,
    found.subject,
    shown.signal,
    shown.submission_id,
    shown.receipt_id
FROM model_cases AS found
LEFT JOIN internal_installations AS installed
    ON installed.receipt_id = CASE found.subject_kind WHEN 'installation' THEN found.receipt_id END
-- Each alternative of this condition has an index.
JOIN model_signals AS shown
    ON (found.subject_kind = 'account' AND shown.account_id = found.subject)
    OR (found.subject_kind = 'device' AND shown.device_id = found.subject)
    OR (found.subject_kind = 'receipt' AND shown.receipt_id = found.receipt_id)
    OR (
        found.subject_kind = 'installation'
        AND shown.receipt_id = installed.other_receipt_id
        AND shown.is_trusted = 1
    )
WHERE shown.is_tester = 0;
