-- One row per currency whose amounts do not have two decimal places (ISO 4217, minor unit).
--
-- Columns:
--   currency  –       –  the currency (ISO 4217)
--   digits    digits  –  number of decimal places of amounts in the currency
CREATE VIEW internal_currency_digits AS
WITH listed(currency, digits) AS (
    VALUES
        ('BIF', 0),
        ('CLP', 0),
        ('DJF', 0),
        ('GNF', 0),
        ('ISK', 0),
        ('JPY', 0),
        ('KMF', 0),
        ('KRW', 0),
        ('PYG', 0),
        ('RWF', 0),
        ('UGX', 0),
        ('UYI', 0),
        ('VND', 0),
        ('VUV', 0),
        ('XAF', 0),
        ('XOF', 0),
        ('XPF', 0),
        ('BHD', 3),
        ('IQD', 3),
        ('JOD', 3),
        ('KWD', 3),
        ('LYD', 3),
        ('OMR', 3),
        ('TND', 3),
        ('CLF', 4),
        ('UYW', 4)
)

SELECT currency, digits FROM listed;
