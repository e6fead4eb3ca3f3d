internal import Foundation
internal import TestSupport
internal import Testing

/// The command that ends a summary.
@Suite struct NextStepTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func path(_ name: String) -> String { workdir.path(name) }

    private func next(_ output: String) -> String? {
        output.split(separator: "\n").last.flatMap { $0.hasPrefix("next: ") ? String($0.dropFirst(6)) : nil }
    }

    /// Does what a summary says, as a shell reads it.
    private func follow(_ next: String) throws -> Mill.Result {
        let arguments = next.dropFirst("receiptmill ".count)
        return try Command("sh", ["-c", "exec \"$0\" \(arguments)", Mill.binary.path]).run()
    }

    @Test("Rejections lead to their reasons, models that were left out to a refresh, and that to a report")
    func receipts() throws {
        let database = path("it's mine.sqlite")
        let ingest = ["ingest", Samples.archive, "--trust", Samples.root, "--database", database]
        let quiet = try Mill.run(ingest + ["--no-refresh", "--quiet"])
        #expect(quiet.output.isEmpty)
        let plain = try #require(next(try Mill.run(ingest + ["--no-refresh"]).output))
        #expect(plain == "receiptmill refresh --database '\(database.replacing("'", with: "'\\''"))'")
        let refreshed = try follow(plain)
        #expect(refreshed.status == 0)
        let report = try #require(next(refreshed.output))
        #expect(report.hasPrefix("receiptmill report coverage --database "))
        #expect(try follow(report).status == 0)

        let anew = path("anew.sqlite")
        let first = try Mill.run(["ingest", Samples.archive, "--trust", Samples.root, "--database", anew]).output
        #expect(next(first) == "receiptmill report archive-loads --database \(anew) by=reason")
        #expect(try follow(next(first) ?? "").output.contains("invalid_json"))
        // Without an anchor all are refused.
        let bare = path("bare.sqlite")
        let untrusted = try Mill.run(["ingest", Samples.archive, "--no-preflight", "--database", bare]).output
        #expect(next(untrusted) == "receiptmill report coverage --database \(bare) by=verdict")
        #expect(try follow(next(untrusted) ?? "").output.contains("untrusted_root"))
    }

    @Test("Signed data leads to money, apps that were set to owners by era, and unknown apps to setting them")
    func fitting() throws {
        let signed = Samples.folder.appending(path: "signed")
        let database = path("signed.sqlite")
        let ingest = [
            "ingest", signed.appending(path: "receipts-001.jsonl.gz").path, "--trust",
            signed.appending(path: "root.pem").path, "--database", database, "--json",
        ]
        func next(of result: Mill.Result) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return try #require(object?["next"] as? [String], "\(result)")
        }
        #expect(
            try next(of: Mill.run(ingest)) == [
                "report", "fraud-signals", "--database", database, "found=last-run",
            ])
        let again = try next(of: Mill.run(ingest))
        #expect(again == ["report", "recurring-revenue", "--database", database])
        #expect(try Mill.run(again).status == 0)
        #expect(try !Mill.run(ingest + ["--quiet"]).output.contains("\"next\""))

        // Of the samples' lines only those of one app, none of which was rejected.
        let one = path("one.jsonl")
        let script = #"gzip -dc "$0" | head -n 1 > "$1""#
        #expect(try Command("sh", ["-c", script, Samples.archive, one]).run().status == 0)
        let receipts = ["ingest", one, "--trust", Samples.root, "--database", path("one.sqlite"), "--json"]
        let apps = try next(of: Mill.run(receipts))
        #expect(apps == receipts + ["--app", "com.example.tideline:"])
        // The command sets the app; a version makes eras known.
        #expect(try Mill.run(apps).status == 0)
        let owners = try next(of: Mill.run(receipts + ["--app", "com.example.tideline:2.0:ios"]))
        #expect(owners == ["report", "freemium-migration", "--database", path("one.sqlite")])
        #expect(try Mill.run(owners).status == 0)
    }

    @Test("A pipeline's run ends with it, too, where its summary is asked for")
    func pipeline() throws {
        try Samples.copyBeginning(to: path("a.gz"))
        let file = try workdir.write(
            "database: mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\narchives: [{path: a.gz}]\n",
            to: "night.yaml")
        let run = try Mill.run(["run", file, "--format", "text"])
        #expect(
            next(run.output) == "receiptmill report archive-loads --database \(path("mill.sqlite")) by=reason")
        #expect(try Mill.run(["run", file]).output.isEmpty)
    }
}
