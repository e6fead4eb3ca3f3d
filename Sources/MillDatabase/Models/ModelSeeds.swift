internal import GRDB
internal import MillSystem

/// Tables that models join and no SELECT gives: the calendar of the database's time zone, and the price list by it.
enum ModelSeeds {
    /// - Parameters:
    ///   - former: of the models that are there, whose calendar is kept where it would be the same.
    ///   - run: the run that finds signals; none where nil.
    /// - Returns: the time zone.
    static func make(replacing former: ModelState?, foundBy run: Int64?, _ db: Database) throws -> String {
        let zone = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'time_zone'") ?? "UTC"
        if former?.timeZone != zone || former?.definitions != Models.definitions {
            let calendar = try LocalCalendar(zone: zone)
            let rows = { (rows: [String]) in "[\(rows.joined(separator: ","))]" }
            let days = calendar.days.map { "[\($0.number),\($0.begins),\($0.ends)]" }
            let utcDays = calendar.utcDays.map { "[\($0.number),\($0.midnight),\($0.earlierDay),\($0.laterDay)]" }
            try db.execute(sql: calendarTables)
            try db.execute(sql: insertDays, arguments: [rows(days)])
            try db.execute(sql: insertUTCDays, arguments: [rows(utcDays)])
            try db.execute(sql: months)
        }
        try db.execute(sql: otherTables)
        try db.execute(sql: listedPrices)
        if let run { try db.execute(sql: "INSERT INTO model_run (run_id) VALUES (?)", arguments: [run]) }
        return zone
    }

    /// The tables without rows.
    static func makeEmpty(_ db: Database) throws { try db.execute(sql: calendarTables + otherTables) }

    private static let calendarTables = """
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

        """

    private static let otherTables = """
        DROP TABLE IF EXISTS model_listed_prices;
        CREATE TABLE model_listed_prices (
            product_number          INTEGER NOT NULL,
            currency                TEXT    NOT NULL,
            price_milliunits        INTEGER NOT NULL,
            introductory_milliunits INTEGER,
            from_ms                 INTEGER NOT NULL,
            until_ms                INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX model_listed_prices_index_1 ON model_listed_prices (product_number, from_ms);
        DROP TABLE IF EXISTS model_run;
        CREATE TABLE model_run (run_id INTEGER NOT NULL) STRICT;
        """

    /// Weeks begin on Monday; 1970 began on a Thursday.
    private static let insertDays = """
        INSERT INTO model_days
        SELECT
            number, date, number - (number + 3) % 7, date((number - (number + 3) % 7) * 86400, 'unixepoch'),
            \(month(of: "date")), substr(date, 1, 7), begins, ends
        FROM (
            SELECT
                value ->> 0 AS number, date((value ->> 0) * 86400, 'unixepoch') AS date, value ->> 1 AS begins,
                value ->> 2 AS ends
            FROM json_each(?)
        )
        """

    private static let insertUTCDays = """
        INSERT INTO model_utc_days
        SELECT number, midnight, earlier, later, \(month(of: "earlier_date")), \(month(of: "later_date"))
        FROM (
            SELECT
                value ->> 0 AS number, value ->> 1 AS midnight, value ->> 2 AS earlier, value ->> 3 AS later,
                date((value ->> 2) * 86400, 'unixepoch') AS earlier_date,
                date((value ->> 3) * 86400, 'unixepoch') AS later_date
            FROM json_each(?)
        )
        """

    private static func month(of date: String) -> String {
        "substr(\(date), 1, 4) * 12 + substr(\(date), 6, 2) - 1"
    }

    private static let months = """
        INSERT INTO model_months
        SELECT month_number, month, min(begins_ms), max(ends_ms) FROM model_days GROUP BY month_number, month
        """

    /// A price is that of its product until the next in its currency is. From where the list has the product in two
    /// currencies, nothing tells which one was paid.
    private static let listedPrices = """
        INSERT INTO model_listed_prices
        WITH dated AS (
            SELECT
                product.product_number, listed.currency, listed.price_milliunits, listed.introductory_milliunits,
                CASE WHEN days.begins_ms IS NULL THEN -9223372036854775807 ELSE days.begins_ms END AS from_ms
            FROM listed_price AS listed
            JOIN product ON product.product_id = listed.product_id
            LEFT JOIN model_days AS days ON days.day = listed.valid_from
            WHERE days.day IS NOT NULL OR listed.valid_from < (SELECT min(day) FROM model_days)
        ),
        spans AS (
            SELECT
                dated.*,
                coalesce(
                    lead(from_ms) OVER (PARTITION BY product_number, currency ORDER BY from_ms), 9223372036854775807
                ) AS next_ms,
                coalesce(
                    (
                        SELECT min(other.from_ms) FROM dated AS other
                        WHERE other.product_number = dated.product_number AND other.currency <> dated.currency
                    ),
                    9223372036854775807
                ) AS ambiguous_ms
            FROM dated
        )
        SELECT
            product_number, currency, price_milliunits, introductory_milliunits, from_ms, min(next_ms, ambiguous_ms)
        FROM spans
        WHERE from_ms < min(next_ms, ambiguous_ms)
        ORDER BY product_number, from_ms
        """
}
