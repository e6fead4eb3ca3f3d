-- Looked up for each subscription.
CREATE UNIQUE INDEX fact_horizons_by_number_by_subscription
    ON fact_horizons_by_number (original_number, app_number, known_until_ms);
