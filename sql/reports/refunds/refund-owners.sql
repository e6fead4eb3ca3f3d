-- refund-owners: Owners of refunded purchases
-- Which accounts and devices had purchases refunded again and again, and who presents them still?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner, transaction_id
-- Aliases: refunds-presented
--
-- Parameters:
--   :by     text(owner, purchase)  owner  how rows are split: one for each owner, or one for each refunded purchase of
--                                         an owner
--   :least  integer(1..)           null   minimum number of an owner's refunds; unless set, 2, or 1 with by=purchase
--   :days   integer(0..)           null   only refunds at least so many days after which the owner presented a document
--                                         that does not show the refund
--
-- Columns:
--   environment        text               environment of the purchases
--   bundle_id          text               bundle identifier of the app
--   owner_kind         text               what identifies the owner: account, or device if no account is known
--   owner              text               the account, else the device, as the archive's lines write it
--   transaction_id     text               the store's identifier of the transaction; (all) unless :by is purchase
--   product_id         text               product of the transaction; null unless :by is purchase
--   refunds            integer(refunds)   number of purchases refunded
--   products           integer(products)  number of different products among the refunded purchases
--   first_refund       date               day of the first refund
--   last_refund        date               day of the last refund
--   submissions_after  integer(submissions)  submissions, after a refund, of documents that were created before it
--   last_submitted     date               day of the last submission in submissions_after
--   days_after         integer(days)      maximum number of whole days from a refund to a submission in
--                                         submissions_after
--   account_id         text               the owner's account; null if the owner is a device
--   device_id          text               the device on which the owner was last seen; null if none is known
--   last_seen          date               day on which the owner last presented a document of the app
--   as_of              time               when the newest document of the app was created
--
-- Shown: bundle_id, owner, transaction_id, refunds, first_refund, last_refund, submissions_after, days_after
-- Chart: bars  x=refunds  y=rows
--
-- Notes:
--   A purchase that several owners present counts for each of them. The months shown are those of the refunds. A
--   refreshed receipt shows the refund, so its submissions do not count. Soon after a refund, submissions of older
--   documents are innocent, since an app sends the receipt that it has.
--
-- Example:
--   receiptmill report refund-owners --database mill.sqlite by=purchase days=30

WITH sold AS (
    SELECT
        sale.purchase_id, sale.app_id, purchase.transaction_id, sale.product_number, sale.refund_ms,
        sale.refund_day, purchase.receipt_id AS source_id
    FROM apps
    JOIN model_sales AS sale ON sale.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = sale.refund_day
    JOIN months ON months.month_number = day.month_number
    JOIN purchase ON purchase.purchase_id = sale.purchase_id
),

held AS (
    SELECT user_id, purchase_id
    FROM model_entitlements
    WHERE user_id > 0
        AND purchase_id IN (SELECT purchase_id FROM sold)
),

refunded AS (
    SELECT held.user_id, sold.*
    FROM held
    JOIN sold ON sold.purchase_id = held.purchase_id
),

-- Documents that do not show the refund. If neither document has a date, it is unknown which is older.
outdated AS (
    SELECT sold.purchase_id, sold.app_id, sold.refund_ms, receipt.receipt_id, receipt.receipt_creation_date
    FROM sold
    JOIN receipt_purchase AS stated ON stated.transaction_id = sold.transaction_id
    JOIN receipt
        ON receipt.receipt_id = stated.receipt_id
        AND receipt.app_id = sold.app_id AND receipt.receipt_id <> sold.source_id
    JOIN receipt AS source ON source.receipt_id = sold.source_id
    WHERE receipt.verdict = 'trusted'
        AND coalesce(receipt.receipt_creation_date, 0) < sold.refund_ms
        AND coalesce(receipt.receipt_creation_date, source.receipt_creation_date) IS NOT NULL
        AND sold.refund_ms IS NOT NULL
),

-- A document is presented by itself, or inside another document.
carried AS (
    SELECT outdated.*, outdated.receipt_id AS carrier_id
    FROM outdated
    UNION ALL
    SELECT outdated.*, part.receipt_id
    FROM outdated
    JOIN receipt_part AS part ON part.part_receipt_id = outdated.receipt_id
),

