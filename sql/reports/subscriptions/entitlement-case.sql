-- entitlement-case: How the rights of one owner came about
-- What do documents state about the purchases of one owner, and which states follow?
--
-- Grain: one row per place
--
-- Parameters:
--   :owner        text          required  the owner: an account, or a device whose lines name no account
--   :environment  environments  Production  environments shown, separated by commas; or all
--   :bundle       bundle        all       bundle identifier of the app; or all
--   :product      text          all       product shown; or all
--
-- Columns:
--   place                    integer  order of the events: by time, documents before the states that follow from them
--   at                       time     time of the purchase or cancellation, signing of the renewal info, or begin of
--                                     the state
--   event                    text     purchase; cancellation; renewal_info; claim: a statement of an untrusted
--                                     document; state: what follows from all documents
--   environment              text     environment of the document or purchase
--   bundle_id                text     bundle identifier of the app; (none) for renewal infos, which name no app
--   product_id               text     product bought
--   original_transaction_id  text     original transaction of the subscription or purchase
--   transaction_id           text     the store's identifier of the transaction; of a state, of the one that entitles
--                                     the owner; null for renewal infos
--   detail                   text     what the document states, in words; null for states
--   state                    text     active, grace, billing_retry, expired, revoked or unknown; null for documents
--   until                    time     end of the period, of the grace period, or of the state; null if there is none
--   counts                   integer  1: the event counts for what the owner may use; 0: it does not, see why_not
--   why_not                  text     superseded: a newer document states the same transaction or subscription;
--                                     consumable; empty_period: the period ends before it begins; other_device:
--                                     presented on another device than its own; no_purchase: the owner presented no
--                                     period of the subscription; else the verdict of an untrusted document; null if
--                                     the event counts
--   kind                     text     kind of document: app_receipt, transaction_receipt, signed_transaction,
--                                     signed_renewal, app_transaction or notification; null for states
--   notification_type        text     type of the trusted notification that contains the document; null if none does
--   subtype                  text     subtype of the trusted notification that contains the document; null if it has
--                                     none
--   signed_at                time     when the store created the document; null if it states no date
--   submitted_at             time     when the document was presented
--   account_id               text     account that presented the document; null if the line names none
--   device_id                text     device that presented the document; null if the line names none
--   receipt_sha256           text     SHA-256 of the document; null for states
--   holder_sha256            text     SHA-256 of the document that contains this one; null if the line itself contains
--                                     it
--   archive                  text     name of the archive that has the document; null for states
--   line                     integer  number of the line in the archive, from 1
--
-- Shown: place, at, event, product_id, transaction_id, detail, state, until, why_not
--
-- Notes:
--   The report uses all documents about the purchases and subscriptions that the owner presented, whoever presented
--   these documents, including servers, and all other documents that the owner presented. A document presented twice
--   has two rows, and a receipt has one row for each purchase in it.
--   Periods and products are the latest values from all documents of a transaction. Of what a superseded document
--   stated, only cancellations are kept. If a newer document withdraws a cancellation, the cancellation is superseded.
--   States are those of the report entitled: the state at the end of a day is the one in its row of that day. The last
--   state has no end. The state unknown after the app's newest document only means that no document states anything
--   about that time.
--   A family member's rights come from documents of the share, not of the purchase that is shared.
--   No chart: a case is read event by event.
--
-- Example:
--   receiptmill report entitlement-case u0-3 --database mill.sqlite

-- The documents that the owner presented.
WITH own AS (
    SELECT receipt_id
    FROM submission
    WHERE coalesce(account_id, device_id) = :owner
),

owned AS (
    SELECT receipt_id FROM own
    UNION
    SELECT receipt_part.part_receipt_id
    FROM own
    JOIN receipt_part ON receipt_part.receipt_id = own.receipt_id
),

