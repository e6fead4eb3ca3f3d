-- The functions that sql/lake, the models and sql/views call, for Spark SQL.

-- Times in milliseconds since 1970, as the text that views show. The time zone of the session has to be UTC.
CREATE OR REPLACE TEMPORARY FUNCTION time_text(ms BIGINT) RETURNS STRING
RETURN date_format(timestamp_millis(ms), "yyyy-MM-dd'T'HH:mm:ss'Z'");
CREATE OR REPLACE TEMPORARY FUNCTION day_text(ms BIGINT) RETURNS STRING
RETURN date_format(timestamp_millis(ms), 'yyyy-MM-dd');
CREATE OR REPLACE TEMPORARY FUNCTION now_ms() RETURNS BIGINT
RETURN unix_millis(current_timestamp());

-- The greater and the lesser of two values; null if either value is null.
CREATE OR REPLACE TEMPORARY FUNCTION greater_of(one BIGINT, other BIGINT) RETURNS BIGINT
RETURN CASE WHEN one >= other THEN one WHEN one < other THEN other END;
CREATE OR REPLACE TEMPORARY FUNCTION lesser_of(one BIGINT, other BIGINT) RETURNS BIGINT
RETURN CASE WHEN one <= other THEN one WHEN one > other THEN other END;

-- Text that sorts in SQLite's order of transaction identifiers: canonical decimal numbers of 64 bits first, by value,
-- then all other identifiers, as text.
CREATE OR REPLACE TEMPORARY FUNCTION transaction_key(identifier STRING) RETURNS STRING
RETURN CASE
    WHEN identifier <> '' AND translate(identifier, '0123456789', '') = ''
        AND (identifier = '0' OR substr(identifier, 1, 1) <> '0')
        AND (length(identifier) < 19 OR (length(identifier) = 19 AND identifier <= '9223372036854775807'))
        THEN lpad(CAST(length(identifier) AS STRING), 2, '0') || identifier
    ELSE 't:' || identifier
END;
CREATE OR REPLACE TEMPORARY FUNCTION transaction_text(identifier_key STRING) RETURNS STRING
RETURN substr(identifier_key, 3);

-- Environment and bundle identifier in one text.
CREATE OR REPLACE TEMPORARY FUNCTION app_name(environment STRING, bundle_id STRING) RETURNS STRING
RETURN length(coalesce(environment, '')) || ':' || coalesce(environment, '') || coalesce(bundle_id, '');

-- The keys of rows are the digests and names themselves.
CREATE OR REPLACE TEMPORARY FUNCTION receipt_key(digest BINARY) RETURNS BINARY RETURN digest;
CREATE OR REPLACE TEMPORARY FUNCTION row_key(name STRING) RETURNS STRING RETURN name;
-- The keys of apps, products and versions are numbers, as in DuckDB, because models have 0 if none is stated.
CREATE OR REPLACE TEMPORARY FUNCTION number_key(name STRING) RETURNS DECIMAL(38, 0)
RETURN CAST(conv(substr(sha2(name, 256), 1, 15), 16, 10) AS DECIMAL(38, 0)) * 1152921504606846976BD
    + CAST(conv(substr(sha2(name, 256), 16, 15), 16, 10) AS DECIMAL(38, 0));
CREATE OR REPLACE TEMPORARY FUNCTION app_key(environment STRING, bundle_id STRING) RETURNS DECIMAL(38, 0)
RETURN number_key(app_name(environment, bundle_id));
