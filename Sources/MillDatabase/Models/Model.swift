internal import Foundation
internal import MillSystem
package import ReceiptSQL

/// A table that one SELECT computes from others: a file in `sql/core` or `sql/marts`, whose header describes the table.
package struct Model: Sendable {
    package let name: String
    package let header: ObjectHeader
    package let key: [String]
    package let indices: [Index]
    /// The columns by which a refresh finds the rows that new documents change, from `-- Slice: original_id, app_id`;
    /// they are the key of a ``SliceKey``. Empty for a model that every refresh computes from all rows, or whose rows
    /// are sums.
    let slice: [String]
    /// The column with the number of entries that a row sums, from `-- Sums: entries`. All columns except the key are
    /// sums of whole numbers, so that a refresh can replace the entries of a slice.
    let sums: String?
    package let references: [Reference]
    /// Whether the table is kept in the database. `-- Kept: no` marks a model that only other models read: a temporary
    /// table, which is dropped when the refresh ends.
    package let isKept: Bool
    /// The column with numbers that refreshes assign, from `-- Numbered: user_id`. The SELECT returns only the keys; a
    /// key has the same number in every refresh, as long as it exists.
    let numbered: String?
    /// The tables and views from which the model is computed.
    let sources: Set<String>
    let select: String

    /// An index, from `-- Index: app_id, access_ms WHERE next_start_ms IS NULL`.
    package struct Index: Sendable, Hashable {
        package let columns: [String]
        /// The condition for rows that are in the index; nil if all are.
        package let condition: String?

        init(_ text: String) {
            let range = text.firstRange(of: " WHERE ")
            columns = Model.list(range.map { String(text[..<$0.lowerBound]) } ?? text)
            condition = range.map { String(text[$0.upperBound...]) }
        }
    }

    /// Columns whose values, unless null, have to exist in another table, declared as `-- Reference: original_id,
    /// app_id = model_originals(original_id, app_id)`.
    package struct Reference: Sendable, Hashable {
        package let columns: [String]
        package let table: String
        package let targets: [String]
    }

    /// Names of the tables that a refresh creates from the calendar and the run, and that have no files in `sql/`.
    static let seeds: Set<String> = [
        "model_days", "model_fiscal_months", "model_months", "model_pacific_days", "model_run", "model_utc_days",
    ]

    init(_ file: SQLFile) throws(MillError) { try self.init(file.name, file.text) }

    init(_ name: String, _ text: String) throws(MillError) {
        (self.name, header, select) = (name, ObjectHeader(of: text), text)
        sources = TableNames.read(by: text)
        key = header.values(of: "Key").flatMap(Self.list)
        indices = header.values(of: "Index").map(Index.init)
        slice = header.values(of: "Slice").flatMap(Self.list)
        sums = header.values(of: "Sums").first
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
        numbered = header.values(of: "Numbered").first
        let columns = Set(header.columns.map(\.name))
        let named =
            key + slice + indices.flatMap(\.columns) + references.flatMap(\.columns)
            + [numbered, sums].compactMap(\.self)
        if let stranger = named.first(where: { !columns.contains($0) }) {
            throw Self.fault(name, "the header names a column \(stranger) that it does not have")
        }
        if let column = header.columns.first(where: { $0.type == nil }) {
            throw Self.fault(name, "the column \(column.name) has no type")
        }
        guard !key.isEmpty else { throw Self.fault(name, "the header has no key") }
        if let numbered, !isKept || !indices.isEmpty || columns != Set(key + [numbered]) {
            throw Self.fault(name, "a numbered model is kept, and has its key and its number alone")
        }
    }

    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { $0 != " " } }
    }

    static func fault(_ name: String, _ what: String) -> MillError {
        MillError(stage: .refreshing, path: "\(name).sql", what: what, exitStatus: .internalFault)
    }
}
