-- Many lines by one account within minutes; the receipts of one line count once.
-- Innocent: a queue that was
-- held up and sent all at once, an app that sends each of a customer's
-- transactions in a line of its own, a load test.
CREATE VIEW signal_burst AS
WITH candidate AS (
    SELECT account_id
    FROM submission
    WHERE account_id IS NOT NULL
    GROUP BY account_id
    HAVING count(*) >= (SELECT value FROM signal_settings WHERE name = 'burst_submissions')
),

-- Each line by its first document, with its place among the account's.
placed AS (
    SELECT
        account_id,
        submission_id,
        submitted_at,
        row_number() OVER (PARTITION BY account_id ORDER BY submitted_at) AS place
    FROM (
        SELECT account_id, min(submission_id) AS submission_id, submitted_at
        FROM submission
        WHERE account_id IN (SELECT account_id FROM candidate)
            AND submitted_at IS NOT NULL
        GROUP BY account_id, submitted_at, archive_id, line
    ) AS sent
),

-- A burst begins at a line if the one so many places on follows soon. The two meet
-- by a sort, because an account may have millions of lines.
burst AS (
    SELECT
        max(submission_id) AS submission_id,
        account_id,
        max(begins) AS begins,
        CASE
            WHEN max(ends) - max(begins)
                <= 1000 * (SELECT value FROM signal_settings WHERE name = 'burst_seconds')
                THEN max(ends)
        END AS ends
    FROM (
        SELECT account_id, place, submission_id, submitted_at AS begins, NULL AS ends
        FROM placed
        UNION ALL
        SELECT
            account_id,
            place + 1 - (SELECT value FROM signal_settings WHERE name = 'burst_submissions') AS place,
            NULL AS submission_id,
            NULL AS begins,
            submitted_at AS ends
        FROM placed
    ) AS paired
    GROUP BY account_id, place
),

-- When the last ends of the bursts that began by then.
member AS (
    SELECT
        submission_id,
        begins AS submitted_at,
        max(ends) OVER (PARTITION BY account_id ORDER BY begins) AS ends
    FROM burst
    WHERE submission_id IS NOT NULL
)

SELECT
    'burst' AS signal,
    'medium' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    NULL AS transaction_id,
    presentations.archive,
    presentations.line,
    'among at least ' || (SELECT value FROM signal_settings WHERE name = 'burst_submissions')
        || ' submissions of the account within ' || (SELECT value FROM signal_settings WHERE name = 'burst_seconds')
        || ' seconds' AS detail,
    presentations.submitted_at AS observed_at,
    CASE WHEN presentations.verdict = 'trusted' THEN presentations.environment END AS environment,
    NULL AS role,
    presentations.submission_number
FROM member
CROSS JOIN presentations ON presentations.submission_number = member.submission_id
WHERE member.ends >= member.submitted_at;
