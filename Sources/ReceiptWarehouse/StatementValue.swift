internal import GRDBSQLite

/// A value that a ``LoaderStatement`` takes for a parameter.
protocol StatementValue {
    /// Binds the value to a parameter of a statement, which is stepped before what the value lends is gone.
    func bind(to statement: OpaquePointer, at index: Int32)
}

extension Int64: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) { sqlite3_bind_int64(statement, index, self) }
}

extension Double: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) { sqlite3_bind_double(statement, index, self) }
}

extension Optional: StatementValue where Wrapped: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { sqlite3_bind_null(statement, index) }
    }
}

/// SQLite copies the text.
extension String: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) {
        // SQLite's SQLITE_TRANSIENT, a cast macro: copy before returning.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, index, self, -1, transient)
    }
}

/// UTF-8 that stays where it is while the statement runs.
struct LentText: StatementValue {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    func bind(to statement: OpaquePointer, at index: Int32) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return "".bind(to: statement, at: index) }
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
            _ = sqlite3_bind_text(statement, index, characters, Int32(clamping: bytes.count), nil)
        }
    }
}

/// Bytes that stay where they are while the statement runs.
struct LentBlob: StatementValue {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func bind(to statement: OpaquePointer, at index: Int32) {
        guard let start = bytes.baseAddress else {
            sqlite3_bind_zeroblob(statement, index, 0)
            return
        }
        sqlite3_bind_blob(statement, index, start, Int32(clamping: bytes.count), nil)
    }
}
