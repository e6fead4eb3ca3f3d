-- One row per period of a subscription, however many transactions a restore made
-- of it: periods of one subscription with the same begin and expiration are one.
--
-- Periods stand in the order in which they begin; next_ is the one that begins
-- next, however soon it expires. A subscription runs one period at a time: the end
-- is the expiration, the cancellation, or the begin of the next period, whichever
-- comes first, though never before the begin. A period that expires before it
-- begins can't be placed and is left out.
--
-- Columns:
--   environment          –                   attribute 0     as in purchases
--   bundle_id            –                   attribute 2     as in purchases
--   subscription_id      –                   attribute 1705  the original transaction
--   transaction_id       –                   attribute 1703  the period's transaction; of copies the one that states a
--                                                            cancellation, else the least
--   product_id           –                   attribute 1702  product of the period
--   kind                 –                   –               trial, introductory or paid
--   starts               time                attribute 1704  its begin
--   expires              time                attribute 1708  its expiration
--   canceled             time                attribute 1712  its cancellation
--   start_second         seconds since 1970  attribute 1704  moment of the begin
--   start_day            days since 1970     attribute 1704  day of the begin
--   expiry_second        seconds since 1970  attribute 1708  moment of the expiration
--   cancellation_second  seconds since 1970  attribute 1712  moment of the cancellation
--   cancellation_day     days since 1970     attribute 1712  day of the cancellation
--   end_second           seconds since 1970  –               moment of expiration, cancellation, or the next begin, the
--                                                            earliest
--   end_day              days since 1970     –               day of the same
--   next_start_second    seconds since 1970  attribute 1704  begin of the next period; null where there is none
--   next_product_id      –                   attribute 1702  product of that period
--   is_upgraded          0 or 1              –               1: ended because another product began: canceled within a
--                                                            minute of that, or not canceled and not yet expired
--   app_number           –                   –               the app's number in this database alone, to count by
--   product_number       –                   –               the same of the product
--   original_number      –                   –               the original transaction, as the loader keeps it
CREATE VIEW subscription_terms AS
WITH placed AS (
    SELECT
        app_id,
        original_transaction_id,
        transaction_id,
        product_number,
        purchase_date,
        expires_date,
        cancellation_date,
        is_trial_period,
        is_in_intro_offer_period,
        lead(purchase_date) OVER same_subscription AS next_start,
        lead(product_number) OVER same_subscription AS next_product_number
    FROM unshared_purchases AS term
    WHERE original_transaction_id IS NOT NULL
        AND expires_date > purchase_date
        AND NOT EXISTS (
            SELECT 1 FROM unshared_purchases AS copy
            WHERE copy.original_transaction_id = term.original_transaction_id
                AND copy.app_id = term.app_id
                AND copy.purchase_date = term.purchase_date
                AND copy.expires_date = term.expires_date
                AND copy.transaction_id <> term.transaction_id
                -- Of copies one states a refund before another does; that one counts.
                AND (copy.cancellation_date IS NULL, copy.transaction_id)
                    < (term.cancellation_date IS NULL, term.transaction_id)
        )
    WINDOW same_subscription AS (
        PARTITION BY original_transaction_id, app_id
        ORDER BY purchase_date, expires_date
    )
    UNION ALL
    -- One that states no original is its own, and no other's copy or next.
    SELECT
        app_id,
        transaction_id,
        transaction_id,
        product_number,
        purchase_date,
        expires_date,
        cancellation_date,
        is_trial_period,
        is_in_intro_offer_period,
        next_start,
        next_product_number
    FROM (
        SELECT
            alone.*,
            later.purchase_date AS next_start,
            later.product_number AS next_product_number,
            row_number() OVER (
                PARTITION BY alone.transaction_id, alone.app_id
                ORDER BY later.purchase_date, later.expires_date, later.transaction_id
            ) AS place
        FROM unshared_purchases AS alone
        LEFT JOIN unshared_purchases AS later
            ON later.original_transaction_id = alone.transaction_id
            AND later.app_id = alone.app_id
            AND later.expires_date > later.purchase_date
            AND (later.purchase_date, later.expires_date) > (alone.purchase_date, alone.expires_date)
        WHERE alone.original_transaction_id IS NULL
            AND alone.expires_date > alone.purchase_date
    ) AS followed
    WHERE place = 1
),

upgraded AS (
    SELECT canceled.app_id, canceled.transaction_id
    FROM unshared_purchases AS canceled
    WHERE canceled.cancellation_date IS NOT NULL
        AND canceled.expires_date > canceled.purchase_date
        AND EXISTS (
            SELECT 1 FROM unshared_purchases AS upgrade
            WHERE upgrade.original_transaction_id
                    = coalesce(canceled.original_transaction_id, canceled.transaction_id)
                AND upgrade.app_id = canceled.app_id
                AND upgrade.product_number <> canceled.product_number
                AND upgrade.purchase_date BETWEEN canceled.cancellation_date - 60000
                    AND canceled.cancellation_date + 60000
        )
),

ended AS (
    SELECT
        placed.*,
        max(purchase_date, min(told_end, coalesce(next_start, told_end))) AS end_ms
    FROM (
        SELECT placed.*, min(expires_date, coalesce(cancellation_date, expires_date)) AS told_end
        FROM placed
    ) AS placed
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(ended.original_transaction_id AS TEXT) AS subscription_id,
    CAST(ended.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    CASE
        WHEN ended.is_trial_period = 1 THEN 'trial'
        WHEN ended.is_in_intro_offer_period = 1 THEN 'introductory'
        ELSE 'paid'
    END AS kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', ended.purchase_date / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', ended.expires_date / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', ended.cancellation_date / 1000, 'unixepoch') AS canceled,
    ended.purchase_date / 1000 AS start_second,
    ended.purchase_date / 86400000 AS start_day,
    ended.expires_date / 1000 AS expiry_second,
    ended.cancellation_date / 1000 AS cancellation_second,
    ended.cancellation_date / 86400000 AS cancellation_day,
    ended.end_ms / 1000 AS end_second,
    ended.end_ms / 86400000 AS end_day,
    ended.next_start / 1000 AS next_start_second,
    next_product.product_id AS next_product_id,
    CASE
        WHEN ended.cancellation_date IS NOT NULL THEN CASE WHEN upgraded.transaction_id IS NULL THEN 0 ELSE 1 END
        WHEN ended.next_start < ended.expires_date AND ended.next_product_number <> ended.product_number THEN 1
        ELSE 0
    END AS is_upgraded,
    ended.app_id AS app_number,
    ended.product_number,
    ended.original_transaction_id AS original_number
FROM ended
JOIN app ON app.app_id = ended.app_id
LEFT JOIN upgraded
    ON upgraded.transaction_id = ended.transaction_id
    AND upgraded.app_id = ended.app_id
LEFT JOIN product ON product.product_number = ended.product_number
LEFT JOIN product AS next_product ON next_product.product_number = ended.next_product_number;
