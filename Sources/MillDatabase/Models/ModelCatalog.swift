internal import Foundation
package import ReceiptSQL

/// Lists the models of this version of the program, which are tables computed from the loaded rows, and finds out
/// whether a statement reads any.
package enum ModelCatalog {
    /// All models, each after the models from which it is computed.
    package static func all() throws -> [Model] { try ordered.get() }

    private static let folders = ["core", "marts"]
    static let views = Dictionary(uniqueKeysWithValues: SQLFile.views.map { ($0.name, $0.text) })

    private static let ordered = Result {
        let models = try folders.flatMap(SQLFile.files).map { try Model($0) }
        let byName = Dictionary(uniqueKeysWithValues: models.map { ($0.name, $0) })
        var ordered: [Model] = []
        /// Whether a visited name is done; false while its sources are being visited.
        var visited: [String: Bool] = [:]
        func visit(_ name: String) throws {
            guard let sources = byName[name]?.sources ?? views[name].map(TableNames.read) else { return }
            if let isDone = visited[name] {
                guard isDone else { throw Model.fault(name, "depends on itself") }
                return
            }
            visited[name] = false
            for source in sources.sorted() { try visit(source) }
            visited[name] = true
            if let model = byName[name] { ordered.append(model) }
        }
        for model in models { try visit(model.name) }
        return ordered
    }

    /// Whether a statement reads a model, directly or through the project's views.
    package static func areRead(by sql: String) -> Bool {
        isRead(by: sql) { Model.seeds.contains($0) || modelNames.contains($0) }
    }

    /// Whether a statement reads a wanted table or view, directly or through the project's views.
    package static func isRead(by sql: String, _ isSought: (String) -> Bool) -> Bool {
        var seen: Set<String> = []
        var rest = Array(TableNames.read(by: sql))
        while let name = rest.popLast() {
            guard seen.insert(name).inserted else { continue }
            if isSought(name) { return true }
            if let view = views[name] { rest += TableNames.read(by: view) }
        }
        return false
    }

    private static let modelNames = Set(folders.flatMap(SQLFile.files).map(\.name))

    /// A hash of the texts of all models, slices, calendars and views. If any of them changes, the hash changes and
    /// invalidates rows that were computed from another text.
    static let definitions: String = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let texts = ((folders + ["calendar", "slices"]).flatMap(SQLFile.files) + SQLFile.views).map(\.text)
        // The hash is FNV-1a. The version of time zone data is included, since calendars are computed from it.
        for byte in (texts + [TimeZone.timeZoneDataVersion]).joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }()
}

extension SQLFile {
    /// The files in `sql/views`, each of which defines a view.
    package static let views = files(in: "views")
}
