internal import CRowBuffer
internal import GRDB
internal import GRDBSQLite
internal import MillDatabase
internal import MillSystem

/// A prepared statement of the loader, bound and stepped through SQLite's own
/// interface: twice as fast as GRDB's for the rows that come by the million.
///
/// Owns SQLite's object. For use inside a database access only, and gone before
/// the connection closes.
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

    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value {
            sqlite3_bind_int64(handle, index, value)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    func bindReal(_ index: Int32, _ value: Double?) {
        if let value {
            sqlite3_bind_double(handle, index, value)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    /// Binds UTF-8 that stays where it is until the statement has been stepped.
    func bindText(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>?) {
        guard let text, let start = text.baseAddress else {
            sqlite3_bind_null(handle, index)
            return
        }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
            _ = sqlite3_bind_text(handle, index, characters, Int32(clamping: text.count), nil)
        }
    }

    /// Binds UTF-8, an empty text where there is none.
    func bindText(_ index: Int32, orEmpty text: UnsafeBufferPointer<UInt8>) {
        if text.isEmpty { bindCopy(index, "") } else { bindText(index, text) }
    }

    /// Binds a text that SQLite copies.
    func bindCopy(_ index: Int32, _ text: String?) {
        guard let text else {
            sqlite3_bind_null(handle, index)
            return
        }
        // SQLite's SQLITE_TRANSIENT, a cast macro: copy before returning.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, -1, transient)
    }

    /// Binds bytes that stay where they are until the statement has been stepped.
    func bindBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer?) {
        guard let bytes, let start = bytes.baseAddress else {
            sqlite3_bind_null(handle, index)
            return
        }
        sqlite3_bind_blob(handle, index, start, Int32(clamping: bytes.count), nil)
    }

    /// Runs the statement with values, and makes it ready again: what the values lend is lent for this call alone.
    func run<each Value: StatementValue>(_ values: repeat each Value) throws(MillError) {
        _ = try step(repeat each values)
    }

    /// Runs the statement with values, and takes the integer of its first row; nil where it
    /// returns none.
    func queryInteger<each Value: StatementValue>(_ values: repeat each Value) throws(MillError) -> Int64? {
        try step(repeat each values)
    }

    private func step<each Value: StatementValue>(_ values: repeat each Value) throws(MillError) -> Int64? {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(to: handle, at: index)
        }
        defer {
            sqlite3_reset(handle)
            // No pointer stays bound behind the call, for which alone it is good.
            sqlite3_clear_bindings(handle)
        }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return sqlite3_column_count(handle) > 0 ? sqlite3_column_int64(handle, 0) : nil
        case SQLITE_DONE: return nil
        default: throw MillError(loading: connection)
        }
    }

    /// Runs the statement, which returns no rows, and makes it ready again.
    func run() throws(MillError) {
        let result = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard result == SQLITE_DONE || result == SQLITE_ROW else { throw MillError(loading: connection) }
    }

    /// Runs the statement over all rows, or over those at `indices`, in their order.
    func run(_ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>? = nil) throws(MillError) {
        guard indices?.count ?? rows.count > 0 else { return }
        try lending(rows, in: indices) { () throws(MillError) in try run() }
    }

    /// Runs the statement over all rows and takes the integer or null of each that it
    /// returns.
    func queryIntegers(_ rows: borrowing RowBuffer) throws(MillError) -> [Int64?] {
        var integers: [Int64?] = []
        integers.reserveCapacity(rows.count)
        try lending(rows, in: nil) { () throws(MillError) in
            defer { sqlite3_reset(handle) }
            while true {
                switch sqlite3_step(handle) {
                case SQLITE_ROW:
                    let isNull = sqlite3_column_type(handle, 0) == SQLITE_NULL
                    integers.append(isNull ? nil : sqlite3_column_int64(handle, 0))
                case SQLITE_DONE: return
                default: throw MillError(loading: connection)
                }
            }
        }
        return integers
    }

    /// Runs the statement over the rows at `indices`, and gives each row that it returns to
    /// `body`.
    func query(
        _ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>,
        _ body: (LoaderRow) throws(MillError) -> Void
    ) throws(MillError) {
        guard !indices.isEmpty else { return }
        try lending(rows, in: indices) { () throws(MillError) in
            defer { sqlite3_reset(handle) }
            while true {
                switch sqlite3_step(handle) {
                case SQLITE_ROW: try body(LoaderRow(statement: handle))
                case SQLITE_DONE: return
                default: throw MillError(loading: connection)
                }
            }
        }
    }

    /// Does some work while rows are bound to the first parameter.
    private func lending(
        _ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>?, _ work: () throws(MillError) -> Void
    ) throws(MillError) {
        try rows.withRows(in: indices) { (rows) throws(MillError) in
            guard receiptmill_bind_rows(handle, 1, rows) == SQLITE_OK else { throw MillError(loading: connection) }
            // The rows stand only as long as they are lent.
            defer { sqlite3_clear_bindings(handle) }
            try work()
        }
    }

    /// Runs the statement and takes the integer of its first row; nil where it
    /// returns none.
    func queryInteger() throws(MillError) -> Int64? {
        let result = sqlite3_step(handle)
        defer { sqlite3_reset(handle) }
        switch result {
        case SQLITE_ROW: return sqlite3_column_int64(handle, 0)
        case SQLITE_DONE: return nil
        default: throw MillError(loading: connection)
        }
    }

    /// The identifier of the row that was inserted last on this connection.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }
}

/// The row at which a statement stands. Its texts are there until the next.
struct LoaderRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// Lends a text's UTF-8, or a blob's bytes; nil where there is none.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return body(nil) }
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return body(UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count))
    }
}
