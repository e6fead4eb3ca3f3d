internal import GRDB
internal import MillSystem

/// Tables that models join and no SELECT gives: the calendar of the database's time zone, and the run that finds signals.
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
        try db.execute(sql: runTable)
        if let run { try db.execute(sql: "INSERT INTO model_run (run_id) VALUES (?)", arguments: [run]) }
        return zone
    }

    /// The tables without rows.
    static func makeEmpty(_ db: Database) throws { try db.execute(sql: calendarTables + runTable) }

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

    private static let runTable = """
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
}
