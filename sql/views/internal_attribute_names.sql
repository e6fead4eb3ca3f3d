-- Names of attributes that Apple does not document, as the store's answers about receipts show them. Attribute types
-- that are not listed here have no known name.
--
-- Columns:
--   level           –       –  `app`: an attribute of the receipt itself; `purchase`: an attribute of a purchase in it
--   attribute_type  number  –  Apple's number of the attribute
--   name            –       –  the attribute's name in the store's answers
CREATE VIEW internal_attribute_names AS
WITH listed(level, attribute_type, name) AS (
    VALUES
        ('app', 0, 'environment'),
        ('app', 1, 'app_item_id'),
        ('app', 10, 'age_rating'),
        ('app', 11, 'developer_id'),
        ('app', 15, 'download_id'),
        ('app', 16, 'version_external_identifier'),
        ('app', 18, 'original_purchase_date'),
        ('app', 23, 'volume_purchase_organization'),
        ('app', 25, 'platform'),
        ('app', 32, 'preorder_date'),
        ('purchase', 1707, 'product_type'),
        ('purchase', 1713, 'is_trial_period'),
        ('purchase', 1720, 'cancellation_reason'),
        ('purchase', 1721, 'promotional_offer_id')
)

SELECT level, attribute_type, name FROM listed;
