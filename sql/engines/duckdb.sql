-- The functions that sql/lake, the models and sql/views call, for DuckDB.

-- Times in milliseconds since 1970, as the text that views show.
CREATE OR REPLACE MACRO time_text(ms) AS strftime(epoch_ms(CAST(ms AS BIGINT)), '%Y-%m-%dT%H:%M:%SZ');
CREATE OR REPLACE MACRO day_text(ms) AS strftime(epoch_ms(CAST(ms AS BIGINT)), '%Y-%m-%d');
CREATE OR REPLACE MACRO now_ms() AS epoch_ms(now());

-- The greater and the lesser of two values; null if either value is null.
CREATE OR REPLACE MACRO greater_of(one, other) AS CASE
    WHEN one >= other THEN one
    WHEN one < other THEN other
END;
CREATE OR REPLACE MACRO lesser_of(one, other) AS CASE
    WHEN one <= other THEN one
    WHEN one > other THEN other
END;

-- Text that sorts in SQLite's order of transaction identifiers: canonical decimal numbers of 64 bits first, by value,
-- then all other identifiers, as text.
CREATE OR REPLACE MACRO transaction_key(identifier) AS CASE
    WHEN identifier <> '' AND translate(identifier, '0123456789', '') = ''
        AND (identifier = '0' OR substr(identifier, 1, 1) <> '0')
        AND (length(identifier) < 19 OR (length(identifier) = 19 AND identifier <= '9223372036854775807'))
        THEN lpad(CAST(length(identifier) AS VARCHAR), 2, '0') || identifier
    ELSE 't:' || identifier
END;
CREATE OR REPLACE MACRO transaction_text(identifier_key) AS substr(identifier_key, 3);

-- Environment and bundle identifier in one text.
CREATE OR REPLACE MACRO app_name(environment, bundle_id) AS
    length(coalesce(environment, '')) || ':' || coalesce(environment, '') || coalesce(bundle_id, '');

-- Keys of 120 bits, which join in half the time that text and digests take: the beginning of a SHA-256, of which
-- no two equal ones are known.
CREATE OR REPLACE MACRO receipt_key(digest) AS CAST('0x' || substr(hex(digest), 1, 30) AS HUGEINT);
CREATE OR REPLACE MACRO row_key(name) AS CAST('0x' || substr(sha256(name), 1, 30) AS HUGEINT);
CREATE OR REPLACE MACRO number_key(name) AS row_key(name);
CREATE OR REPLACE MACRO app_key(environment, bundle_id) AS row_key(app_name(environment, bundle_id));

-- One row for each member of a list.
CREATE OR REPLACE MACRO explode(members) AS unnest(members);
