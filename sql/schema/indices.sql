-- Secondary indices, built after the first load and kept from then on: filling
-- an index row by row costs twice what building it once from sorted rows does.

-- Who presented a receipt, and when: first and last sight of a purchase, owners
-- of an app, receipts presented by several devices.
CREATE INDEX IF NOT EXISTS submission_by_receipt ON submission (receipt_id);

-- Evidence of copied receipts, rare by nature, so that the report and the
-- signal read it without a scan.
CREATE INDEX IF NOT EXISTS submission_with_hash_mismatch ON submission (device_check)
    WHERE device_check = 'mismatch';

-- Receipts that tell of a transaction: its first and last sight.
CREATE INDEX IF NOT EXISTS receipt_purchase_by_transaction ON receipt_purchase (transaction_id);

-- The transactions of a subscription in one place, period by period, so that
-- the next period, and a copy that a restore made, are found in one step.
CREATE INDEX IF NOT EXISTS purchase_by_original_transaction
    ON purchase (app_id, original_transaction_id, expires_date);

-- Receipts that are not trusted, rare by nature: what the fraud team reads.
CREATE INDEX IF NOT EXISTS receipt_not_trusted ON receipt (verdict) WHERE verdict <> 'trusted';

-- Receipts of one installation share opaque value and hash across refreshes.
CREATE INDEX IF NOT EXISTS receipt_by_lineage ON receipt (opaque_value, device_hash);
