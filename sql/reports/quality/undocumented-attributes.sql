-- undocumented-attributes: Attributes that Apple does not document
-- Which attributes that Apple does not document do genuine receipts hold, in which apps, and since when?
--
-- Grain: one row per environment, bundle_id, level, attribute_type
--
-- Parameters:
--   :environment  environments  all         environments counted, separated by commas; or all
--   :bundle       bundle        all         bundle identifier of the app; or all
--   :from         date          0001-01-01  only types first seen on this day or later
--
-- Columns:
--   environment          text               environment of the receipts; (none) where absent
--   bundle_id            text               bundle identifier of the app; (none) where absent
--   level                text               app: among the receipt's own attributes; purchase: within purchases
--   attribute_type       integer            number of the attribute
--   attribute_name       text               what it is known as from the store's answers; null where nobody knows
--   receipts             integer(receipts)  distinct trusted receipts that hold it
--   first_creation_date  time               creation of the first of them
--   last_creation_date   time               creation of the last of them
--   app_versions         integer            app versions whose receipts hold it
--   lowest_app_version   text               the lowest of these versions; null where none is stated
--   highest_app_version  text               the highest of them; null where none is stated
--
-- Chart: bars  x=attribute_type  y=receipts  series=level
--
-- Notes:
--   Documented are the types of Apple's "Receipt Fields": 2 to 5, 12, 17, 19 and 21 of
--   receipts, 1701 to 1706, 1708, 1711, 1712 and 1719 of purchases. Of the others those
--   with a name are understood, and some are read. An attribute counts where it stands,
--   also without a value. Receipts that are not trusted don't count: anybody can write
--   any attribute. Nor does one that does not state when it was created, which is not
--   trusted either. Of types other than 0 to 63, in purchases 1701 to 1764, the least 64 of
--   a receipt count; no store has written any.
--
-- Example:
--   receiptmill report undocumented-attributes --database mill.sqlite --param from=2024-01-01

WITH held AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        level,
        attribute_type,
        name,
        app_version,
        app_version_key,
        receipts,
        first_creation_date,
        last_creation_date
    FROM undocumented_attributes
    WHERE (
            coalesce(:environment, 'all') = 'all'
            OR instr(',' || coalesce(:environment, 'all') || ',', ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

placed AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY environment, bundle_id, level, attribute_type
            ORDER BY app_version_key NULLS LAST, app_version
        ) AS place_from_lowest,
        row_number() OVER (
            PARTITION BY environment, bundle_id, level, attribute_type
            ORDER BY app_version_key DESC NULLS LAST, app_version DESC
        ) AS place_from_highest
    FROM held
)

SELECT
    environment,
    bundle_id,
    level,
    attribute_type,
    max(name) AS attribute_name,
    sum(receipts) AS receipts,
    min(first_creation_date) AS first_creation_date,
    max(last_creation_date) AS last_creation_date,
    count(app_version) AS app_versions,
    max(CASE WHEN place_from_lowest = 1 THEN app_version END) AS lowest_app_version,
    max(CASE WHEN place_from_highest = 1 THEN app_version END) AS highest_app_version
FROM placed
GROUP BY environment, bundle_id, level, attribute_type
HAVING min(first_creation_date) >= coalesce(:from, '0001-01-01')
ORDER BY environment, bundle_id, level, attribute_type;
