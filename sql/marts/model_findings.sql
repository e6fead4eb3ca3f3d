-- Loaded data that does not fit together: documents that contradict each other, missing notifications, and types of
-- attributes and revocations that this version does not know.
--
-- - contradicting_cancellation, _reason, _type, _share: a signed transaction states another revocation than the one
--   that counts, or none although it was made after the cancellation
-- - in_two_apps, in_two_environments: the database counts one transaction twice
-- - contradicting_version: an owner's documents state several original versions of the app, of which the lowest counts
-- - unknown_revocation: an unknown revocation type, which counts as a refund
-- - undocumented_attribute: an attribute of trusted receipts that is not in Apple's "Receipt Fields"
-- - unknown_member: a member, value or type in trusted signed documents that this version does not know, as in
--   unknown_members; a renewal info counts for the app of its subscription
--
-- The findings missing_* are events without a notification, between the app's first and newest notification, less a
-- day:
-- - missing_all: a period of a subscription that has no notification at all; the others are of subscriptions that have
--   some
-- - missing_begin: a period begins without SUBSCRIBED, DID_RENEW, OFFER_REDEEMED, a migration or an upgrade
-- - missing_refund: a refund without REFUND or REVOKE
-- - missing_end: neither EXPIRED nor another period within 92 days after the last one
-- - missing_period: DID_RENEW, but no document states the period before
-- - missing_earlier: EXPIRED comes first, and no known period began since the app's first notification
--
-- Grain: one row per app, finding and subject
-- Key: app_id, finding, subject
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id    INTEGER!  –   app and environment, by the loader's number
--   finding   TEXT!     –   kind of finding, such as missing_refund or contradicting_version
--   subject   ANY!      –   what the finding is about: a transaction, a subscription's original transaction, an owner,
--                           or a type; the view findings writes identifiers of transactions as text
--   number    INTEGER!  –   number of documents, periods, purchases or receipts with the finding
--   first_ms  INTEGER   ms  first time: for missing_*, of the event that lacks a notification; for unknown_revocation,
--                           of the revocation; else when the first document with the finding was created
--   last_ms   INTEGER   ms  last time: for missing_*, of the event that lacks a notification; for unknown_revocation,
--                           of the revocation; else when the last document with the finding was created
--   example   ANY       –   an example: what a document states, the transaction that shows a gap, an attribute's name,
--                           or a document's digest
WITH several AS (
    SELECT transaction_id
    FROM purchase
    GROUP BY transaction_id
    HAVING count(*) > 1
),

sets AS (
    SELECT
        app_id,
        attribute_set_id,
        purchase_attribute_set_id,
        count(*) AS receipts,
        min(receipt_creation_date) AS first_ms,
        max(receipt_creation_date) AS last_ms
    FROM receipt
    WHERE verdict = 'trusted'
        AND (attribute_set_id IS NOT NULL OR purchase_attribute_set_id IS NOT NULL)
    GROUP BY app_id, attribute_set_id, purchase_attribute_set_id
)

SELECT
    gap.app_id,
    gap.finding,
    gap.original_id AS subject,
    sum(gap.number) AS number,
    min(gap.at_ms) AS first_ms,
    max(gap.at_ms) AS last_ms,
    min(gap.example) AS example
FROM model_apps AS app
JOIN model_gaps AS gap ON gap.app_id = app.app_id AND gap.due_ms <= app.newest_notification_ms - 86400000
GROUP BY gap.app_id, gap.finding, gap.original_id
UNION ALL
SELECT
    purchase.app_id, stated.finding, purchase.transaction_id, stated.documents, stated.first_ms, stated.last_ms, stated.example
FROM model_contradictions AS stated
JOIN purchase ON purchase.purchase_id = stated.purchase_id
UNION ALL
SELECT
    purchase.app_id,
    CASE WHEN other_app.bundle_id = own_app.bundle_id THEN 'in_two_environments' ELSE 'in_two_apps' END,
    purchase.transaction_id,
    count(*),
    min(purchase.as_of),
    max(purchase.as_of),
    min(CASE WHEN other_app.bundle_id = own_app.bundle_id THEN other_app.environment ELSE other_app.bundle_id END)
