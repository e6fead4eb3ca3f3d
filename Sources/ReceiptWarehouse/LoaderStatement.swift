internal import CRowBuffer
internal import GRDB
internal import GRDBSQLite
internal import MillDatabase
internal import MillSystem

/// A prepared statement of the loader, bound and stepped through SQLite's C interface, which is twice as fast as GRDB's
/// for millions of rows.
///
/// A statement owns SQLite's object: use it inside a database access only, and release it before the connection closes.
final class LoaderStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ db: Database, _ sql: String) throws(MillError) {
        guard let connection = db.sqliteConnection else {
            throw MillError(stage: .loading, what: "the database is closed", exitStatus: .internalFault)
        }
        self.connection = connection
        var handle: OpaquePointer?
        sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard let handle else { throw MillError(loading: connection) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement with values, and resets it. Memory passed with the values is bound only during this call.
    func run<each Value: StatementValue>(_ values: repeat each Value) throws(MillError) {
        _ = try queryInteger(repeat each values)
    }

    /// Runs the statement with values, and returns the integer of its first row; nil without a row or for null.
    func queryInteger<each Value: StatementValue>(_ values: repeat each Value) throws(MillError) -> Int64? {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(to: handle, at: index)
        }
        return try step()
    }

    /// Runs the statement with as many values as it has parameters.
    func run(_ values: [any StatementValue]) throws(MillError) {
        for (index, value) in values.enumerated() { value.bind(to: handle, at: Int32(index) + 1) }
        _ = try step()
    }

    private func step() throws(MillError) -> Int64? {
        defer { release() }
        return try next() ? sqlite3_column_int64(handle, 0) : nil
    }

    /// Resets the statement, and clears pointers that are valid only during one call.
    private func release() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Runs the statement over all rows, or over the rows at `indices` in their order.
    func run(_ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>? = nil) throws(MillError) {
        guard indices?.count ?? rows.count > 0 else { return }
        try lending(rows, in: indices) { () throws(MillError) in while try next() {} }
    }

    /// Runs the statement over all rows, and returns the first column of each result: an integer or null.
    func queryIntegers(_ rows: borrowing RowBuffer) throws(MillError) -> [Int64?] {
        var integers: [Int64?] = []
        integers.reserveCapacity(rows.count)
        try lending(rows, in: nil) { () throws(MillError) in
            while try next() { integers.append(LoaderRow(statement: handle).integer(0)) }
        }
        return integers
    }

    /// Runs the statement over the rows at `indices`, and passes each row of the result to `body`.
    func query(
        _ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>,
        _ body: (LoaderRow) throws(MillError) -> Void
    ) throws(MillError) {
        guard !indices.isEmpty else { return }
        try lending(rows, in: indices) { () throws(MillError) in
            while try next() { try body(LoaderRow(statement: handle)) }
        }
    }

    /// Does some work while rows are bound to the statement's first parameter.
    private func lending(
        _ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>?, _ work: () throws(MillError) -> Void
    ) throws(MillError) {
        try rows.withRows(in: indices) { (rows) throws(MillError) in
            guard receiptmill_bind_rows(handle, 1, rows) == SQLITE_OK else { throw MillError(loading: connection) }
            defer { release() }
            try work()
        }
    }

    /// Steps to the next row; false after the last.
    private func next() throws(MillError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw MillError(loading: connection)
        }
    }

    /// The identifier of the row that this connection inserted last.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }
}

/// The current row of a statement, whose texts are valid until the next step.
struct LoaderRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// Passes a text's UTF-8, or a blob's bytes, to `body`; nil for null.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return body(nil) }
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return body(UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count))
    }
}
