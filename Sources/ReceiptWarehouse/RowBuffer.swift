internal import CRowBuffer
internal import GRDB
internal import GRDBSQLite
internal import MillSystem
internal import ReceiptTrust

/// Rows that one statement inserts. SQLite reads the rows directly from this memory, through the table-valued function
/// `row_buffer`.
///
/// Running a statement for each row would spend half of the time on starting it: binding values, opening cursors and
/// descending from the roots of its trees. The layout of rows is that of `receiptmill_rows` in `CRowBuffer`. It is
/// compact, because a window has many rows with mostly small numbers.
///
/// A row is complete when all its cells are added.
struct RowBuffer {
    let columnCount: Int
    private var content: [UInt8] = []
    /// The offset of each row in `content`.
    private var starts: [UInt32] = []
    /// Cells of the current row that are not in `content` yet, and their number of bytes.
    private var pending: [UInt8]
    private var pendingBytes = 0
    /// The number of cells of the current row that were added.
    private var putCells: Int
    /// The index of the current row, and the offset at which the row begins.
    private var row = 0, start = 0

    /// The maximum size of a number's cell in bytes. The kind and length of a text or blob take fewer.
    private static let numberSize = 1 + MemoryLayout<Int64>.size

    init(columnCount: Int) {
        precondition(columnCount <= RECEIPTMILL_MAXIMUM_COLUMNS)
        self.columnCount = columnCount
        putCells = columnCount
        pending = [UInt8](repeating: 0, count: columnCount * Self.numberSize)
    }

    var count: Int { starts.count }

    /// The bytes of memory that the rows take, including abandoned bytes of rewritten rows.
    var size: Int { content.count + starts.count * MemoryLayout<UInt32>.stride }

    /// Begins a new row at the end.
    mutating func begin() {
        rewrite(starts.count)
    }

    /// Begins rewriting the row at an index.
    mutating func rewrite(_ index: Int) {
        precondition(putCells == columnCount, "the row before lacks cells")
        row = index
        start = content.count
        putCells = 0
    }

    mutating func putNull() {
        put(receiptmill_null, 0, bytes: 0)
        endCell()
    }

    mutating func put(_ value: Int64) {
        // The bits of the value, and one for its sign.
        let bits = value == 0 ? 0 : 65 - (value ^ (value >> 63)).leadingZeroBitCount
        let bytes = (bits + 7) >> 3
        put(receiptmill_cell(receiptmill_integer.rawValue + UInt32(bytes)), value, bytes: bytes)
        endCell()
    }

    mutating func put(_ value: Int64?) {
        if let value { put(value) } else { putNull() }
    }

    /// Adds a text cell in UTF-8; null for nil.
    mutating func putText(_ text: UnsafeBufferPointer<UInt8>?) {
        put(receiptmill_text, text.map(UnsafeRawBufferPointer.init))
    }

    /// Adds a text cell in UTF-8; an empty text for nil.
    mutating func putText(orEmpty text: UnsafeBufferPointer<UInt8>?) {
        putText(text ?? UnsafeBufferPointer(start: nil, count: 0))
    }

    mutating func putText(_ text: String?) {
        guard var text else { return putNull() }
        text.withUTF8 { putText($0) }
    }

    mutating func putBlob(_ bytes: UnsafeBufferPointer<UInt8>?) {
        put(receiptmill_blob, bytes.map(UnsafeRawBufferPointer.init))
    }

    mutating func put(_ digest: SHA256Digest) {
        digest.withBytes { put(receiptmill_blob, $0) }
    }

    /// Indices of the rows, sorted by a column's integers, or by the first seven bytes of its texts or blobs. In a
    /// column of several types, the order is not meaningful; it only serves speed.
    func order(by column: Int) -> [Int32] {
        var order = withRows(in: nil) { rows in
            (0..<count).map { row in
                (key: receiptmill_row_key(rows, Int64(row), Int32(column)), row: Int32(row))
            }
        }
        order.sort { $0.key != $1.key ? $0.key < $1.key : $0.row < $1.row }
        return order.map(\.row)
    }

    mutating func removeAll() {
        content.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        (putCells, pendingBytes) = (columnCount, 0)
    }

    /// Adds the kind of a cell, and the lowest bytes of a number.
    private mutating func put(_ kind: receiptmill_cell, _ number: Int64, bytes: Int) {
        precondition(putCells < columnCount, "more cells than columns")
        pending.withUnsafeMutableBytes { pending in
            pending.storeBytes(of: UInt8(kind.rawValue), toByteOffset: pendingBytes, as: UInt8.self)
            pending.storeBytes(of: number.littleEndian, toByteOffset: pendingBytes + 1, as: Int64.self)
        }
        pendingBytes += 1 + bytes
    }

    private mutating func put(_ kind: receiptmill_cell, _ bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return putNull() }
        // A text or blob is far smaller than 4 GiB, because lines and windows are bounded.
        put(kind, Int64(UInt32(bytes.count)), bytes: MemoryLayout<UInt32>.size)
        keepPending()
        content.append(contentsOf: bytes)
        endCell()
    }

    private mutating func endCell() {
        putCells += 1
        guard putCells == columnCount else { return }
        keepPending()
        if row == starts.count { return starts.append(UInt32(start)) }
        let former = Int(starts[row]), size = content.count - start
        if size <= withRows(in: nil, { receiptmill_row_size($0, Int64(row)) }) {
            // Reusing the memory of the former row matters, since receipts state most purchases again and again.
            content.withUnsafeMutableBytes { content in
                UnsafeMutableRawBufferPointer(rebasing: content[former...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: content[start...]))
            }
            content.removeLast(size)
        } else {
            starts[row] = UInt32(start)
        }
    }

    private mutating func keepPending() {
        pending.withUnsafeBytes { content.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<pendingBytes])) }
        pendingBytes = 0
    }

    /// Passes SQLite's view of the rows to `body`: all rows, or those at `indices` in this order.
    func withRows<Result, Failure>(
        in indices: ArraySlice<Int32>?, _ body: (UnsafePointer<receiptmill_rows>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(putCells == columnCount, "the last row lacks cells")
        let rowCount = indices?.count ?? count
        let hasOrder = indices != nil
        let indices = indices ?? []
        return try starts.span.withUnsafeBufferPointer { (starts) throws(Failure) in
            try content.span.withUnsafeBufferPointer { (content) throws(Failure) in
                try indices.span.withUnsafeBufferPointer { (indices) throws(Failure) in
                    var rows = receiptmill_rows(
                        bytes: content.baseAddress, byte_count: Int64(content.count), starts: starts.baseAddress,
                        order: hasOrder ? indices.baseAddress : nil, row_count: Int64(rowCount),
                        column_count: Int32(columnCount))
                    return try body(&rows)
                }
            }
        }
    }
}

extension RowBuffer {
    /// Registers `row_buffer` with a connection.
    static func register(_ db: Database) throws(MillError) {
        guard let connection = db.sqliteConnection, receiptmill_register_rows(connection) == SQLITE_OK else {
            throw MillError(stage: .loading, what: "SQLite refuses a virtual table", exitStatus: .internalFault)
        }
    }

    /// The statement `SELECT c0, c1, … FROM row_buffer(?)`. The rows are bound to its parameter.
    static func selection(columns: Int) -> String {
        // The condition keeps SQLite from parsing an upsert's ON as a join's.
        "SELECT \((0..<columns).map { "c\($0)" }.joined(separator: ", ")) FROM row_buffer(?) WHERE true"
    }
}
