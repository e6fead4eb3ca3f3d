-- source-disagreements: Trusted documents that contradict each other
-- Which trusted documents say different things of one purchase, and which of them counts?
--
-- Grain: one row per environment, bundle_id, transaction_id, owner, field, newer_sha256, older_sha256
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment          text  environment of the newer document; (none) where absent
--   bundle_id            text  bundle identifier of the app, by the newer document
--   transaction_id       text  the transaction; (none) where it is about how an owner got the app
--   owner                text  the owner, where it is about how an owner got the app; (none) elsewhere
--   field                text  what they contradict each other in: cancellation_date, revocation_reason,
--                              revocation_type, revoked_share, environment, bundle_id, product_id, quantity,
--                              purchase_date, expires_date or original_application_version
--   newer_sha256         text  the document created last, of those created at once that of the greater SHA-256
--   newer_kind           text  its kind
--   newer_creation_date  time  when it was created
--   newer_says           text  what it says; (none) where it says nothing
--   older_sha256         text  the other document
--   older_kind           text  its kind
--   older_creation_date  time  when it was created
--   older_says           text  what it says; (none) where it says nothing
--   counted              text  whose word counts: newer; older; neither, where a third does; both, where each makes a
--                              purchase of its own
--
-- Chart: bars  x=field  y=rows  series=counted
--
-- Notes:
--   What is compared: the cancellations that signed transactions state, each with that
--   of the document that counts; the purchases of one transaction in two apps, or in one
--   app under Production and ProductionVPP or no environment; the original versions that
--   an owner's documents state. Dates that differ by one second and less are equal.
--   A row with counted both is one purchase or two: views and money reports count two.
--   A document that states no cancellation contradicts one if it was created after the
--   date of that. The store may take a refund back, and dates it before it tells of it.
--   Not to be told: of one transaction in one app, the database keeps the word of the
--   newest document alone. What older receipts and transactions said of product,
--   quantity, purchase date and expiration, and what older receipts said of a
--   cancellation, is not kept; no row does not mean that they agree. Of the app's version
--   first got, the earliest counts; who has two Apple accounts has got it twice.
--
-- Example:
--   receiptmill report source-disagreements --database mill.sqlite

WITH statements AS (
    -- Where no signed transaction tells of a purchase, one receipt's word is all there is.
    SELECT * FROM cancellation_statements
    WHERE purchase_number IN (SELECT purchase_number FROM told_purchases)
),

said AS (
    SELECT
        other.environment,
        other.bundle_id,
        other.transaction_id,
        latest.receipt_sha256 AS latest_sha256,
        latest.kind AS latest_kind,
        latest.creation_date AS latest_creation_date,
        latest.cancellation_date AS latest_says,
        other.receipt_sha256,
        other.kind,
        other.creation_date,
        other.cancellation_date,
        row_number() OVER (
            PARTITION BY other.purchase_number, other.cancellation_second
            ORDER BY other.creation_second DESC, other.receipt_sha256 DESC
        ) AS place
    FROM statements AS other
    JOIN statements AS latest ON latest.purchase_number = other.purchase_number
    WHERE latest.is_latest = 1
        AND other.is_latest = 0
        AND CASE
            WHEN other.cancellation_second IS NULL THEN other.creation_second > latest.cancellation_second + 1
            WHEN latest.cancellation_second IS NULL THEN 1 = 1
            ELSE abs(other.cancellation_second - latest.cancellation_second) > 1
        END
),

-- Words about one revocation.
terms AS (
    SELECT
        statements.*,
        'revocation_reason' AS field,
        CAST(revocation_reason AS VARCHAR(20)) AS says
    FROM statements
    WHERE revocation_reason IS NOT NULL
    UNION ALL
    SELECT statements.*, 'revocation_type', revocation_type
    FROM statements
    WHERE revocation_type IS NOT NULL
    UNION ALL
    SELECT statements.*, 'revoked_share', CAST(revoked_share AS VARCHAR(20))
    FROM statements
    WHERE revoked_share IS NOT NULL
),

placed_terms AS (
    SELECT
        terms.*,
        row_number() OVER (
            PARTITION BY purchase_number, cancellation_second, field ORDER BY creation_second DESC, receipt_sha256 DESC
        ) AS place,
        row_number() OVER (
            PARTITION BY purchase_number, cancellation_second, field, says
            ORDER BY creation_second DESC, receipt_sha256 DESC
        ) AS place_of_word
    FROM terms
),

placed_versions AS (
    SELECT
        owner_versions.*,
        row_number() OVER (
            PARTITION BY owner, owner_kind, bundle_id, environment ORDER BY creation_second DESC, receipt_sha256 DESC
        ) AS place,
        min(original_application_version_key) OVER (
            PARTITION BY owner, owner_kind, bundle_id, environment
        ) AS earliest_key
    FROM owner_versions
),

