-- How many periods of each product have which nominal length: 7, 30, 61, 91, 182, 365 days.
-- Those of other lengths are left out, trials and introductory periods too.
--
-- Columns:
--   app_number      –        –  the app's number in this database alone
--   product_number  –        –  the product's number in this database alone
--   nominal_days    days     –  nominal length, as in priced_periods
--   periods         periods  –  of this length
CREATE VIEW lengths_by_number AS
SELECT app_number, product_number, nominal_days, count(*) AS periods
FROM (
    SELECT
        app_number,
        product_number,
        CASE
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 6 AND 8 THEN 7
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 27 AND 32 THEN 30
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 58 AND 63 THEN 61
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 88 AND 93 THEN 91
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 179 AND 185 THEN 182
            WHEN (expiry_second - start_second + 43200) / 86400 BETWEEN 363 AND 367 THEN 365
        END AS nominal_days
    FROM terms_by_number
    WHERE coalesce(is_trial_period, 0) = 0
        AND coalesce(is_in_intro_offer_period, 0) = 0
) AS measured
WHERE nominal_days IS NOT NULL
GROUP BY nominal_days, product_number, app_number;
