internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import StoreReports

/// Collects the spans of days that a report file states, and writes them to the table.
final class ReportPeriods {
    private let report: StoreReportKind
    private let file: Int64
    private let statement: Statement
    /// The rows of a span are adjacent, so comparing with the last span is enough.
    private var last: Period?

    private struct Period: Equatable {
        var part = ""
        var begins, ends: Int
    }

    init(_ db: Database, file: Int64, _ report: StoreReportKind) throws {
        (self.file, self.report) = (file, report)
        statement = try db.makeStatement(
            sql: "INSERT OR IGNORE INTO store_period (file_id, part, begins_day, ends_day) VALUES (?, ?, ?, ?)")
    }

    func note(_ sale: StoreSale) throws {
        switch report {
        case .financeDetail:
            guard let month = FiscalCalendar.all.month(of: sale.endsDay) else { return }
            try note(Period(begins: month.begins, ends: month.ends))
        // Apple writes one file for each region; the rows' countries identify the region.
        case .financial: try note(Period(part: sale[.country] ?? "", begins: sale.beginsDay, ends: sale.endsDay))
        default: try note(Period(begins: sale.beginsDay, ends: sale.endsDay))
        }
    }

    /// Adds the period of a day, such as `2026-03-31`, or of a month, such as `2026-03`.
    func note(day text: String?) throws {
        guard let parts = text?.split(separator: "-").compactMap({ Int($0) }), parts.count > 1 else { return }
        let (year, month) = (parts[0], parts[1])
        let begins = CivilTime.dayNumber(year, month, parts.count > 2 ? parts[2] : 1)
        let next = month == 12 ? CivilTime.dayNumber(year + 1, 1, 1) : CivilTime.dayNumber(year, month + 1, 1)
        try note(Period(begins: begins, ends: parts.count > 2 ? begins : next - 1))
    }

    private func note(_ period: Period) throws {
        guard period != last else { return }
        last = period
        try statement.execute(arguments: [file, period.part, period.begins, period.ends])
    }
}
