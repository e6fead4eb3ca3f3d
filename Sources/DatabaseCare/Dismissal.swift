internal import MillDatabase
package import MillSystem
internal import ReceiptArchive
internal import ReceiptWarehouse

/// Dismisses rejections whose lines can't be corrected, or reopens dismissed ones.
package struct Dismissal: Sendable {
    package var database: String
    /// Rejections as `ARCHIVE:LINE`, where ARCHIVE is a name or the first digits of a SHA-256.
    package var lines: [String] = []
    /// A dead-letter file that names further rejections; "-" is standard input.
    package var file: String?
    /// Whether dismissed rejections are reopened.
    package var isUndo = false

    package init(database: String) {
        self.database = database
    }

    /// - Throws: ``MillError``, also if one of the lines was never rejected; then nothing is changed.
    package func run() throws(MillError) -> DismissalSummary {
        try DatabaseName.refuseMissing(database)
        let warehouse = try Warehouse(path: database)
        var ids: Set<Int64> = []
        for line in lines { ids.insert(try id(of: line, in: warehouse)) }
        if let file {
            var limits = Limits()
            // A line of any length can be dismissed, because dismissing does not read the line.
            limits.lineBytes = 1 << 30
            let reader = try DeadLetterReader(checking: InputFile(path: file), limits: limits)
            while let letter = try reader.next() {
                let letter = try letter.get()
                guard let state = try warehouse.rejections.state(ofLine: letter.line, in: letter.archive),
                    state.status != nil
                else {
                    throw Self.refusal("no line of this database was rejected there", path: file, line: reader.line)
                }
                ids.insert(state.id)
            }
        }
        let changed = try warehouse.rejections.dismiss(ids, undo: isUndo)
        if changed > 0, !isUndo { try DatabasePacking(warehouse).releaseFreePages() }
        return DismissalSummary(changed: changed, unchanged: ids.count - changed)
    }

    private func id(of text: String, in warehouse: Warehouse) throws(MillError) -> Int64 {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let line = parts.last.flatMap({ Int64($0) }), line > 0, parts.count > 1 else {
            throw MillError(
                stage: .loading, what: "\(text) is no ARCHIVE:LINE", hint: "such as night.jsonl.gz:152",
                exitStatus: .usage)
        }
        let name = parts.dropLast().joined(separator: ":")
        let archives = try warehouse.archives.named(name)
        guard let archive = archives.first else {
            throw Self.refusal("\(text): no archive has this name, nor a SHA-256 that begins so")
        }
        guard archives.count == 1 else {
            throw Self.refusal("\(text): \(archives.count) archives have this name; give the SHA-256 of one")
        }
        guard let state = try warehouse.rejections.state(ofLine: line, in: archive), state.status != nil else {
            throw Self.refusal("\(text): this line was never rejected")
        }
        return state.id
    }

    private static func refusal(_ what: String, path: String? = nil, line: Int? = nil) -> MillError {
        MillError(
            stage: .loading, path: path, line: line, what: what,
            hint: "SELECT archive, line FROM rejections has the lines; nothing is changed", exitStatus: .badData)
    }
}

package struct DismissalSummary: Sendable, Hashable {
    package let changed: Int
    /// The number of lines whose rejection already had the requested status, or that have been loaded since.
    package let unchanged: Int
}
