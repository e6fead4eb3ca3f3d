-- Receipts counted by the day on which the store created them, whatever their
-- verdict: much less to read than the receipts.
--
-- Columns:
--   environment       –                attribute 0   as in receipts
--   bundle_id         –                attribute 2   as in receipts
--   kind              –                –             as in receipts
--   verdict           –                –             as in receipts
--   digest_algorithm  –                –             as in receipts
--   creation_date     day              attribute 12  day on which they were created, of the database's
--                                                  time zone
--   creation_day      days since 1970  attribute 12  the same as a number
--   receipts          receipts         –             how many
--   purchases         purchases        –             purchases in them
--   bytes             bytes            –             their size
CREATE VIEW daily_receipts AS
WITH counted AS (
    SELECT
        app_id,
        kind,
        verdict,
        digest_algorithm,
        creation_day,
        count(*) AS receipts,
        sum(purchase_count) AS purchases,
        sum(bytes) AS bytes
    FROM (
        SELECT
            app_id,
            kind,
            verdict,
            digest_algorithm,
            coalesce(
                CASE WHEN receipt_creation_date < created.midnight_ms THEN created.earlier_day ELSE created.later_day END,
                -- Behind the calendar's ends a day of UTC; counted from the year 0 on, because a division cuts off what
                -- is below zero upwards.
                (receipt_creation_date + 62167219200000) / 86400000 - 719528
            ) AS creation_day,
            purchase_count,
            bytes
        FROM receipt
        LEFT JOIN model_utc_days AS created ON created.utc_day = receipt_creation_date / 86400000
    ) AS dated
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY creation_day, app_id, verdict, digest_algorithm, kind
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    counted.kind,
    counted.verdict,
    counted.digest_algorithm,
    strftime('%Y-%m-%d', counted.creation_day * 86400000 / 1000, 'unixepoch') AS creation_date,
    counted.creation_day,
    counted.receipts,
    counted.purchases,
    counted.bytes
FROM counted
JOIN app ON app.app_id = counted.app_id;
