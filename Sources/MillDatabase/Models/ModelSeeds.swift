internal import GRDB
internal import MillSystem

/// Tables that models join but no SELECT computes: the calendars of the database's time zone and of the App Store, and
/// the run that finds signals.
enum ModelSeeds {
    /// - Parameters:
    ///   - former: the state of the present models; their calendars are kept if the new ones would be equal.
    ///   - run: the run that finds signals; nil if no run is active.
    /// - Returns: the time zone.
    static func make(replacing former: ModelState?, foundBy run: Int64?, _ db: Database) throws -> String {
        let zone = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'time_zone'") ?? "UTC"
        if former?.timeZone != zone || former?.definitions != ModelCatalog.definitions {
            try makeCalendars(of: LocalCalendar(zone: zone), db)
        }
        try db.execute(sql: runTable)
        if let run { try db.execute(sql: "INSERT INTO model_run (run_id) VALUES (?)", arguments: [run]) }
        return zone
    }

    private static func makeCalendars(of local: LocalCalendar, _ db: Database) throws {
        try db.execute(file: "calendar/tables.sql")
        func insert(_ rows: [StatementArguments], _ file: String) throws {
            let statement = try db.makeStatement(sql: Database.sql(ofFile: file))
            for row in rows { try statement.execute(arguments: row) }
        }
        func utcDays(of calendar: LocalCalendar) -> [StatementArguments] {
            calendar.utcDays.map { [$0.number, $0.midnight, $0.earlierDay, $0.laterDay] }
        }
        try insert(local.days.map { [$0.number, $0.begins, $0.ends] }, "calendar/days.sql")
        try db.execute(file: "calendar/months.sql")
        try insert(utcDays(of: local), "calendar/utc_days.sql")
        try insert(utcDays(of: LocalCalendar(zone: storeZone)), "calendar/pacific_days.sql")
        try insert(
            FiscalCalendar.all.months.map { [$0.number, $0.name, $0.begins, $0.ends] }, "calendar/fiscal_months.sql")
    }

    /// Creates the tables without rows.
    static func makeEmpty(_ db: Database) throws {
        try db.execute(file: "calendar/tables.sql")
        try db.execute(sql: runTable)
    }

    /// The time zone in which the App Store's reports for developers count days.
    private static let storeZone = "America/Los_Angeles"

    private static let runTable = """
        DROP TABLE IF EXISTS model_run;
        CREATE TABLE model_run (run_id INTEGER NOT NULL) STRICT;
        """
}
