extension Pipeline {
    /// Refuses outputs that would replace each other, or what a run reads.
    func checkOutputs(_ written: WrittenSection) throws(MillError) {
        var files = OutputGuard(database: database)
        files.protect(written.node.file.path, as: "the pipeline file")
        if let pseudonymKey { files.protect(pseudonymKey, as: "the key of the pseudonyms") }
        for source in archives { files.protect(source) }
        for output in outputs {
            _ = try written.checking(output.key) { () throws in try files.claim(output.path, as: output.kind) }
        }
    }

    /// Files that a run writes beside the database.
    private var outputs: [(path: String, kind: OutputKind, key: [ConfigurationStep])] {
        var outputs: [(path: String, kind: OutputKind, key: [ConfigurationStep])] = []
        for (place, report) in reports.enumerated() {
            outputs.append((report.output, .report, ["reports", .place(place), "output"]))
        }
        if let dashboard { outputs.append((dashboard, .dashboard, ["dashboard"])) }
        if let metrics { outputs.append((metrics, .metrics, ["metrics"])) }
        if let rejects { outputs.append((rejects, .rejects, ["rejects"])) }
        return outputs
    }
}
