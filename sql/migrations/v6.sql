-- From schema 5 to 6.

-- What a user has set for all models. time_zone: the IANA name of the zone by which days, weeks and months are
-- told; UTC where it is not set.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What products cost, as the user lists it: receipts state no price.
CREATE TABLE listed_price (
    product_id              TEXT    NOT NULL,
    currency                TEXT    NOT NULL,
    price_milliunits        INTEGER NOT NULL,         -- of one
    introductory_milliunits INTEGER,                  -- of one at the introductory offer, where one is listed
    valid_from              TEXT    NOT NULL,         -- first day, YYYY-MM-DD; '' for as long as there is the product
    PRIMARY KEY (product_id, currency, valid_from)
) STRICT, WITHOUT ROWID;

-- How many transactions have changed what models are worked out of: models that were made at another count are
-- outdated.
CREATE TABLE change_count (
    changes INTEGER NOT NULL
) STRICT;

INSERT INTO change_count (changes) VALUES (0);

-- Rows of views that versions before kept in tables; they name persons.
DROP TABLE IF EXISTS fact_daily_receipts;
DROP TABLE IF EXISTS fact_daily_sales_by_number;
DROP TABLE IF EXISTS fact_ends_by_number;
DROP TABLE IF EXISTS fact_entitlements_by_number;
DROP TABLE IF EXISTS fact_fraud_signals;
DROP TABLE IF EXISTS fact_horizons_by_number;
DROP TABLE IF EXISTS fact_lapses_by_number;
DROP TABLE IF EXISTS fact_lengths_by_number;
DROP TABLE IF EXISTS fact_monthly_customer_value;
DROP TABLE IF EXISTS fact_monthly_movements;
DROP TABLE IF EXISTS fact_newest_documents;
DROP TABLE IF EXISTS fact_offers_by_day;
DROP TABLE IF EXISTS fact_owner_sources_by_day;
DROP TABLE IF EXISTS fact_owner_sources_by_period;
DROP TABLE IF EXISTS fact_owner_versions;
DROP TABLE IF EXISTS fact_owners_by_number;
DROP TABLE IF EXISTS fact_purchase_marks;
DROP TABLE IF EXISTS fact_purchases_by_number;
DROP TABLE IF EXISTS fact_refunds_by_contact;
DROP TABLE IF EXISTS fact_stale_by_number;
DROP TABLE IF EXISTS fact_stale_contacts;
DROP TABLE IF EXISTS fact_stands_by_number;
DROP TABLE IF EXISTS fact_storefront_customers_by_day;
DROP TABLE IF EXISTS fact_subscription_begins;
DROP TABLE IF EXISTS fact_terms_by_number;
DROP TABLE IF EXISTS fact_usual_lengths;
DROP TABLE IF EXISTS fact_version_purchases_by_number;
DROP TABLE IF EXISTS fact_settings;
DROP TABLE IF EXISTS fact_generation;
