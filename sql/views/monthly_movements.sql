-- The movements of movements_by_number from month to month: those that are alike in all of these columns, added up.
--
-- Columns:
--   app_number     –                   –  the app's number in this database alone
--   month_number   –                   –  the month, as in calendar
--   currency       –                   –  as in movements_by_number
--   price_source   –                   –  as in movements_by_number
--   movement       –                   –  as in movements_by_number
--   until_second   seconds since 1970  –  as in movements_by_number
--   subscriptions  subscriptions       –  how many
--   milliunits     milliunits          –  by how much all of them
CREATE VIEW monthly_movements AS
SELECT
    app_number,
    period_number AS month_number,
    currency,
    price_source,
    movement,
    until_second,
    count(*) AS subscriptions,
    sum(milliunits) AS milliunits
FROM movements_by_number
WHERE grain = 'month'
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY until_second, period_number, movement, currency, price_source, app_number;
