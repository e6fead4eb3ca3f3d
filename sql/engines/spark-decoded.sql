-- Lines of decode taken apart, in Spark's words.

CREATE OR REPLACE TEMPORARY VIEW decoded_purchases AS
SELECT archive_sha256, receipt, posexplode(purchases) AS (place, purchase)
FROM decoded
WHERE NOT is_repeated;

CREATE OR REPLACE TEMPORARY VIEW decoded_issuers AS
SELECT archive_sha256, explode(receipt.issuers) AS certificate
FROM decoded
WHERE NOT is_repeated;
