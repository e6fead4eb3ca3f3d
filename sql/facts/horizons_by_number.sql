-- Rows: (original_number, app_number) IN (SELECT coalesce(original_transaction_id, transaction_id), app_id FROM purchase)
-- Looked up for each subscription.
CREATE UNIQUE INDEX fact_horizons_by_number_by_subscription
    ON fact_horizons_by_number (original_number, app_number, known_ms, bound_ms);
