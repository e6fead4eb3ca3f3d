internal import Foundation
internal import TestSupport
internal import Testing

/// The archive of `data-samples/` and the root that it trusts.
enum Samples {
    static let folder: URL = {
        var place = URL(filePath: #filePath)
        for _ in 0..<3 { place.deleteLastPathComponent() }
        return place.appending(path: "data-samples")
    }()

    static var archive: String { folder.appending(path: "receipts-001.jsonl.gz").path }
    static var root: String { folder.appending(path: "root.pem").path }

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