pairs AS (
    SELECT * FROM paired_purchases
),

paired AS (
    SELECT pairs.*, 'environment' AS field, newer_environment AS newer_says, older_environment AS older_says
    FROM pairs
    WHERE newer_bundle_id = older_bundle_id
    UNION ALL
    SELECT pairs.*, 'bundle_id', newer_bundle_id, older_bundle_id
    FROM pairs
    WHERE newer_bundle_id <> older_bundle_id
    UNION ALL
    SELECT pairs.*, 'product_id', newer_product_id, older_product_id
    FROM pairs
    WHERE coalesce(newer_product_id, '') <> coalesce(older_product_id, '')
    UNION ALL
    SELECT
        pairs.*,
        'quantity',
        CAST(newer_quantity AS VARCHAR(20)),
        CAST(older_quantity AS VARCHAR(20))
    FROM pairs
    WHERE newer_quantity <> older_quantity
    UNION ALL
    SELECT pairs.*, 'purchase_date', newer_purchase_date, older_purchase_date
    FROM pairs
    WHERE abs(coalesce(newer_purchase_second, -9) - coalesce(older_purchase_second, -9)) > 1
    UNION ALL
    SELECT pairs.*, 'expires_date', newer_expires_date, older_expires_date
    FROM pairs
    WHERE abs(coalesce(newer_expiry_second, -9) - coalesce(older_expiry_second, -9)) > 1
    UNION ALL
    SELECT pairs.*, 'cancellation_date', newer_cancellation_date, older_cancellation_date
    FROM pairs
    WHERE abs(coalesce(newer_cancellation_second, -9) - coalesce(older_cancellation_second, -9)) > 1
),

found AS (
    SELECT
        environment,
        bundle_id,
        transaction_id,
        '(none)' AS owner,
        environment AS older_environment,
        bundle_id AS older_bundle_id,
        'cancellation_date' AS field,
        latest_sha256 AS newer_sha256,
        latest_kind AS newer_kind,
        latest_creation_date AS newer_creation_date,
        latest_says AS newer_says,
        receipt_sha256 AS older_sha256,
        kind AS older_kind,
        creation_date AS older_creation_date,
        cancellation_date AS older_says,
        'newer' AS counted
    FROM said
    WHERE place = 1
    UNION ALL
    SELECT
        older.environment,
        older.bundle_id,
        older.transaction_id,
        '(none)',
        older.environment,
        older.bundle_id,
        older.field,
        newer.receipt_sha256,
        newer.kind,
        newer.creation_date,
        newer.says,
        older.receipt_sha256,
        older.kind,
        older.creation_date,
        older.says,
        'newer'
    FROM placed_terms AS older
    JOIN placed_terms AS newer
        ON newer.purchase_number = older.purchase_number
        AND newer.cancellation_second = older.cancellation_second
        AND newer.field = older.field
    WHERE newer.place = 1
        AND older.place_of_word = 1
        AND older.says <> newer.says
    UNION ALL
    SELECT
        newer_environment,
        newer_bundle_id,
        transaction_id,
        '(none)',
        older_environment,
        older_bundle_id,
        field,
        newer_receipt_sha256,
        newer_kind,
        newer_creation_date,
        newer_says,
        older_receipt_sha256,
        older_kind,
        older_creation_date,
        older_says,
        'both'
    FROM paired
    UNION ALL
    SELECT
        newer.environment,
        newer.bundle_id,
        '(none)',
        newer.owner,
        newer.environment,
        newer.bundle_id,
        'original_application_version',
        newer.receipt_sha256,
        newer.kind,
        newer.creation_date,
        newer.original_application_version,
        older.receipt_sha256,
        older.kind,
        older.creation_date,
        older.original_application_version,
        CASE
            WHEN newer.original_application_version_key = newer.earliest_key THEN 'newer'
            WHEN older.original_application_version_key = newer.earliest_key THEN 'older'
            ELSE 'neither'
        END
    FROM placed_versions AS older
    JOIN placed_versions AS newer
        ON newer.owner = older.owner
        AND newer.owner_kind = older.owner_kind
        AND coalesce(newer.bundle_id, '') = coalesce(older.bundle_id, '')
        AND coalesce(newer.environment, '') = coalesce(older.environment, '')
    WHERE newer.place = 1
        AND older.place > 1
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    transaction_id,
    owner,
    field,
    newer_sha256,
    newer_kind,
    newer_creation_date,
    coalesce(newer_says, '(none)') AS newer_says,
    older_sha256,
    older_kind,
    older_creation_date,
    coalesce(older_says, '(none)') AS older_says,
    counted
FROM found
WHERE (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || older_environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id, older_bundle_id)
ORDER BY 1, 2, 3, 4, 5, 6, 10;
