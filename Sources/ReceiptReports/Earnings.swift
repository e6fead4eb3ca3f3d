internal import GRDB
internal import MillDatabase
internal import ReceiptSQL
internal import ReportHeaders

/// The view of the store's and the developer's share of each sale. A run that asks for proceeds gets the rows in a
/// temporary table, which hides the view from the report's statement, computed by the run's rate card or else by the
/// card that the database stores.
enum Earnings {
    static let view = "model_earnings"

    /// The view's SELECT: the names of a view's tables mean those of the view's own schema, but those of this text also
    /// mean temporary tables.
    private static let select: String? = {
        let text = SQLFile.views.first { $0.name == view }?.text ?? ""
        return text.firstRange(of: "CREATE VIEW \(view) AS\n").map { start in
            String(text[start.upperBound...].prefix { $0 != ";" })
        }
    }()

    /// Makes the temporary tables anew; those of an earlier run on the connection are dropped.
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
        // A report whose columns of proceeds nobody asks for pays nothing for them.
        let limit = run.asksForProceeds ? -1 : 0
        try connection.execute(sql: "CREATE TEMP TABLE \(view) AS SELECT * FROM (\(select)) LIMIT \(limit)")
    }
}

extension ReportRun {
    /// The parameter that asks a report for its columns of proceeds.
    package static let proceedsParameter = "proceeds"

    /// Whether the report's statement reads shares of the store and the developer.
    package var readsEarnings: Bool { TableNames.read(by: report.sql).contains(Earnings.view) }

    /// Whether the run answers with proceeds: a report with the parameter where it is 1, any other report always.
    package var asksForProceeds: Bool {
        guard parameters.contains(where: { $0.name == Self.proceedsParameter }) else { return readsEarnings }
        return values[Self.proceedsParameter]?.plainText == "1"
    }

    /// A warning where proceeds are asked for and no rate card is known.
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
