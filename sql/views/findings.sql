-- What does not fit together in the loaded documents: contradictions, missing notifications, and attributes, members
-- and types of revocations that are unknown. The report findings explains each finding.
--
-- Columns:
--   finding   –   –  kind of finding, such as missing_end
--   subject   –   –  what the finding is about: a transaction, a subscription's original transaction, an owner, or a
--                    type
--   number    –   –  number of documents, periods, purchases or receipts with the finding
--   first_ms  ms  –  time of the first case: for missing_*, of the event that lacks a notification; for
--                    unknown_revocation, of the revocation; else when the first document with the finding was created
--   last_ms   ms  –  time of the last case, dated as in first_ms
--   example   –   –  what one document states, a transaction that shows the gap, an attribute's name, or a document's
--                    digest
--   app_id    –   –  the app's number in this database alone, as in apps
CREATE VIEW findings AS
SELECT
    finding,
    CASE
        WHEN finding IN ('contradicting_version', 'unknown_revocation', 'undocumented_attribute', 'unknown_member') THEN subject
        ELSE CAST(subject AS TEXT)
    END AS subject,
    number,
    first_ms,
    last_ms,
    CASE
        WHEN substr(finding, 1, 7) = 'missing' OR finding = 'unknown_revocation' THEN CAST(example AS TEXT)
        ELSE example
    END AS example,
    app_id
FROM model_findings;