-- The subscriptions, and the purchases with their copies, that these documents state.
things AS (
    SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM owned
    JOIN receipt_purchase ON receipt_purchase.receipt_id = owned.receipt_id
    JOIN purchase ON purchase.transaction_id = receipt_purchase.transaction_id
    UNION
    SELECT coalesce(claim.original_transaction_id, claim.transaction_id)
    FROM owned
    JOIN receipt_purchase ON receipt_purchase.receipt_id = owned.receipt_id
    JOIN claimed_purchase AS claim ON claim.transaction_id = receipt_purchase.transaction_id
    UNION
    SELECT renewal.original_transaction_id
    FROM owned
    JOIN renewal ON renewal.receipt_id = owned.receipt_id
),

transactions AS (
    SELECT original_id AS transaction_id FROM things
    UNION
    SELECT transaction_id FROM purchase WHERE original_transaction_id IN (SELECT original_id FROM things)
    UNION
    SELECT transaction_id FROM claimed_purchase WHERE original_transaction_id IN (SELECT original_id FROM things)
),

-- All documents about these subscriptions and purchases, whoever presented them.
gathered AS (
    SELECT receipt_id FROM owned
    UNION
    SELECT receipt_id FROM receipt_purchase WHERE transaction_id IN (SELECT transaction_id FROM transactions)
    UNION
    SELECT receipt_id FROM renewal WHERE original_transaction_id IN (SELECT original_id FROM things)
),

documents AS (
    SELECT * FROM internal_presented_documents WHERE receipt_id IN (SELECT receipt_id FROM gathered)
    UNION ALL
    SELECT * FROM internal_held_documents WHERE receipt_id IN (SELECT receipt_id FROM gathered)
),

statements AS (
    SELECT * FROM internal_purchase_statements WHERE receipt_id IN (SELECT receipt_id FROM gathered)
    UNION ALL
    SELECT * FROM internal_claim_statements WHERE receipt_id IN (SELECT receipt_id FROM gathered)
),

telling AS (
    SELECT receipt_id FROM statements
    UNION
    SELECT receipt_id FROM internal_renewal_statements WHERE receipt_id IN (SELECT receipt_id FROM gathered)
),

-- Each document as it was presented, with what it states.
shown AS (
    SELECT
        document.*, stated.transaction_id, stated.original_transaction_id, stated.product_id, stated.purchase_date,
        stated.expires_date, stated.cancellation_date, stated.stated_cancellation, stated.revocation_reason,
        stated.revocation_type, stated.revoked_share, stated.purchase_id, stated.is_trial_period, stated.is_upgraded,
        stated.transaction_reason, stated.is_latest,
        CASE WHEN sharing.ownership IS NULL THEN 0 ELSE 1 END AS is_family,
        -- A member's share that is no subscription is a purchase of its own.
        CASE
            WHEN sharing.ownership IS NOT NULL AND stated.expires_date IS NULL THEN stated.transaction_id
            ELSE coalesce(
                stated.original_transaction_id, stated.transaction_id, renewal.original_transaction_id)
        END AS thing_id,
        CASE
            WHEN document.verdict <> 'trusted' THEN document.verdict
            WHEN stated.product_type = 1 AND stated.expires_date IS NULL THEN 'consumable'
            WHEN stated.expires_date <= stated.purchase_date THEN 'empty_period'
            WHEN document.device_check = 'mismatch' AND stated.transaction_id IS NOT NULL THEN 'other_device'
        END AS fault,
        renewal.signed_at AS renewal_at, renewal.product_id AS renewed_product_id, renewal.auto_renew_product_id,
        renewal.auto_renew_status, renewal.expiration_intent, renewal.is_in_billing_retry,
        renewal.grace_period_expires_date, renewal.renewal_date
    FROM documents AS document
    LEFT JOIN statements AS stated ON stated.receipt_id = document.receipt_id
    LEFT JOIN internal_sharing AS sharing ON sharing.ownership = stated.ownership
    LEFT JOIN internal_renewal_statements AS renewal ON renewal.receipt_id = document.receipt_id
),

