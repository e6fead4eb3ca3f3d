internal import ArgumentParser

/// What `receiptmill report` is asked to do, and which options go with it.
enum ReportMode {
    case run, all, dashboard, list, describe, showSQL

    /// How it is asked for; nil for what needs no flag.
    private var flag: String? {
        switch self {
        case .run: nil
        case .all: "--all"
        case .dashboard: "--html-dashboard"
        case .list: "--list"
        case .describe: "--describe"
        case .showSQL: "--show-sql"
        }
    }

    /// A database is let pass everywhere: a command that ran a report is made one
    /// that describes it by a flag at its end.
    private var allowed: Set<String> {
        switch self {
        case .run:
            [
                "a name", "a subject", "--database", "--param", "--format", "--output", "--prices", "--timeout",
                "--fail-if-rows", "--sql",
            ]
        case .all: ["--database", "--format", "--output", "--prices", "--timeout", "--fail-if-rows", "--sql"]
        case .dashboard: ["--database", "--timeout", "--sql"]
        case .list: ["--database", "--format", "--output", "--sql"]
        case .describe, .showSQL: ["a name", "--database", "--output", "--sql"]
        }
    }

    private var required: [String] {
        switch self {
        case .run: ["a name", "--database"]
        case .all: ["--database", "--output"]
        case .dashboard: ["--database"]
        case .list: []
        case .describe, .showSQL: ["a name"]
        }
    }

    private var formats: [ReportCommand.Format] {
        self == .list ? [.text, .json] : ReportCommand.Format.allCases.filter { $0 != .text }
    }

    private static func question(of missing: String) -> String {
        switch missing {
        case "a name": "Which report? Give its name; receiptmill report --list names them all."
        case "--output": "Where to? Give --output FOLDER; each report becomes a file of its name there."
        default: "Which database? Give --database FILE, the file that receiptmill ingest wrote."
        }
    }

    /// - Throws: `ValidationError` that names the option which is missing, or does
    ///   not go with what is asked for.
    func check(_ command: ReportCommand) throws {
        let given = command.given
        for option in given where !allowed.contains(option) {
            throw ValidationError("\(flag ?? "A report") does not go with \(option).")
        }
        if let missing = required.first(where: { !given.contains($0) }) {
            throw ValidationError(Self.question(of: missing))
        }
        guard let format = command.format, !formats.contains(format) else { return }
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

    /// What stands on the command line beside the mode's own flag.
    fileprivate var given: [String] {
        let options = [
            ("a name", name != nil), ("a subject", subject != nil), ("--database", database != nil),
            ("--param", !settings.isEmpty), ("--format", format != nil), ("--output", output != nil),
            ("--prices", prices != nil), ("--timeout", timeout != nil), ("--fail-if-rows", failIfRows),
            ("--sql", sql != nil),
        ]
        return options.filter(\.1).map(\.0)
    }
}
