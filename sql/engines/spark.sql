-- What Spark SQL needs beside sql/lake, the models and sql/views: the functions that they call.

-- Milliseconds since 1970 as views show them, in a session whose time zone is UTC.
CREATE OR REPLACE TEMPORARY FUNCTION time_text(ms BIGINT) RETURNS STRING
RETURN date_format(timestamp_millis(ms), "yyyy-MM-dd'T'HH:mm:ss'Z'");
CREATE OR REPLACE TEMPORARY FUNCTION day_text(ms BIGINT) RETURNS STRING
RETURN date_format(timestamp_millis(ms), 'yyyy-MM-dd');
CREATE OR REPLACE TEMPORARY FUNCTION now_ms() RETURNS BIGINT
RETURN unix_millis(current_timestamp());

-- The greater and the lesser of two values, null if either is.
CREATE OR REPLACE TEMPORARY FUNCTION greater_of(one BIGINT, other BIGINT) RETURNS BIGINT
RETURN CASE WHEN one >= other THEN one WHEN one < other THEN other END;
CREATE OR REPLACE TEMPORARY FUNCTION lesser_of(one BIGINT, other BIGINT) RETURNS BIGINT
RETURN CASE WHEN one <= other THEN one WHEN one > other THEN other END;

-- Text that sorts as SQLite sorts identifiers of transactions: canonical decimal
-- of 64 bits by number, and before all others, which sort as text.
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

-- What identifies rows: as it is.
CREATE OR REPLACE TEMPORARY FUNCTION receipt_key(digest BINARY) RETURNS BINARY RETURN digest;
CREATE OR REPLACE TEMPORARY FUNCTION row_key(name STRING) RETURNS STRING RETURN name;
-- A number, as DuckDB's keys are, of what models have 0 for where it is not stated: apps, products and versions.
CREATE OR REPLACE TEMPORARY FUNCTION number_key(name STRING) RETURNS DECIMAL(38, 0)
RETURN CAST(conv(substr(sha2(name, 256), 1, 15), 16, 10) AS DECIMAL(38, 0)) * 1152921504606846976BD
    + CAST(conv(substr(sha2(name, 256), 16, 15), 16, 10) AS DECIMAL(38, 0));
CREATE OR REPLACE TEMPORARY FUNCTION app_key(environment STRING, bundle_id STRING) RETURNS DECIMAL(38, 0)
RETURN number_key(app_name(environment, bundle_id));
