internal import ArgumentParser

/// One of the tasks of `receiptmill report`, with the options that can be combined with it.
struct ReportMode {
    /// The flag that selects the task; nil for running one report.
    var flag: String?
    var required: [String] = []
    /// Options that the task accepts. Every task accepts a database, so that a person can append a flag such as
    /// `--describe` to the command that ran a report.
    var allowed: Set<String>
    var formats = ReportAnswerFormat.allCases.filter { $0 != .text }

    static let run = ReportMode(
        required: ["a name"],
        allowed: [
            "a name", "a subject", "--database", "a parameter", "--format", "--output", "--rates", "--rate-card",
            "--proceeds", "--schema",
            "--columns", "--timeout", "--fail-if-rows", "--exact", "--case-links", "--sql",
        ])
    static let all = ReportMode(
        flag: "--all", required: ["--output"],
        allowed: [
            "--database", "--format", "--output", "--rate-card", "--proceeds", "--timeout", "--fail-if-rows", "--exact",
            "--case-links", "--sql",
        ])
    static let dashboard = ReportMode(
        flag: "--html-dashboard",
        allowed: ["--database", "a parameter", "--rates", "--timeout", "--sql"])
    static let list = ReportMode(
        flag: "--list", allowed: ["--database", "--format", "--output", "--sql"], formats: [.text, .json])
    static let describe = ReportMode(
        flag: "--describe", required: ["a name"], allowed: ["a name", "--database", "--output", "--sql"])
    static let showSQL = ReportMode(flag: "--show-sql", required: describe.required, allowed: describe.allowed)

    private static func question(of missing: String) -> String {
        switch missing {
        case "a name": "Which report? Give its name; receiptmill report --list names them all."
        default: "Where to? Give --output FOLDER; each report becomes a file of its name there."
        }
    }

    /// A suggestion for an output file whose format reports are not written in; nil for any other file.
    private static func advice(on file: String) -> String? {
        let name = file.lowercased()
        if name.hasSuffix(".parquet") { return "receiptmill-parquet of the Python package exports reports as Parquet." }
        if name.hasSuffix(".xlsx") || name.hasSuffix(".xls") { return "Spreadsheets open CSV: --output NAME.csv." }
        return nil
    }

    /// - Throws: `ValidationError` that names a missing option, or an option that can't be combined with the task.
    func check(_ command: ReportCommand) throws {
        let given = command.given
        for option in given where !allowed.contains(option) {
            throw ValidationError("\(flag ?? "A report") does not go with \(option).")
        }
        if let missing = required.first(where: { !given.contains($0) }) {
            throw ValidationError(Self.question(of: missing))
        }
        if flag == nil, command.resolvedFormat == nil, let output = command.output, let advice = Self.advice(on: output)
        {
            throw ValidationError("A report is not written as \(output). \(advice)")
        }
        guard let format = command.resolvedFormat, !formats.contains(format) else { return }
        let names = formats.map(\.rawValue)
        throw ValidationError(
            "\(flag.map { "\($0) writes" } ?? "A report is written as") \(names.dropLast().joined(separator: ", ")) "
                + "or \(names.last ?? ""), not \(format.rawValue).")
    }
}

extension ReportCommand {
    var mode: ReportMode {
        if all { return .all }
        if dashboard != nil { return .dashboard }
        if list { return .list }
        if describe { return .describe }
        return showSQL ? .showSQL : .run
    }

    /// The options on the command line, without the flag of the task.
    fileprivate var given: [String] {
        let options = [
            ("a name", name != nil), ("a subject", !subjects.isEmpty), ("--database", target.named != nil),
            ("a parameter", !settings.isEmpty), ("--format", resolvedFormat != nil), ("--output", output != nil),
            ("--rates", rates != nil), ("--rate-card", rateCard != nil), ("--proceeds", proceeds),
            ("--schema", schema != nil),
            ("--columns", columns != nil), ("--timeout", timeout != nil), ("--fail-if-rows", failIfRows),
            ("--exact", exact),
            ("--case-links", caseLinks != nil), ("--sql", sql != nil),
        ]
        return options.filter(\.1).map(\.0)
    }
}
