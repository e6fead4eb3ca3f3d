-- Users in the order that decides who owns what several users present: accounts before devices, then the first seen,
-- then by name.
--
-- Columns:
--   user_id            –       number of the user, as in model_users
--   app_id             –       app and environment, by the loader's number
--   name               –       the account, else the device
--   is_device          0 or 1  1: the user is a device, because no account is named
--   last_seen_ms       ms      when the user last presented a document
--   newest_listing_ms  ms      when the user's newest app receipt, which lists all purchases, was created
--   place              –       number of the user in this order, from 1, within an app and environment
CREATE VIEW internal_presenters AS
SELECT
    user_id,
    app_id,
    name,
    is_device,
    last_seen_ms,
    newest_listing_ms,
    row_number() OVER (
        PARTITION BY app_id ORDER BY is_device, coalesce(first_seen_ms, 9223372036854775807), name
    ) AS place
FROM model_users;
