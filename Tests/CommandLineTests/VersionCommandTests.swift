internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct VersionCommandTests {
    @Test("--json and --format json are the same in every command that answers so")
    func json() throws {
        let workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
        let database = ["--database", workdir.path("mill.sqlite")]
        let receipt = Repository.file("data-samples/signed/receipts-001.jsonl.gz").path
        // Of an app transaction, nothing depends on the time at which a command judges.
        let shell = "zcat '\(receipt)' | grep -m 1 '^{.appTransaction'"
        try workdir.write(try Command("sh", ["-c", shell]).run().bytes, to: "one.jsonl")
        let one = workdir.path("one.jsonl")
        for command in [
            ["version"], ["erase", "--account", "none", "--dry-run"] + database,
            ["retract", "receipts-001.jsonl.gz", "--dry-run"] + database, ["inspect", one], ["verify", one],
            ["report", "coverage"] + database, ["report", "--list"],
        ] {
            let (short, long) = try (Mill.run(command + ["--json"]), Mill.run(command + ["--format", "json"]))
            #expect(short.bytes == long.bytes && short.status == long.status, "\(command): \(short) \(long)")
            let object = try? JSONSerialization.jsonObject(with: Data(short.bytes))
            #expect(object != nil, "\(command): \(short)")
            #expect(try Mill.run(command + ["--json", "--format", "text"]).status == 64)
        }
        for option in [["--json"], ["--format", "json"]] {
            let loaded = try Mill.run(["ingest", one, "--quiet"] + database + option)
            #expect(loaded.output.hasPrefix("{\"archives\":1,"), "\(loaded)")
        }
    }

    @Test("version names the libraries that the process runs with, as the tools do that belong to them")
    func version() throws {
        let text = try Mill.run(["version"])
        #expect(text.status == 0 && text.output.hasPrefix("receiptmill 0.1.0 ("), "\(text)")
        let result = try Mill.run(["version", "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let libraries = try #require(object["libraries"] as? [String: String])
        #expect(object["version"] as? String == "0.1.0" && object["schema"] as? Int == 8)
        let openssl = try Command("openssl", ["version"]).run().output.split(separator: " ")
        #expect(libraries["openssl"] == String(try #require(openssl.dropFirst().first)))
        let sqlite = try Command("sqlite3", ["--version"]).run().output.split(separator: " ")
        #expect(libraries["sqlite"] == String(try #require(sqlite.first)))
        #expect(libraries["zlib"]?.hasPrefix("1.") == true)
    }
}
