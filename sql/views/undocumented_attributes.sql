-- Attributes of trusted receipts that Apple does not document ("Receipt Fields"), and members of trusted signed
-- documents that this version of receiptmill does not know: in how many documents of each app and version, and since
-- when. An attribute counts even if it has no value.
--
-- Columns:
--   environment          –         attribute 0   environment that the documents state
--   bundle_id            –         attribute 2   bundle identifier of the app
--   app_version          –         attribute 3   version of the app that the receipt states
--   app_version_key      –         attribute 3   app_version as text that sorts
--   level                –         –             `app`: an attribute of the receipt itself; `purchase`: an attribute of
--                                                a purchase in it; else the kind of signed document that has the member
--   attribute_type       number    –             Apple's number of the attribute; null for a member
--   name                 –         –             of an attribute, its name in the store's answers, null if unknown; of
--                                                a member, its path in the document's JSON, as in unknown_members
--   receipts             receipts  –             number of documents that have the attribute or member
--   first_creation_date  time      attribute 12  when the first document that has the attribute or member was created
--   last_creation_date   time      attribute 12  when the last document that has the attribute or member was created
--   value_type           –         –             of a member, the type of its value, as in unknown_members; null for an
--                                                attribute
CREATE VIEW undocumented_attributes AS
WITH counted AS (
    SELECT
        app_id,
        app_version_id,
        kind,
        attribute_set_id,
        purchase_attribute_set_id,
        unknown_set_id,
        count(receipt_id) AS receipts,
        min(receipt_creation_date) AS first_created,
        max(receipt_creation_date) AS last_created
    FROM receipt
    WHERE verdict = 'trusted'
        AND (attribute_set_id IS NOT NULL OR purchase_attribute_set_id IS NOT NULL OR unknown_set_id IS NOT NULL)
    GROUP BY app_version_id, app_id, kind, attribute_set_id, purchase_attribute_set_id, unknown_set_id
),

levels(level) AS (
    VALUES ('app'), ('purchase'), ('member')
),

held AS (
    SELECT
        counted.app_id,
        counted.app_version_id,
        CASE WHEN levels.level = 'member' THEN counted.kind ELSE levels.level END AS level,
        attribute.attribute_type,
        member.path,
        member.value_type,
        counted.receipts,
        counted.first_created,
        counted.last_created
    FROM counted
    CROSS JOIN levels
    LEFT JOIN attribute_set_member AS attribute
        ON attribute.attribute_set_id
            = CASE levels.level
                WHEN 'app' THEN counted.attribute_set_id
                WHEN 'purchase' THEN counted.purchase_attribute_set_id
            END
    LEFT JOIN unknown_set_member AS member
        ON member.unknown_set_id = CASE WHEN levels.level = 'member' THEN counted.unknown_set_id END
    WHERE attribute.attribute_type IS NOT NULL
        OR member.path IS NOT NULL
),

gathered AS (
    SELECT
        app_id,
        app_version_id,
        level,
        attribute_type,
        path,
        value_type,
        sum(receipts) AS receipts,
        min(first_created) AS first_created,
        max(last_created) AS last_created
    FROM held
    GROUP BY app_id, app_version_id, level, attribute_type, path, value_type
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    version.version AS app_version,
    version.version_key AS app_version_key,
    gathered.level,
    gathered.attribute_type,
    coalesce(gathered.path, known.name) AS name,
    gathered.receipts,
    strftime('%Y-%m-%dT%H:%M:%SZ', gathered.first_created / 1000, 'unixepoch') AS first_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', gathered.last_created / 1000, 'unixepoch') AS last_creation_date,
    gathered.value_type
FROM gathered
JOIN app ON app.app_id = gathered.app_id
LEFT JOIN version ON version.version_id = gathered.app_version_id
LEFT JOIN internal_attribute_names AS known
    ON known.level = gathered.level
    AND known.attribute_type = gathered.attribute_type;
