-- The months of the report just counted in which documents state less than nine tenths of the units in Apple's sales
-- reports: the month, the units that documents state, and the units sold, in thousandths. Only the report's apps count;
-- if these are all apps, units of no known app count, too.
WITH scope AS (
    SELECT CASE WHEN count(apps.app_id) = count(*) THEN 1 ELSE 0 END AS has_all
    FROM model_apps AS app
    LEFT JOIN apps ON apps.app_id = app.app_id
    WHERE app.environment = 'Production'
)

SELECT months.month, sum(CASE compared.class WHEN 'not_in_archive' THEN 0 ELSE compared.store_units END), sum(compared.store_units)
FROM model_reconciled AS compared
CROSS JOIN scope
LEFT JOIN apps ON apps.app_id = compared.app_id
JOIN model_days AS day ON day.day_number = compared.store_day
JOIN months ON months.month_number = day.month_number
WHERE compared.report = 'sales'
    AND compared.store_units > 0
    AND compared.is_download = 0
    AND (apps.app_id IS NOT NULL OR (compared.app_id = 0 AND scope.has_all = 1))
GROUP BY months.month
HAVING sum(CASE compared.class WHEN 'not_in_archive' THEN 0 ELSE compared.store_units END) * 10 < sum(compared.store_units) * 9
ORDER BY months.month
