internal import GRDB
internal import MillDatabase

/// Compares the months that a report shows with the App Store's sales reports, because the figures of an archive that
/// lacks many sales look like those of a bad month.
extension ReportRun {
    /// Reports that show themselves how much the archive lacks.
    private static let exempt: Set = ["archive-completeness", "reconciliation"]

    /// If there are more months than this, they are counted instead of named.
    private static let maximumMonths = 3

    /// Has to be called after the report's statement has run, because it reads the filters of apps and months.
    ///
    /// - Returns: a warning if the archive has less than nine tenths of Apple's sales in a month that the report
    ///   counts; nil if the report counts no months, or no sales reports are loaded.
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
