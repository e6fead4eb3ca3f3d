internal import GRDB
internal import ReceiptWarehouse

/// The stored receipts that one check examines: those after the last receipt of the previous check. If too few remain,
/// the sample continues with the first receipts of the database.
struct ReceiptSample {
    private let begin: Int64
    private let end: Int64
    /// The end of the part that starts over with the first receipts; 0 if there is no such part.
    private let wrappedEnd: Int64

    /// The last receipt of the sample; the next sample begins after it.
    var last: Int64 { wrappedEnd > 0 ? wrappedEnd : end }

    init(of size: Int, behind preceding: Int64, _ db: Database) throws {
        func part(behind begin: Int64, upTo end: Int64, _ size: Int) throws -> (count: Int, last: Int64?) {
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*), max(receipt_id) FROM (\(Self.stored) ORDER BY receipt_id LIMIT :size)",
                arguments: ["begin": begin, "end": end, "size": size])
            return (row?[0] ?? 0, row?[1])
        }
        begin = preceding
        let first = try part(behind: preceding, upTo: .max, size)
        end = first.last ?? preceding
        wrappedEnd = try part(behind: 0, upTo: preceding, size - first.count).last ?? 0
    }

    /// The tables of stored receipts: all receipts, or those that were refused without a signer.
    private static let stored = ["raw_receipt", "reviewable_receipt"].map { table in
        "SELECT receipt_id FROM \(table) WHERE receipt_id > :begin AND receipt_id <= :end"
    }.joined(separator: " UNION ")

    /// The documents of the sample, one per row.
    static let selection = """
        \(StoredDocument.selection)
        WHERE (receipt_id > :begin AND receipt_id <= :end OR receipt_id > 0 AND receipt_id <= :wrapped_end)
            AND (raw_receipt.receipt_id IS NOT NULL OR reviewable_receipt.receipt_id IS NOT NULL)
        """

    var arguments: StatementArguments { ["begin": begin, "end": end, "wrapped_end": wrappedEnd] }
}
