-- One row per submission that shows an owner's claim and refunded transaction
-- that the submitted receipt states; owners as in app_owners. Upgrades cancel
-- too, and so do free trials; both are left out. What others presented for an owner,
-- as in relayed_purchases, has a row without a submission.
--
-- Columns:
--   environment              –        attribute 0     as in purchases
--   bundle_id                –        attribute 2     as in purchases
--   owner                    –        line            as in app_owners
--   owner_kind               –        –               account or device
--   transaction_id           –        attribute 1703  the transaction
--   original_transaction_id  –        attribute 1705  its original
--   product_id               –        attribute 1702  the product
--   purchase_date            time     attribute 1704  when it was bought
--   cancellation_date        time     attribute 1712  when it was refunded
--   receipt_sha256           –        –               the receipt presented
--   receipt_creation_date    time     attribute 12    when the store created that
--   submitted_at             time     line            when it was presented; null where others did for the
--                                                    owner
--   shows_refund             0 or 1   –               1: created at the refund or later, the receipt that states it, or
--                                                    as undated as that
--   seconds_after_refund     seconds  –               from the refund to the submission; negative before it; null
--                                                    where others presented it
CREATE VIEW owner_refunds AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    refunds.owner,
    refunds.owner_kind,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    CAST(refunds.original_number AS TEXT) AS original_transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch') AS purchase_date,
    refunds.cancellation_date,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS receipt_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', refunds.submitted_ms / 1000, 'unixepoch') AS submitted_at,
    refunds.shows_refund,
    refunds.submitted_ms / 1000 - refunds.cancellation_ms / 1000 AS seconds_after_refund
FROM owner_refunds_by_number AS refunds
CROSS JOIN purchase ON purchase.purchase_id = refunds.purchase_number
CROSS JOIN receipt ON receipt.receipt_id = refunds.receipt_number
CROSS JOIN app ON app.app_id = refunds.app_number
LEFT JOIN product ON product.product_number = refunds.product_number;
