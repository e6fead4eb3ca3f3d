-- Where a database that holds one minted set differs from that set's truth.json:
-- one row per total that is not the same, none if all is well. Run by .ci/run,
-- with the parameter :truth set to the file's path.

WITH truth(json) AS (SELECT CAST(readfile(:truth) AS TEXT)),

-- The app of what the store signs since 2026; none where nothing of it was minted.
of_2026(bundle_id, ends_at) AS (
    SELECT json ->> '$.of2026.bundle_id', json ->> '$.of2026.ends_at' FROM truth WHERE json -> '$.of2026' IS NOT NULL
),

counted(fact, number) AS (
    SELECT 'lines', sum(lines) FROM archives
    UNION ALL SELECT 'submissions', count(*) FROM submissions
    UNION ALL SELECT 'receipts', count(*) FROM receipts
    UNION ALL SELECT 'purchases', count(*) FROM purchases
    UNION ALL SELECT 'canceled_purchases', count(cancellation_date) FROM purchases
    UNION ALL SELECT 'receipt_purchases', count(*) FROM receipt_purchases
    UNION ALL SELECT 'lineages', count(DISTINCT lineage) FROM receipts WHERE verdict = 'trusted'
    UNION ALL SELECT 'rejections.' || reason, count(*) FROM rejections GROUP BY reason
    UNION ALL SELECT 'submissions_by_verdict.' || verdict, count(*) FROM submissions GROUP BY verdict
    UNION ALL SELECT 'submissions_by_device_check.' || device_check, count(*)
        FROM submissions GROUP BY device_check
    UNION ALL SELECT 'receipts_by_verdict.' || verdict, count(*) FROM receipts GROUP BY verdict
    UNION ALL SELECT 'receipts_by_digest_algorithm.' || digest_algorithm, count(*)
        FROM receipts GROUP BY digest_algorithm
    UNION ALL SELECT 'trusted_receipts_by_environment.' || environment, count(*)
        FROM receipts WHERE verdict = 'trusted' GROUP BY environment
    UNION ALL SELECT 'purchases_by_product_type.' || product_type, count(*)
        FROM purchases GROUP BY product_type
    UNION ALL SELECT 'claimed_purchases.' || verdict, count(*) FROM claimed_purchases GROUP BY verdict
),

-- How each subscription of the app stands when the archive ends.
last_periods AS (
    SELECT *
    FROM (
        SELECT
            period.*,
            row_number() OVER (PARTITION BY subscription_id ORDER BY starts DESC, transaction_id DESC) AS place
        FROM subscription_periods AS period
        JOIN of_2026 USING (bundle_id)
    )
    WHERE place = 1
),

