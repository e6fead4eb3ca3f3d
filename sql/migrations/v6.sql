-- From schema 5 to 6.

-- What a user has set for all models. time_zone: the IANA name of the zone by which days, weeks and months are
-- told; UTC where it is not set.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What products cost, as the user lists it: receipts state no price.
CREATE TABLE listed_price (
    product_id              TEXT    NOT NULL,
    currency                TEXT    NOT NULL,
    price_milliunits        INTEGER NOT NULL,         -- of one
    introductory_milliunits INTEGER,                  -- of one at the introductory offer, where one is listed
    valid_from              TEXT    NOT NULL,         -- first day, YYYY-MM-DD; '' for as long as there is the product
    PRIMARY KEY (product_id, currency, valid_from)
) STRICT, WITHOUT ROWID;

-- How many transactions have changed what models are worked out of: models that were made at another count are
-- outdated.
CREATE TABLE change_count (
    changes INTEGER NOT NULL
) STRICT;

INSERT INTO change_count (changes) VALUES (0);
