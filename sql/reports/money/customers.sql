-- customers: New and active customers
-- How many customers are new in a month, how many are active, and how many of the new ones buy and pay soon?
--
-- Grain: one row per environment, bundle_id, month
-- Aliases: new-customers, active-customers, customer-conversion, initial-conversion, conversion-to-paying
--
-- Parameters:
--   :window  integer(0..60)  7  days after a customer was first seen within which a purchase counts as conversion
--
-- Columns:
--   environment           text   environment of the documents
--   bundle_id             text   bundle identifier of the app
--   month                 month  month in which customers were first seen, or were active
--   new_customers         integer(customers)  customers first seen in the month: at the original purchase of the app,
--                                             else at the first document or transaction
--   active_customers      integer(customers)  customers who in the month had a paid period or a trial, bought
--                                             something, or presented a document made in it
--   buyers                integer(customers)  customers with a sale in the month
--   bought                integer(customers)  of the new customers, those with any transaction within :window days,
--                                             free trials included
--   initial_conversion    share  bought ÷ new customers of whom it is known whether they bought; empty until :window
--                                days after the month
--   paid                  integer(customers)  of the new customers, those who paid within :window days
--   conversion_to_paying  share  paid ÷ (new_customers − unknown); empty until :window days after the month
--   unknown               integer(customers)  of the new customers, those of whom no document shows whether they paid
--                                             within :window days
--   is_complete           integer  1: the newest document of the app is later than the month; 0: the month is not over
--   mature_on             date   day from which initial_conversion and conversion_to_paying are shown
--
-- Shown: bundle_id, month, new_customers, active_customers, buyers, initial_conversion, conversion_to_paying, unknown
-- Total: new_customers
-- Chart: lines  x=month  y=new_customers,active_customers
--        lines  x=month  y=conversion_to_paying  n=new_customers  series=bundle_id
--
-- Notes:
--   A customer is either one who pays (an account; if none is known, an app transaction, a token or a device of one
--   app), or a user who presented documents and bought nothing. The newest app receipt shows that a user bought
--   nothing; so do notifications, if the user was first seen after the first notification. All other users are unknown.
--
-- Example:
--   receiptmill report customers --database mill.sqlite from=2025-01 window=30

WITH begun AS (
    SELECT
        seen.app_id, months.month_number, sum(seen.customers) AS new_customers,
        sum(CASE WHEN seen.bought_after_days <= coalesce(CAST(:window AS BIGINT), 7) THEN seen.customers ELSE 0 END) AS bought,
        sum(CASE WHEN seen.paid_after_days <= coalesce(CAST(:window AS BIGINT), 7) THEN seen.customers ELSE 0 END) AS paid,
        sum(CASE WHEN seen.bought_known_days < coalesce(CAST(:window AS BIGINT), 7) THEN seen.customers ELSE 0 END) AS not_known,
        sum(CASE WHEN seen.paid_known_days < coalesce(CAST(:window AS BIGINT), 7) THEN seen.customers ELSE 0 END) AS unknown
    FROM apps
    JOIN model_new_customers AS seen ON seen.app_id = apps.app_id
    JOIN months ON months.month_number = seen.month_number
    GROUP BY seen.app_id, months.month_number
)

SELECT
    apps.environment, apps.bundle_id, months.month, coalesce(begun.new_customers, 0) AS new_customers,
    counted.active_customers, counted.buyers, coalesce(begun.bought, 0) AS bought,
    CASE WHEN months.ends_ms + 86400000 * coalesce(CAST(:window AS BIGINT), 7) <= apps.horizon_ms + 1000
        THEN round(CAST(begun.bought AS DOUBLE) / nullif(begun.new_customers - begun.not_known, 0), 4) END AS initial_conversion,
    coalesce(begun.paid, 0) AS paid,
    CASE WHEN months.ends_ms + 86400000 * coalesce(CAST(:window AS BIGINT), 7) <= apps.horizon_ms + 1000
        THEN round(CAST(begun.paid AS DOUBLE) / nullif(begun.new_customers - begun.unknown, 0), 4) END AS conversion_to_paying,
    coalesce(begun.unknown, 0) AS unknown,
    CASE WHEN months.month_number <= apps.complete_month THEN 1 ELSE 0 END AS is_complete,
    mature.day AS mature_on
FROM apps
JOIN internal_customer_months AS counted ON counted.app_id = apps.app_id
JOIN months ON months.month_number = counted.month_number
LEFT JOIN begun ON begun.app_id = apps.app_id AND begun.month_number = months.month_number
LEFT JOIN model_days AS mature ON mature.day_number = months.last_day + 1 + coalesce(CAST(:window AS BIGINT), 7)
ORDER BY 1, 2, 3;
