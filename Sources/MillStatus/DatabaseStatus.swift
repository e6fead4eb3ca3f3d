internal import Foundation
package import GRDB
package import MillDatabase
package import ReceiptWarehouse

/// What a database states about its runs and about what a person should do. Every query reads small tables or a bounded
/// part of an index, so that the time does not depend on the database's size.
package struct DatabaseStatus: Sendable {
    /// The newest run that is not active.
    package let lastRun: RecordedRun?
    package let lastSuccess: RecordedRun?
    /// The active run; nil if there is none.
    package let currentRun: RecordedRun?
    /// When the first run began, in milliseconds since 1970.
    package let firstRunAt: Int64?
    /// The archives of the last run, at most ``maximumArchives`` of them.
    package let archives: [RecordedArchive]
    /// Rejections that are neither cleared nor dismissed, and when the first of their archives was loaded.
    package let openRejections: (count: BoundedCount, since: Int64?)
    /// Rejected lines that are kept in the database, and when the first was kept.
    package let letters: (count: BoundedCount, since: Int64?)
    /// Fraud cases without a decision; nil if the models were never computed.
    package let undecidedCases: BoundedCount?
    /// New signals of high severity that no decision settles, as the dashboard counts them; nil if the models were
    /// never computed.
    package let newHighSignals: BoundedCount?
    /// The number of members and values of signed documents that this version does not know.
    package let unknownMembers: Int
    package let storeFiles: StoreFileCounts
    /// The number of archives that repeat nearly all submissions of another archive with the same name, so that these
    /// submissions count twice; and the beginning of the digest of the first such archive.
    package let repeatedArchives: (count: Int, first: String?)
    /// Nil if the models were never computed.
    package let models: ModelState?
    /// The currency into which reports convert with the stored exchange rates; nil without such rates.
    package let currency: String?
    /// Since when the database has had rows that the models lack, in milliseconds since 1970: the start of a run, or
    /// the load of a report file; nil if the models lack none.
    let firstRunWithoutModels: Int64?
    /// What was deleted by the newest run that deleted expired rows or files; nil if there is no such run.
    package let aged: AgedCounts?

    /// The maximum number of archives that are listed.
    package static let maximumArchives = 1000

    /// - Parameters:
    ///   - isHeld: whether a run, or another command that changes the database, is active.
    ///   - note: how a run failed that could not record its failure in its row.
    package init(_ db: Database, isHeld: Bool, _ note: FailureNote? = nil) throws {
        let running = "outcome = '\(RunOutcome.running.rawValue)'"
        currentRun = isHeld ? try RecordedRun(where: running, db) : nil
        let last = try RecordedRun(where: currentRun.map { "run_id < \($0.id)" } ?? "true", db)
            .map { run in note.map(run.ended(by:)) ?? run }
        lastRun = last
        lastSuccess = try RecordedRun(where: "outcome = '\(RunOutcome.done.rawValue)'", db)
        firstRunAt = try Int64.fetchOne(db, sql: "SELECT started_at FROM run ORDER BY run_id LIMIT 1")
        archives = try last.map { try RecordedArchive.all(of: $0, limit: Self.maximumArchives, db) } ?? []
        let firstOpen = """
            SELECT first_loaded_at FROM archive
            WHERE archive_id = (SELECT min(archive_id) FROM rejection WHERE status = 'open')
            """
        openRejections = (
            try BoundedCount("SELECT 1 FROM rejection WHERE status = 'open'", db),
            try Int64.fetchOne(db, sql: firstOpen)
        )
        letters = (
            try BoundedCount("SELECT 1 FROM dead_letter INDEXED BY dead_letter_by_time", db),
            try Int64.fetchOne(db, sql: "SELECT min(kept_at) FROM dead_letter")
        )
        let hasCases = try db.has("model_cases")
        undecidedCases = hasCases ? try BoundedCount(ofFile: "care/undecided_cases.sql", db) : nil
        newHighSignals = hasCases ? try BoundedCount(ofFile: "care/new_high_signals.sql", db) : nil
        unknownMembers =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM (
                        SELECT DISTINCT path, value_type FROM unknown_set_member AS member
                        WHERE EXISTS (SELECT 1 FROM receipt WHERE receipt.unknown_set_id = member.unknown_set_id)
                    )
                    """) ?? 0
        storeFiles = try StoreFileCounts(db)
        let repeated = try String.fetchAll(
            db,
            sql: """
                SELECT lower(substr(hex(sha256), 1, 16)) FROM archive INDEXED BY archive_repeated
                WHERE repeated_in IS NOT NULL
                    AND EXISTS (SELECT 1 FROM archive AS other WHERE other.archive_id = archive.repeated_in)
                ORDER BY archive_id
                """)
        repeatedArchives = (repeated.count, repeated.first)
        models = try ModelState(db)
        currency = try String.fetchOne(db, sql: "SELECT into_currency FROM \(DailyRates.table) LIMIT 1")
        firstRunWithoutModels =
            try models.map {
                try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT min(time) FROM (
                            SELECT min(started_at) AS time FROM run WHERE started_at > ?1 AND lines > 0
                            UNION ALL
                            SELECT min(loaded_at) FROM store_file WHERE loaded_at > ?1
                        )
                        """, arguments: [$0.refreshedAt])
            } ?? firstRunAt
        aged = try AgedCounts(db)
    }
}

/// A number of rows, counted only up to a limit, so that counting stays fast enough for a screen.
package struct BoundedCount: Sendable, Hashable {
    package let count: Int
    /// Whether there are more rows than ``limit``; then the count is the limit.
    package let isMore: Bool
    package static let limit = 10_000

    init(_ query: String, _ db: Database) throws {
        self.init(try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(query) LIMIT \(Self.limit + 1))") ?? 0)
    }

    /// - Parameter path: the path of a query within `sql/` whose first parameter is its maximum number of rows.
    init(ofFile path: String, _ db: Database) throws {
        self.init(
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM (\(Database.sql(ofFile: path)))", arguments: [Self.limit + 1]) ?? 0)
    }

    private init(_ found: Int) { (count, isMore) = (min(found, Self.limit), found > Self.limit) }

    var text: String { isMore ? "more than \(count)" : "\(count)" }
}

/// What one run deleted because of its age.
package struct AgedCounts: Sendable, Hashable {
    package let runID: Int64
    /// When the run began, in milliseconds since 1970.
    package let startedAt: Int64
    package let submissions, letters, archives: Int

    /// The newest run that deleted something; nil if there is none.
    init?(_ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT run_id, started_at, submissions_expired, letters_expired, archives_expired FROM run
                WHERE submissions_expired + letters_expired + archives_expired > 0
                ORDER BY run_id DESC LIMIT 1
                """)
        guard let row else { return nil }
        (runID, startedAt, submissions, letters, archives) = (row[0], row[1], row[2], row[3], row[4])
    }
}

/// Counts of the loaded App Store report files.
package struct StoreFileCounts: Sendable, Hashable {
    package let files: Int
    package let rows: Int
    package let rejected: Int
    /// When the last file was loaded, in milliseconds since 1970.
    package let lastLoadedAt: Int64?

    init(_ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT count(*), coalesce(sum(rows), 0), coalesce(sum(rejected), 0), max(loaded_at) FROM store_file")
        (files, rows, rejected, lastLoadedAt) = (row?[0] ?? 0, row?[1] ?? 0, row?[2] ?? 0, row?[3])
    }
}
