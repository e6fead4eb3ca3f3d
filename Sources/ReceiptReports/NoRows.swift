internal import GRDB
internal import MillDatabase
internal import ReportHeaders

/// Finds the likely reason why a report has no rows.
extension ReportRun {
    /// A warning if a report about one case finds nothing about it; nil for a report about the whole database.
    var unknownSubject: ReportWarning? {
        guard let subject = report.header.parameters.first(where: \.isRequired)?.name,
            case .text(let name)? = values[subject]
        else { return nil }
        let section = values["section"]?.plainText.map { $0 == "all" ? "" : " in the section \($0)" } ?? ""
        return ReportWarning(
            message: "the database holds nothing of \(name)\(section)",
            hint: subject == "case"
                ? "a case is a device, an account, a receipt's SHA-256 in lowercase or a transaction, each written whole"
                : "an owner is an account, or a device that names none, written whole; "
                    + "environment=all asks of the sandbox, too")
    }

    func reasonForNoRows(in session: ReportSession) throws -> ReportWarning {
        let views = Set(filters.map(\.view))
        return try session.read { connection in
            guard views.contains("apps") || views.contains("months") else {
                return try Self.has("main.archive", connection) ? ownParameters() : Self.noArchive
            }
            guard try Self.has("main.apps", connection) else {
                return ReportWarning(
                    message: "no rows: the database holds no trusted document",
                    hint: "load archives with receiptmill ingest, and name by --trust whom to believe")
            }
            if views.contains("apps"), try !Self.has("temp.apps", connection) { return try noApp(connection) }
            let months = views.contains("months") ? try Months(views, connection) : nil
            if let months, !months.haveCome {
                return ReportWarning(
                    message: "no rows: the newest document is of \(months.newestDay), "
                        + "before the months that are asked for",
                    hint: "load newer archives, or ask of earlier months: from=all")
            }
            if let reason = try noPrice(connection) { return reason }
            guard let months else { return ownParameters() }
            return ReportWarning(
                message: "no rows: nothing that the report counts is known of \(months.first) to \(months.last); "
                    + "the newest document is of \(months.newestDay)",
                hint: values["from"] == .text("all") ? ownHint : "from=all asks of all months before, too")
        }
    }

    private static let noArchive = ReportWarning(
        message: "no rows: the database holds no archive yet", hint: "receiptmill ingest loads archives")

    private static func has(_ source: String, _ connection: Database) throws -> Bool {
        try Bool.fetchOne(connection, sql: "SELECT EXISTS (SELECT 1 FROM \(source))") ?? false
    }

    private func noApp(_ connection: Database) throws -> ReportWarning {
        let known = try String.fetchAll(
            connection,
            sql: "SELECT bundle_id || ' (' || environment || ')' FROM main.apps ORDER BY bundle_id, environment LIMIT 5"
        )
        return ReportWarning(
            message: "no rows: no document of the database is of an app that is asked for, "
                + text(of: ["environment", "bundle"]),
            hint: "there are documents of \(known.joined(separator: ", ")); environment=all counts all")
    }

    /// The values of parameters, set or default, as text.
    private func text(of names: [String]) -> String {
        parameters.filter { names.contains($0.name) }.compactMap { parameter in
            (values[parameter.name]?.plainText ?? parameter.defaultText).map { "\(parameter.name)=\($0)" }
        }.joined(separator: ", ")
    }

    /// A warning that no price is known; nil if one is, or if the report has no money column.
    private func noPrice(_ connection: Database) throws -> ReportWarning? {
        guard report.header.columns.contains(where: { $0.kind == .money }) else { return nil }
        let isListed =
            try connection.tableExists("model_listed_prices", in: "main")
            && Self.has("main.model_listed_prices", connection)
        guard !isListed, try !Self.has("main.purchase_terms WHERE price_milliunits IS NOT NULL", connection) else {
            return nil
        }
        return ReportWarning(
            message: "no rows: no document of the database states a price, and there is no price list",
            hint: "signed data of StoreKit 2 states prices; receiptmill refresh --prices FILE.csv takes a list")
    }

    /// The months that a run counts, and the day of the newest document of its apps.
    private struct Months {
        let first, last, newestDay: String
        /// Whether the newest document is from one of the months, or from a later month.
        let haveCome: Bool

        init(_ views: Set<String>, _ connection: Database) throws {
            let counted = views.contains("apps") ? "temp.apps" : "main.apps"
            let newest = try Row.fetchOne(connection, sql: "SELECT max(as_of), max(last_month) FROM \(counted)")
            let months = try Row.fetchOne(
                connection, sql: "SELECT min(month), max(month), min(month_number) FROM temp.months")
            newestDay = String((newest?[0] as String?)?.prefix(10) ?? "")
            (first, last) = (months?[0] as String? ?? "", months?[1] as String? ?? "")
            haveCome = (months?[2] as Int64?).map { $0 <= newest?[1] as Int64? ?? .max } ?? false
        }
    }

    private func ownParameters() -> ReportWarning {
        let whom = filters.contains { $0.view == "apps" } ? " of the apps that are asked for" : ""
        return ReportWarning(message: "no rows: nothing that the report counts is known" + whom, hint: ownHint)
    }

    /// Advice that names the parameters that were set, in the header's order.
    private var ownHint: String {
        let set = report.header.parameters.map(\.name).filter { values[$0] != nil }
        return set.isEmpty
            ? "receiptmill report \(report.name) --describe says what it counts"
            : "it was asked for \(text(of: set)); leave some out to see more"
    }
}
