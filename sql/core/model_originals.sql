-- Original transactions: who pays for what was bought under one, and until when its fate is known. The fate is known by
-- the documents that state its transactions or its renewal, and by the newest app receipt of whoever presented one of
-- them, which lists all purchases of its owner; other signed documents of the owner prove nothing of it.
--
-- The customer is the first account that presented a purchase of it; else the account that presented another purchase of
-- the same app transaction; else the app transaction; else the token; else the first device; else the original itself.
--
-- Grain: one row per app and original transaction
-- Key: original_id, app_id
--
-- Columns:
--   app_id         INTEGER  –   app and environment, by the loader's number
--   original_id    ANY      –   identifier of the original transaction, as the loader keeps it
--   known_ms       INTEGER  ms  until when its fate is known by documents of its own and app receipts of its owners
--   customer_id    INTEGER  –   who pays, numbered in these models: one for each app and environment
--   customer_kind  TEXT     –   account, app_transaction, token, device or original
--   customer       TEXT     –   the customer's name; null where that is the original's identifier
WITH bought AS (
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        purchase.as_of AS as_of_ms,
        CASE WHEN terms.ownership IN ('FAMILY_SHARED', 'ASSIGNED') THEN 1 ELSE 0 END AS is_shared,
        terms.app_account_token,
        terms.app_transaction_id
    FROM purchase
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
),

shown AS (
    SELECT holding.purchase_id, min(users.place) AS place, max(users.newest_listing_ms) AS listing_ms
    FROM model_holdings AS holding
    JOIN model_users AS users ON users.user_id = holding.user_id
    GROUP BY holding.purchase_id
),

stated AS (
    SELECT
        bought.app_id,
        bought.original_id,
        min(CASE WHEN bought.is_shared = 0 THEN shown.place END) AS place,
        max(bought.as_of_ms) AS as_of_ms,
        max(shown.listing_ms) AS listing_ms,
        min(CASE WHEN bought.is_shared = 0 THEN bought.app_account_token END) AS app_account_token,
        min(CASE WHEN bought.is_shared = 0 THEN bought.app_transaction_id END) AS app_transaction_id
    FROM bought
    LEFT JOIN shown ON shown.purchase_id = bought.purchase_id
    GROUP BY bought.original_id, bought.app_id
),

renewed AS (
    SELECT app.app_id, renewal.original_transaction_id AS original_id, max(renewal.signed_at) AS signed_ms
    FROM renewal
    JOIN app ON app.environment = renewal.environment
    GROUP BY renewal.original_transaction_id, app.app_id
),

linked AS (
    SELECT stated.app_id, stated.app_transaction_id, min(stated.place) AS place
    FROM stated
    JOIN model_users AS users ON users.place = stated.place
    WHERE users.is_device = 0
        AND stated.app_transaction_id IS NOT NULL
    GROUP BY stated.app_transaction_id, stated.app_id
),

named AS (
    SELECT
        stated.app_id,
        stated.original_id,
        CASE
            WHEN renewed.signed_ms > coalesce(stated.listing_ms, 0) AND renewed.signed_ms > coalesce(stated.as_of_ms, 0)
                THEN renewed.signed_ms
            WHEN stated.listing_ms > coalesce(stated.as_of_ms, 0) THEN stated.listing_ms
            ELSE stated.as_of_ms
        END AS known_ms,
        CASE
            WHEN own.is_device = 0 OR linked.place IS NOT NULL THEN 'account'
            WHEN stated.app_transaction_id IS NOT NULL THEN 'app_transaction'
            WHEN stated.app_account_token IS NOT NULL THEN 'token'
            WHEN own.is_device = 1 THEN 'device'
            ELSE 'original'
        END AS customer_kind,
        CASE
            WHEN own.is_device = 0 THEN own.name
            WHEN linked.place IS NOT NULL THEN linking.name
            WHEN stated.app_transaction_id IS NOT NULL THEN stated.app_transaction_id
            WHEN stated.app_account_token IS NOT NULL THEN stated.app_account_token
            WHEN own.is_device = 1 THEN own.name
        END AS customer
    FROM stated
    LEFT JOIN renewed ON renewed.original_id = stated.original_id AND renewed.app_id = stated.app_id
    LEFT JOIN model_users AS own ON own.place = stated.place
    LEFT JOIN linked
        ON linked.app_transaction_id = stated.app_transaction_id
        AND linked.app_id = stated.app_id
    LEFT JOIN model_users AS linking ON linking.place = linked.place
)

SELECT
    app_id,
    original_id,
    known_ms,
    dense_rank() OVER (
        ORDER BY
            coalesce(customer, ''),
            customer_kind,
            app_id,
            CASE WHEN customer IS NULL THEN original_id END
    ) AS customer_id,
    customer_kind,
    customer
FROM named
