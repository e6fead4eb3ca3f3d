package import GRDB
internal import MillSystem

/// Report files of one account that state the same days, so that not all their rows count.
package struct ReportOverlap: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Another file states all the days of one that was loaded before it.
        case same
        /// Files of shorter spans, which count, state some but not all days of a longer span.
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

    /// - Parameter file: only overlaps in which a file takes part that was loaded after this one.
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

    /// Only for sales: financial reports cover fiscal months, which do not overlap.
    private static func partly(_ db: Database, _ file: Int64) throws -> [ReportOverlap] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT longer.file_id, longer.begins_day, longer.ends_day, shorter.begins_day, shorter.ends_day,
                    whole.name, part.name, max(longer.file_id, shorter.file_id) > ?
                FROM store_period AS longer
                JOIN store_file AS whole ON whole.file_id = longer.file_id AND whole.report = 'sales'
                JOIN store_period AS shorter
                    ON shorter.begins_day <= longer.ends_day AND shorter.ends_day >= longer.begins_day
                    AND shorter.ends_day - shorter.begins_day < longer.ends_day - longer.begins_day
                JOIN store_file AS part
                    ON part.file_id = shorter.file_id AND part.report = 'sales' AND part.vendor = whole.vendor
                WHERE longer.ends_day > longer.begins_day
                ORDER BY 1, 2, 3, 4, 5
                """, arguments: [file])
        var (overlaps, group): ([ReportOverlap], [Row]) = ([], [])
        func close() {
            guard let first = group.first, group.contains(where: { $0[7] }) else { return }
            let (begins, ends): (Int, Int) = (first[1], first[2])
            var (days, next) = (0, begins)
            for row in group {
                let (from, until) = (max(row[3], next), min(row[4] as Int, ends))
                if from <= until { (days, next) = (days + until - from + 1, until + 1) }
            }
            guard days < ends - begins + 1 else { return }
            overlaps.append(
                ReportOverlap(
                    kind: .partly(days: days), report: "sales", beginsDay: begins, endsDay: ends, file: first[5],
                    other: first[6]))
        }
        for row in rows {
            if let first = group.first, (first[0], first[1], first[2]) as (Int64, Int, Int) != (row[0], row[1], row[2])
            {
                close()
                group = []
            }
            group.append(row)
        }
        close()
        return overlaps
    }
}
