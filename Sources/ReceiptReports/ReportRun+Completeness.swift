internal import GRDB
internal import MillDatabase

/// Compares the months that a report shows with the store's own sales reports, because figures of an archive that lacks
/// many sales look like those of a bad month.
extension ReportRun {
    /// The reports that show themselves how much the archive lacks.
    private static let exempt: Set = ["archive-completeness", "reconciliation"]

    /// More months than these are counted and not named.
    private static let maximumMonths = 3

    /// For use behind the report's statement, whose filters of apps and months it reads.
    ///
    /// - Returns: a warning where the archive knows less than nine tenths of what the store sold in a month that the
    ///   report counts; nil for a report that counts no months, and where no sales reports of the store are loaded.
    func completenessWarning(in session: ReportSession) throws -> ReportWarning? {
        guard !Self.exempt.contains(report.name), Set(filters.map(\.view)).isSuperset(of: ["apps", "months"]),
            ModelCatalog.areRead(by: report.sql)
        else { return nil }
        let months = try session.read { connection in
            try Row.fetchAll(connection, sql: Database.sql(ofFile: "care/months_known_in_part.sql")).map { row in
                let (month, known, sold): (String, Int64, Int64) = (row[0], row[1], row[2])
                return "\(month) (\(known * 100 / max(sold, 1)) %)"
            }
        }
        guard !months.isEmpty else { return nil }
        let rest = months.count - Self.maximumMonths
        return ReportWarning(
            message: "the archive knows less than nine tenths of the store's sales of "
                + months.prefix(Self.maximumMonths).joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more months" : ""),
            hint: "receiptmill report archive-completeness --database \(session.path) lists them")
    }
}
