-- One row: how far the database sees. The newest day on which the store created
-- a trusted receipt; unlike times of submission, nobody else can write it.
-- Reports that ask "as of when?" take this day unless given another.
--
-- Columns:
--   day         day                 –  newest day of a trusted receipt
--   day_number  days since 1970     –  the same as a number
--   second      seconds since 1970  –  the moment
CREATE VIEW horizon AS
SELECT
    strftime('%Y-%m-%d', newest / 1000, 'unixepoch') AS day,
    newest / 86400000 AS day_number,
    newest / 1000 AS second
FROM (SELECT max(receipt_creation_date) AS newest FROM receipt WHERE verdict = 'trusted');
