package import GRDB
internal import MillSystem

/// Report files of one account that state the same days, so that not all of their rows count.
package struct ReportOverlap: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Another file states all the days of a file that was loaded before it.
        case same
        /// Files with shorter spans, which count, state some of the days of a longer span.
        case partly(days: Int)
    }

    package let kind: Kind
    /// The report's name, as in the view `store_sales`.
    package let report: String
    package let beginsDay, endsDay: Int
    /// The file that does not count for these days, and another file that states them.
    package let file, other: String

    /// The overlap as a sentence for a person.
    package var text: String {
        let day = { (number: Int) in String(CivilTime.iso8601(milliseconds: Int64(number) * 86_400_000).prefix(10)) }
        let span = beginsDay == endsDay ? day(beginsDay) : "\(day(beginsDay)) to \(day(endsDay))"
        switch kind {
        case .same where Self.counted.contains(report):
            return """
                \(other) states \(report) of \(span) as \(file) does: what was loaded last counts, and what it lacks does not
                """
        case .same:
            return "\(other) states \(report) of \(span) as \(file) does: the view store_rows has the rows of both"
        case .partly(let days):
            let all = endsDay - beginsDay + 1
            return """
                \(file) states \(report) of \(span), and files of shorter spans such as \(other) state \(days) of these \
                \(all) days: of the products in them the shorter spans alone count
                """
        }
    }

    /// Reports whose rows the models count.
    private static let counted = ["sales", "financial", "finance_detail"]

    /// - Parameter file: only overlaps with a file that was loaded after this one are returned.
    package static func all(_ db: Database, loadedAfter file: Int64 = 0) throws -> [ReportOverlap] {
        try same(db, file) + partly(db, file)
    }

    private static func same(_ db: Database, _ file: Int64) throws -> [ReportOverlap] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT old.report, min(former.begins_day), max(former.ends_day), old.name, new.name
                FROM store_period AS later
                JOIN store_file AS new ON new.file_id = later.file_id
                JOIN store_period AS former
                    ON former.begins_day = later.begins_day AND former.ends_day = later.ends_day
                    AND former.part = later.part AND former.file_id < later.file_id
                JOIN store_file AS old
                    ON old.file_id = former.file_id AND old.report = new.report AND old.vendor = new.vendor
                WHERE later.file_id > ?
                GROUP BY old.file_id, new.file_id
                ORDER BY old.file_id, new.file_id
                """, arguments: [file]
        ).map { ReportOverlap(kind: .same, report: $0[0], beginsDay: $0[1], endsDay: $0[2], file: $0[3], other: $0[4]) }
    }

    /// A span of days that a file of sales states.
    private struct Span {
        let file: Int64
        let begins, ends: Int
        let name: String
        var length: Int { ends - begins }
    }

    /// The overlaps of longer spans of days with shorter ones. Only sales files are compared: financial reports are of
    /// fiscal months, which do not overlap. Spans are compared in Swift, because SQLite takes a hundred times as long
    /// for a file with a thousand spans.
    private static func partly(_ db: Database, _ file: Int64) throws -> [ReportOverlap] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT store_file.vendor, period.file_id, period.begins_day, period.ends_day, store_file.name
                FROM store_period AS period
                JOIN store_file ON store_file.file_id = period.file_id AND store_file.report = 'sales'
                ORDER BY period.begins_day
                """)
        let vendors = Dictionary(grouping: rows) { $0[0] as String }
            .mapValues { $0.map { Span(file: $0[1], begins: $0[2], ends: $0[3], name: $0[4]) } }
        return vendors.sorted { $0.key < $1.key }.flatMap { partly($0.value, file) }
    }

    /// - Parameter spans: the spans of one account, sorted by their first day.
    private static func partly(_ spans: [Span], _ file: Int64) -> [ReportOverlap] {
        spans.filter { $0.length > 0 }.sorted { ($0.file, $0.begins, $0.ends) < ($1.file, $1.begins, $1.ends) }
            .compactMap { longer in
                var (days, next, isNew, other) = (0, longer.begins, longer.file > file, nil as String?)
                for shorter in spans.prefix(while: { $0.begins <= longer.ends }) {
                    guard shorter.length < longer.length, shorter.ends >= longer.begins else { continue }
                    other = other ?? shorter.name
                    isNew = isNew || shorter.file > file
                    let (from, until) = (max(shorter.begins, next), min(shorter.ends, longer.ends))
                    if from <= until { (days, next) = (days + until - from + 1, until + 1) }
                }
                guard isNew, let other, days <= longer.length else { return nil }
                return ReportOverlap(
                    kind: .partly(days: days), report: "sales", beginsDay: longer.begins, endsDay: longer.ends,
                    file: longer.name, other: other)
            }
    }
}
