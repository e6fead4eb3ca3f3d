-- What attributes are called that Apple does not document and whose meaning is
-- known all the same, from what the store answered about receipts. A type that is
-- not here nobody can name.
--
-- Columns:
--   level           –  –  `app` of a receipt's own attributes, `purchase` of those within purchases
--   attribute_type  –  –  the attribute's number
--   name            –  –  its name
CREATE VIEW attribute_names AS
SELECT
    'app' AS level,
    0 AS attribute_type,
    'environment' AS name
UNION ALL SELECT 'app', 1, 'app_item_id'
UNION ALL SELECT 'app', 10, 'age_rating'
UNION ALL SELECT 'app', 11, 'developer_id'
UNION ALL SELECT 'app', 15, 'download_id'
UNION ALL SELECT 'app', 16, 'version_external_identifier'
UNION ALL SELECT 'app', 18, 'original_purchase_date'
UNION ALL SELECT 'app', 23, 'volume_purchase_organization'
UNION ALL SELECT 'app', 25, 'platform'
UNION ALL SELECT 'app', 32, 'preorder_date'
UNION ALL SELECT 'purchase', 1707, 'product_type'
UNION ALL SELECT 'purchase', 1713, 'is_trial_period'
UNION ALL SELECT 'purchase', 1720, 'cancellation_reason'
UNION ALL SELECT 'purchase', 1721, 'promotional_offer_id';
