-- What does not fit together in what was loaded: documents that contradict each other, notifications that are missing, types
-- of attributes and revocations that are not known here.
--
-- contradicting_cancellation, _reason, _type, _share: a signed transaction states of a revocation what the one that counts
-- does not; of a cancellation also none, if it was made after the date of that. in_two_apps, in_two_environments: the
-- database counts one transaction twice. contradicting_version: documents of one owner state several versions first got;
-- the lowest counts. unknown_revocation: a type that counts as a refund. undocumented_attribute: an attribute of trusted
-- receipts that Apple's "Receipt Fields" don't tell of. unknown_member: a member, value or type of trusted signed documents
-- that this version does not know, as unknown_members has them; of a renewal info the app is that of its subscription.
--
-- missing_: between the first and the newest notification that an app got, less a day, something happened without one.
-- missing_all: a period of a subscription with no notification at all. Of others, missing_begin: a period begins without
-- SUBSCRIBED, DID_RENEW, OFFER_REDEEMED or an upgrade. missing_refund: a refund without REFUND or REVOKE. missing_end: 92 days
-- after the last period neither EXPIRED nor another period. missing_period: DID_RENEW, and no document states the period
-- before. missing_earlier: EXPIRED comes first, and of the period's begin before notifications nothing is known.
--
-- Grain: one row per app, finding and subject
-- Key: app_id, finding, subject
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id    INTEGER!  –   app and environment, by the loader's number
--   finding   TEXT!     –   as above
--   subject   ANY!      –   what it is about: a transaction, a subscription's original transaction, an owner, a type;
--                           the view findings writes identifiers of transactions as text
--   number    INTEGER!  –   how often: documents, periods, purchases or receipts
--   first_ms  INTEGER   ms  the first: when what is missing happened, or the document was made
--   last_ms   INTEGER   ms  the last of them
--   example   ANY       –   what one of them states, the transaction by which a gap is known, an attribute's name, or a
--                           document's digest
WITH told AS (
    SELECT
        receipt.app_id,
        -- A column of a table, so that SQLite indexes what is grouped by it.
        bought.purchase_id,
        coalesce(
            switch.first_id, purchase.original_transaction_id, purchase.transaction_id, renewal.original_transaction_id
        ) AS original_id,
        notification.notification_type,
        notification.subtype,
        receipt.receipt_creation_date AS signed_ms
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    LEFT JOIN receipt_part AS held ON held.receipt_id = notification.receipt_id AND held.part = 'transaction'
    LEFT JOIN receipt_purchase AS stated ON stated.receipt_id = held.part_receipt_id
    LEFT JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN purchase AS bought ON bought.purchase_id = coalesce(copy.sale_id, purchase.purchase_id)
    LEFT JOIN receipt_part AS renewed ON renewed.receipt_id = notification.receipt_id AND renewed.part = 'renewal'
    LEFT JOIN renewal ON renewal.receipt_id = renewed.part_receipt_id
    LEFT JOIN model_switches AS switch
        ON switch.original_id = coalesce(
            purchase.original_transaction_id, purchase.transaction_id, renewal.original_transaction_id)
        AND switch.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
),

notified AS (
    SELECT
        app_id,
        original_id,
        min(signed_ms) AS first_ms,
        min(CASE WHEN notification_type <> 'EXPIRED' THEN signed_ms END) AS first_other_ms,
        max(CASE WHEN notification_type = 'EXPIRED' THEN signed_ms ELSE 0 END) AS expired_ms
    FROM told
    WHERE original_id IS NOT NULL
    GROUP BY original_id, app_id
),

begun AS (
    SELECT
        purchase_id,
        max(CASE
            WHEN notification_type IN ('SUBSCRIBED', 'DID_RENEW', 'OFFER_REDEEMED', 'MIGRATION', 'MIGRATE') THEN 1
            WHEN notification_type = 'DID_CHANGE_RENEWAL_PREF' AND subtype = 'UPGRADE' THEN 1
            ELSE 0
        END) AS is_begun,
        max(CASE WHEN notification_type = 'DID_RENEW' THEN 1 ELSE 0 END) AS is_renewal,
        max(CASE WHEN notification_type = 'DID_RENEW' AND subtype = 'BILLING_RECOVERY' THEN 1 ELSE 0 END) AS is_recovery,
        max(CASE WHEN notification_type IN ('REFUND', 'REVOKE') THEN 1 ELSE 0 END) AS is_refunded
    FROM told
    WHERE purchase_id IS NOT NULL
    GROUP BY purchase_id
),

