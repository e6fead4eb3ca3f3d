-- Original transactions: which customer pays for the purchases under each, and until when it is known whether it was
-- renewed, refunded or ended. model_payers has the rules.
--
-- Grain: one row per app and original transaction
-- Key: original_id, app_id
-- Index: customer_id
-- Slice: original_id, app_id
-- Reference: app_id = app(app_id)
--
-- Columns:
--   original_id  ANY!      –   identifier of the original transaction, as the loader keeps it
--   app_id       INTEGER!  –   app and environment, by the loader's number
--   known_ms     INTEGER   ms  until this time it is known whether the original transaction was renewed, refunded or
--                              ended, from its own documents and its owners' app receipts
--   customer_id  INTEGER!  –   number of the customer who pays, as in model_customer_numbers
SELECT payer.original_id, payer.app_id, payer.known_ms, numbered.customer_id
FROM model_payers AS payer
JOIN model_customer_numbers AS numbered
    ON numbered.name = payer.name
    AND numbered.app_id = payer.app_id
    AND numbered.customer_kind = payer.customer_kind
