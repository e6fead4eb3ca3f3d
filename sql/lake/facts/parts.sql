-- One row per document inside another document.
SELECT
    archive_sha256,
    unhex(holder_sha256) AS receipt_sha256,
    held.part AS part,
    unhex(held.receipt.sha256) AS part_sha256
FROM decoded_parts
