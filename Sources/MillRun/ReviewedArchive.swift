internal import GRDB
internal import MillSystem
internal import ReceiptWarehouse

/// An archive whose lines are reviewed for alarms: lines that this run loaded, or that an earlier run loaded and did
/// not review.
struct ReviewedArchive {
    /// The archive's path if this run read it, else its name.
    let name: String
    let id: Int64
    let lines: ClosedRange<Int64>
    let rejectedLines: Int
    let rejectedDocuments: Int

    static func all(of summary: RunSummary, _ database: Warehouse) throws(MillError) -> [ReviewedArchive] {
        var archives = summary.loads.map {
            ReviewedArchive(
                name: $0.path, id: $0.id, lines: $0.lines, rejectedLines: $0.rejectedLines,
                rejectedDocuments: $0.rejectedDocuments)
        }
        let earlier = try unreviewed(database)
        guard !earlier.isEmpty else { return archives }
        // If a killed run began an archive, all of its lines count, including those of this run.
        let names = Dictionary(archives.map { ($0.id, $0) }) { first, _ in first }
        let begun = Set(earlier.map(\.id))
        archives.removeAll { begun.contains($0.id) }
        return archives
            + earlier.map { archive in
                guard let known = names[archive.id] else { return archive }
                return ReviewedArchive(
                    name: known.name, id: archive.id, lines: archive.lines, rejectedLines: archive.rejectedLines,
                    rejectedDocuments: max(archive.rejectedDocuments, known.rejectedDocuments))
            }
    }

    /// Archives whose first lines were loaded by a run that ended before its review for alarms.
    private static func unreviewed(_ database: Warehouse) throws(MillError) -> [ReviewedArchive] {
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
                ReviewedArchive(
                    name: $0[1], id: $0[0], lines: 1...($0[2] as Int64), rejectedLines: $0[3], rejectedDocuments: $0[3])
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
