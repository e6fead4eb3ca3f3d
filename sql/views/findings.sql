-- What does not fit together in what was loaded: documents that contradict each other, notifications that are missing, types
-- of attributes and revocations that are not known. The report findings says what each finding means.
--
-- Columns:
--   finding   –   –  kind of finding
--   subject   –   –  what it is about: a transaction, a subscription's original transaction, an owner, a type
--   number    –   –  how often: documents, periods, purchases or receipts
--   first_ms  ms  –  the first: when what is missing happened, or the document was made
--   last_ms   ms  –  the last of them
--   example   –   –  what one of them states, the transaction by which a gap is known, an attribute's name, or a
--                    document's digest
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
