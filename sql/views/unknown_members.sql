-- What trusted signed documents state and this version of receiptmill does not know, counted by kind of document:
-- unknown members, unknown values of closed lists, and members whose value has an unexpected type. A new row is the
-- first sign that the store changed its data.
--
-- Columns:
--   kind                    –          –     kind of the documents, such as `notification`; see receipts
--   path                    –          –     path of the member in the document's JSON, such as
--                                            `commitmentInfo.billingDay` or `advancedCommerceInfo.items[].note`, at
--                                            most 100 characters
--   value_type              –          –     type of the value: `string`, `number`, `boolean`, `object` or `array`; for
--                                            an unknown value of a closed list, followed by the value, such as `string
--                                            "LEASED"`, at most 60 characters
--   documents               documents  –     number of documents that state the member or value
--   first_seen_at           time       line  when a document that states the member or value was first submitted, or
--                                            else when it was signed
--   last_seen_at            time       line  when a document that states the member or value was last submitted, or
--                                            else when it was signed
--   example_receipt_sha256  –          –     SHA-256 of one of the documents: the lowest
CREATE VIEW unknown_members AS
WITH stating AS (
    SELECT receipt_id, kind, sha256, unknown_set_id, receipt_creation_date
    FROM receipt
    WHERE unknown_set_id IS NOT NULL
        AND verdict = 'trusted'
),

-- Submissions and holders are aggregated separately, because a document may be submitted many times by itself and
-- inside many others.
own AS (
    SELECT
        stating.receipt_id,
        min(coalesce(submission.submitted_at, stating.receipt_creation_date)) AS first_seen,
        max(coalesce(submission.submitted_at, stating.receipt_creation_date)) AS last_seen
    FROM stating
    JOIN submission ON submission.receipt_id = stating.receipt_id
    GROUP BY stating.receipt_id
),

held AS (
    SELECT
        stating.receipt_id,
        min(coalesce(submission.submitted_at, holder.receipt_creation_date, stating.receipt_creation_date)) AS first_seen,
        max(coalesce(submission.submitted_at, holder.receipt_creation_date, stating.receipt_creation_date)) AS last_seen
    FROM stating
    JOIN receipt_part AS part ON part.part_receipt_id = stating.receipt_id
    JOIN receipt AS holder ON holder.receipt_id = part.receipt_id
    JOIN submission ON submission.receipt_id = holder.receipt_id
    GROUP BY stating.receipt_id
),

counted AS (
    SELECT
        stating.kind,
        stating.unknown_set_id,
        count(stating.receipt_id) AS documents,
        min(CASE WHEN held.first_seen < own.first_seen OR own.first_seen IS NULL THEN held.first_seen ELSE own.first_seen END)
            AS first_seen,
        max(CASE WHEN held.last_seen > own.last_seen OR own.last_seen IS NULL THEN held.last_seen ELSE own.last_seen END)
            AS last_seen,
        min(stating.sha256) AS sha256
    FROM stating
    LEFT JOIN own ON own.receipt_id = stating.receipt_id
    LEFT JOIN held ON held.receipt_id = stating.receipt_id
    GROUP BY stating.kind, stating.unknown_set_id
)

SELECT
    counted.kind,
    member.path,
    member.value_type,
    sum(counted.documents) AS documents,
    strftime('%Y-%m-%dT%H:%M:%SZ', min(counted.first_seen) / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', max(counted.last_seen) / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(min(counted.sha256))) AS example_receipt_sha256
FROM counted
JOIN unknown_set_member AS member ON member.unknown_set_id = counted.unknown_set_id
GROUP BY counted.kind, member.path, member.value_type;
