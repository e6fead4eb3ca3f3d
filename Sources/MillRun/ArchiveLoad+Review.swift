internal import GRDB
internal import MillSystem
internal import ReceiptWarehouse

/// Archives whose lines are reviewed for alarms: lines that this run loaded, or that an earlier run loaded and did not
/// review.
extension ArchiveLoad {
    static func reviewed(by summary: RunSummary, _ database: Warehouse) throws(MillError) -> [ArchiveLoad] {
        let earlier = try unreviewed(database)
        // If a killed run began an archive, all of its lines count, including those of this run.
        let begun = Set(earlier.map(\.id))
        let loads = Dictionary(summary.loads.map { ($0.id, $0) }) { first, _ in first }
        return summary.loads.filter { !begun.contains($0.id) }
            + earlier.map { archive in
                guard let known = loads[archive.id] else { return archive }
                var archive = archive
                archive.path = known.path
                archive.rejectedDocuments = max(archive.rejectedDocuments, known.rejectedDocuments)
                return archive
            }
    }

    /// Archives whose first lines were loaded by a run that ended before its review for alarms.
    private static func unreviewed(_ database: Warehouse) throws(MillError) -> [ArchiveLoad] {
        try database.access { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT archive_id, name, lines, lines - loaded_lines - other_stores - headers
                    FROM archive
                    WHERE lines > 0
                        AND first_loaded_at >= (SELECT min(started_at) FROM run WHERE \(RunStore.isUnreviewed))
                    ORDER BY archive_id
                    """,
                arguments: ["running": RunOutcome.running.rawValue]
            ).map {
                ArchiveLoad(
                    path: $0[1], id: $0[0], lines: 1...($0[2] as Int64), rejectedLines: $0[3], rejectedDocuments: $0[3])
            }
        }
    }

    /// The maximum number of archives that an alarm names; further archives are only counted.
    private static let maximumNamed = 3

    /// The end of an alarm's message: the names of the archives that caused the alarm, those with the most lines first.
    static func named(_ counts: [(name: String, count: Int)]) -> String {
        let archives = counts.filter { $0.count > 0 }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        guard !archives.isEmpty else { return "" }
        var named = archives.prefix(maximumNamed).map { "\($0.name) (\($0.count))" }
        let more = archives.count - named.count
        if more > 0 { named.append("\(more) more") }
        return ": " + named.joined(separator: ", ")
    }
}
