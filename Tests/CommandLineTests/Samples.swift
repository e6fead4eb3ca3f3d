internal import Foundation
internal import TestSupport
internal import Testing

/// The archive of `data-samples/` and the root that it trusts.
enum Samples {
    static let folder = Repository.file("data-samples")

    static var archive: String { folder.appending(path: "receipts-001.jsonl.gz").path }
    static var root: String { folder.appending(path: "root.pem").path }

    /// Copies the archive's first thirty lines, three of which are rejected, for tests
    /// that ask what becomes of an archive, not of its lines.
    static func copyBeginning(to path: String) throws {
        try FileManager.default.copyItem(atPath: beginning.get().path("beginning.gz"), toPath: path)
    }

    private static let beginning = Result {
        let workdir = try Workdir()
        let script = #"gzip -dc "$0" | head -n 30 | gzip > beginning.gz"#
        #expect(try Command("sh", ["-c", script, archive], in: workdir.url).run().status == 0)
        return workdir
    }

    /// The database of the sample, loaded once in a process.
    private static let loaded = Result {
        let workdir = try Workdir()
        let result = try Mill.run(
            ["ingest", archive, "--trust", root, "--database", workdir.path("mill.sqlite"), "--quiet"])
        #expect(result.status == 0, "\(result)")
        return workdir
    }

    /// Copies the database of the sample into a folder, as `mill.sqlite`.
    static func copyDatabase(into workdir: Workdir) throws {
        try FileManager.default.copyItem(
            atPath: loaded.get().path("mill.sqlite"), toPath: workdir.path("mill.sqlite"))
    }
}
