-- Until when subscriptions are known by documents of their own, by number: what subscription_horizons shows with
-- names, beside what the app's notifications tell. And the line by which to reach the owner, for subscription_contacts.
--
-- Columns:
--   original_number  –                        –     the original transaction, as the loader keeps it
--   app_number       –                        –     the app's number in this database alone
--   known_ms         milliseconds since 1970  –     until when its documents and its owners' tell of it
--   bound_ms         milliseconds since 1970  –     before which it is known at most, since what followed is not; else null
--   contact_number   –                        line  number of the owner's line in this database alone: the last with a
--                                                   device; null where nobody with a name presented the subscription
--   seen_ms          milliseconds since 1970  line  when the owner presented a document of the app last
CREATE VIEW horizons_by_number AS
-- What each owner presented of each app, and of all that the newest document, when the last, and the line of that.
WITH owned AS (
    SELECT
        receipt_number,
        app_number,
        owner,
        is_device,
        max(created_ms) OVER whole AS created_ms,
        max(presented_ms) OVER whole AS seen_ms,
        first_value(submission_number) OVER whole AS submission_number
    FROM owners_by_document
    WINDOW whole AS (
        PARTITION BY owner, is_device, app_number
        ORDER BY device_id IS NULL, presented_ms DESC NULLS LAST, device_id, submission_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

ranked AS (
    SELECT
        receipt_number,
        app_number,
        created_ms,
        seen_ms,
        submission_number,
        -- An account before a device, the one seen last, then the least name; in each app. One number sorts fastest.
        dense_rank() OVER (ORDER BY is_device * 4611686018427387904 - coalesce(seen_ms, -1), owner, app_number) AS place
    FROM owned
),

-- By what each presented: receipts list many purchases, and names take long to compare.
newest AS (
    SELECT receipt_number, app_number, max(created_ms) AS created_ms, min(place) AS place
    FROM ranked
    GROUP BY receipt_number, app_number
),

contact AS (
    SELECT place, min(submission_number) AS submission_number, min(seen_ms) AS seen_ms
    FROM ranked
    GROUP BY place
),

-- In the order of an index; purchases that state no original are their own.
known AS (
    SELECT
        term.app_id,
        term.original_transaction_id AS original_number,
        max(max(term.as_of, coalesce(newest.created_ms, term.as_of))) AS known_ms,
        max(term.expires_date) AS last_ms,
        CAST(NULL AS BIGINT) AS renewed_ms,
        min(CASE WHEN shared.terms_id IS NULL THEN newest.place END) AS place
    FROM purchase AS term
    LEFT JOIN receipt_purchase ON receipt_purchase.transaction_id = term.transaction_id
    LEFT JOIN newest
        ON newest.receipt_number = receipt_purchase.receipt_id
        AND newest.app_number = term.app_id
    LEFT JOIN purchase_terms AS shared
        ON shared.transaction_id = term.transaction_id
        AND shared.app_id = term.app_id
        AND shared.verdict = 'trusted'
        AND shared.ownership = 'FAMILY_SHARED'
    WHERE term.original_transaction_id IS NOT NULL
        AND term.expires_date IS NOT NULL
    GROUP BY term.original_transaction_id, term.app_id
    UNION ALL
    SELECT
        term.app_id,
        term.transaction_id,
        max(max(term.as_of, coalesce(newest.created_ms, term.as_of))),
        max(term.expires_date),
        NULL,
        min(CASE WHEN shared.terms_id IS NULL THEN newest.place END)
    FROM purchase AS term
    LEFT JOIN receipt_purchase ON receipt_purchase.transaction_id = term.transaction_id
    LEFT JOIN newest
        ON newest.receipt_number = receipt_purchase.receipt_id
        AND newest.app_number = term.app_id
    LEFT JOIN purchase_terms AS shared
        ON shared.transaction_id = term.transaction_id
        AND shared.app_id = term.app_id
        AND shared.verdict = 'trusted'
        AND shared.ownership = 'FAMILY_SHARED'
    WHERE term.original_transaction_id IS NULL
        AND term.expires_date IS NOT NULL
    GROUP BY term.transaction_id, term.app_id
    UNION ALL
    SELECT upgraded.app_id, coalesce(upgraded.original_transaction_id, upgraded.transaction_id), NULL, NULL, 1 << 62, NULL
    FROM purchase_terms AS terms
    CROSS JOIN purchase AS upgraded
        ON upgraded.transaction_id = terms.transaction_id
        AND upgraded.app_id = terms.app_id
    WHERE terms.is_upgraded = 1
        AND terms.verdict = 'trusted'
        AND upgraded.expires_date IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM purchase AS later
            WHERE later.app_id = upgraded.app_id
                AND later.original_transaction_id = coalesce(upgraded.original_transaction_id, upgraded.transaction_id)
                AND later.purchase_date > upgraded.purchase_date
        )
),

renewed AS (
    SELECT
        app.app_id,
        renewal.original_transaction_id AS original_number,
        max(renewal.signed_at) AS signed_ms,
        max(CASE
            WHEN renewal.auto_renew_status = 1
                AND renewal.expiration_intent IS NULL
                AND coalesce(renewal.is_in_billing_retry, 0) = 0
                THEN renewal.renewal_date
        END) AS renewed_ms
    FROM renewal
    CROSS JOIN app ON app.environment = renewal.environment
    GROUP BY renewal.original_transaction_id, app.app_id
),

latest AS (
    SELECT
        app_id,
        original_number,
        max(known_ms) AS known_ms,
        max(last_ms) AS last_ms,
        max(renewed_ms) AS renewed_ms,
        min(place) AS place
    FROM known
    GROUP BY original_number, app_id
)

SELECT
    latest.original_number,
    latest.app_id AS app_number,
    CASE WHEN renewed.signed_ms > latest.known_ms THEN renewed.signed_ms ELSE latest.known_ms END AS known_ms,
    -- Periods that follow one another overlap or leave gaps by up to an hour.
    CASE
        WHEN latest.renewed_ms > latest.last_ms + 3600000 OR renewed.renewed_ms > latest.last_ms + 3600000
            THEN latest.last_ms - 1
    END AS bound_ms,
    contact.submission_number AS contact_number,
    contact.seen_ms
FROM latest
LEFT JOIN renewed
    ON renewed.original_number = latest.original_number
    AND renewed.app_id = latest.app_id
LEFT JOIN contact ON contact.place = latest.place;
