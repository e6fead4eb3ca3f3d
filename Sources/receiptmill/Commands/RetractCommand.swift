internal import ArgumentParser
internal import DatabaseCare
internal import Foundation
internal import StoreLoading

/// `receiptmill retract`: removes archives from a database.
struct RetractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "retract", "Remove an archive and everything only it states.",
        usage: "receiptmill retract <archive>... --database <file> [<options>]",
        examples: """
            receiptmill retract night.jsonl.gz --database mill.sqlite --dry-run
            receiptmill retract 4393a2c1 --database mill.sqlite
            """,
        details: """
            Removes the submissions and rejections of an archive, kept lines, and the receipts and purchases that no \
            other archive states. Purchases that others state, too, are merged again from their receipts, which must have \
            been kept for it (ingest --keep-receipts, or keep_receipts in the pipeline file). Where they were not, nothing \
            is changed, and the archives are named: those that are retracted together need not be merged again. Under a pseudonym key \
            signed data that names a person is never kept, and has to be retracted so. Certificates of \
            issuers stay, and so do the verdicts of old transaction receipts that rest on them; decisions on fraud stay.

            Of a report file of the store, given by its name, all rows go.

            A record stays in the view retractions. The archive can be loaded again, and is by the next run where it \
            still lies in a folder of the pipeline. compact gives room back.

            Exit status: 0 done; 64 several archives have the name; 65 a receipt was not kept, or is damaged; 66 there is \
            no such archive or database; 75 a run is at work. What is told of models or of \
            the disk comes behind the change, which stays.
            """)

    @Argument(
        help: ArgumentHelp(
            "Name or path, as it was loaded; or the first digits of its SHA-256, eight or more.", valueName: "archive"),
        completion: .file())
    var archives: [String]

    @Flag(help: "Say what would go, and change nothing.")
    var dryRun = false

    @OptionGroup var output: SummaryOptions

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @OptionGroup var target: NamedDatabaseOptions

    func run() throws {
        let database = target.database
        var retraction = Retraction(of: archives, from: database)
        (retraction.isDryRun, retraction.refreshes) = (dryRun, refresh)
        let summary = try retraction.run()
        guard !target.quiet else { return }
        if output.isJSON { try Console.writeJSON(Self.object(summary)) } else { try Console.write(text(summary)) }
    }

    private func text(_ summary: RetractionSummary) -> String {
        let verb = dryRun ? "would retract" : "retracted"
        var text = ""
        for archive in summary.archives {
            text += "\(verb) \(archive.name) (SHA-256 \(archive.sha256.prefix(16))…): "
            text += "\(Console.count(archive.lines, "line"))\n"
        }
        for file in summary.reportFiles {
            text += "\(verb) \(file.name) (SHA-256 \(file.sha256.prefix(16))…): "
            text += "\(Console.count(file.rows, "row")), \(file.rejected) rejected\n"
        }
        guard !summary.archives.isEmpty else { return text }
        text += "with \(Console.count(summary.submissions, "submission")), "
        text +=
            "\(Console.count(summary.rejections, "rejection")), \(Console.count(summary.deadLetters, "kept line")), "
        text += "\(Console.count(summary.receipts, "receipt")), \(Console.count(summary.purchases, "purchase"))\n"
        let left = summary.archives.flatMap(\.paths).filter { FileManager.default.fileExists(atPath: $0) }
        guard !left.isEmpty else { return text }
        text += "\nThe next run loads again what lies in a folder of its pipeline file:\n"
        return left.reduce(text) { "\($0)  \($1)\n" }
    }

    private static func object(_ summary: RetractionSummary) -> [String: Any] {
        [
            "submissions": summary.submissions, "rejections": summary.rejections, "dead_letters": summary.deadLetters,
            "receipts": summary.receipts, "purchases": summary.purchases,
            "report_files": summary.reportFiles.map {
                ["file": $0.name, "sha256": $0.sha256, "rows": $0.rows, "rejected": $0.rejected] as [String: Any]
            },
            "archives": summary.archives.map {
                ["archive": $0.name, "sha256": $0.sha256, "lines": $0.lines, "paths": $0.paths] as [String: Any]
            },
        ]
    }
}
