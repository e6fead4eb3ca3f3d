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

dense AS (
    SELECT
        account_id,
        receipt_id,
        submitted_at,
        row_number() OVER (PARTITION BY account_id ORDER BY submitted_at) AS place
    FROM (
        SELECT account_id, min(receipt_id) AS receipt_id, submitted_at
        FROM submission
        WHERE account_id IN (SELECT account_id FROM candidate)
            AND submitted_at IS NOT NULL
        GROUP BY account_id, submitted_at, archive_id, line
    ) AS sent
),

-- From the first submission of a burst to its last.
burst AS (
    SELECT
        first.account_id,
        first.submitted_at AS begins,
        last.submitted_at AS ends
    FROM dense AS first
    JOIN dense AS last
        ON last.account_id = first.account_id
        AND last.place = first.place - 1
            + (SELECT value FROM signal_settings WHERE name = 'burst_submissions')
    WHERE last.submitted_at - first.submitted_at
        <= 1000 * (SELECT value FROM signal_settings WHERE name = 'burst_seconds')
)

SELECT DISTINCT
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
FROM burst
JOIN dense AS member
    ON member.account_id = burst.account_id
    AND member.submitted_at / 1000 BETWEEN burst.begins / 1000 AND burst.ends / 1000
-- By the receipt, which an index finds; by the account none does.
CROSS JOIN presentations
    ON presentations.receipt_number = member.receipt_id
    AND presentations.account_id = member.account_id
    AND presentations.submission_second = member.submitted_at / 1000;
