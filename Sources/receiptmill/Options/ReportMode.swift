internal import ArgumentParser

/// One of the tasks of `receiptmill report`: running one report, or what a flag selects. The raw values name the tasks
/// in messages.
enum ReportMode: String, CaseIterable {
    case run = "A report"
    case all = "--all"
    case dashboard = "--html-dashboard"
    case list = "--list"
    case describe = "--describe"
    case showSQL = "--show-sql"

    /// The option without which the task can't be done, and the question for it.
    private var required: (option: String, question: String)? {
        switch self {
        case .run, .describe, .showSQL:
            ("a name", "Which report? Give its name; receiptmill report --list names them all.")
        case .all: ("--output", "Where to? Give --output FOLDER; each report becomes a file of its name there.")
        case .dashboard, .list: nil
        }
    }

    private var formats: [ReportAnswerFormat] {
        self == .list ? [.text, .json] : ReportAnswerFormat.allCases.filter { $0 != .text }
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
        let given = command.options.filter(\.isGiven)
        if let option = given.first(where: { !$0.modes.contains(self) }) {
            throw ValidationError("\(rawValue) does not go with \(option.name).")
        }
        if let required, !given.contains(where: { $0.name == required.option }) {
            throw ValidationError(required.question)
        }
        if self == .run, command.resolvedFormat == nil, let output = command.output,
            let advice = Self.advice(on: output)
        {
            throw ValidationError("A report is not written as \(output). \(advice)")
        }
        guard let format = command.resolvedFormat, !formats.contains(format) else { return }
        let names = formats.map(\.rawValue)
        throw ValidationError(
            "\(self == .run ? "A report is written as" : "\(rawValue) writes") "
                + "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""), not \(format.rawValue).")
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

    /// The options of the command, apart from the flags of tasks: whether each is given, and the tasks that accept it.
    /// Every task accepts a database, so that a person can append a flag such as `--describe` to the command that ran a
    /// report.
    fileprivate var options: [(name: String, isGiven: Bool, modes: [ReportMode])] {
        [
            ("a name", name != nil, [.run, .describe, .showSQL]),
            ("a subject", !subjects.isEmpty, [.run]),
            ("--database", target.named != nil, ReportMode.allCases),
            ("a parameter", !settings.isEmpty, [.run, .dashboard]),
            ("--format", resolvedFormat != nil, [.run, .all, .list]),
            ("--output", output != nil, [.run, .all, .list, .describe, .showSQL]),
            ("--rates", rates != nil, [.run, .dashboard]),
            ("--rate-card", rateCard != nil, [.run, .all]),
            ("--proceeds", proceeds, [.run, .all]),
            ("--schema", schema != nil, [.run]),
            ("--columns", columns != nil, [.run]),
            ("--timeout", timeout != nil, [.run, .all, .dashboard]),
            ("--fail-if-rows", failIfRows, [.run, .all]),
            ("--exact", exact, [.run, .all]),
            ("--case-links", caseLinks != nil, [.run, .all]),
            ("--sql", sql != nil, ReportMode.allCases),
        ]
    }
}
