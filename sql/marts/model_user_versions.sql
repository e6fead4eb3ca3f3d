-- Users whose documents state several original versions of the app, that is, versions that the user first obtained.
--
-- Grain: one row per user
-- Key: user_id
-- Slice: user_id
-- Reference: user_id = model_users(user_id)
-- Reference: first_version_id = version(version_id)
-- Reference: last_version_id = version(version_id)
--
-- Columns:
--   user_id           INTEGER!  –         number of the user, as in model_users
--   versions          INTEGER!  versions  number of different original versions of the app that the user's documents
--                                         state
--   first_ms          INTEGER   ms        when the user's first document that states an original version of the app was
--                                         created
--   last_ms           INTEGER   ms        when the user's last document that states an original version of the app was
--                                         created
--   first_version_id  INTEGER!  –         the lowest original version of the app that the user's documents state, by
--                                         the loader's number
--   last_version_id   INTEGER!  –         the highest original version of the app that the user's documents state, by
--                                         the loader's number
WITH places AS (
    SELECT version_id, version, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

stated AS (
    SELECT
        presentation.user_id,
        count(DISTINCT receipt.original_application_version_id) AS versions,
        min(receipt.receipt_creation_date) AS first_ms,
        max(receipt.receipt_creation_date) AS last_ms,
        min(places.place) AS first_place,
        max(places.place) AS last_place
    FROM model_presentations AS presentation
    JOIN receipt ON receipt.receipt_id = presentation.receipt_id
    JOIN places ON places.version_id = receipt.original_application_version_id
    GROUP BY presentation.user_id
    HAVING min(places.place) <> max(places.place)
)

SELECT
    stated.user_id,
    stated.versions,
    stated.first_ms,
    stated.last_ms,
    one.version_id AS first_version_id,
    other.version_id AS last_version_id
FROM stated
JOIN places AS one ON one.place = stated.first_place
JOIN places AS other ON other.place = stated.last_place
