internal import CPendingRows
internal import GRDB
internal import GRDBSQLite
internal import ReceiptTrust

/// Rows that wait to be inserted by one statement, in memory that SQLite reads
/// where it is, as the table-valued function `pending_rows`.
///
/// A statement for each row would spend half its time on being started: on
/// binding its values, opening its cursors and seeking from the roots of its
/// trees. The words are laid out as `receiptmill_rows` of `CPendingRows` says.
struct PendingRows {
    let columnCount: Int
    private(set) var count = 0
    private var words: [Int64] = []
    /// A row of nulls.
    private let blank: [Int64]
    /// Texts and blobs of the cells.
    private var octets: [UInt8] = []
    /// Places in `words` of the row that is being written, and of its next cell.
    private var row = 0, cell = 0

    private enum Kind: Int64 {
        case integer = 1
        case text, blob
    }

    init(columnCount: Int) {
        precondition(columnCount <= RECEIPTMILL_MAXIMUM_COLUMNS)
        self.columnCount = columnCount
        blank = [Int64](repeating: 0, count: 1 + columnCount)
    }

    /// Bytes of memory that the rows take.
    var size: Int { words.count * MemoryLayout<Int64>.stride + octets.count }

    /// Begins a row behind the others.
    mutating func begin() {
        row = words.count
        cell = row + 1
        words.append(contentsOf: blank)
        count += 1
    }

    /// Begins to write the row at a place anew.
    mutating func rewrite(_ place: Int) {
        row = place * (1 + columnCount)
        cell = row + 1
        words[row] = 0
    }

    /// Leaves a cell null.
    mutating func putNull() {
        cell += 1
    }

    mutating func put(_ value: Int64) {
        put(.integer, value)
    }

    mutating func put(_ value: Int64?) {
        if let value { put(.integer, value) } else { putNull() }
    }

    /// Puts UTF-8.
    mutating func putText(_ text: UnsafeBufferPointer<UInt8>?) {
        if let text { put(.text, place(of: text)) } else { putNull() }
    }

    mutating func putText(_ text: String?) {
        guard var text else { return putNull() }
        text.withUTF8 { putText($0) }
    }

    mutating func putBlob(_ bytes: UnsafeBufferPointer<UInt8>?) {
        if let bytes { put(.blob, place(of: bytes)) } else { putNull() }
    }

    mutating func put(_ digest: SHA256Digest) {
        digest.withBytes { bytes in put(.blob, place(of: bytes)) }
    }

    /// Places of the rows in the order of a column's integers. Texts and blobs come
    /// somewhere among them.
    func order(by column: Int) -> [Int32] {
        var order = (0..<count).map { row in (key: words[row * (1 + columnCount) + 1 + column], row: Int32(row)) }
        order.sort { $0.key != $1.key ? $0.key < $1.key : $0.row < $1.row }
        return order.map(\.row)
    }

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
        count = 0
    }

    private mutating func put(_ kind: Kind, _ value: Int64) {
        precondition(cell <= row + columnCount, "more cells than columns")
        words[row] |= kind.rawValue << Int64(2 * (cell - row - 1))
        words[cell] = value
        cell += 1
    }

    /// Keeps bytes; their offset in the high half, their length in the low half.
    private mutating func place(of bytes: some Collection<UInt8>) -> Int64 {
        // A batch is far smaller than 4 GiB: its lines are bounded, and so is a window.
        let offset = UInt32(octets.count), length = UInt32(bytes.count)
        octets.append(contentsOf: bytes)
        return Int64(bitPattern: UInt64(offset) << 32 | UInt64(length))
    }

    /// Lends the rows to SQLite, in the order of `places` where some are given.
    func withRows<Result, Failure>(
        in places: ArraySlice<Int32>?, _ body: (UnsafePointer<receiptmill_rows>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let rowCount = places?.count ?? count
        let hasOrder = places != nil
        let places = places ?? []
        let span = words.span
        return try span.withUnsafeBufferPointer { (words) throws(Failure) in
            try octets.span.withUnsafeBufferPointer { (octets) throws(Failure) in
                try places.span.withUnsafeBufferPointer { (places) throws(Failure) in
                    var rows = receiptmill_rows(
                        words: words.baseAddress, octets: octets.baseAddress,
                        order: hasOrder ? places.baseAddress : nil, row_count: Int64(rowCount),
                        column_count: Int32(columnCount))
                    return try body(&rows)
                }
            }
        }
    }
}

extension PendingRows {
    /// Makes `pending_rows` known to a connection.
    static func register(_ db: Database) throws(MillError) {
        guard let connection = db.sqliteConnection, receiptmill_register_rows(connection) == SQLITE_OK else {
            throw MillError(stage: .loading, what: "SQLite refuses a virtual table", exitStatus: .internalFault)
        }
    }

    /// `SELECT c0, c1, … FROM pending_rows(?)`, the rows bound to the parameter.
    static func selection(columns: Int) -> String {
        // The condition keeps an upsert's ON from being read as the join's.
        "SELECT \((0..<columns).map { "c\($0)" }.joined(separator: ", ")) FROM pending_rows(?) WHERE true"
    }
}
