internal import ArgumentParser
internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust

/// `receiptmill check`: lists the invariants that a database breaks.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "check", "Check integrity, foreign keys and invariants.",
        examples: """
            receiptmill check --database mill.sqlite
            receiptmill check --database mill.sqlite --trust apple --sample 1000
            """,
        details: """
            Only reads the database, also while a run is at work. Each promise is named after how it would be broken, \
            and has a line of the output. A file beside the database (FILE-check) records for receiptmill status when \
            the check was made and what it found. If SQLite finds damage, the check leaves the same mark as a run \
            (FILE-fault): the next run checks the database first. While either file shows damage, no backup replaces a \
            copy. A check that finds no damage removes the mark.

            Exit status: 0 all promises are kept; 65 one is broken; 66 there is no such database.
            """)

    @OptionGroup var target: DatabaseOption

    @Option(
        help: ArgumentHelp(
            "How many of the stored receipts to digest again, and with --trust to verify again. The next check "
                + "continues after them, so that successive checks examine all receipts.", valueName: "n"))
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
        let database = try target.path
        let former = CheckNote(of: database)
        var check = DatabaseCheck(path: database)
        (check.sampleSize, check.precedingReceipt) = (sample, former?.lastReceipt ?? 0)
        if !anchors.isEmpty || !unmarkedAnchors.isEmpty {
            check.anchors = try TrustAnchors(arguments: anchors, withoutMarkers: unmarkedAnchors)
        }
        let outcome = try examined(by: check, of: database, after: former)
        for finding in outcome.findings {
            if finding.count > 0 {
                try Console.write("\(finding.name): \(finding.count)\n")
                for offence in finding.offences { try Console.write("  \(TerminalText.harmless(offence))\n") }
                if let hint = finding.hint { Console.complain("hint: \(hint)") }
            } else if !quiet {
                try Console.write("\(finding.name): none\n")
            }
        }
        if outcome.findings.contains(where: { $0.count > 0 }) { throw ExitCode(ExitStatus.badData.rawValue) }
    }

    /// Runs the check and writes its result beside the database. A failure to write the result does not change it.
    private func examined(
        by check: DatabaseCheck, of database: String, after former: CheckNote?
    ) throws -> DatabaseCheck.Examination {
        let begin = Int64(Date().timeIntervalSince1970 * 1000)
        let outcome: DatabaseCheck.Examination
        do {
            outcome = try check.examine()
        } catch let error as MillError {
            // A failure to read the database from the disk counts as damage, too; a file that is not a database does
            // not.
            FaultMark(of: database).leave(for: [error], isOurs: error.exitStatus == .ioError)
            throw error
        }
        if let damage = outcome.findings.first(where: { $0.name == DatabaseCheck.damageName && $0.count > 0 }) {
            FaultMark(of: database).leave(saying: damage.offences.first ?? damage.name)
        } else if let metAt = FaultMark(of: database).metAt, metAt < begin {
            FaultMark(of: database).remove()
        }
        do {
            try CheckNote(of: outcome, at: begin, after: former).write(of: database)
        } catch {
            Console.complain(
                "receiptmill status will not know of this check, and the next one examines the same receipts: "
                    + MillError(error, at: .reporting, path: database).what, as: .warning)
        }
        return outcome
    }
}
