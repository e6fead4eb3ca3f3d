-- Splits the JSON lines that receiptmill decode writes into rows, in Spark's dialect of SQL.

-- All documents of a line, including the first.
CREATE OR REPLACE TEMPORARY VIEW decoded_documents AS
SELECT
    archive_sha256,
    line,
    CAST(1 AS BIGINT) AS document,
    is_repeated,
    submission,
    receipt,
    purchases,
    terms,
    renewal,
    app_transaction,
    notification,
    realtime_request,
    parts,
    rejection
FROM decoded
UNION ALL
SELECT
    archive_sha256,
    line,
    other.document,
    false,
    other.submission,
    other.receipt,
    other.purchases,
    other.terms,
    other.renewal,
    other.app_transaction,
    other.notification,
    other.realtime_request,
    other.parts,
    other.rejection
FROM (SELECT archive_sha256, line, explode(documents) AS other FROM decoded) AS others;

-- The documents inside other documents.
CREATE OR REPLACE TEMPORARY VIEW decoded_parts AS
SELECT archive_sha256, receipt.sha256 AS holder_sha256, explode(parts) AS held
FROM decoded_documents
WHERE NOT is_repeated;

-- The statements of each document, including documents inside others.
CREATE OR REPLACE TEMPORARY VIEW decoded_statements AS
SELECT archive_sha256, receipt, purchases, terms, renewal, app_transaction, notification, realtime_request
FROM decoded_documents
WHERE NOT is_repeated
    AND receipt.sha256 IS NOT NULL
UNION ALL
SELECT
    archive_sha256,
    held.receipt,
    held.purchases,
    held.terms,
    held.renewal,
    held.app_transaction,
    held.notification,
    held.realtime_request
FROM decoded_parts;

CREATE OR REPLACE TEMPORARY VIEW decoded_purchases AS
SELECT archive_sha256, receipt, terms, posexplode(purchases) AS (place, purchase)
FROM decoded_statements;

CREATE OR REPLACE TEMPORARY VIEW decoded_issuers AS
SELECT archive_sha256, explode(receipt.issuers) AS certificate
FROM decoded_statements;

-- One row for each refund of an item, for each item without a refund, and for each sale without items.
CREATE OR REPLACE TEMPORARY VIEW decoded_refunds AS
SELECT
    archive_sha256,
    receipt,
    commerce,
    stated_item,
    CAST(item_index + 1 AS BIGINT) AS item_place,
    stated_refund,
    CAST(refund_index + 1 AS BIGINT) AS refund_place
FROM (SELECT archive_sha256, receipt, coalesce(terms.commerce, renewal.commerce) AS commerce FROM decoded_statements) AS sales
LATERAL VIEW OUTER posexplode(commerce.items) AS item_index, stated_item
LATERAL VIEW OUTER posexplode(stated_item.refunds) AS refund_index, stated_refund
WHERE commerce IS NOT NULL;
