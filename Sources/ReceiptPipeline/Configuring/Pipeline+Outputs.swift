internal import Foundation

extension Pipeline {
    /// Refuses outputs that would replace each other, or what a run reads.
    func checkOutputs(_ written: WrittenSection) throws(MillError) {
        var taken = [Self.file(written.node.file.path): "the pipeline file"]
        for suffix in ["", "-wal", "-shm", "-lock"] { taken[Self.file(database + suffix)] = "the database" }
        if let pseudonymKey { taken[Self.file(pseudonymKey)] = "the key of the pseudonyms" }
        for output in outputs {
            let file = Self.file(output.path)
            let isArchive = archives.contains { fnmatch(Self.file($0.path), file, FNM_PATHNAME) == 0 }
            let owner = isArchive ? "an archive" : taken.updateValue(output.owner, forKey: file)
            guard let owner else { continue }
            _ = try written.checking(output.key) { () throws in
                throw MillError(
                    stage: .configuring, what: "\(output.path) is \(owner), which would be overwritten",
                    hint: "name another file", exitStatus: .usage)
            }
        }
    }

    /// Files that a run writes beside the database.
    private var outputs: [(path: String, owner: String, key: [ConfigurationStep])] {
        var outputs: [(path: String, owner: String, key: [ConfigurationStep])] = []
        for (place, report) in reports.enumerated() {
            outputs.append((report.output, "another report", ["reports", .place(place), "output"]))
        }
        if let dashboard { outputs.append((dashboard, "the dashboard", ["dashboard"])) }
        if let metrics { outputs.append((metrics, "the metrics", ["metrics"])) }
        if let rejects { outputs.append((rejects, "the rejects", ["rejects"])) }
        return outputs
    }

    /// One name for a file, whatever way a path takes to it.
    private static func file(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
