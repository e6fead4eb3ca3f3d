-- The same view as sql/views/claimed_purchases.sql, which describes the columns, for engines that read whole views.
-- SQLite looks up when each purchase was seen; these engines compute it for all purchases at once.
CREATE VIEW claimed_purchases AS
WITH shown AS (
    SELECT receipt_id, min(seen_ms) AS first_ms, max(seen_ms) AS last_ms
    FROM (
        SELECT
            submission.receipt_id,
            coalesce(submission.submitted_at, presented.receipt_creation_date) AS seen_ms
        FROM submission
        JOIN receipt AS presented ON presented.receipt_id = submission.receipt_id
        UNION ALL
        SELECT
            receipt_part.part_receipt_id,
            coalesce(submission.submitted_at, holder.receipt_creation_date, presented.receipt_creation_date)
        FROM receipt_part
        JOIN receipt AS presented ON presented.receipt_id = receipt_part.part_receipt_id
        JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
        JOIN submission ON submission.receipt_id = holder.receipt_id
    ) AS presentation
    GROUP BY receipt_id
),

seen AS (
    SELECT
        receipt.app_id,
        receipt_purchase.transaction_id,
        receipt.verdict,
        receipt.kind,
        min(shown.first_ms) AS first_ms,
        max(shown.last_ms) AS last_ms
    FROM shown
    JOIN receipt ON receipt.receipt_id = shown.receipt_id
    JOIN receipt_purchase ON receipt_purchase.receipt_id = shown.receipt_id
    WHERE receipt.verdict <> 'trusted'
    GROUP BY receipt.app_id, receipt_purchase.transaction_id, receipt.verdict, receipt.kind
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(stated.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    stated.quantity,
    stated.product_type,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.purchase_date >= 0 THEN stated.purchase_date END / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.original_purchase_date >= 0 THEN stated.original_purchase_date END / 1000, 'unixepoch') AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.expires_date >= 0 THEN stated.expires_date END / 1000, 'unixepoch') AS expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.cancellation_date >= 0 THEN stated.cancellation_date END / 1000, 'unixepoch') AS cancellation_date,
    stated.web_order_line_item_id,
    stated.is_trial_period,
    stated.is_in_intro_offer_period,
    stated.promotional_offer_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', seen.first_ms / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', seen.last_ms / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    stated.verdict,
    terms.price_milliunits,
    terms.currency,
    terms.storefront,
    terms.ownership,
    terms.offer_type,
    terms.offer_id,
    terms.offer_discount_type,
    terms.offer_period,
    terms.transaction_reason,
    terms.is_upgraded,
    revoked.revocation_reason,
    revoked.revocation_type,
    revoked.revoked_share,
    terms.subscription_group_id,
    terms.app_account_token,
    terms.app_transaction_id,
    coalesce(terms.amount_milliunits, terms.price_milliunits) AS amount_milliunits,
    terms.billing_plan,
    terms.commitment_period,
    terms.commitment_periods,
    terms.commitment_price_milliunits,
    strftime('%Y-%m-%dT%H:%M:%SZ', terms.commitment_expires_date / 1000, 'unixepoch') AS commitment_expires_date,
    terms.seats_revoked,
    terms.seat_invitations,
    terms.additional_reason,
    CAST(terms.previous_original_transaction_id AS TEXT) AS previous_original_transaction_id,
    terms.storefront_id,
    terms.seat_price_tiers,
    terms.product_type_name
FROM claimed_purchase AS stated
JOIN app USING (app_id)
JOIN receipt USING (receipt_id)
LEFT JOIN product USING (product_number)
LEFT JOIN seen
    ON seen.transaction_id = stated.transaction_id
    AND seen.app_id = stated.app_id
    AND seen.verdict = stated.verdict
    AND seen.kind = stated.kind
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = stated.verdict
    AND stated.kind = 'signed_transaction'
-- If a signed transaction states a revocation, its transaction has terms. Without terms, no lookup is made.
LEFT JOIN internal_latest_revocations AS revoked
    ON revoked.terms_id = terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000;
