internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReportHeaders

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
