-- The rows of entitlements, with the line by which to reach each owner.
--
-- Columns:
--   environment            –     attribute 0     as in purchases
--   bundle_id              –     attribute 2     as in purchases
--   owner                  –     line            as in entitlements
--   owner_kind             –     –               as in entitlements
--   product_id             –     attribute 1702  as in entitlements
--   source_transaction_id  –     attribute 1703  as in entitlements
--   starts                 time  attribute 1704  as in entitlements
--   ends                   time  –               as in entitlements
--   ownership              –     –               as in purchases
--   state                  –     –               as in entitlements
--   as_of                  time  –               as in entitlements
--   account_id             –     line            the line's account
--   device_id              –     line            the line's device
--   last_seen              time  line            when the owner presented a document of the app last
--   app_number             –     –               the app's number in this database alone, to count by
CREATE VIEW owner_entitlements AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    contact.owner,
    coalesce(contact.owner_kind, 'none') AS owner_kind,
    product.product_id,
    lasting.transaction_id AS source_transaction_id,
    lasting.starts,
    -- The engines share a way from milliseconds to text alone.
    strftime('%Y-%m-%dT%H:%M:%SZ', held.ends_second * 1000 / 1000, 'unixepoch') AS ends,
    lasting.ownership,
    CASE held.state_code
        WHEN 1 THEN 'active'
        WHEN 2 THEN 'grace'
        WHEN 3 THEN 'billing_retry'
        WHEN 4 THEN 'expired'
        WHEN 5 THEN 'revoked'
        ELSE 'unknown'
    END AS state,
    strftime('%Y-%m-%dT%H:%M:%SZ', app_horizons.ms / 1000, 'unixepoch') AS as_of,
    contact.account_id,
    contact.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', held.seen_second * 1000 / 1000, 'unixepoch') AS last_seen,
    held.app_number
FROM entitlements_by_number AS held
JOIN lasting_purchases AS lasting ON lasting.purchase_number = held.purchase_number
JOIN app ON app.app_id = held.app_number
JOIN app_horizons ON app_horizons.app_number = held.app_number
LEFT JOIN product ON product.product_number = lasting.product_number
LEFT JOIN contacts_by_number AS contact ON contact.contact_number = held.contact_number;
