-- The thresholds of fraud signals: the default values, unless the table signal_setting has another value. The defaults
-- are our own choice; no source gives such numbers.
--
-- Catalog: no
--
-- Columns:
--   name     –       –  name of the threshold, as in the table signal_setting
--   value    number  –  value of the threshold that applies
--   unit     –       –  unit of the value
--   meaning  –       –  what the threshold decides
CREATE VIEW signal_settings AS
WITH defaults(name, value, unit, meaning) AS (
    VALUES
        ('shared_devices_medium', 3, 'devices', 'devices of one receipt or installation from which sharing is medium'),
        ('shared_devices_high', 5, 'devices', 'devices of one receipt or installation from which sharing is high'),
        ('shared_accounts_high', 3, 'accounts', 'accounts of one receipt or installation from which sharing is high'),
        ('transaction_accounts', 2, 'accounts', 'accounts with one original transaction from which it is a signal'),
        ('transaction_accounts_high', 5, 'accounts', 'accounts with one original transaction from which it is high'),
        ('transaction_devices', 11, 'devices', 'devices with one original transaction from which it is a signal; the store lets an account have ten'),
        ('token_accounts', 2, 'accounts', 'accounts with one app account token from which it is a signal'),
        ('token_accounts_high', 5, 'accounts', 'accounts with one app account token from which it is high'),
        ('replay_accounts_high', 3, 'accounts', 'accounts with one consumable transaction from which it is high'),
        ('refund_reuse_days', 60, 'days', 'days after a refund from which a receipt that does not show it is stale'),
        ('clock_tolerance', 600, 'seconds', 'seconds by which clocks may differ before dates count as impossible'),
        ('burst_submissions', 20, 'submissions', 'submissions of one account that make a burst'),
        ('burst_seconds', 600, 'seconds', 'time within which they do')
)

SELECT
    defaults.name,
    coalesce(signal_setting.value, defaults.value) AS value,
    defaults.unit,
    defaults.meaning
FROM defaults
LEFT JOIN signal_setting ON signal_setting.name = defaults.name;
