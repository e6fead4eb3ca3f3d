-- Purchases as documents state them, whatever the verdict: trusted ones merged, claims apart by verdict and kind.
--
-- Columns: those of claimed_purchases, which says what they mean.
CREATE VIEW model_stated_purchases AS
WITH stated AS (
    SELECT
        transaction_id, app_id, original_transaction_id, product_number, quantity, product_type, purchase_date,
        original_purchase_date, expires_date, cancellation_date, web_order_line_item_id, is_trial_period,
        is_in_intro_offer_period, promotional_offer_id, receipt_id,
        'trusted' AS verdict, '' AS kind
    FROM purchase
    UNION ALL
    SELECT
        transaction_id, app_id, original_transaction_id, product_number, quantity, product_type, purchase_date,
        original_purchase_date, expires_date, cancellation_date, web_order_line_item_id, is_trial_period,
        is_in_intro_offer_period, promotional_offer_id, receipt_id,
        verdict, kind
    FROM claimed_purchase
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
    strftime('%Y-%m-%dT%H:%M:%SZ', (
        SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date, told.receipt_creation_date))
        FROM receipt_purchase
        CROSS JOIN receipt AS told
        CROSS JOIN submission
        CROSS JOIN receipt AS presented
        WHERE receipt_purchase.transaction_id = stated.transaction_id
            AND told.receipt_id = receipt_purchase.receipt_id
            AND submission.receipt_id IN (
                SELECT told.receipt_id
                UNION ALL
                SELECT receipt_part.receipt_id FROM receipt_part WHERE receipt_part.part_receipt_id = told.receipt_id
            )
            AND presented.receipt_id = submission.receipt_id
            AND told.app_id = stated.app_id
            AND told.verdict = stated.verdict
            AND stated.kind IN ('', told.kind)
    ) / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', (
        SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date, told.receipt_creation_date))
        FROM receipt_purchase
        CROSS JOIN receipt AS told
        CROSS JOIN submission
        CROSS JOIN receipt AS presented
        WHERE receipt_purchase.transaction_id = stated.transaction_id
            AND told.receipt_id = receipt_purchase.receipt_id
            AND submission.receipt_id IN (
                SELECT told.receipt_id
                UNION ALL
                SELECT receipt_part.receipt_id FROM receipt_part WHERE receipt_part.part_receipt_id = told.receipt_id
            )
            AND presented.receipt_id = submission.receipt_id
            AND told.app_id = stated.app_id
            AND told.verdict = stated.verdict
            AND stated.kind IN ('', told.kind)
    ) / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
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
    terms.product_type_name,
    stated.verdict
FROM stated
CROSS JOIN app
JOIN receipt ON receipt.receipt_id = stated.receipt_id
LEFT JOIN product ON product.product_number = stated.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = stated.verdict
    AND stated.kind IN ('', 'signed_transaction')
-- A transaction whose revocation a signed transaction states has terms: where it has none, nothing is looked up.
LEFT JOIN model_latest_revocations AS revoked
    ON revoked.terms_id = terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000
WHERE app.app_id = stated.app_id;
