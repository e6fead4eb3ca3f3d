internal import GRDB
internal import MillSystem

/// Tables that models join and that no SELECT computes: the calendar of the database's time zone, and the run that
/// finds signals.
enum ModelSeeds {
    /// - Parameters:
    ///   - former: the state of the present models; their calendar stays if the new one would be equal.
    ///   - run: the run that finds signals; nil where no run is at work.
    /// - Returns: the time zone.
    static func make(replacing former: ModelState?, foundBy run: Int64?, _ db: Database) throws -> String {
        let zone = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'time_zone'") ?? "UTC"
        if former?.timeZone != zone || former?.definitions != Models.definitions {
            let local = try LocalCalendar(zone: zone)
            let rows = { (rows: [String]) in "[\(rows.joined(separator: ","))]" }
            let days = local.days.map { "[\($0.number),\($0.begins),\($0.ends)]" }
            let utcDays = local.utcDays.map { "[\($0.number),\($0.midnight),\($0.earlierDay),\($0.laterDay)]" }
            try db.execute(file: "calendar/tables.sql")
            try db.execute(file: "calendar/days.sql", arguments: [rows(days)])
            try db.execute(file: "calendar/utc_days.sql", arguments: [rows(utcDays)])
            try db.execute(file: "calendar/months.sql")
        }
        try db.execute(sql: runTable)
        if let run { try db.execute(sql: "INSERT INTO model_run (run_id) VALUES (?)", arguments: [run]) }
        return zone
    }

    /// Creates the tables without rows.
    static func makeEmpty(_ db: Database) throws {
        try db.execute(file: "calendar/tables.sql")
        try db.execute(sql: runTable)
    }

    private static let runTable = """
        DROP TABLE IF EXISTS model_run;
        CREATE TABLE model_run (run_id INTEGER NOT NULL) STRICT;
        """
}
