-- Subscriptions that the App Store continued under another original transaction, by a migration to Advanced Commerce or
-- a switch into or out of a bundle. All original transactions of such a chain are one subscription, identified by the
-- first.
--
-- A chain is followed over at most 8 switches. Originals beyond that, and originals that name one another in a circle,
-- which the App Store never states, are separate subscriptions.
--
-- Grain: one row per original transaction that continues another
-- Key: original_id, app_id
-- Kept: no
--
-- Columns:
--   original_id  ANY      –  identifier of the original transaction, as the loader keeps it
--   app_id       INTEGER  –  app and environment, by the loader's number
--   environment  TEXT     –  environment of the original transaction, as the loader keeps it
--   first_id     ANY      –  identifier of the chain's first original transaction, which identifies the subscription
--   place        INTEGER  –  place of the original in its chain, from 1; the first original, which has no row here, has
--                            0
WITH named AS (
    SELECT
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        min(terms.previous_original_id) AS previous_id
    FROM model_terms AS terms
    JOIN purchase ON purchase.purchase_id = terms.purchase_id
    WHERE terms.previous_original_id IS NOT NULL
        AND terms.previous_original_id <> coalesce(purchase.original_transaction_id, purchase.transaction_id)
    GROUP BY purchase.app_id, coalesce(purchase.original_transaction_id, purchase.transaction_id)
),

-- If two originals continue the same one, as when both parts of a bundle are kept, the one with the lower identifier
-- counts.
stated AS (
    SELECT app_id, min(original_id) AS original_id, previous_id
    FROM named
    GROUP BY app_id, previous_id
),

-- Each step doubles how far back a chain is followed: two, four and eight switches.
two AS (
    SELECT near.app_id, near.original_id, coalesce(far.previous_id, near.previous_id) AS previous_id
    FROM stated AS near
    LEFT JOIN stated AS far ON far.original_id = near.previous_id AND far.app_id = near.app_id
),

four AS (
    SELECT near.app_id, near.original_id, coalesce(far.previous_id, near.previous_id) AS previous_id
    FROM two AS near
    LEFT JOIN two AS far ON far.original_id = near.previous_id AND far.app_id = near.app_id
),

eight AS (
    SELECT near.app_id, near.original_id, coalesce(far.previous_id, near.previous_id) AS previous_id
    FROM four AS near
    LEFT JOIN four AS far ON far.original_id = near.previous_id AND far.app_id = near.app_id
)

SELECT
    near.original_id, near.app_id, app.environment, near.previous_id AS first_id,
    row_number() OVER (PARTITION BY near.previous_id, near.app_id ORDER BY near.original_id) AS place
FROM eight AS near
JOIN app ON app.app_id = near.app_id
-- If the end of a chain itself continues another original, the chain is a circle or too long, and is dropped.
LEFT JOIN stated AS far ON far.original_id = near.previous_id AND far.app_id = near.app_id
WHERE far.original_id IS NULL
