-- Splits the JSON lines that receiptmill decode writes into rows, in DuckDB's dialect of SQL.

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
FROM (SELECT archive_sha256, line, unnest(documents) AS other FROM decoded) AS others;

-- The documents inside other documents.
CREATE OR REPLACE TEMPORARY VIEW decoded_parts AS
SELECT archive_sha256, receipt.sha256 AS holder_sha256, unnest(parts) AS held
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
SELECT
    archive_sha256,
    receipt,
    terms,
    unnest(purchases) AS purchase,
    generate_subscripts(purchases, 1) - 1 AS place
FROM decoded_statements;

CREATE OR REPLACE TEMPORARY VIEW decoded_issuers AS
SELECT archive_sha256, unnest(receipt.issuers) AS certificate
FROM decoded_statements;

-- One row for each refund of an item, for each item without a refund, and for each sale without items.
CREATE OR REPLACE TEMPORARY VIEW decoded_items AS
SELECT
    archive_sha256,
    receipt,
    commerce,
    unnest(CASE WHEN len(commerce.items) > 0 THEN commerce.items ELSE [NULL] END) AS stated_item,
    unnest(CASE WHEN len(commerce.items) > 0 THEN range(1, len(commerce.items) + 1) ELSE [NULL] END) AS item_place
FROM (SELECT archive_sha256, receipt, coalesce(terms.commerce, renewal.commerce) AS commerce FROM decoded_statements) AS sales
WHERE commerce IS NOT NULL;

CREATE OR REPLACE TEMPORARY VIEW decoded_refunds AS
SELECT
    archive_sha256,
    receipt,
    commerce,
    stated_item,
    item_place,
    unnest(CASE WHEN len(stated_item.refunds) > 0 THEN stated_item.refunds ELSE [NULL] END) AS stated_refund,
    unnest(CASE WHEN len(stated_item.refunds) > 0 THEN range(1, len(stated_item.refunds) + 1) ELSE [NULL] END)
        AS refund_place
FROM decoded_items;
