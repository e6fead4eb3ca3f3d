-- Owners of an app who presented a document in a month, a week or a day, counted by the highest version that they stated
-- in it and by what they presented. Notifications are left out, which no owner presents.
--
-- Columns:
--   app_number             –            –            the app's number in this database alone
--   grain                  –            –            as in calendar_grains
--   period                 –            line         as in calendar_grains: when the documents were presented
--   version_number         –            attribute 3  number in this database alone of the highest version; null where none
--                                                    is stated
--   owners                 owners       –            how many
--   receipts_only          owners       –            of these, those who presented receipts alone
--   signed_only            owners       –            of these, those who presented signed data alone
--   ownerless_submissions  submissions  –            submissions that name neither account nor device
--   receipt_submissions    submissions  –            submissions of receipts, with owner or without
--   signed_submissions     submissions  –            submissions of signed data, likewise
--   last_receipt_day       days since 1970  line     day of the last receipt; null without one
CREATE VIEW owner_sources_by_period AS
-- A number in the place of the owner's name, which takes longer to sort by. Documents without owner have one for each
-- version that they state.
WITH presented AS (
    SELECT
        seen.app_number,
        dense_rank() OVER (
            ORDER BY
                seen.owner, seen.owner_kind, seen.app_number,
                CASE WHEN seen.owner IS NULL THEN versions.version_place END
        ) AS owner_number,
        CASE WHEN seen.owner IS NULL THEN 0 ELSE 1 END AS has_owner,
        seen.day_number,
        CASE WHEN seen.source = 'signed' THEN 1 ELSE 0 END AS is_signed,
        versions.version_place
    FROM owner_sightings AS seen
    LEFT JOIN version_places AS versions ON versions.version_number = seen.version_number
    WHERE seen.is_notified = 0
),

-- Each day's month, week and itself, as numbers that differ. Grouped, so that SQLite finds a day by an index.
days AS (
    SELECT
        grain,
        day_number,
        max(period) AS period,
        max(CASE grain WHEN 'month' THEN 0 WHEN 'week' THEN 65536 ELSE 131072 END + period_number) AS place
    FROM calendar_grains
    GROUP BY day_number, grain
),

periods AS (
    SELECT place, max(grain) AS grain, max(period) AS period FROM days GROUP BY place
),

by_owner AS (
    SELECT
        max(presented.app_number) AS app_number,
        -- One number sorts faster than two.
        (presented.owner_number * 262144 + days.place) % 262144 AS place,
        max(presented.version_place) AS version_place,
        max(presented.has_owner) AS has_owner,
        count(*) AS submissions,
        sum(presented.is_signed) AS signed_submissions,
        max(CASE WHEN presented.is_signed = 0 THEN presented.day_number END) AS last_receipt_day
    FROM presented
    CROSS JOIN days
    WHERE days.day_number = presented.day_number
    GROUP BY presented.owner_number * 262144 + days.place
)

SELECT
    by_owner.app_number,
    periods.grain,
    periods.period,
    versions.version_number,
    by_owner.owners,
    by_owner.receipts_only,
    by_owner.signed_only,
    by_owner.ownerless_submissions,
    by_owner.receipt_submissions,
    by_owner.signed_submissions,
    by_owner.last_receipt_day
FROM (
    SELECT
        app_number,
        place,
        version_place,
        sum(has_owner) AS owners,
        sum(CASE WHEN signed_submissions = 0 THEN has_owner ELSE 0 END) AS receipts_only,
        sum(CASE WHEN signed_submissions = submissions THEN has_owner ELSE 0 END) AS signed_only,
        sum(CASE WHEN has_owner = 0 THEN submissions ELSE 0 END) AS ownerless_submissions,
        sum(submissions - signed_submissions) AS receipt_submissions,
        sum(signed_submissions) AS signed_submissions,
        max(last_receipt_day) AS last_receipt_day
    FROM by_owner
    GROUP BY place, version_place, app_number
) AS by_owner
JOIN periods ON periods.place = by_owner.place
LEFT JOIN version_places AS versions ON versions.version_place = by_owner.version_place;