-- The owner has the purchases that a document presented by the owner states. Renewal infos name no app, and apply to a
-- whole family.
held AS (
    SELECT
        shown.*,
        max(CASE WHEN owner = :owner AND transaction_id IS NOT NULL AND fault IS NULL THEN 1 ELSE 0 END) OVER (
            PARTITION BY thing_id, environment, bundle_id, is_family
        ) AS is_held,
        max(CASE WHEN owner = :owner AND expires_date IS NOT NULL AND fault IS NULL THEN 1 ELSE 0 END) OVER (
            PARTITION BY thing_id, environment
        ) AS is_renewed
    FROM shown
),

told AS (
    SELECT *
    FROM held
    WHERE (
            owner = :owner
            OR (transaction_id IS NOT NULL AND is_held = 1)
            OR (renewal_at IS NOT NULL AND is_renewed = 1)
        )
        -- App transactions and notifications state no purchase by themselves, so they are left out unless fault says
        -- why they do not count.
        AND (receipt_id IN (SELECT receipt_id FROM telling) OR fault IS NOT NULL)
),

events AS (
    SELECT
        CASE
            WHEN event.name = 'cancellation' THEN told.stated_cancellation
            ELSE coalesce(told.purchase_date, told.renewal_at, told.created_at, told.submitted_at)
        END AS happened_at,
        event.place AS rank,
        CASE
            WHEN event.name = 'cancellation' THEN event.name
            WHEN told.verdict <> 'trusted' THEN 'claim'
            WHEN told.renewal_at IS NOT NULL THEN 'renewal_info'
            ELSE 'purchase'
        END AS event,
        told.environment, told.bundle_id, coalesce(told.product_id, told.renewed_product_id) AS product_id,
        told.thing_id, told.transaction_id,
        CASE
            WHEN event.name = 'cancellation' THEN
                CASE
                    WHEN told.revocation_type = 'FAMILY_REVOKE' THEN 'family sharing withdrawn'
                    WHEN told.revocation_type = 'ASSIGNMENT_REVOKE' THEN 'assignment withdrawn'
                    WHEN told.revocation_type = 'REFUND_FULL' THEN 'refunded whole'
                    WHEN told.revocation_type = 'REFUND_PRORATED' THEN 'refunded in part'
                    WHEN told.revocation_type IS NULL AND told.revocation_reason IS NULL AND sale.is_change = 1 THEN 'canceled by an upgrade'
                    ELSE 'refunded'
                END
                    || coalesce(
                        ', ' || CAST(CAST(round(100 * told.revoked_share, 0) AS BIGINT) AS VARCHAR(20))
                            || ' percent of the price',
                        '')
                    || CASE WHEN told.revocation_reason = 1 THEN ', for an issue of the app' ELSE '' END
            WHEN told.renewal_at IS NOT NULL THEN
                CASE WHEN told.auto_renew_status = 1 THEN 'will renew' ELSE 'will not renew' END
                    || coalesce(
                        ' as ' || CASE
                            WHEN told.auto_renew_product_id <> told.renewed_product_id THEN told.auto_renew_product_id
                        END,
                        '')
                    || coalesce(' on ' || CASE WHEN told.auto_renew_status = 1 THEN told.renewal_date END, '')
                    || coalesce(', grace until ' || told.grace_period_expires_date, '')
                    || CASE WHEN told.is_in_billing_retry = 1 THEN ', in billing retry' ELSE '' END
                    || CASE told.expiration_intent
                        WHEN 1 THEN ', lapsed by the customer''s choice'
                        WHEN 2 THEN ', lapsed by a billing problem'
                        WHEN 3 THEN ', lapsed by a price increase'
                        WHEN 4 THEN ', lapsed as the product is gone'
                        WHEN 5 THEN ', lapsed for another reason'
                        ELSE ''
                    END
            WHEN told.transaction_id IS NULL THEN 'tells nothing that counts'
            ELSE
                CASE WHEN told.verdict = 'trusted' THEN '' ELSE 'claims: ' END
                    || CASE
                        WHEN told.is_family = 1 THEN 'family share of '
                        WHEN told.transaction_id = coalesce(told.original_transaction_id, told.transaction_id)
                            THEN 'bought '
                        WHEN told.expires_date IS NULL THEN 'restored '
                        WHEN told.transaction_reason = 'PURCHASE' THEN 'bought '
                        ELSE 'renewed '
                    END
                    || coalesce(told.product_id, 'no product')
                    || coalesce(', until ' || told.expires_date, '')
                    || CASE WHEN told.is_trial_period = 1 THEN ', free trial' ELSE '' END
                    || CASE WHEN told.is_upgraded = 1 THEN ', upgraded since' ELSE '' END
                    || coalesce(
                        ', canceled ' || CASE WHEN told.verdict <> 'trusted' THEN told.cancellation_date END, '')
        END AS detail,
        CAST(NULL AS VARCHAR(20)) AS state,
        CASE
            WHEN event.name = 'cancellation' THEN NULL
            ELSE coalesce(told.expires_date, told.grace_period_expires_date)
        END AS ends,
        coalesce(
            told.fault,
            CASE
                WHEN told.renewal_at IS NOT NULL AND told.is_renewed = 0 THEN 'no_purchase'
                WHEN told.is_latest = 0 THEN 'superseded'
            END) AS why_not,
        told.kind, told.notification_type, told.subtype, told.created_at, told.submitted_at, told.account_id,
        told.device_id, told.receipt_sha256, told.holder_sha256, told.archive, told.line
    FROM told
    LEFT JOIN model_copies AS copy ON copy.purchase_id = told.purchase_id
    LEFT JOIN model_sales AS sale ON sale.purchase_id = coalesce(copy.sale_id, told.purchase_id)
    JOIN (SELECT 1 AS place, 'statement' AS name UNION ALL SELECT 2, 'cancellation') AS event
        ON event.name = 'statement'
        OR told.stated_cancellation IS NOT NULL
    UNION ALL
    SELECT
        since, 3,
        'state',
        environment, bundle_id, product_id, original_transaction_id, source_transaction_id, NULL, state, until, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM entitlement_spans
    WHERE user_id IN (SELECT user_id FROM model_users WHERE name = :owner)
)

