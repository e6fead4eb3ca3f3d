-- Numbers of users. A user is an account, else a device, of one app and environment, that presented a trusted document.
--
-- Grain: one row per user
-- Key: name, app_id, is_device
-- Numbered: user_id
--
-- Columns:
--   user_id    INTEGER!  –       number that this model gives the user
--   name       TEXT!     –       name of the user: the account, else the device
--   app_id     INTEGER!  –       app and environment, by the loader's number
--   is_device  INTEGER!  0 or 1  1: the user is a device, because no account is named
SELECT DISTINCT name, app_id, is_device
FROM model_presented
