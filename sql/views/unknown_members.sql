-- What trusted signed documents state and this version does not know: members, values of
-- closed lists, and members whose value is of another type, each counted by kind of
-- document. A new one is the first sign of a change of the store's data.
--
-- Columns:
--   kind                    –          –     kind of the documents, as in receipts
--   path                    –          –     path of the member in the document's JSON, as
--                                            `commitmentInfo.billingDay` or
--                                            `advancedCommerceInfo.items[].note`, at most 100 characters
--   value_type              –          –     type of its value: `string`, `number`, `boolean`, `object` or `array`; of a
--                                            value that the list of its member does not have, the value behind the type,
--                                            as `string "LEASED"`, at most 60 characters
--   documents               documents  –     documents that state it
--   first_seen_at           time       line  when one was submitted first, else when it was signed
--   last_seen_at            time       line  when one was submitted last, else when it was signed
--   example_receipt_sha256  –          –     one of the documents: the first by digest
CREATE VIEW unknown_members AS
WITH stating AS (
    SELECT receipt_id, kind, sha256, unknown_set_id, receipt_creation_date
    FROM receipt
    WHERE unknown_set_id IS NOT NULL
        AND verdict = 'trusted'
),

seen AS (
    SELECT
        stating.receipt_id,
        CASE
            WHEN own.receipt_id IS NOT NULL THEN coalesce(own.submitted_at, stating.receipt_creation_date)
        END AS own_at,
        CASE
            WHEN theirs.receipt_id IS NOT NULL
                THEN coalesce(theirs.submitted_at, holder.receipt_creation_date, stating.receipt_creation_date)
        END AS held_at
    FROM stating
    LEFT JOIN submission AS own ON own.receipt_id = stating.receipt_id
    LEFT JOIN receipt_part AS part ON part.part_receipt_id = stating.receipt_id
    LEFT JOIN receipt AS holder ON holder.receipt_id = part.receipt_id
    LEFT JOIN submission AS theirs ON theirs.receipt_id = holder.receipt_id
),

spans AS (
    SELECT
        receipt_id,
        min(CASE WHEN held_at < own_at OR own_at IS NULL THEN held_at ELSE own_at END) AS first_seen,
        max(CASE WHEN held_at > own_at OR own_at IS NULL THEN held_at ELSE own_at END) AS last_seen
    FROM seen
    GROUP BY receipt_id
),

counted AS (
    SELECT
        stating.kind,
        stating.unknown_set_id,
        count(stating.receipt_id) AS documents,
        min(spans.first_seen) AS first_seen,
        max(spans.last_seen) AS last_seen,
        min(stating.sha256) AS sha256
    FROM stating
    LEFT JOIN spans ON spans.receipt_id = stating.receipt_id
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
