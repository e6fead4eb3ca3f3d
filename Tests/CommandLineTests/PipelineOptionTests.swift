internal import Foundation
internal import TestSupport
internal import Testing

/// Loads by hand with the settings of a pipeline file.
@Suite struct PipelineOptionTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func path(_ name: String) -> String { workdir.path(name) }

    /// A pipeline file beside an archive that has receipts under an unusual key, and nothing under `archives`.
    private func night(_ more: String = "", create: Bool = true) throws -> String {
        let script = #"gzip -dc "$0" | head -n 30 | sed 's/"receipt":/"proof":/' | gzip > "$1""#
        #expect(try Command("sh", ["-c", script, Samples.archive, path("odd.gz")]).run().status == 0)
        return try workdir.write(
            """
            database: mill.sqlite
            create: \(create)
            trust: {anchors: [root.pem]}
            lines: {receipt: [proof]}
            apps: [{bundle: com.example.tideline, first_free_version: "2.0"}]
            archives: [{path: none/*.gz}]
            alarms: {rejected_share: 0}
            \(more)
            """, to: "night.yaml")
    }

    private func lines(_ sql: String, _ database: String = "mill.sqlite") throws -> [String] {
        try Stored(path(database), isReadOnly: true).lines(sql)
    }

    private func copyRoot() throws {
        try FileManager.default.copyItem(atPath: Samples.root, toPath: path("root.pem"))
    }

    @Test("Database, trust, keys and apps are the file's; its archives, alarms and other steps are not done")
    func taken() throws {
        try copyRoot()
        let result = try Mill.run(["ingest", path("odd.gz"), "--pipeline", try night("metrics: night.prom")])
        #expect(result.status == 0, "\(result)")
        #expect(try lines("SELECT count(*) FROM submissions") == ["27"])
        #expect(try lines("SELECT verdict FROM receipts GROUP BY 1 ORDER BY count(*) DESC LIMIT 1") == ["trusted"])
        #expect(try lines("SELECT bundle_id, first_free_version FROM app_setting") == ["com.example.tideline|2.0"])
        #expect(!FileManager.default.fileExists(atPath: path("night.prom")))
    }

    @Test("Options go before the file's settings")
    func overridden() throws {
        try copyRoot()
        let night = try night()
        let keys = try Mill.run([
            "ingest", path("odd.gz"), "--pipeline", night, "--ignore-key", "proof", "--max-rejected", "1", "--json",
        ])
        #expect(keys.status == 0 && keys.output.contains(#""receipts_new":0"#), "\(keys)")
        let other = try Mill.run(
            [
                "ingest", path("odd.gz"), "--pipeline", night, "--database", path("other.sqlite"), "--trust", "apple",
                "--no-preflight",
            ])
        #expect(other.status == 0, "\(other)")
        #expect(try lines("SELECT count(*) FROM receipts WHERE verdict = 'trusted'", "other.sqlite") == ["0"])
        let limited = try Mill.run(
            [
                "ingest", path("odd.gz"), "--pipeline", night, "--database", path("limits.sqlite"), "--max-line", "100",
                "--max-rejected", "1", "--json",
            ])
        #expect(limited.output.contains(#""line_too_long":"#), "\(limited)")
    }

    @Test("Dead letters are kept in the file's own database alone")
    func deadLetters() throws {
        try copyRoot()
        let night = try night("dead_letters: {file: letters.gz}")
        let other = ["ingest", path("odd.gz"), "--pipeline", night, "--database", path("other.sqlite")]
        #expect(try Mill.run(other).status == 0)
        #expect(!FileManager.default.fileExists(atPath: path("letters.gz")))
        #expect(try Mill.run(["ingest", path("odd.gz"), "--pipeline", night]).status == 0)
        #expect(FileManager.default.fileExists(atPath: path("letters.gz")))
        // Rejected lines are read again with the file's keys.
        let retry = try Mill.run(["retry", "--pipeline", night])
        #expect(retry.status == 0 && retry.output.contains("still rejected"), "\(retry)")
    }

    @Test("What contradicts is refused with both sides named")
    func contradictions() throws {
        try copyRoot()
        let key = try workdir.write(String(repeating: "k", count: 32), to: "key")
        let letters = try night("dead_letters: {file: letters.gz}")
        let hidden = try Mill.run(["ingest", path("odd.gz"), "--pipeline", letters, "--pseudonym-key", key])
        #expect(hidden.status == 64)
        #expect(
            hidden.errors.contains(
                "dead_letters of the pipeline file keeps devices and accounts as they are, which --pseudonym-key is to hide"
            ),
            "\(hidden)")
        let pseudonyms = try night("pseudonym_key: key")
        let kept = try Mill.run(
            ["ingest", path("odd.gz"), "--pipeline", pseudonyms, "--dead-letters", path("letters.gz")])
        #expect(
            kept.status == 64 && kept.errors.contains("which pseudonym_key of the pipeline file is to hide"), "\(kept)")
        let decoded = try Mill.run(["decode", path("odd.gz"), "--pipeline", pseudonyms, "--keep-rejected"])
        #expect(decoded.status == 64 && decoded.output.isEmpty, "\(decoded)")

        let itself = try Mill.run(["ingest", path("odd.gz"), "--pipeline", letters, "--metrics", letters])
        #expect(
            itself.status == 64 && itself.errors.contains("is the pipeline file, which would be overwritten"),
            "\(itself)")
        // A database is made only where the file allows it.
        let strict = try night(create: false)
        #expect(try Mill.run(["ingest", path("odd.gz"), "--pipeline", strict]).status == 66)
        let wrong = try workdir.write("database: x\narchive: []\n", to: "wrong.yaml")
        #expect(try Mill.run(["ingest", path("odd.gz"), "--pipeline", wrong]).status == 78)
    }

    @Test("decode answers with the file's trust and keys")
    func decode() throws {
        try copyRoot()
        let result = try Mill.run(["decode", path("odd.gz"), "--pipeline", try night()])
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 30)
        #expect(result.output.contains(#""verdict":"trusted""#))
    }
}
