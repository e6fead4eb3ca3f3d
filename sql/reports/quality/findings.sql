-- findings: What does not fit together
-- What contradicts itself, is missing or is not known here in what was loaded?
--
-- Grain: one row per environment, bundle_id, finding, subject
-- Aliases: source-disagreements, notification-gaps, undocumented-attributes, unknown-revocations, unknown-members
--
-- Parameters:
--   :by       text(finding, subject)  finding  what a row is: a finding of an app, or each subject of it
--   :finding  text  all  finding shown, or how it begins, such as missing; or all
--
-- Columns:
--   environment  text     environment of the documents
--   bundle_id    text     bundle identifier of the app
--   finding      text     contradicting_cancellation, _reason, _type, _share, _version; in_two_apps,
--                         in_two_environments; missing_all, _begin, _refund, _end, _period, _earlier;
--                         unknown_revocation, undocumented_attribute, unknown_member
--   subject      text     a transaction, a subscription's original transaction, an owner, or a type; (all) unless :by
--                         is subject
--   subjects     integer  how many of them
--   number       integer  how often: documents, periods, purchases or receipts
--   first_day    date     day of the first: when what is missing happened, else the document was made
--   last_day     date     day of the last
--   example      text     of one of them what it states, or a transaction by which the gap is known
--
-- Total: subjects
-- Chart: bars  x=finding  y=number
--
-- Notes:
--   contradicting: a signed transaction states another revocation than the newest one, which counts; or an owner's
--   documents state several versions first got, of which the lowest counts. in_two: views and reports count the
--   transaction twice. What older documents stated of product, quantity and dates is not kept, so no row does not prove
--   that they agree.
--   missing: between the app's first and newest notification, less a day, something happened without one. all: a
--   subscription without any notification; else begin: a period without SUBSCRIBED, DID_RENEW, OFFER_REDEEMED, a
--   migration or an upgrade; refund; end: neither EXPIRED nor a next period within 92 days; period: a DID_RENEW whose
--   previous period no document states; earlier: EXPIRED comes first. Whether the store sent it, its notification
--   history shows for six months.
--   unknown_revocation: a type that counts as a refund; see Apple's "revocationType". undocumented_attribute: not in
--   Apple's "Receipt Fields"; the example is its name in the store's answers, if known. unknown_member: what signed
--   documents state and this version does not know, with the digest of one of them.
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
