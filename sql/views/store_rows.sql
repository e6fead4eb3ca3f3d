-- Rows of the store's report files about subscriptions, their events, subscribers, pre-orders, offer codes and
-- payments. Rows of SALES, FINANCIAL and FINANCE_DETAIL files are in store_sales.
--
-- Columns:
--   report         –       –  subscription, subscription_event, subscriber, pre_order, offer_code or payments
--   file           –       –  name of the file, without its folder; - for standard input
--   line           line    –  number of the line in the file, from 1
--   day            –       –  the day that the row states (ISO 8601); null if it states none
--   app_apple_id   number  –  the store's number of the app
--   product        –       –  name of the subscription or title; for payments, the region
--   country        –       –  country of the store, as the file writes it
--   subscriber_id  –       –  the store's random identifier of a subscriber
--   fields         –       –  JSON object of column names and texts, as the file has them, without empty fields; for
--                             payments also `read`: the amounts as decimal numbers, whatever the language of the file
--   file_id        number  –  the file's number in this database alone, in the order of loading
CREATE VIEW store_rows AS
SELECT
    store_file.report,
    store_file.name AS file,
    stated.line,
    stated.day,
    stated.app_apple_id,
    stated.product,
    stated.country,
    stated.subscriber_id,
    stated.fields,
    stated.file_id
FROM store_row AS stated
JOIN store_file USING (file_id);
