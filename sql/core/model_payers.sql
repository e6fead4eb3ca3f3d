-- For each original transaction, which customer pays, and until when it is known whether it was renewed, refunded or
-- ended (its fate). Original transactions that continue one another have one row, under the first. The fate is known
-- from documents that state a transaction or renewal of it, and from the newest app receipt of a user who presented one
-- of these, because an app receipt lists all purchases of its owner. Other signed documents of the owner prove nothing.
--
-- The customer is the first account that presented a purchase of the original transaction; else the account that
-- presented another purchase of the same app transaction; else the app transaction; else the token; else the first
-- device; else the original itself.
--
-- Grain: one row per app and original transaction
-- Key: original_id, app_id
-- Kept: no
--
-- Columns:
--   app_id         INTEGER  –   app and environment, by the loader's number
--   original_id    ANY      –   identifier of the original transaction, as the loader keeps it
--   known_ms       INTEGER  ms  until this time it is known whether the original transaction was renewed, refunded or
--                               ended, from its own documents and its owners' app receipts
--   customer_kind  TEXT     –   what identifies the customer: account, app_transaction, token, device or original
--   name           TEXT     –   account, app transaction, token or device that identifies the customer, else the
--                               original transaction's identifier
--   customer       TEXT     –   account, app transaction, token or device that identifies the customer; null if none is
--                               known
WITH stated AS (
    SELECT
        app.app_id,
        min(app.environment) AS environment,
        coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        min(CASE WHEN coalesce(terms.is_shared, 0) = 0 THEN users.place END) AS place,
        min(CASE WHEN coalesce(terms.is_shared, 0) = 0 AND users.is_device = 0 THEN users.place END) AS account_place,
        max(purchase.as_of) AS as_of_ms,
        max(users.newest_listing_ms) AS listing_ms,
        min(CASE WHEN terms.is_shared = 0 THEN terms.app_account_token END) AS app_account_token,
        min(CASE WHEN terms.is_shared = 0 THEN terms.app_transaction_id END) AS app_transaction_id
    FROM purchase
    -- Grouped by a column of app, because if grouped by a column of purchase, SQLite would read purchase in the order
    -- of an index.
    LEFT JOIN app ON app.app_id = purchase.app_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    LEFT JOIN model_holdings AS holding ON holding.purchase_id = purchase.purchase_id
    LEFT JOIN internal_presenters AS users ON users.user_id = holding.user_id
    LEFT JOIN model_switches AS switch
        ON switch.original_id = coalesce(purchase.original_transaction_id, purchase.transaction_id)
        AND switch.app_id = purchase.app_id
    GROUP BY coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id), app.app_id
),

renewed AS (
    SELECT
        coalesce(switch.first_id, renewal.original_transaction_id) AS original_id,
        renewal.environment,
        max(renewal.signed_at) AS signed_ms
    FROM renewal
    LEFT JOIN model_switches AS switch
        ON switch.original_id = renewal.original_transaction_id
        AND switch.environment = renewal.environment
    GROUP BY coalesce(switch.first_id, renewal.original_transaction_id), renewal.environment
),

linked AS (
    SELECT app_id, app_transaction_id, min(account_place) AS place
    FROM stated
    WHERE account_place IS NOT NULL
        AND app_transaction_id IS NOT NULL
    GROUP BY app_transaction_id, app_id
),

named AS (
    SELECT
        stated.app_id, stated.original_id,
        CASE
            WHEN renewed.signed_ms > coalesce(stated.listing_ms, 0) AND renewed.signed_ms > coalesce(stated.as_of_ms, 0)
                THEN renewed.signed_ms
            WHEN stated.listing_ms > coalesce(stated.as_of_ms, 0) THEN stated.listing_ms
            ELSE stated.as_of_ms
        END AS known_ms,
        CASE
            WHEN stated.account_place IS NOT NULL OR linked.place IS NOT NULL THEN 'account'
            WHEN stated.app_transaction_id IS NOT NULL THEN 'app_transaction'
            WHEN stated.app_account_token IS NOT NULL THEN 'token'
            WHEN stated.place IS NOT NULL THEN 'device'
            ELSE 'original'
        END AS customer_kind,
        CASE
            WHEN stated.account_place IS NOT NULL OR linked.place IS NOT NULL THEN presenter.name
            WHEN stated.app_transaction_id IS NOT NULL THEN stated.app_transaction_id
            WHEN stated.app_account_token IS NOT NULL THEN stated.app_account_token
            WHEN stated.place IS NOT NULL THEN presenter.name
        END AS customer
    FROM stated
    LEFT JOIN renewed ON renewed.original_id = stated.original_id AND renewed.environment = stated.environment
    LEFT JOIN linked
        ON linked.app_transaction_id = stated.app_transaction_id
        AND linked.app_id = stated.app_id
    LEFT JOIN internal_presenters AS presenter
        ON presenter.place = coalesce(stated.account_place, linked.place, stated.place)
        AND presenter.app_id = stated.app_id
)

SELECT
    app_id, original_id, known_ms, customer_kind,
    coalesce(customer, CAST(original_id AS VARCHAR(255))) AS name,
    customer
FROM named
