internal import Foundation
internal import MillSystem
package import ReceiptSQL

/// A table that one SELECT works out of others: a file under `sql/core` or `sql/marts`, whose header says the rest.
package struct Model: Sendable {
    package let name: String
    package let header: ObjectHeader
    package let key: [String]
    package let indices: [[String]]
    package let references: [Reference]
    /// False of what other models alone read, by `-- Kept: no`: a temporary table, which goes when a refresh ends.
    package let isKept: Bool
    /// What it reads from: tables of the loader, views, other models.
    let sources: Set<String>
    let select: String

    /// Columns whose values stand in a table, where they are not null:
    /// `-- Reference: original_id, app_id = model_originals(original_id, app_id)`.
    package struct Reference: Sendable, Hashable {
        package let columns: [String]
        package let table: String
        package let targets: [String]
    }

    /// Names of the tables that a refresh makes of the calendar and the run, which are no files.
    static let seeds: Set<String> = ["model_days", "model_months", "model_utc_days", "model_run"]

    init(_ file: SQLFile) throws(MillError) { try self.init(file.name, file.text) }

    init(_ name: String, _ text: String) throws(MillError) {
        (self.name, header, select) = (name, ObjectHeader(of: text), text)
        sources = TableNames.read(by: text)
        key = header.values(of: "Key").flatMap(Self.list)
        indices = header.values(of: "Index").map(Self.list)
        var references: [Reference] = []
        for text in header.values(of: "Reference") {
            let parts = text.split(whereSeparator: { "=()".contains($0) }).map(String.init)
            guard parts.count == 3 else {
                throw Self.fault(name, "'\(text)' is no reference: columns = table(columns)")
            }
            references.append(
                Reference(
                    columns: Self.list(parts[0]), table: Self.list(parts[1]).joined(), targets: Self.list(parts[2])))
        }
        self.references = references
        isKept = header.values(of: "Kept") != ["no"]
        let columns = Set(header.columns.map(\.name))
        let named = key + indices.flatMap(\.self) + references.flatMap(\.columns)
        if let stranger = named.first(where: { !columns.contains($0) }) {
            throw Self.fault(name, "the header names a column \(stranger) that it does not have")
        }
        if let column = header.columns.first(where: { $0.type == nil }) {
            throw Self.fault(name, "the column \(column.name) has no type")
        }
        guard !key.isEmpty else { throw Self.fault(name, "the header has no key") }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { $0 != " " } }
    }

    fileprivate static func fault(_ name: String, _ what: String) -> MillError {
        MillError(stage: .deriving, path: "\(name).sql", what: what, exitStatus: .internalFault)
    }
}

/// The models of this version, and what reads them.
package enum Models {
    /// Every model, behind those that it is worked out of.
    package static func all() throws -> [Model] { try ordered.get() }

    private static let folders = ["core", "marts"]
    private static let views = Dictionary(uniqueKeysWithValues: SQLFile.views.map { ($0.name, $0.text) })

    private static let ordered = Result {
        let models = try folders.flatMap(SQLFile.files).map { try Model($0) }
        let byName = Dictionary(uniqueKeysWithValues: models.map { ($0.name, $0) })
        var ordered: [Model] = []
        /// Names that are on the way to the one at hand: false; and those that are done: true.
        var visited: [String: Bool] = [:]
        func visit(_ name: String) throws {
            guard let sources = byName[name]?.sources ?? views[name].map(TableNames.read) else { return }
            if let isDone = visited[name] {
                guard isDone else { throw Model.fault(name, "is worked out of itself") }
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

    /// Whether some SQL reads a model, directly or through the project's views.
    package static func areRead(by sql: String) -> Bool {
        isRead(by: sql) { Model.seeds.contains($0) || modelNames.contains($0) }
    }

    /// Whether some SQL reads a table or a view that is sought, directly or through the project's views.
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

    /// Changes with the text of any model: rows that another text gave are outdated.
    static let definitions: String = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let texts = (folders.flatMap(SQLFile.files) + SQLFile.views).map(\.text)
        // FNV-1a. Calendars are of the data on zones that the process has.
        for byte in (texts + [TimeZone.timeZoneDataVersion]).joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }()
}

extension SQLFile {
    /// The files that hold a view each.
    package static let views = files(in: "views")
}
