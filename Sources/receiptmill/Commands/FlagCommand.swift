internal import ArgumentParser
internal import DatabaseCare
internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// `receiptmill flag`: stores a fraud team's decisions on cases.
struct FlagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "flag", "Record decisions on cases of fraud.",
        usage: "receiptmill flag [<subject>...] [--as <decision>] [--database <file>] [<options>]",
        examples: """
            receiptmill flag account:4711 --as innocent --database mill.sqlite
            receiptmill flag 4711 --undo --database mill.sqlite
            receiptmill flag --file queue.csv --by Ada --database mill.sqlite
            """,
        details: """
            The view fraud_cases, and the report fraud-queue, show what is open. A confirmed or innocent case leaves \
            the queue, and comes back with a signal of a kind that was not known then. Decisions change no evidence; \
            the view fraud_decisions has all of them, with time and name.

            A subject is account:NAME, device:NAME, installation:LINEAGE or receipt:SHA256; a name alone, where it is \
            only one of them.

            --list writes all decisions as lines of JSON, and --file reads them, also into another database of the \
            same archives (receiptmill flag --list --database old.sqlite | receiptmill flag --file - --database new.sqlite): \
            known decisions are skipped. A file that ends in .csv is a table with the columns \
            subject_kind, subject and decision, and optionally subject_key, note, decided_by and decided_at: such as \
            the report fraud-queue writes, with decisions filled in. If a row has a subject_key, the key names the \
            subject, because spreadsheets may change the name beside it. Rows without a decision, or with the current \
            one, are skipped. A table is refused if it contains a subject that no line names.

            Exit status: 0 done; 65 a subject is unknown or ambiguous, or a line is no decision, and nothing is \
            changed; 66 there is no such database or file; 75 a run is at work.
            """)

    @Argument(help: ArgumentHelp("Accounts, devices, installations or receipts.", valueName: "subject"))
    var subjects: [String] = []

    @Option(name: .customLong("as"), help: "confirmed, innocent or watching.")
    var verdict: String?

    @Option(help: "Why, in words.")
    var note: String?

    @Option(help: ArgumentHelp("Who decides; the user's name where absent.", valueName: "name"))
    var by: String?

    @Flag(help: "Take the last decision back.")
    var undo = false

    @Flag(help: "Write all decisions, a JSON object each.")
    var list = false

    @Option(
        help: ArgumentHelp("Decisions as --list writes them, or a table; - is standard input.", valueName: "file"),
        completion: .file())
    var file: String?

    @OptionGroup var target: DatabaseOption

    private var decided: Decision.Judgement? { undo ? .undone : verdict.flatMap(Decision.Judgement.init) }

    func validate() throws {
        let ways = [!subjects.isEmpty, list, file != nil].count { $0 }
        guard ways == 1 else { throw ValidationError("name subjects, or give --file or --list") }
        guard !subjects.isEmpty else {
            guard verdict == nil, !undo else { throw ValidationError("--as and --undo go with subjects") }
            return
        }
        guard undo != (verdict != nil) else { throw ValidationError("give --as or --undo") }
        guard undo || verdict != "undone" && decided != nil else {
            throw ValidationError("--as takes confirmed, innocent or watching")
        }
    }

    func run() throws {
        let database = try target.path
        try DatabaseName.refuseMissing(database)
        let opened = try Warehouse(path: database)
        if list {
            for decision in try DecisionStore(opened).all() { try Console.write(try decision.json() + "\n") }
            return
        }
        if let file { return try record(file, in: opened) }
        try record(named(in: opened), in: opened)
    }

    /// Records decisions, and reports how many are new.
    private func record(_ decisions: [Decision], besides passedOver: [String] = [], in opened: Warehouse) throws {
        let new = try DecisionStore(opened).record(decisions)
        let kinds = Decision.Judgement.allCases.compactMap { verdict in
            let count = new.count { $0.verdict == verdict }
            return count > 0 ? "\(count) \(verdict.rawValue)" : nil
        }
        let what = kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")
        let rest = passedOver.isEmpty ? "" : "; passed over: " + passedOver.joined(separator: ", ")
        try Console.write("\(new.count) of \(decisions.count) decisions are new\(what)\(rest)\n")
    }

    private func record(_ file: String, in opened: Warehouse) throws {
        let store = DecisionStore(opened)
        guard file.lowercased().hasSuffix(".csv") else {
            let decisions = try Self.read(file)
            if decisions.isEmpty { Self.warnOfNone(file) }
            // Decisions may come from a database with lines that this one does not have, or no longer has.
            let unknown = try store.unknown(among: decisions).count
            if unknown > 0 {
                Console.complain(
                    "warning: no line of this database names the subject of \(Console.count(unknown, "decision"))")
            }
            return try record(decisions, in: opened)
        }
        let contents = try DecisionTable(decidedBy: name).contents(ofFile: file, standing: store.all())
        if let place = try store.unknown(among: contents.decisions).first {
            let stranger = contents.decisions[place]
            throw MillError(
                stage: .loading, path: PathParts.shown(file), line: contents.lines[place],
                what: "no line of this database names the \(stranger.kind.rawValue) '\(stranger.subject)'",
                hint:
                    "keep the column subject_key of fraud-queue: it names a subject even if a spreadsheet has changed "
                    + "the name; nothing is changed",
                exitStatus: .badData)
        }
        if contents.decisions.isEmpty, contents.standing == 0 { Self.warnOfNone(file) }
        try record(
            contents.decisions,
            besides: [
                contents.undecided == 0 ? nil : "\(Console.count(contents.undecided, "row")) without a decision",
                contents.standing == 0 ? nil : "\(Console.count(contents.standing, "row")) decided so before",
            ].compactMap(\.self), in: opened)
    }

    private static func warnOfNone(_ file: String) {
        Console.complain(
            "warning: \(PathParts.shown(file)): the file has no decision"
                + "\nhint: write confirmed, innocent, watching or undone into the column decision")
    }

    /// The name of the person who decides.
    private var name: String { by ?? ProcessInfo.processInfo.environment["USER"] ?? NSUserName() }

    private func named(in opened: Warehouse) throws -> [Decision] {
        guard let decided else { return [] }
        return try subjects.map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            let stated = parts.count == 2 ? Decision.SubjectKind(rawValue: String(parts[0])) : nil
            var subject = stated == nil ? text : String(parts[1])
            if stated == .receipt || stated == .installation { subject = subject.lowercased() }
            let kinds = try DecisionStore(opened).kinds(ofSubject: subject).filter { stated == nil || $0 == stated }
            guard let kind = kinds.first, kinds.count == 1 else {
                throw MillError(
                    stage: .loading,
                    what: kinds.isEmpty
                        ? "\(text): no line of this database names it"
                        : "\(text) is \(kinds.map(\.rawValue).joined(separator: " and "))",
                    hint: "give account:NAME, device:NAME, installation:LINEAGE or receipt:SHA256, as in fraud_cases",
                    exitStatus: .badData)
            }
            return Decision(decided, of: subject, kind, note: note, decidedBy: name)
        }
    }

    private static func read(_ file: String) throws -> [Decision] {
        guard
            let data = file == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
        else {
            throw MillError(
                stage: .loading, path: file, what: "can't be read", hint: "check the path and its permissions",
                exitStatus: .missingInput)
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return try lines.enumerated().filter { !$1.isEmpty }.map { index, line in
            do { return try Decision(json: line) } catch {
                throw MillError(
                    stage: .loading, path: PathParts.shown(file), line: index + 1, what: "is no decision",
                    hint: #"such as {"kind":"account","subject":"4711","as":"innocent"}; nothing is changed"#,
                    exitStatus: .badData)
            }
        }
    }
}
