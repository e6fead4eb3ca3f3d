internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReportHeaders

/// Something about a report's run that is odd but may be intended: the answer is likely empty, or answers another
/// question.
package struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// A phrase without a full stop that states what is odd.
    package var message: String
    /// What the user can do about it.
    package var hint: String
    /// Whether the report's output contains the warning, too, so that a nightly run need not repeat it.
    package var isInOutput = false

    package var description: String { "warning: \(message)\nhint: \(hint)" }
}

/// Checks the apps and environments of a run against the database, because a misspelt name would give an empty table.
extension ReportRun {
    /// The maximum number of bundle identifiers that are searched for a similar one.
    private static let maximumNames = 1_000

    /// The SQL for an app's environment in the form that reports write.
    private static let environment = "CASE WHEN environment = '' THEN '(none)' ELSE environment END"

    /// - Parameter warn: takes warnings about apps and environments for which the database has nothing.
    /// - Throws: ``MillError`` for an environment that neither Apple nor the database has, unless the run accepts any
    ///   environment.
    func checkApps(in session: ReportSession, _ warn: (ReportWarning) -> Void) throws {
        let parameters = parameters.filter { [.bundle, .environments].contains($0.kind) }
        guard parameters.contains(where: { values[$0.name] != nil }) else { return }
        let warnings = try session.read { connection in
            try parameters.flatMap { parameter -> [ReportWarning] in
                guard let text = values[parameter.name]?.plainText, text != "all" else { return [] }
                return parameter.kind == .bundle
                    ? try [Self.warning(ofBundle: text, environments(), connection)].compactMap(\.self)
                    : try self.warnings(ofEnvironments: text, for: parameter, connection)
            }
        }
        for warning in warnings { warn(warning) }
    }

    /// The environments that the run counts; nil for all.
    private func environments() -> [String]? {
        guard let parameter = parameters.first(where: { $0.kind == .environments }),
            let text = values[parameter.name]?.plainText ?? parameter.defaultText, text != "all"
        else { return nil }
        return text.split(separator: ",").map(String.init)
    }

    private static func warning(
        ofBundle bundle: String, _ environments: [String]?, _ connection: Database
    ) throws -> ReportWarning? {
        let known = try String.fetchAll(
            connection, sql: "SELECT \(environment) FROM main.app WHERE bundle_id = ? ORDER BY 1",
            arguments: [bundle])
        if known.isEmpty {
            let bundles = try String.fetchAll(
                connection, sql: "SELECT DISTINCT bundle_id FROM main.app WHERE bundle_id <> '' LIMIT ?",
                arguments: [maximumNames])
            return ReportWarning(
                message: "no receipt of the database is of the app \(bundle)",
                hint: suggestion(for: bundle, among: bundles)
                    + "receiptmill report coverage lists them")
        }
        guard let environments, !known.contains(where: environments.contains) else { return nil }
        return ReportWarning(
            message: "no receipt of \(bundle) is of the environment \(environments.joined(separator: " or "))",
            hint: "its receipts are of \(known.joined(separator: ", ")); "
                + "environment=all counts all")
    }

    private func warnings(
        ofEnvironments text: String, for parameter: ReportParameter, _ connection: Database
    ) throws -> [ReportWarning] {
        let known = try String.fetchAll(
            connection, sql: "SELECT DISTINCT \(Self.environment) FROM main.app ORDER BY 1")
        let names = EnvironmentNames.ofStore + known.filter { !EnvironmentNames.ofStore.contains($0) }
        return try text.split(separator: ",").map(String.init).filter { !known.contains($0) }.map { name in
            guard takesAnyEnvironment || names.contains(name) else {
                let near = EnvironmentNames.nearest(to: name, among: names).map { "did you mean \($0)? " } ?? ""
                throw Self.misuse(
                    "\(parameter.name)=\(text): there is no environment \(name)",
                    hint: "\(near)give \(names.joined(separator: ", ")), several separated by commas, or all")
            }
            return ReportWarning(
                message: "no receipt of the database is of the environment \(name)",
                hint: "its receipts are of \(known.isEmpty ? "none" : known.joined(separator: ", "))")
        }
    }
}

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

extension ReportRun {
    /// Warnings of thresholds that someone has set by SQL and that have no effect or a wrong one; none if the report
    /// reads no fraud signals.
    func thresholdWarnings(in session: ReportSession) throws -> [ReportWarning] {
        guard ModelCatalog.isRead(by: report.sql, { $0 == "model_signals" }) else { return [] }
        return try session.read { connection in
            try Row.fetchAll(connection, sql: "SELECT name, value FROM main.signal_setting ORDER BY name")
                .compactMap { SignalThresholds.offence(of: $0[0], value: $0[1]) }
        }.map { ReportWarning(message: "signal_setting: \($0)", hint: "the view signal_settings names them") }
    }
}