SELECT
    row_number() OVER (
        ORDER BY
            coalesce(happened_at, ''), coalesce(thing_id, ''), rank, coalesce(transaction_id, ''),
            coalesce(created_at, ''), coalesce(submitted_at, ''), coalesce(receipt_sha256, ''),
            coalesce(archive, ''), coalesce(line, 0), coalesce(holder_sha256, ''), coalesce(environment, ''),
            coalesce(bundle_id, ''), coalesce(state, ''), coalesce(detail, '')
    ) AS place,
    happened_at AS at, event, coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id, coalesce(product_id, '(none)') AS product_id,
    thing_id AS original_transaction_id, transaction_id, detail, state, ends AS until,
    CASE WHEN why_not IS NULL THEN 1 ELSE 0 END AS counts,
    why_not, kind, notification_type, subtype, created_at AS signed_at, submitted_at, account_id, device_id,
    receipt_sha256, holder_sha256, archive, line
FROM events
WHERE (
        coalesce(:environment, 'Production') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production') || ',',
            ',' || coalesce(environment, '(none)') || ',') > 0
    )
    -- Renewal infos name no app, so they are shown for every :bundle.
    AND (coalesce(:bundle, 'all') IN ('all', bundle_id) OR event = 'renewal_info')
    AND coalesce(:product, 'all') IN ('all', product_id)
ORDER BY 1;
