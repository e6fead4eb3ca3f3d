-- Customers of a slice (all that is tied to newly loaded lines): those who paid for its original transactions at the
-- last refresh.
--
-- Key: customer_id
SELECT original.customer_id
FROM reached_originals AS reached
CROSS JOIN model_originals AS original
    ON original.original_id = reached.original_id
    AND original.app_id = reached.app_id
