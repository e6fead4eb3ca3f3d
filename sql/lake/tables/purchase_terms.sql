-- The merge rule of terms: each term comes from the newest signed transaction that states it, by signing date, then by
-- SHA-256; is_upgraded comes from the newest of all. A currency and seats without a price count only if no document
-- states a price. The columns *_receipt_id of SQLite's table are missing, because no view needs them.
SELECT
    row_key(app_name(environment, bundle_id) || ' ' || transaction_id || ' ' || verdict) AS terms_id,
    app_key(environment, bundle_id) AS app_id,
    transaction_key(transaction_id) AS transaction_id,
    verdict,
    max(CASE WHEN moment = price_moment THEN price_milliunits END) AS price_milliunits,
    max(CASE WHEN moment = price_moment THEN currency END) AS currency,
    max(CASE WHEN moment = price_moment THEN amount_milliunits END) AS amount_milliunits,
    max(CASE WHEN moment = price_moment THEN seat_price_tiers END) AS seat_price_tiers,
    max(CASE WHEN moment = storefront_moment THEN storefront END) AS storefront,
    max(CASE WHEN moment = storefront_moment THEN storefront_id END) AS storefront_id,
    max(CASE WHEN moment = ownership_moment THEN ownership END) AS ownership,
    max(CASE WHEN moment = offer_moment THEN offer_type END) AS offer_type,
    max(CASE WHEN moment = offer_moment THEN offer_id END) AS offer_id,
    max(CASE WHEN moment = offer_moment THEN offer_discount_type END) AS offer_discount_type,
    max(CASE WHEN moment = offer_moment THEN offer_period END) AS offer_period,
    max(CASE WHEN moment = reason_moment THEN transaction_reason END) AS transaction_reason,
    max(CASE WHEN moment = subscription_group_moment THEN subscription_group_id END) AS subscription_group_id,
    max(CASE WHEN moment = app_account_token_moment THEN app_account_token END) AS app_account_token,
    max(CASE WHEN moment = app_transaction_moment THEN app_transaction_id END) AS app_transaction_id,
    max(CASE WHEN moment = newest_moment THEN is_upgraded END) AS is_upgraded,
    max(CASE WHEN moment = plan_moment THEN billing_plan END) AS billing_plan,
    max(CASE WHEN moment = plan_moment THEN commitment_period END) AS commitment_period,
    max(CASE WHEN moment = plan_moment THEN commitment_periods END) AS commitment_periods,
    max(CASE WHEN moment = plan_moment THEN commitment_price_milliunits END) AS commitment_price_milliunits,
    max(CASE WHEN moment = plan_moment THEN commitment_expires_date END) AS commitment_expires_date,
    max(CASE WHEN moment = seats_moment THEN seat_invitations END) AS seat_invitations,
    max(CASE WHEN moment = seats_moment THEN seats_revoked END) AS seats_revoked,
    max(CASE WHEN moment = seats_moment THEN additional_reason END) AS additional_reason,
    transaction_key(max(CASE WHEN moment = previous_moment THEN previous_original_transaction_id END))
        AS previous_original_transaction_id,
    max(CASE WHEN moment = newest_moment THEN product_type_name END) AS product_type_name,
    max(CASE WHEN moment = newest_moment THEN receipt_key(receipt_sha256) END) AS receipt_id
FROM (
    SELECT
        *,
        coalesce(
            max(CASE WHEN coalesce(price_milliunits, amount_milliunits) IS NOT NULL THEN moment END) OVER purchase,
            max(CASE WHEN coalesce(currency, seat_price_tiers) IS NOT NULL THEN moment END) OVER purchase
        ) AS price_moment,
        max(CASE WHEN coalesce(storefront, storefront_id) IS NOT NULL THEN moment END) OVER purchase AS storefront_moment,
        max(CASE WHEN ownership IS NOT NULL THEN moment END) OVER purchase AS ownership_moment,
        max(CASE WHEN coalesce(CAST(offer_type AS VARCHAR(20)), offer_id, offer_discount_type, offer_period) IS NOT NULL THEN moment END) OVER purchase AS offer_moment,
        max(CASE WHEN transaction_reason IS NOT NULL THEN moment END) OVER purchase AS reason_moment,
        max(CASE WHEN subscription_group_id IS NOT NULL THEN moment END) OVER purchase AS subscription_group_moment,
        max(CASE WHEN app_account_token IS NOT NULL THEN moment END) OVER purchase AS app_account_token_moment,
        max(CASE WHEN app_transaction_id IS NOT NULL THEN moment END) OVER purchase AS app_transaction_moment,
        max(
            CASE
                WHEN billing_plan IS NOT NULL
                    OR coalesce(
                        commitment_period, commitment_periods, commitment_price_milliunits, commitment_expires_date
                    ) IS NOT NULL
                    THEN moment
            END
        ) OVER purchase AS plan_moment,
        max(
            CASE
                WHEN coalesce(seat_invitations, additional_reason) IS NOT NULL OR seats_revoked IS NOT NULL THEN moment
            END
        ) OVER purchase AS seats_moment,
        max(CASE WHEN previous_original_transaction_id IS NOT NULL THEN moment END) OVER purchase AS previous_moment,
        max(moment) OVER purchase AS newest_moment
    FROM (
        SELECT
            *,
            -- Text that sorts by signing date, then digest; dates begin with the year 1.
            lpad(CAST(signed_at + 62135596800000 AS VARCHAR(20)), 15, '0') || hex(receipt_sha256) AS moment
        FROM loaded_terms
    )
    WINDOW purchase AS (PARTITION BY environment, bundle_id, transaction_id, verdict)
)
GROUP BY environment, bundle_id, transaction_id, verdict
