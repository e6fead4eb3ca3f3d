-- Lines that are evidence of fraud by when, where and how they were submitted. docs/fraud.md explains each signal and
-- its innocent causes.
--
-- - hash_mismatch: a trusted document on a device that it was not made for
-- - creation_after_submission: a trusted document created after it was submitted, by more than clocks differ
-- - burst: many lines of one account within minutes; the signal names the first document of each line
-- - version_backwards: on one device, a document for an older version of the app than an earlier document; documents
--   made for another device are left out, because they show nothing of its history
--
-- Grain: one row per signal and submission
-- Key: submission_id, signal
-- Kept: no
--
-- Columns:
--   signal         TEXT     –   hash_mismatch, creation_after_submission, burst or version_backwards
--   severity       TEXT     –   severity of the signal: low or medium
--   submission_id  INTEGER  –   the submission, by the loader's number
--   receipt_id     INTEGER  –   the submission's document, by the loader's number
--   event_ms       INTEGER  ms  for creation_after_submission, creation of the document; else null
--   words          TEXT     –   for version_backwards, the two versions in words; else null
WITH limits AS (
    SELECT
        max(CASE name WHEN 'clock_tolerance' THEN value END) * 1000 AS tolerance_ms,
        max(CASE name WHEN 'burst_submissions' THEN value END) AS burst_lines,
        max(CASE name WHEN 'burst_seconds' THEN value END) * 1000 AS burst_ms
    FROM signal_settings
),

busy AS (
    SELECT account_tag
    FROM submission
    WHERE account_tag IS NOT NULL
    GROUP BY account_tag
    HAVING count(*) >= (SELECT burst_lines FROM limits)
),

placed AS (
    SELECT
        account_id,
        submission_id,
        submitted_at,
        row_number() OVER (PARTITION BY account_id ORDER BY submitted_at, submission_id) AS place
    FROM (
        SELECT account_id, min(submission_id) AS submission_id, submitted_at
        FROM submission
        WHERE account_tag IN (SELECT account_tag FROM busy)
            AND submitted_at IS NOT NULL
        GROUP BY account_id, submitted_at, archive_id, line
    ) AS sent
),

-- A burst begins at a line if the line that completes the minimum number follows soon enough. Both are paired by a
-- sort, because an account may have millions of lines.
begun AS (
    SELECT
        account_id,
        max(submission_id) AS submission_id,
        max(begins_ms) AS begins_ms,
        CASE WHEN max(ends_ms) - max(begins_ms) <= (SELECT burst_ms FROM limits) THEN max(ends_ms) END AS ends_ms
    FROM (
        SELECT account_id, place, submission_id, submitted_at AS begins_ms, NULL AS ends_ms
        FROM placed
        UNION ALL
        SELECT account_id, place + 1 - (SELECT burst_lines FROM limits), NULL, NULL, submitted_at
        FROM placed
    ) AS paired
    GROUP BY account_id, place
),

reached AS (
    SELECT
        submission_id,
        begins_ms,
        max(ends_ms) OVER (PARTITION BY account_id ORDER BY begins_ms) AS ends_ms
    FROM begun
    WHERE submission_id IS NOT NULL
),

places AS (
    SELECT version_id, dense_rank() OVER (ORDER BY version_key) AS place FROM version
),

stated AS (
    SELECT
        submission.submission_id,
        submission.device_tag,
        receipt.receipt_id,
        receipt.app_id,
        receipt.receipt_creation_date - receipt.receipt_creation_date % 1000 AS second_ms,
        places.place,
        places.version_id,
        lag(places.place) OVER (
            PARTITION BY submission.device_tag, receipt.app_id
            ORDER BY receipt.receipt_creation_date - receipt.receipt_creation_date % 1000
        ) AS previous_place
    FROM submission
    JOIN receipt ON receipt.receipt_id = submission.receipt_id
    JOIN places ON places.version_id = receipt.app_version_id
    WHERE submission.device_tag IS NOT NULL
        AND submission.submission_id NOT IN (SELECT submission_id FROM submission WHERE device_check = 'mismatch')
        AND receipt.verdict = 'trusted'
        AND receipt.receipt_creation_date IS NOT NULL
),

-- Tags select the few devices whose identifiers are compared. A document that is sent again shows nothing new.
made AS (
    SELECT
        stated.receipt_id,
        stated.app_id,
        stated.second_ms,
        stated.place,
        stated.version_id,
        CASE
            WHEN length(submission.device_id) IN (8, 22, 24) THEN submission.device_id
            ELSE lower(replace(replace(replace(submission.device_id, '-', ''), ':', ''), '.', ''))
        END AS device,
        submission.submission_id
    FROM stated
    JOIN submission ON submission.submission_id = stated.submission_id
    WHERE stated.device_tag IN (SELECT device_tag FROM stated WHERE place < previous_place)
        AND submission.device_check <> 'invalid_device_id'
),

ordered AS (
    SELECT
        receipt_id,
        device,
        second_ms,
        place,
        version_id,
        lag(second_ms) OVER history AS previous_ms,
        lag(place) OVER history AS previous_place,
        lag(version_id) OVER history AS previous_version_id
    FROM (SELECT DISTINCT device, app_id, receipt_id, second_ms, place, version_id FROM made) AS once
    WINDOW history AS (PARTITION BY device, app_id ORDER BY second_ms, place, version_id)
)

SELECT
    'hash_mismatch' AS signal,
    'medium' AS severity,
    submission.submission_id,
    submission.receipt_id,
    CAST(NULL AS BIGINT) AS event_ms,
    CAST(NULL AS VARCHAR(255)) AS words
FROM submission
JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE submission.device_check = 'mismatch'
    AND receipt.verdict = 'trusted'
UNION ALL
SELECT
    'creation_after_submission', 'low', submission.submission_id, submission.receipt_id, receipt.receipt_creation_date, NULL
FROM submission
JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE receipt.verdict = 'trusted'
    AND receipt.receipt_creation_date > submission.submitted_at + (SELECT tolerance_ms FROM limits)
UNION ALL
SELECT 'burst', 'medium', submission.submission_id, submission.receipt_id, NULL, NULL
FROM reached
JOIN submission ON submission.submission_id = reached.submission_id
WHERE reached.ends_ms >= reached.begins_ms
UNION ALL
SELECT
    'version_backwards', 'low', made.submission_id, made.receipt_id, NULL,
    'version ' || earlier.version || ' before, ' || later.version || ' after'
FROM ordered
JOIN made ON made.device = ordered.device AND made.receipt_id = ordered.receipt_id
JOIN version AS earlier ON earlier.version_id = ordered.previous_version_id
JOIN version AS later ON later.version_id = ordered.version_id
WHERE ordered.place < ordered.previous_place
    AND ordered.second_ms > ordered.previous_ms