counted_2026(fact, number) AS (
    SELECT 'money.' || currency || '.gross', sum(price_milliunits) FROM sales WHERE bundle_id = (SELECT bundle_id FROM of_2026) GROUP BY currency
    UNION ALL SELECT 'money.' || sales.currency || '.refunded', sum(refund.milliunits)
        FROM model_refund_events AS refund JOIN sales ON sales.purchase_id = refund.purchase_id
        WHERE sales.bundle_id = (SELECT bundle_id FROM of_2026) GROUP BY sales.currency
    UNION ALL SELECT 'money.' || sales.currency || '.refunded_by_estimate', sum(refund.milliunits)
        FROM model_refund_events AS refund JOIN sales ON sales.purchase_id = refund.purchase_id
        WHERE sales.bundle_id = (SELECT bundle_id FROM of_2026) AND refund.is_estimate = 1 GROUP BY sales.currency
    UNION ALL SELECT 'money.' || movement.currency || '.recurring', sum(movement.milliunits)
        FROM model_movements AS movement JOIN model_apps ON model_apps.app_id = movement.app_id
        WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND movement.month_number <= complete_month GROUP BY movement.currency
    UNION ALL SELECT 'money.' || currency || '.contracted', sum(payments_left * price_milliunits)
        FROM subscription_periods WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND fate = 'running' GROUP BY currency
    UNION ALL SELECT 'subscriptions', count(*)
        FROM subscription_periods WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND fate = 'running' AND kind = 'paid'
    UNION ALL SELECT 'entitled', count(DISTINCT owner)
        FROM entitlements WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND state IN ('active', 'grace')
    UNION ALL SELECT 'seats.members', count(DISTINCT owner)
        FROM entitlements WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND state IN ('active', 'grace') AND ownership = 'ASSIGNED'
    UNION ALL SELECT 'commitments.running', count(*) FROM last_periods WHERE fate = 'running' AND billing_plan = 'MONTHLY'
    UNION ALL SELECT 'commitments.leaving', count(*)
        FROM last_periods WHERE fate = 'running' AND billing_plan = 'MONTHLY' AND will_renew = 0
    UNION ALL SELECT 'commitments.retrying', count(*)
        FROM last_periods WHERE fate = 'retrying' AND billing_plan = 'MONTHLY'
    UNION ALL SELECT 'commitments.ended', count(*)
        FROM last_periods WHERE fate IN ('lapsed', 'refunded') AND billing_plan = 'MONTHLY'
    UNION ALL SELECT 'commitments.upfront', count(*) FROM last_periods WHERE plan = 'P1Y'
    UNION ALL SELECT 'commitments.renewed', count(DISTINCT subscription_id)
        FROM subscription_periods JOIN purchases USING (bundle_id, environment, transaction_id)
        WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND commitment_period = commitment_periods AND fate = 'renewed'
    UNION ALL SELECT 'seats.subscriptions', count(*) FROM last_periods WHERE fate = 'running' AND seats > 0
    UNION ALL SELECT 'seats.seats', sum(seats) FROM last_periods WHERE fate = 'running'
    UNION ALL SELECT 'seats.revoked', sum(seats_revoked) FROM purchases WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    -- Both transactions of a period say that there are several.
    UNION ALL SELECT 'seats.additions', count(*) / 2 FROM purchases WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND additional_reason IS NOT NULL
    UNION ALL SELECT 'commerce.transactions', count(DISTINCT transaction_id) FROM purchase_items WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'commerce.items', count(*) FROM purchase_items WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'commerce.revoked_items', count(revoked_date) FROM purchase_items WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'commerce.refunds', sum(refunds) FROM purchase_items WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'commerce.migrated', count(previous_original_transaction_id) FROM purchases WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'external_purchases.tokens', count(*) FROM external_purchase_tokens WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'external_purchases.unreported', sum(is_unreported)
        FROM external_purchase_tokens WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'external_purchases.expired', count(*)
        FROM external_purchase_tokens AS token JOIN of_2026 USING (bundle_id)
        WHERE token.token_expiration_date < of_2026.ends_at
    UNION ALL SELECT 'unclaimed_seats', sum(json_array_length(unclaim_seat_ids)) FROM notifications WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'realtime_requests', count(*) FROM realtime_requests JOIN of_2026
    UNION ALL SELECT 'summaries.requests', count(*) FROM notifications WHERE bundle_id = (SELECT bundle_id FROM of_2026) AND subtype = 'SUMMARY'
    UNION ALL SELECT 'summaries.succeeded', sum(succeeded_count) FROM notifications WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'summaries.failed', sum(failed_count) FROM notifications WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'app_transactions.with_store_type', count(store_type) FROM receipts WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'app_transactions.with_preorder_date', count(preorder_date) FROM receipts WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'app_transactions.with_revocation_date', count(revocation_date) FROM receipts WHERE bundle_id = (SELECT bundle_id FROM of_2026)
    UNION ALL SELECT 'unknown_members.' || kind || ' ' || path || ' ' || value_type, documents FROM unknown_members JOIN of_2026
),

-- Of the store's report files: each class of differences, and the money of both sides. Planted differences that lie near
-- another may be found in its class, so that so many units are left open.
planted_classes(report, class, store_units, own_units, mixed_units) AS (
    SELECT side.key, class.key, class.value ->> '$.store_units', class.value ->> '$.own_units', class.value ->> '$.mixed_units'
    FROM (
        SELECT key, value FROM json_each((SELECT json FROM truth), '$.store_reports')
        WHERE key = 'sales'
    ) AS side
    JOIN json_each(side.value, '$.classes') AS class
),

found_classes(report, class, store_units, own_units) AS (
    SELECT report, class, sum(store_units) / 1000, sum(our_units) / 1000
    FROM model_reconciled
    WHERE is_download = 0
    GROUP BY report, class
),

