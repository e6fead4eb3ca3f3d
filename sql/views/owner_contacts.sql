-- One row per owner of an app in an environment: by which account and device to reach
-- them, and when they were last seen. Owners as in app_owners; a document that stands
-- inside another is presented with that, and what another device than its own
-- presented proves nothing.
--
-- Columns:
--   environment   –                        attribute 0  of the owner's documents
--   bundle_id     –                        attribute 2  of the owner's documents
--   owner         –                        line         as in app_owners
--   owner_kind    –                        –            `account` or `device`
--   account_id    –                        line         the account, as the lines write it; null where none is known
--   device_id     –                        line         the device that the owner presented from last; null where none is
--                                                       known
--   last_seen     time                     line         when the owner presented a document last; of a line without a
--                                                       time, when the store created the document
--   last_seen_ms  milliseconds since 1970  line         the same as a number
--   app_number    –                        –            the app's number in this database alone, to count by
CREATE VIEW owner_contacts AS
WITH placed AS (
    SELECT
        app_number,
        owner,
        owner_kind,
        account_id,
        device_id,
        max(presented_ms) OVER (PARTITION BY owner, owner_kind, app_number) AS last_seen_ms,
        row_number() OVER (
            PARTITION BY owner, owner_kind, app_number
            ORDER BY device_id IS NULL, presented_ms DESC NULLS LAST, device_id
        ) AS place
    FROM owner_sightings
    WHERE owner IS NOT NULL
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    placed.owner,
    placed.owner_kind,
    placed.account_id,
    placed.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.last_seen_ms / 1000, 'unixepoch') AS last_seen,
    placed.last_seen_ms,
    placed.app_number
FROM placed
JOIN app ON app.app_id = placed.app_number
WHERE placed.place = 1;