spans AS (
    SELECT app_id, first_notification_ms AS first_ms, newest_notification_ms - 86400000 AS last_ms
    FROM model_apps
    WHERE first_notification_ms IS NOT NULL
),

gaps AS (
    SELECT
        period.app_id,
        CASE WHEN notified.app_id IS NULL THEN 'missing_all' ELSE 'missing_begin' END AS finding,
        period.original_id,
        period.purchase_id,
        period.start_ms AS at_ms
    FROM spans
    JOIN model_periods AS period ON period.app_id = spans.app_id AND period.start_ms BETWEEN spans.first_ms AND spans.last_ms
    LEFT JOIN notified ON notified.original_id = period.original_id AND notified.app_id = period.app_id
    LEFT JOIN begun ON begun.purchase_id = period.purchase_id
    WHERE coalesce(begun.is_begun, 0) = 0
    UNION ALL
    SELECT sale.app_id, 'missing_period', sale.original_id, sale.purchase_id, sale.start_ms
    FROM begun
    JOIN model_sales AS sale ON sale.purchase_id = begun.purchase_id
    LEFT JOIN model_followers AS follower
        ON follower.original_id = sale.original_id
        AND follower.app_id = sale.app_id
        AND follower.start_ms = sale.start_ms
        AND follower.purchase_id = sale.purchase_id
    WHERE begun.is_renewal = 1
        AND sale.is_shared = 0
        AND coalesce(follower.previous_expires_ms, 0)
            < sale.start_ms - 86400000 - CASE WHEN begun.is_recovery = 1 THEN coalesce(follower.retry_limit_ms, 0) ELSE 0 END
    UNION ALL
    SELECT notified.app_id, 'missing_earlier', notified.original_id, max(period.purchase_id), notified.first_ms
    FROM notified
    JOIN spans ON spans.app_id = notified.app_id
    LEFT JOIN model_periods AS period
        ON period.original_id = notified.original_id
        AND period.app_id = notified.app_id
        AND period.start_ms <= notified.first_ms
    WHERE notified.first_ms < coalesce(notified.first_other_ms, notified.first_ms + 1)
    GROUP BY notified.app_id, notified.original_id, notified.first_ms, spans.first_ms
    HAVING coalesce(max(period.start_ms), 0) < spans.first_ms
    UNION ALL
    SELECT period.app_id, 'missing_end', period.original_id, period.purchase_id, period.expires_ms
    FROM notified
    JOIN spans ON spans.app_id = notified.app_id
    JOIN model_periods AS period ON period.original_id = notified.original_id AND period.app_id = notified.app_id
    WHERE period.next_start_ms IS NULL
        AND period.fate <> 'refunded'
        AND period.expires_ms BETWEEN spans.first_ms AND spans.last_ms - 7948800000
        AND notified.expired_ms < period.start_ms
    UNION ALL
    SELECT sale.app_id, 'missing_refund', sale.original_id, sale.purchase_id, sale.refund_ms
    FROM model_sales AS sale
    JOIN spans ON spans.app_id = sale.app_id
    LEFT JOIN begun ON begun.purchase_id = sale.purchase_id
    WHERE sale.refund_ms BETWEEN spans.first_ms AND spans.last_ms
        AND coalesce(begun.is_refunded, 0) = 0
),

