-- Lines of decode taken apart, in DuckDB's words.

CREATE OR REPLACE TEMPORARY VIEW decoded_purchases AS
SELECT
    archive_sha256,
    receipt,
    unnest(purchases) AS purchase,
    generate_subscripts(purchases, 1) - 1 AS place
FROM decoded
WHERE NOT is_repeated;

CREATE OR REPLACE TEMPORARY VIEW decoded_issuers AS
SELECT archive_sha256, unnest(receipt.issuers) AS certificate
FROM decoded
WHERE NOT is_repeated;
