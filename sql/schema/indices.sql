-- Secondary indices of all rows, built after the first load and then kept. Building an index once from sorted rows
-- costs half as much as filling it row by row.

-- Who presented a receipt, and when: first and last sight of a purchase, owners
-- of an app. Whether several did, the tags show without the table.
CREATE INDEX IF NOT EXISTS submission_by_receipt ON submission (receipt_id, account_tag, device_tag);

-- Receipts that state a transaction: its first and last sight.
CREATE INDEX IF NOT EXISTS receipt_purchase_by_transaction ON receipt_purchase (transaction_id);

-- The transactions of a subscription in one place, by their begin, so that the
-- next period, and a copy that a restore made, are found in one step. With
-- what reports on subscriptions and refunds read of them, which spares them the
-- table.
CREATE INDEX IF NOT EXISTS purchase_by_original_transaction
    ON purchase (
        original_transaction_id, app_id, purchase_date, expires_date, transaction_id, cancellation_date,
        product_number, product_type, quantity, is_trial_period, is_in_intro_offer_period
    );

-- The documents that hold a document, and so who presented it.
CREATE INDEX IF NOT EXISTS receipt_part_by_part ON receipt_part (part_receipt_id);

-- The states of one subscription's renewal, in their order.
CREATE INDEX IF NOT EXISTS renewal_by_original_transaction ON renewal (original_transaction_id, environment, signed_at);

-- Deliveries of one notification.
CREATE INDEX IF NOT EXISTS notification_by_uuid ON notification (notification_uuid);

-- All that an account, or a device that names none, presented.
CREATE INDEX IF NOT EXISTS submission_by_presenter ON submission (coalesce(account_tag, device_tag));

-- Subscriptions that one signed transaction ties to others: those that it continued, and those of one app transaction.
CREATE INDEX IF NOT EXISTS purchase_terms_by_previous_original
    ON purchase_terms (previous_original_transaction_id) WHERE previous_original_transaction_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS purchase_terms_by_app_transaction
    ON purchase_terms (app_transaction_id) WHERE app_transaction_id IS NOT NULL;

-- What names one token of an account, in whatever case.
CREATE INDEX IF NOT EXISTS purchase_terms_by_token
    ON purchase_terms (lower(app_account_token)) WHERE app_account_token IS NOT NULL;
CREATE INDEX IF NOT EXISTS renewal_by_token ON renewal (lower(app_account_token)) WHERE app_account_token IS NOT NULL;

-- App transactions of one moment, which are one thing whoever presents them.
CREATE INDEX IF NOT EXISTS receipt_app_transaction
    ON receipt (app_id, receipt_creation_date) WHERE kind = 'app_transaction';
