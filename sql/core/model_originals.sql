-- Original transactions: who pays for what was bought under one, and until when its fate is known, as model_payers says.
--
-- Grain: one row per app and original transaction
-- Key: original_id, app_id
-- Reference: app_id = app(app_id)
-- Reference: customer_id = model_customers(customer_id)
--
-- Columns:
--   original_id  ANY!      –   identifier of the original transaction, as the loader keeps it
--   app_id       INTEGER!  –   app and environment, by the loader's number
--   known_ms     INTEGER   ms  until when its fate is known by documents of its own and app receipts of its owners
--   customer_id  INTEGER!  –   who pays, numbered in these models: one for each app and environment
SELECT original_id, app_id, known_ms, customer_id
FROM model_payers
