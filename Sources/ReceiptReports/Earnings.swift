internal import GRDB
internal import MillDatabase
internal import ReceiptSQL
internal import ReportHeaders

/// The view of Apple's and the developer's share of each sale. In a run with proceeds, a temporary table hides the view
/// from the report's statement. Its rows are computed with the run's rate card or, without one, with the card that the
/// database stores.
enum Earnings {
    static let view = "internal_earnings"

    /// The view's SELECT. In the view itself, table names mean tables of the view's schema; in this text, they also
    /// mean temporary tables.
    private static let select: String? = {
        let text = SQLFile.views.first { $0.name == view }?.text ?? ""
        return text.firstRange(of: "CREATE VIEW \(view) AS\n").map { start in
            String(text[start.upperBound...].prefix { $0 != ";" })
        }
    }()

    /// Creates the temporary tables again; those of an earlier run on the connection are dropped.
    ///
    /// - Parameter run: the run whose statement reads the view; nil leaves the view visible.
    static func apply(_ run: ReportRun?, on connection: Database) throws {
        for table in RateCard.tables + [view] { try connection.execute(sql: "DROP TABLE IF EXISTS temp.\(table)") }
        guard let run, let select else { return }
        if let card = run.rateCard {
            for table in RateCard.tables {
                let definition = try String.fetchOne(
                    connection, sql: "SELECT sql FROM main.sqlite_schema WHERE name = ?", arguments: [table])
                try connection.execute(
                    sql: (definition ?? "").replacing("CREATE TABLE", with: "CREATE TEMP TABLE", maxReplacements: 1))
            }
            try card.replace(in: "temp", connection)
        }
        // Without the columns of proceeds, the table stays empty, so that the report does not pay for it.
        let limit = run.asksForProceeds ? -1 : 0
        try connection.execute(sql: "CREATE TEMP TABLE \(view) AS SELECT * FROM (\(select)) LIMIT \(limit)")
    }
}

extension ReportRun {
    /// The parameter that adds the columns of proceeds to a report.
    package static let proceedsParameter = "proceeds"

    /// Whether the report's statement reads Apple's and the developer's shares.
    package var readsEarnings: Bool { TableNames.read(by: report.sql).contains(Earnings.view) }

    /// Whether the run's answer has proceeds: if the report has the parameter, only if it is 1; otherwise always.
    package var asksForProceeds: Bool {
        guard parameters.contains(where: { $0.name == Self.proceedsParameter }) else { return readsEarnings }
        return values[Self.proceedsParameter]?.plainText == "1"
    }

    /// A warning if proceeds are wanted and no rate card is known.
    func rateCardWarning(in session: ReportSession) throws -> ReportWarning? {
        guard readsEarnings, asksForProceeds, rateCard == nil, saysWhyEmpty || values[Self.proceedsParameter] != nil,
            try session.read({ try Int.fetchOne($0, sql: "SELECT 1 FROM main.rate_rule LIMIT 1") }) == nil
        else { return nil }
        return ReportWarning(
            message: "no rate card is known: proceeds are empty, but for what detailed finance reports state",
            hint: "give one with --rate-card FILE.yaml, or store it: receiptmill refresh --database \(session.path) "
                + "--rate-card FILE.yaml")
    }
}
