internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse

/// `receiptmill check`: lists the promises that a database breaks.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a database: SQLite's integrity, references, and our own promises.",
        discussion: """
            Only reads, also while a run is at work. Each promise is named after how it would be broken, and has a \
            line of the output.

            Exit status: 0 all promises are kept; 65 one is broken; 66 there is no such database.
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"),
        completion: .file())
    var database: String

    @Option(
        help: ArgumentHelp(
            "How many of the stored receipts to digest again, and with --trust to verify again, beside all that were "
                + "refused without a signer.", valueName: "n"))
    var sample = 1_000

    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "A root that the database was loaded under, as ingest takes it: stored receipts of the sample are then verified "
                + "again, signature and chain, and compared with their verdicts. Repeatable.", valueName: "anchor"),
        completion: .file())
    var anchors: [String] = []

    @Option(name: .customLong("trust-without-markers"), help: TrustOptions.unmarkedHelp)
    var unmarkedAnchors: [String] = []

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    func validate() throws {
        guard sample > 0 else { throw ValidationError("--sample must be positive") }
    }

    func run() throws {
        try CommandExit.of {
            var check = DatabaseCheck(path: database)
            check.sampleSize = sample
            if !anchors.isEmpty || !unmarkedAnchors.isEmpty {
                check.anchors = try TrustAnchors(arguments: anchors, withoutMarkers: unmarkedAnchors)
            }
            var isBroken = false
            for finding in try check.run() {
                if finding.count > 0 {
                    isBroken = true
                    try Console.write("\(finding.name): \(finding.count)\n")
                    for offence in finding.offences { try Console.write("  \(TerminalText.harmless(offence))\n") }
                    if let hint = finding.hint { Console.complain("hint: \(hint)") }
                } else if !quiet {
                    try Console.write("\(finding.name): none\n")
                }
            }
            if isBroken { throw ExitCode(ExitStatus.badData.rawValue) }
        }
    }
}