-- What signed transactions state of purchases that one of them, or the document that counts, calls revoked.
statements AS (
    SELECT
        purchase.app_id,
        purchase.transaction_id,
        purchase.cancellation_date AS canceled_ms,
        receipt.receipt_creation_date AS made_ms,
        revocation.revocation_date AS revoked_ms,
        revocation.revocation_reason,
        revocation.revocation_type,
        revocation.revoked_share,
        counted.revocation_reason AS counted_reason,
        counted.revocation_type AS counted_type,
        counted.revoked_share AS counted_share
    FROM purchase_terms AS terms
    JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
    JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
    JOIN receipt
        ON receipt.receipt_id = stated.receipt_id
        AND receipt.app_id = purchase.app_id
        AND receipt.receipt_id <> purchase.receipt_id
    LEFT JOIN revocation ON revocation.receipt_id = receipt.receipt_id
    LEFT JOIN model_revocations AS counted
        ON counted.transaction_id = purchase.transaction_id
        AND counted.app_id = purchase.app_id
        AND counted.revoked_ms = revocation.revocation_date - revocation.revocation_date % 1000
    WHERE terms.verdict = 'trusted'
        AND receipt.verdict = 'trusted'
        AND receipt.kind = 'signed_transaction'
        AND (purchase.cancellation_date IS NOT NULL OR revocation.receipt_id IS NOT NULL)
),

contradictions AS (
    SELECT app_id, 'contradicting_cancellation' AS finding, transaction_id, made_ms,
        CASE WHEN revoked_ms IS NULL THEN 'none' ELSE 'another' END AS example
    FROM statements
    WHERE CASE
            WHEN revoked_ms IS NULL THEN made_ms > canceled_ms + 1000
            WHEN canceled_ms IS NULL THEN 1 = 1
            ELSE abs(revoked_ms - canceled_ms) > 1000
        END
    UNION ALL
    SELECT app_id, 'contradicting_reason', transaction_id, made_ms, CAST(revocation_reason AS VARCHAR(20))
    FROM statements
    WHERE revocation_reason <> counted_reason
    UNION ALL
    SELECT app_id, 'contradicting_type', transaction_id, made_ms, revocation_type
    FROM statements
    WHERE revocation_type <> counted_type
    UNION ALL
    SELECT app_id, 'contradicting_share', transaction_id, made_ms, CAST(revoked_share AS VARCHAR(20))
    FROM statements
    WHERE revoked_share <> counted_share
),

several AS (
    SELECT transaction_id
    FROM purchase
    GROUP BY transaction_id
    HAVING count(*) > 1
),

places AS (
    SELECT version_id, version, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

versions AS (
    SELECT
        presentation.user_id,
        presentation.app_id,
        count(DISTINCT receipt.original_application_version_id) AS number,
        min(receipt.receipt_creation_date) AS first_ms,
        max(receipt.receipt_creation_date) AS last_ms,
        min(places.place) AS first_place,
        max(places.place) AS last_place
    FROM model_presentations AS presentation
    JOIN receipt ON receipt.receipt_id = presentation.receipt_id
    JOIN places ON places.version_id = receipt.original_application_version_id
    GROUP BY presentation.user_id, presentation.app_id
    HAVING min(places.place) <> max(places.place)
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
    gaps.app_id,
    gaps.finding,
    gaps.original_id AS subject,
    count(*) AS number,
    min(gaps.at_ms) AS first_ms,
    max(gaps.at_ms) AS last_ms,
    min(purchase.transaction_id) AS example
FROM gaps
LEFT JOIN purchase ON purchase.purchase_id = gaps.purchase_id
GROUP BY gaps.app_id, gaps.finding, gaps.original_id
UNION ALL
SELECT app_id, finding, transaction_id, count(*), min(made_ms), max(made_ms), min(example)
FROM contradictions
GROUP BY app_id, finding, transaction_id
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
-- Of one store: test stores number their transactions anew.
WHERE replace(own_app.environment, 'VPP', '') = replace(other_app.environment, 'VPP', '')
    OR (own_app.bundle_id = other_app.bundle_id AND (own_app.environment = '' OR other_app.environment = ''))
GROUP BY purchase.app_id, purchase.transaction_id,
    CASE WHEN other_app.bundle_id = own_app.bundle_id THEN 'in_two_environments' ELSE 'in_two_apps' END
UNION ALL
SELECT
    versions.app_id,
    'contradicting_version',
    users.name,
    versions.number,
    versions.first_ms,
    versions.last_ms,
    one.version || ', ' || other.version
FROM versions
JOIN model_users AS users ON users.user_id = versions.user_id
JOIN places AS one ON one.place = versions.first_place
JOIN places AS other ON other.place = versions.last_place
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
LEFT JOIN model_attribute_names AS known ON known.level = held.level AND known.attribute_type = held.attribute_type
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
