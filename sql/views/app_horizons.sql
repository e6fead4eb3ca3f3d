-- One row per app and environment: how far the database sees. The newest moment at
-- which the store made a trusted document of the app there; unlike times of
-- submission, nobody else can write it. Reports that ask "as of when?" take it
-- unless given a day.
--
-- Renewal infos name no app: theirs is that of the subscription's purchases.
-- Transaction receipts state no date: theirs is that of the purchase.
--
-- Columns:
--   environment  –                        attribute 0  as in purchases
--   bundle_id    –                        attribute 2  as in purchases
--   day          day                      –            day of the newest document, in UTC
--   day_number   days since 1970          –            the same as a number
--   second       seconds since 1970       –            its moment
--   ms           milliseconds since 1970  –            the same, exact
--   as_of        time                     –            the same, as reports show it
--   app_number   –                        –            the app's number in this database alone, to count by
CREATE VIEW app_horizons AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    strftime('%Y-%m-%d', (newest.ms + (SELECT ms FROM zone_offset)) / 1000, 'unixepoch') AS day,
    (newest.ms + (SELECT ms FROM zone_offset)) / 86400000 AS day_number,
    newest.ms / 1000 AS second,
    newest.ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', newest.ms / 1000, 'unixepoch') AS as_of,
    app.app_id AS app_number
FROM (
    SELECT app_id, max(created_ms) AS ms
    FROM (
        SELECT app_id, max(receipt_creation_date) AS created_ms
        FROM receipt
        WHERE verdict = 'trusted'
            AND kind <> 'signed_renewal'
        GROUP BY app_id
        UNION ALL
        SELECT app_id, max(as_of)
        FROM purchase
        GROUP BY app_id
        UNION ALL
        SELECT purchase.app_id, max(renewal.signed_at)
        FROM renewal
        CROSS JOIN purchase ON purchase.original_transaction_id = renewal.original_transaction_id
        CROSS JOIN app
            ON app.app_id = purchase.app_id
            AND app.environment = renewal.environment
        GROUP BY purchase.app_id
    ) AS created
    GROUP BY app_id
) AS newest
JOIN app ON app.app_id = newest.app_id
WHERE newest.ms IS NOT NULL;
