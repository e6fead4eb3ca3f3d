-- Subscriptions that the store continued under another original transaction: the migration to Advanced Commerce, or the
-- switch into or out of a bundle. All originals of such a chain are one subscription, known by the first of them.
--
-- A chain is followed over 8 switches. Originals that name one another in a circle, which the store never states, stay
-- apart, as do those of a longer chain.
--
-- Grain: one row per original transaction that continues another
-- Key: original_id, app_id
-- Kept: no
--
-- Columns:
--   original_id  ANY      –  identifier of the original transaction, as the loader keeps it
--   app_id       INTEGER  –  app and environment, by the loader's number
--   environment  TEXT     –  the environment, as the loader keeps it
--   first_id     ANY      –  identifier of the first original transaction of the chain
--   place        INTEGER  –  number of the original in the chain; the first, which is not in it, has 0
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

-- If two originals continue one, as when both parts of a bundle are kept, the first of them counts.
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
-- An end that continues another is dropped: a circle, or a chain too long.
LEFT JOIN stated AS far ON far.original_id = near.previous_id AND far.app_id = near.app_id
WHERE far.original_id IS NULL
