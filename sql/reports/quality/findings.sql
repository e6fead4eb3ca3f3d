-- findings: What does not fit together
-- Which documents contradict each other, which notifications are missing, and which data is unknown to this version?
--
-- Grain: one row per environment, bundle_id, finding, subject
-- Aliases: source-disagreements, notification-gaps, undocumented-attributes, unknown-revocations, unknown-members
--
-- Parameters:
--   :by       text(finding, subject)  finding  how rows are split: by finding, or by finding and subject
--   :finding  text  all  finding shown, or the beginning of its name, such as missing; or all
--
-- Columns:
--   environment  text     environment of the documents
--   bundle_id    text     bundle identifier of the app
--   finding      text     contradicting_cancellation, _reason, _type, _share, _version; in_two_apps,
--                         in_two_environments; missing_all, _begin, _refund, _end, _period, _earlier;
--                         unknown_revocation, undocumented_attribute, unknown_member; the notes explain them
--   subject      text     what the finding is about: a transaction, a subscription's original transaction, an owner, or
--                         a type; (all) unless :by is subject
--   subjects     integer  number of subjects with the finding
--   number       integer  number of documents, periods, purchases or receipts with the finding
--   first_day    date     day of the first case: for missing_*, of the event that lacks a notification; for
--                         unknown_revocation, of the revocation; else on which the first document with the finding was
--                         created
--   last_day     date     day of the last case, dated as in first_day
--   example      text     what one document states, a transaction that shows the gap, an attribute's name, or a
--                         document's digest
--
-- Total: subjects
-- Chart: bars  x=finding  y=number
--
-- Notes:
--   - contradicting_cancellation, _reason, _type, _share: a signed transaction states another revocation than the one
--     that counts, or none although it was made after the cancellation.
--   - contradicting_version: an owner's documents state several original versions of the app, of which the lowest
--     counts.
--   - in_two_apps, in_two_environments: a transaction has two apps or environments; views and reports count it twice.
--   - missing_all: something happened to a subscription of which no notification came at all; the others below apply if
--     at least one came.
--   - missing_begin: a period began without SUBSCRIBED, DID_RENEW, OFFER_REDEEMED, a migration or an upgrade.
--   - missing_refund: a refund without REFUND or REVOKE.
--   - missing_end: neither EXPIRED nor another period within 92 days after the last period.
--   - missing_period: a DID_RENEW whose previous period no document states.
--   - missing_earlier: EXPIRED comes first, and no known period began since the app's first notification.
--   - unknown_revocation: an unknown type of revocation, which counts as a refund; see Apple's "revocationType".
--   - undocumented_attribute: an attribute that is not in Apple's "Receipt Fields"; the example is its name in the
--     store's answers, if known.
--   - unknown_member: a member, value or type in signed documents that this version does not know; the example is the
--     digest of one of them.
--   The findings missing_* cover the time between the app's first and newest notification, less a day. The store's
--   notification history shows for six months whether the store sent a notification.
--   Product, quantity and dates that older documents stated are not kept, so the absence of a row does not prove that
--   documents agree.
--
-- Example:
--   receiptmill report findings --database mill.sqlite finding=missing by=subject

WITH found AS (
    SELECT
        finding.app_id, finding.finding,
        CASE WHEN coalesce(:by, 'finding') = 'subject' THEN finding.subject ELSE '(all)' END AS subject,
        count(*) AS subjects,
        sum(finding.number) AS number,
        min(finding.first_ms) AS first_ms,
        max(finding.last_ms) AS last_ms,
        min(finding.example) AS example
    FROM apps
    JOIN findings AS finding ON finding.app_id = apps.app_id
    WHERE coalesce(:finding, 'all') = 'all' OR finding.finding LIKE :finding || '%'
    GROUP BY 1, 2, 3
)

SELECT
    apps.environment, apps.bundle_id, found.finding, found.subject, found.subjects, found.number,
    first_day.day AS first_day, last_day.day AS last_day, found.example
FROM found
JOIN apps ON apps.app_id = found.app_id
LEFT JOIN model_utc_days AS first_utc
    ON first_utc.utc_day = CAST((found.first_ms - found.first_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS first_day
    ON first_day.day_number = CASE WHEN found.first_ms < first_utc.midnight_ms THEN first_utc.earlier_day ELSE first_utc.later_day END
LEFT JOIN model_utc_days AS last_utc ON last_utc.utc_day = CAST((found.last_ms - found.last_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS last_day
    ON last_day.day_number = CASE WHEN found.last_ms < last_utc.midnight_ms THEN last_utc.earlier_day ELSE last_utc.later_day END
ORDER BY 1, 2, 3, 4;
