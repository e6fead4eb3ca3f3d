-- Creates the empty tables of days, UTC days and months in the time zone of a database, and of Pacific days and fiscal
-- months.

DROP TABLE IF EXISTS model_days;
CREATE TABLE model_days (
    day_number   INTEGER PRIMARY KEY,
    day          TEXT    NOT NULL,
    week_number  INTEGER NOT NULL,
    week         TEXT    NOT NULL,
    month_number INTEGER NOT NULL,
    month        TEXT    NOT NULL,
    begins_ms    INTEGER NOT NULL,
    ends_ms      INTEGER NOT NULL,
    -- The day of the month on which months counted from a customer's first transaction end. It is 31 for the last day
    -- of a month, because such months that began on a later day end there.
    own_day      INTEGER NOT NULL
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
    ends_ms      INTEGER NOT NULL,
    last_day     INTEGER NOT NULL
) STRICT;

-- The App Store counts days in Pacific time, whatever the time zone of the database.
DROP TABLE IF EXISTS model_pacific_days;
CREATE TABLE model_pacific_days (
    utc_day     INTEGER PRIMARY KEY,
    midnight_ms INTEGER NOT NULL,
    earlier_day INTEGER NOT NULL,
    later_day   INTEGER NOT NULL
) STRICT;

-- Apple's fiscal months. The number grows by one from month to month; ends_day is the last day of the month.
DROP TABLE IF EXISTS model_fiscal_months;
CREATE TABLE model_fiscal_months (
    fiscal_month_number INTEGER PRIMARY KEY,
    fiscal_month        TEXT    NOT NULL,
    begins_day          INTEGER NOT NULL,
    ends_day            INTEGER NOT NULL
) STRICT;
