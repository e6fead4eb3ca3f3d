-- One row per document that can't be read, and per line that contains no document.
SELECT
    archive_sha256,
    line,
    rejection.reason AS reason,
    rejection.detail AS detail,
    document
FROM decoded_documents
WHERE rejection.reason IS NOT NULL