FROM several
JOIN purchase ON purchase.transaction_id = several.transaction_id
JOIN purchase AS other ON other.transaction_id = several.transaction_id AND other.app_id <> purchase.app_id
JOIN app AS own_app ON own_app.app_id = purchase.app_id
JOIN app AS other_app ON other_app.app_id = other.app_id
-- Only environments of one store are compared, because test stores have their own transaction numbers.
WHERE replace(own_app.environment, 'VPP', '') = replace(other_app.environment, 'VPP', '')
    OR (own_app.bundle_id = other_app.bundle_id AND (own_app.environment = '' OR other_app.environment = ''))
GROUP BY purchase.app_id, purchase.transaction_id,
    CASE WHEN other_app.bundle_id = own_app.bundle_id THEN 'in_two_environments' ELSE 'in_two_apps' END
UNION ALL
SELECT
    users.app_id,
    'contradicting_version',
    users.name,
    stated.versions,
    stated.first_ms,
    stated.last_ms,
    one.version || ', ' || other.version
FROM model_user_versions AS stated
JOIN model_users AS users ON users.user_id = stated.user_id
JOIN version AS one ON one.version_id = stated.first_version_id
JOIN version AS other ON other.version_id = stated.last_version_id
UNION ALL
SELECT
    sale.app_id,
    'unknown_revocation',
    sale.revocation_type,
    count(*),
    min(sale.canceled_ms),
    max(sale.canceled_ms),
    min(purchase.transaction_id)
FROM model_sales AS sale
JOIN purchase ON purchase.purchase_id = sale.purchase_id
WHERE sale.revocation_type NOT IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE', 'ASSIGNMENT_REVOKE')
GROUP BY sale.app_id, sale.revocation_type
UNION ALL
SELECT
    held.app_id,
    'undocumented_attribute',
    held.level || ' ' || CAST(held.attribute_type AS VARCHAR(20)),
    sum(held.receipts),
    min(held.first_ms),
    max(held.last_ms),
    max(known.name)
FROM (
    SELECT sets.app_id, 'app' AS level, member.attribute_type, sets.receipts, sets.first_ms, sets.last_ms
    FROM sets
    JOIN attribute_set_member AS member ON member.attribute_set_id = sets.attribute_set_id
    UNION ALL
    SELECT sets.app_id, 'purchase', member.attribute_type, sets.receipts, sets.first_ms, sets.last_ms
    FROM sets
    JOIN attribute_set_member AS member ON member.attribute_set_id = sets.purchase_attribute_set_id
) AS held
LEFT JOIN internal_attribute_names AS known ON known.level = held.level AND known.attribute_type = held.attribute_type
GROUP BY held.app_id, held.level, held.attribute_type
UNION ALL
SELECT
    stated.app_id,
    'unknown_member',
    member.path || ' (' || member.value_type || ') in ' || stated.kind,
    count(*),
    min(stated.signed_ms),
    max(stated.signed_ms),
    lower(hex(min(stated.sha256)))
FROM (
    SELECT app_id, kind, unknown_set_id, receipt_creation_date AS signed_ms, sha256
    FROM receipt
    WHERE unknown_set_id IS NOT NULL
        AND verdict = 'trusted'
        AND kind NOT IN ('signed_renewal', 'realtime_request')
    UNION ALL
    SELECT min(purchase.app_id), min(receipt.kind), min(receipt.unknown_set_id), min(renewal.signed_at), receipt.sha256
    FROM receipt
    JOIN renewal ON renewal.receipt_id = receipt.receipt_id
    JOIN purchase ON purchase.original_transaction_id = renewal.original_transaction_id
    JOIN app ON app.app_id = purchase.app_id AND app.environment = renewal.environment
    WHERE receipt.unknown_set_id IS NOT NULL
        AND receipt.verdict = 'trusted'
    GROUP BY receipt.sha256
) AS stated
JOIN model_apps AS known ON known.app_id = stated.app_id
JOIN unknown_set_member AS member ON member.unknown_set_id = stated.unknown_set_id
GROUP BY stated.app_id, stated.kind, member.path, member.value_type
