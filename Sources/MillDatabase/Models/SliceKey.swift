internal import ReceiptSQL

/// One kind of thing whose rows are computed together, such as transactions or users: a file in `sql/slices/reached`.
/// Its SELECT returns the things that are directly connected to those in the tables `reached_…`.
struct SliceKey: Sendable {
    let name: String
    let columns: [String]
    let select: String

    static let all: [SliceKey] = SQLFile.files(in: "slices/reached").map(SliceKey.init)

    /// The key with certain columns; nil if there is none.
    static func with(columns: [String]) -> SliceKey? { all.first { $0.columns == columns } }

    init(_ file: SQLFile) {
        (name, select) = (file.name, file.text)
        columns = ObjectHeader(of: file.text).values(of: "Key").flatMap(Model.list)
    }

    /// The temporary table with the things of this kind in the slice, and the round in which each was found.
    var table: String { "slice_\(name)" }

    var definition: String {
        // Transaction identifiers are integers, or texts if they are not canonical decimals. Models store those of
        // submissions in columns of the type ANY; SQLite doesn't use an index on them for a comparison with an INTEGER
        // column.
        let types = ["original_id": "ANY", "submission_id": "ANY", "token": "TEXT"]
        let definitions = columns.map { "\($0) \(types[$0] ?? "INTEGER")" }
        let key = columns.joined(separator: ", ")
        return """
            CREATE TEMP TABLE \(table) (
                \(definitions.joined(separator: ", ")), round INTEGER NOT NULL, PRIMARY KEY (\(key))
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX temp.\(table)_by_round ON \(table) (round);
            CREATE TEMP VIEW reached_\(name) AS
            SELECT \(key) FROM \(table) WHERE round = (SELECT round FROM slice_round);
            """
    }
}