-- Lines look up their presenter by name. If instead each owner looked through the lines of a document, the cost would
-- be quadratic in the number of presenters.
presented AS (
    SELECT
        presenter.user_id, carried.purchase_id, carried.refund_ms,
        coalesce(submission.submitted_at, carrier.receipt_creation_date, carried.receipt_creation_date) AS presented_ms
    FROM carried
    JOIN receipt AS carrier ON carrier.receipt_id = carried.carrier_id
    JOIN submission ON submission.receipt_id = carried.carrier_id
    LEFT JOIN model_users AS presenter
        ON presenter.name = coalesce(submission.account_id, submission.device_id)
        AND presenter.app_id = carried.app_id
        AND presenter.is_device = CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END
    WHERE submission.device_check <> 'mismatch'
),

shown AS (
    SELECT
        user_id, purchase_id, count(*) AS submissions, max(presented_ms) AS last_ms,
        max(presented_ms) - min(refund_ms) AS after_ms
    FROM presented
    WHERE presented_ms > refund_ms
    GROUP BY user_id, purchase_id
),

counted AS (
    SELECT
        refunded.user_id,
        CASE WHEN coalesce(:by, 'owner') = 'purchase' THEN refunded.purchase_id END AS purchase_id,
        count(*) AS refunds, count(DISTINCT refunded.product_number) AS products, min(refunded.refund_day) AS first_day,
        max(refunded.refund_day) AS last_day, sum(coalesce(shown.submissions, 0)) AS submissions,
        max(shown.last_ms) AS last_ms, max(shown.after_ms) AS after_ms
    FROM refunded
    LEFT JOIN shown ON shown.user_id = refunded.user_id AND shown.purchase_id = refunded.purchase_id
    WHERE :days IS NULL OR shown.after_ms >= 86400000 * CAST(:days AS BIGINT)
    GROUP BY 1, 2
),

named AS (
    SELECT DISTINCT counted.purchase_id AS purchase_number, texts.transaction_id, texts.product_id
    FROM counted
    JOIN internal_purchase_texts AS texts ON texts.purchase_number = counted.purchase_id
),

owners AS (
    SELECT user_id, sum(refunds) AS refunds FROM counted GROUP BY user_id
)

SELECT
    apps.environment, apps.bundle_id,
    CASE WHEN users.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    users.name AS owner, coalesce(bought.transaction_id, '(all)') AS transaction_id,
    bought.product_id, counted.refunds, counted.products, first_days.day AS first_refund,
    last_days.day AS last_refund, counted.submissions AS submissions_after, submitted.day AS last_submitted,
    CAST((counted.after_ms - counted.after_ms % 86400000) / 86400000 AS BIGINT) AS days_after,
    CASE WHEN users.is_device = 0 THEN users.name END AS account_id, users.device_id, seen.day AS last_seen, apps.as_of
FROM counted
JOIN owners ON owners.user_id = counted.user_id
JOIN model_users AS users ON users.user_id = counted.user_id
JOIN apps ON apps.app_id = users.app_id
LEFT JOIN named AS bought ON bought.purchase_number = counted.purchase_id
LEFT JOIN model_days AS first_days ON first_days.day_number = counted.first_day
LEFT JOIN model_days AS last_days ON last_days.day_number = counted.last_day
LEFT JOIN model_utc_days AS last_utc
    ON last_utc.utc_day = CAST((counted.last_ms - counted.last_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS submitted
    ON submitted.day_number = CASE WHEN counted.last_ms < last_utc.midnight_ms THEN last_utc.earlier_day ELSE last_utc.later_day END
LEFT JOIN model_utc_days AS seen_utc
    ON seen_utc.utc_day = CAST((users.last_seen_ms - users.last_seen_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS seen
    ON seen.day_number = CASE WHEN users.last_seen_ms < seen_utc.midnight_ms THEN seen_utc.earlier_day ELSE seen_utc.later_day END
WHERE owners.refunds >= coalesce(CAST(:least AS BIGINT), CASE WHEN coalesce(:by, 'owner') = 'owner' THEN 2 ELSE 1 END)
ORDER BY counted.refunds DESC, 13 DESC NULLS LAST, 1, 2, 3, 4, 5;
