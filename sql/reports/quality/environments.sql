-- environments: Receipts by environment and app
-- From which environments and apps do receipts come?
--
-- Grain: one row per environment, bundle_id, kind, verdict
--
-- Columns:
--   environment  text                   attribute 0 as it stands; (none) where absent
--   bundle_id    text                   bundle identifier of the app; (none) where absent
--   kind         text                   app_receipt or transaction_receipt
--   verdict      text                   what verifying said
--   receipts     integer(receipts)      distinct receipts
--   purchases    integer(transactions)  purchases in them, a purchase in two receipts twice
--   bytes        integer(bytes)         size of the receipts
--
-- Chart: bars  x=environment  y=receipts  series=verdict
--
-- Example:
--   receiptmill report environments --database mill.sqlite

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    kind,
    verdict,
    sum(receipts) AS receipts,
    sum(purchases) AS purchases,
    sum(bytes) AS bytes
FROM daily_receipts
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;
