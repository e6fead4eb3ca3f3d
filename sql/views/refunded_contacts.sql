-- The rows of refunds_by_contact with their day, and with times as text.
--
-- Columns:
--   app_number         –                –               the app's number in this database alone
--   contact_number     –                line            as in refunds_by_contact
--   last_seen          time             line            when the owner presented a document of the app last
--   cancellation_date  time             attribute 1712  when it was refunded
--   refund_day         days since 1970  attribute 1712  its day
--   product_number     –                –               the product's number in this database alone
--   refunds            refunds          –               as in refunds_by_contact
CREATE VIEW refunded_contacts AS
SELECT
    app_number,
    contact_number,
    strftime('%Y-%m-%dT%H:%M:%SZ', seen_ms / 1000, 'unixepoch') AS last_seen,
    strftime('%Y-%m-%dT%H:%M:%SZ', cancellation_second * 1000 / 1000, 'unixepoch') AS cancellation_date,
    CASE WHEN cancellation_second * 1000 < refunded.midnight_ms THEN refunded.earlier_day ELSE refunded.later_day END
        AS refund_day,
    product_number,
    refunds
FROM refunds_by_contact
LEFT JOIN model_utc_days AS refunded ON refunded.utc_day = cancellation_second / 86400;
