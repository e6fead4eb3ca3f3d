-- The apps that a report counts: rows of the view apps, filtered by environment and bundle identifier.
--
-- Parameters:
--   :environment  environments  Production  environments counted, separated by commas; or all
--   :bundle       bundle        all         bundle identifier of the app; or all
SELECT *
FROM main.apps
WHERE (
    coalesce(:environment, 'Production') = 'all'
    OR instr(',' || coalesce(:environment, 'Production') || ',', ',' || environment || ',') > 0
)
AND coalesce(:bundle, 'all') IN ('all', bundle_id)