counted_store(fact, number) AS (
    SELECT
        report || '.' || class || '.store_units',
        CASE WHEN abs(found.store_units - planted.store_units) <= planted.mixed_units THEN planted.store_units ELSE found.store_units END
    FROM found_classes AS found
    LEFT JOIN planted_classes AS planted USING (report, class)
    WHERE report = 'sales'
    UNION ALL SELECT
        report || '.' || class || '.own_units',
        CASE WHEN abs(found.own_units - planted.own_units) <= planted.mixed_units THEN planted.own_units ELSE found.own_units END
    FROM found_classes AS found
    LEFT JOIN planted_classes AS planted USING (report, class)
    WHERE report = 'sales'
    UNION ALL SELECT report || '.store_gross.' || currency, sum(store_gross)
        FROM model_reconciled WHERE is_download = 0 AND report IN ('sales', 'finance_detail') GROUP BY report, currency
    UNION ALL SELECT report || '.own_gross.' || currency, sum(our_gross)
        FROM model_reconciled WHERE is_download = 0 AND report IN ('sales', 'finance_detail') GROUP BY report, currency
    UNION ALL SELECT 'proceeds.' || proceeds_currency, sum(proceeds_milliunits)
        FROM store_sales WHERE report = 'finance_detail' GROUP BY proceeds_currency
    UNION ALL SELECT 'proceeds_by_months.' || proceeds_currency, sum(proceeds_milliunits)
        FROM store_sales WHERE report = 'financial' GROUP BY proceeds_currency
),

planted_store(fact, number) AS (
    SELECT report || '.' || class || '.store_units', store_units FROM planted_classes
    UNION ALL SELECT report || '.' || class || '.own_units', own_units FROM planted_classes
    UNION ALL SELECT substr(replace(path, '"', '') || '.' || key, length('$.store_reports.') + 1), atom
        FROM json_tree((SELECT json FROM truth))
        WHERE replace(path, '"', '') IN (
            '$.store_reports.sales.store_gross', '$.store_reports.sales.own_gross',
            '$.store_reports.finance_detail.store_gross', '$.store_reports.finance_detail.own_gross')
    UNION ALL SELECT 'proceeds.' || key, atom
        FROM json_each((SELECT json FROM truth), '$.store_reports.settled.proceeds')
    UNION ALL SELECT 'proceeds_by_months.' || key, atom
        FROM json_each((SELECT json FROM truth), '$.store_reports.settled.proceeds')
),

planted(fact, number) AS (
    SELECT substr(replace(path, '"', '') || '.' || key, length('$.totals.') + 1), atom
    FROM json_tree((SELECT json FROM truth))
    WHERE path LIKE '$.totals%'
        AND atom IS NOT NULL
        -- Counted by lineage and by device at once: left to the tests.
        AND key NOT IN ('refreshed_lineages', 'shared_receipts')
),

planted_2026(fact, number) AS (
    SELECT substr(replace(path, '"', '') || '.' || key, length('$.of2026.') + 1), atom
    FROM json_tree((SELECT json FROM truth))
    WHERE path LIKE '$.of2026%'
        AND type = 'integer'
        -- No line says what it was minted for.
        AND path <> '$.of2026.lines'
),

-- Nothing is as good as no row, of sums by what is there.
all_counted AS (
    SELECT * FROM counted
    UNION ALL SELECT 'of2026.' || fact, number FROM counted_2026 WHERE number <> 0
    UNION ALL SELECT 'store_reports.' || fact, number FROM counted_store WHERE number <> 0
),

all_planted AS (
    SELECT * FROM planted
    UNION ALL SELECT 'of2026.' || fact, number FROM planted_2026 WHERE number <> 0
    UNION ALL SELECT 'store_reports.' || fact, number FROM planted_store WHERE number <> 0
)

SELECT
    fact,
    (SELECT number FROM all_planted WHERE all_planted.fact = either.fact) AS in_truth,
    (SELECT number FROM all_counted WHERE all_counted.fact = either.fact) AS in_database
FROM (SELECT fact FROM all_planted UNION SELECT fact FROM all_counted) AS either
WHERE in_truth IS NOT in_database
ORDER BY fact;
