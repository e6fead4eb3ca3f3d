internal import ArgumentParser
internal import MillRun
internal import ReceiptTrust

/// `receiptmill regrade`: verifies every kept receipt again.
struct RegradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "regrade", "Re-verify stored receipts with other anchors.",
        usage: "receiptmill regrade --database <file> [<options>]",
        examples: """
            receiptmill regrade --database mill.sqlite --trust root.pem
            """,
        details: """
            Needs every receipt to have been stored (ingest --keep-receipts, or keep_receipts in the pipeline file). \
            Verdicts, purchases and claims are then what a load of the same archives would make of them now; \
            submissions and rejections stay. One transaction: a run that is killed changes nothing.

            Exit status: 0 done; 65 a receipt was not stored, or is damaged, and nothing is changed; 66 there is no such \
            database; 75 another run is at work.
            """)

    @Option(name: .shortAndLong, help: .loadedDatabase, completion: .file())
    var database: String

    @OptionGroup var trust: TrustOptions

    @Option(help: .jobs, transform: Workers.count)
    var jobs: Int?

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    func run() throws {
        var configuration = LoadConfiguration(database: database)
        configuration.anchors = try trust.resolvedAnchors()
        configuration.intermediates = try trust.resolvedIntermediates()
        if let jobs { configuration.jobs = jobs }
        configuration.refreshes = refresh
        let summary = try Regrade(configuration).run()
        guard !quiet else { return }
        try Console.write("\(summary.receipts) receipts verified\n")
        let changes = summary.changes.map { "\($0.former.rawValue) to \($0.verdict.rawValue): \($1)\n" }
        for change in changes.sorted() { try Console.write(change) }
    }
}
