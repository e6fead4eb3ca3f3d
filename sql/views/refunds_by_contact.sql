-- What was refunded to owners, those of owner_refunds_by_number, by number: one row per owner of an app, original
-- transaction, moment and product.
--
-- Columns:
--   app_number           –                        –               the app's number in this database alone
--   contact_number       –                        line            the line by which to reach the owner, as in
--                                                                 contacts_by_owner
--   seen_ms              milliseconds since 1970  line            as in contacts_by_owner
--   cancellation_second  seconds since 1970       attribute 1712  when it was refunded
--   product_number       –                        –               the product's number in this database alone
--   refunds              refunds                  –               1; 0 where another product's row counts the refund
CREATE VIEW refunds_by_contact AS
SELECT
    refunded.app_number,
    contact.contact_number,
    contact.seen_ms,
    refunded.cancellation_second,
    refunded.product_number,
    CASE
        WHEN row_number() OVER (
            PARTITION BY
                contact.contact_number, refunded.original_number, refunded.cancellation_second, refunded.app_number
            ORDER BY refunded.product_number
        ) = 1 THEN 1
        ELSE 0
    END AS refunds
FROM (
    SELECT
        app_number,
        owner,
        CASE WHEN owner_kind = 'device' THEN 1 ELSE 0 END AS is_device,
        original_number,
        cancellation_ms / 1000 AS cancellation_second,
        product_number
    FROM owner_refunds_by_number
    GROUP BY 2, 4, 5, 6, 1, 3
) AS refunded
JOIN contacts_by_owner AS contact
    ON contact.owner = refunded.owner
    AND contact.is_device = refunded.is_device
    AND contact.app_number = refunded.app_number;
