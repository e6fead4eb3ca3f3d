-- The days, months and days of UTC of the time zone of a database, without rows.

DROP TABLE IF EXISTS model_days;
CREATE TABLE model_days (
    day_number   INTEGER PRIMARY KEY,
    day          TEXT    NOT NULL,
    week_number  INTEGER NOT NULL,
    week         TEXT    NOT NULL,
    month_number INTEGER NOT NULL,
    month        TEXT    NOT NULL,
    begins_ms    INTEGER NOT NULL,
    ends_ms      INTEGER NOT NULL
) STRICT;
DROP TABLE IF EXISTS model_utc_days;
CREATE TABLE model_utc_days (
    utc_day       INTEGER PRIMARY KEY,
    midnight_ms   INTEGER NOT NULL,
    earlier_day   INTEGER NOT NULL,
    later_day     INTEGER NOT NULL,
    earlier_month INTEGER NOT NULL,
    later_month   INTEGER NOT NULL
) STRICT;
DROP TABLE IF EXISTS model_months;
CREATE TABLE model_months (
    month_number INTEGER PRIMARY KEY,
    month        TEXT    NOT NULL,
    begins_ms    INTEGER NOT NULL,
    ends_ms      INTEGER NOT NULL
) STRICT;
