internal import MillSystem
internal import ReceiptReports
internal import ReceiptTrust

extension Pipeline {
    /// Refuses outputs that would replace each other, or what a run reads, and
    /// archives that are one of these.
    func checkFiles(_ written: WrittenSection) throws(MillError) {
        var files = OutputGuard(database: database)
        files.protect(written.node.file.path, as: "the pipeline file")
        if let pseudonymKey { files.protect(pseudonymKey, as: "the key of the pseudonyms") }
        if let prices { files.protect(prices, as: "the price list") }
        for anchor in trust.anchors + trust.anchorsWithoutMarkers where TrustAnchors.isFile(anchor) {
            files.protect(anchor, as: "an anchor")
        }
        for file in trust.intermediates { files.protect(file, as: "a certificate") }
        for file in (try? catalog())?.files ?? [] { files.protect(file, as: "a report of yours") }
        for (index, source) in archives.enumerated() {
            let way: [ConfigurationStep] = ["archives", .index(index), "path"]
            _ = try written.checking(way) { () throws in try files.protect(source) }
        }
        for output in outputs {
            _ = try written.checking(output.key) { () throws in try files.claim(output.path, as: output.kind) }
        }
    }

    /// Refuses folders of moved archives in which an entry looks for archives.
    func checkMoves(_ written: WrittenSection) throws(MillError) {
        for (index, source) in archives.enumerated() {
            let folders: [(ConfigurationStep, String?)] = [
                ("move_to", source.destination), ("damaged_to", source.quarantine),
            ]
            for case (let key, let folder?) in folders {
                guard let finder = archives.first(where: { $0.looks(into: folder) }) else { continue }
                _ = try written.checking(["archives", .index(index), key]) { () throws in
                    throw MillError(
                        stage: .configuring,
                        what:
                            "\(finder.path) looks into this folder: what was moved would be found there and moved again",
                        hint: "name a folder that \(finder.path) does not find, such as one below it",
                        exitStatus: .configuration)
                }
            }
        }
    }

    /// Files that a run writes beside the database.
    private var outputs: [(path: String, kind: OutputKind, key: [ConfigurationStep])] {
        var outputs: [(path: String, kind: OutputKind, key: [ConfigurationStep])] = []
        for (index, report) in reports.enumerated() {
            outputs.append((report.output, .report, ["reports", .index(index), "output"]))
        }
        if let dashboard { outputs.append((dashboard, .dashboard, ["dashboard"])) }
        if let metrics { outputs.append((metrics, .metrics, ["metrics"])) }
        if let deadLetters { outputs.append((deadLetters.file, .deadLetters, ["dead_letters", "file"])) }
        return outputs
    }
}
