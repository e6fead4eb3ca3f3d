internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import ReceiptTrust

/// `receiptmill erase`: removes a person from a database.
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "erase", "Remove a person from the database.",
        usage: "receiptmill erase --account <text> --database <file> [<options>]",
        examples: """
            receiptmill erase --account 4711 --database mill.sqlite --dry-run
            receiptmill erase --device 9E3D… --database mill.sqlite --pseudonym-key key
            """,
        details: """
            Removes every submission of an account or a device, or those of documents that state an app account token \
            and of transactions that trusted ones state with it; the receipts and purchases that no one else presented; \
            kept rejected lines that name the person, by decoded values, or in any spelling where they can't be \
            decoded, in doubt too; decisions on the person, with notes of others that name it; and answers to refund \
            requests of what goes. The file is written anew, so that no page holds what went. A record stays of what went and when, in the view erasures, never \
            of whom.

            What another account or device presented too stays: a receipt that was copied is theirs as well.

            With --subscriber, removes the rows of a subscriber from the store's SUBSCRIBER reports, and kept rejected \
            lines that have the number; the number leads to no receipt.

            A list of digests stays, by which archives that are loaded again into this database don't bring the lines \
            back. A new database needs the command again, behind its load.

            Exit status: 0 done, also where nothing was found; 66 there is no such database; 75 a run or a reader is at \
            work; 78 the key is not the database's.
            """)

    @Option(help: ArgumentHelp("The account, as lines state it.", valueName: "text"))
    var account: String?

    @Option(help: ArgumentHelp("The device, in any notation.", valueName: "identifier"))
    var device: String?

    @Option(help: ArgumentHelp("The token that the app gave the store (appAccountToken).", valueName: "uuid"))
    var appAccountToken: String?

    @Option(
        help: ArgumentHelp("The Subscriber ID of the store's SUBSCRIBER reports.", valueName: "number"))
    var subscriber: String?

    @Option(help: ArgumentHelp("The key by which the database names persons.", valueName: "file"), completion: .file())
    var pseudonymKey: String?

    @Flag(help: "Say what would go, and change nothing.")
    var dryRun = false

    @OptionGroup var output: SummaryOptions

    @Flag(inversion: .prefixedNo, help: .refreshOfNames)
    var refresh = true

    @OptionGroup var target: NamedDatabaseOptions

    private var identifiers: [Erasure.Identifier] {
        [
            account.map { .account($0) }, device.map { .device($0) }, appAccountToken.map { .appAccountToken($0) },
            subscriber.map { .subscriber($0) },
        ].compactMap(\.self)
    }

    func validate() throws {
        guard identifiers.count == 1 else {
            throw ValidationError("give one of --account, --device, --app-account-token and --subscriber")
        }
        guard ![account, device, appAccountToken, subscriber].contains("") else {
            throw ValidationError("the identifier is empty")
        }
    }

    func run() throws {
        let database = target.database
        guard let identifier = identifiers.first else { return }
        var erasure = Erasure(identifier, from: database)
        (erasure.isDryRun, erasure.refreshes) = (dryRun, refresh)
        if let pseudonymKey { erasure.pseudonyms = try Pseudonyms(keyFile: pseudonymKey) }
        let summary = try erasure.run()
        guard !target.quiet else { return }
        if output.isJSON { try Console.writeJSON(Self.object(summary)) } else { try Console.write(text(summary)) }
    }

    private func text(_ summary: ErasureSummary) -> String {
        guard !summary.isEmpty else { return "nothing of this person is in the database\n" }
        var text =
            "\(dryRun ? "would erase" : "erased") \(Console.count(summary.submissions, "submission")), "
            + "\(Console.count(summary.receipts, "receipt")), \(Console.count(summary.purchases, "purchase")), "
            + (summary.storeRows > 0 ? "\(Console.count(summary.storeRows, "row")) of report files, " : "")
            + (summary.decisions > 0 ? "\(Console.count(summary.decisions, "record")) of decisions, " : "")
            + (summary.answers > 0 ? "\(Console.count(summary.answers, "answer")) to refund requests, " : "")
            + "\(Console.count(summary.deadLetters, "kept line"))\n\nFiles that hold the lines:\n"
        for archive in summary.archives {
            text +=
                "  \(archive.name) (SHA-256 \(archive.sha256.prefix(16))…): \(Console.count(archive.lines, "line"))\n"
        }
        text += "\nWhat else may hold the person:\n"
        for copy in summary.copies { text += "  \(copy), from before a migration: remove it\n" }
        return text + """
              backups made before now: make a new one, and remove the others with their generations
              dead-letter files and reports written before: the next run writes them anew; remove copies
              pipeline files that allow the person (fraud: allow): the next run would take the name from there
              lakes, decoded lines and Parquet: build them anew without these lines
              another database of the same archives: run this command there

            """
    }

    private static func object(_ summary: ErasureSummary) -> [String: Any] {
        [
            "submissions": summary.submissions, "receipts": summary.receipts, "purchases": summary.purchases,
            "dead_letters": summary.deadLetters, "decisions": summary.decisions, "copies": summary.copies,
            "store_rows": summary.storeRows, "answers": summary.answers,
            "archives": summary.archives.map { ["archive": $0.name, "sha256": $0.sha256, "lines": $0.lines] },
        ]
    }
}
