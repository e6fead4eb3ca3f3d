-- Reports look up the horizon of each subscription that they list.
CREATE UNIQUE INDEX fact_subscription_horizons_by_subscription
    ON fact_subscription_horizons (original_number, app_number, known_until_ms);
