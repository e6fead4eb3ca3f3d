internal import GRDBSQLite

/// A value that a ``LoaderStatement`` accepts for a parameter.
protocol StatementValue {
    /// Binds the value to a parameter. Memory that the value refers to is valid only until the caller has stepped the
    /// statement.
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

/// A text that SQLite copies.
extension String: StatementValue {
    func bind(to statement: OpaquePointer, at index: Int32) {
        // SQLITE_TRANSIENT, which Swift can't import because it is a cast macro, makes SQLite copy the text before
        // returning.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, index, self, -1, transient)
    }
}

/// UTF-8 that is not moved or freed while the statement runs.
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

/// Bytes that are not moved or freed while the statement runs.
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
