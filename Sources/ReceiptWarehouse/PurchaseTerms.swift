internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Merges the terms that signed transactions state, and writes them into `purchase_terms`.
struct PurchaseTerms {
    /// The identity of a purchase. For claims (purchases in documents that are not trusted), the key also has the
    /// verdict.
    private struct Key: Hashable {
        let transaction: TransactionIdentifier
        let app: Int64
        let verdict: Verdict
    }

    private var indices: [Key: Int] = [:]
    private var entries: [(key: Key, merged: MergedTerms)] = []
    private var sources: [MergedTerms.Source] = []
    /// The transaction identifiers that are not numbers.
    private var texts = TextTable()
    /// The bytes of the merged terms' texts.
    private var content: [UInt8] = []
    /// Whether the table is empty, so that stored terms need not be looked up.
    private var isTableEmpty: Bool
    private let find, findSource, upsert: LoaderStatement

    /// The limits of unwritten purchases and of the bytes of their texts.
    private static let capacity = 100_000
    private static let contentCapacity = 16 << 20

    /// The columns after the key, in the order of ``put(_:into:)``.
    static let columns = MergedTerms.fields.compactMap(\.storedColumn) + ["receipt_id"] + MergedTerms.sourceColumns
    static let keyColumns = ["transaction_id", "app_id", "verdict"]

    init(_ db: Database) throws(MillError) {
        // Each row of the result has the index of the unwritten purchase, the stored terms, and the time and digest of
        // their newest document.
        find = try LoaderStatement(
            db,
            """
            SELECT asked.c3, \(Self.columns.map { "terms.\($0)" }.joined(separator: ", ")),
                receipt_creation_date, sha256
            FROM row_buffer(?) AS asked
            CROSS JOIN purchase_terms AS terms
                ON terms.transaction_id = asked.c0 AND terms.app_id = asked.c1 AND terms.verdict = asked.c2
            CROSS JOIN receipt ON receipt.receipt_id = terms.receipt_id
            """)
        findSource = try LoaderStatement(
            db,
            """
            SELECT receipt_creation_date, sha256 FROM row_buffer(?) AS asked
            CROSS JOIN receipt ON receipt_id = asked.c0
            """)
        let all = Self.keyColumns + Self.columns
        upsert = try LoaderStatement(
            db,
            """
            \(RowWriter.insert(into: "purchase_terms", all))
            ON CONFLICT (\(Self.keyColumns.joined(separator: ", "))) DO UPDATE
            SET \(Self.columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """)
        do {
            isTableEmpty = try Row.fetchOne(db, sql: "SELECT 1 FROM purchase_terms LIMIT 1") == nil
        } catch {
            throw MillError(error, at: .loading, path: nil)
        }
    }

    var isFull: Bool { entries.count >= Self.capacity || content.count >= Self.contentCapacity }

    /// Merges the terms that a signed transaction states.
    mutating func merge(
        _ terms: SignedPayload, of transaction: UnsafeBufferPointer<UInt8>, by source: PurchaseSource,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        let key = Key(
            transaction: TransactionIdentifier(transaction, texts: &texts), app: source.app, verdict: source.verdict)
        let index = indices[key] ?? entries.count
        if index == entries.count {
            indices[key] = index
            entries.append((key, MergedTerms()))
        }
        sources.append(
            MergedTerms.Source(signedAt: source.creationDate ?? 0, digest: source.digest, receipt: source.receipt))
        let source = Int32(sources.count - 1)
        entries[index].merged.merge(terms, newest: source, sources: { _ in source }, among: sources) { range in
            Self.append(bytes.part(range), to: &content)
        }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to content: inout [UInt8]) -> ByteRange {
        defer { content.append(contentsOf: text) }
        return ByteRange(offset: content.count, count: text.count)
    }

    /// Writes all merged terms.
    mutating func write() throws(MillError) {
        guard !entries.isEmpty else { return }
        let order = order()
        if !isTableEmpty { try mergeStored(order) }
        isTableEmpty = false
        for part in stride(from: 0, to: order.count, by: Self.rowsAtOnce) {
            var rows = RowBuffer(columnCount: Self.keyColumns.count + Self.columns.count)
            for index in order[part..<min(part + Self.rowsAtOnce, order.count)] { put(entries[index], into: &rows) }
            try upsert.run(rows)
        }
        indices.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        content.removeAll(keepingCapacity: true)
        texts = TextTable()
    }

    /// Indices of the entries in the order of their keys.
    private func order() -> [Int] {
        var order = entries.enumerated().map { (code: $1.key.transaction.code, app: $1.key.app, index: $0) }
        order.sort { $0.code != $1.code ? $0.code < $1.code : $0.app < $1.app }
        return order.map(\.index)
    }

    /// The number of rows that are made at a time. Making all at once would hold a second copy of all entries in
    /// memory.
    private static let rowsAtOnce = 1_000

    private func put(_ key: Key, into rows: inout RowBuffer) {
        key.transaction.put(into: &rows, texts: texts)
        rows.put(key.app)
        rows.putText(key.verdict.rawValue)
    }

    private func put(_ entry: (key: Key, merged: MergedTerms), into rows: inout RowBuffer) {
        rows.begin()
        put(entry.key, into: &rows)
        let merged = entry.merged
        content.withUnsafeBufferPointer { content in
            for (field, slot) in MergedTerms.slots.enumerated() {
                switch slot {
                case .text where MergedTerms.fields[field].type == .transaction:
                    putIdentifier(content.part(merged.text(field)), into: &rows)
                case .text: rows.putText(content.part(merged.text(field)))
                case .number: rows.put(merged.number(field))
                }
            }
        }
        let newest = sources[Int(merged.newest)].receipt
        rows.put(newest)
        for group in MergedTerms.sourceColumns.indices {
            let source = merged.sources[group]
            let receipt = source < 0 ? newest : sources[Int(source)].receipt
            rows.put(receipt == newest ? nil : receipt)
        }
    }

    /// Adds a transaction's identifier in the form that is the key of purchases: as a number, if it is one.
    private func putIdentifier(_ text: UnsafeBufferPointer<UInt8>?, into rows: inout RowBuffer) {
        guard let text else { return rows.putNull() }
        var texts = TextTable()
        TransactionIdentifier(text, texts: &texts).put(into: &rows, texts: texts)
    }

    /// Merges the stored terms of the unwritten purchases.
    private mutating func mergeStored(_ order: [Int]) throws(MillError) {
        var asked = RowBuffer(columnCount: Self.keyColumns.count + 1)
        for index in order {
            asked.begin()
            put(entries[index].key, into: &asked)
            asked.put(Int64(index))
        }
        let all = (0..<Int32(asked.count)).map { $0 }
        // After the index, a row has the columns, then the newest document's time and digest.
        let newestColumn = Int32(1 + MergedTerms.fields.count)
        let (firstSource, signedAt) = (newestColumn + 1, Int32(1 + Self.columns.count))
        try find.query(asked, in: all[...]) { (row) throws(MillError) in
            guard let index = row.integer(0).map(Int.init), entries.indices.contains(index),
                let receipt = row.integer(newestColumn)
            else { return }
            var terms = SignedPayload()
            for (field, slot) in MergedTerms.slots.enumerated() {
                let column = Int32(1 + field)
                switch slot {
                case .text(let slot):
                    terms[text: slot] = row.withBytes(column) { $0.map { Self.append($0, to: &content) } }
                case .number(let slot): terms[number: slot] = row.integer(column)
                }
            }
            let newest = Int32(sources.count)
            sources.append(try Self.source(receipt, row, signedAt: signedAt, digest: signedAt + 1))
            var stating = [Int32](repeating: newest, count: MergedTerms.sourceColumns.count)
            for group in stating.indices {
                if let other = row.integer(firstSource + Int32(group)) { stating[group] = try add(sourceOf: other) }
            }
            entries[index].merged.merge(
                terms, newest: newest, sources: { stating[$0] }, among: sources, copy: { $0 })
        }
    }

    private mutating func add(sourceOf receipt: Int64) throws(MillError) -> Int32 {
        var asked = RowBuffer(columnCount: 1)
        asked.begin()
        asked.put(receipt)
        try findSource.query(asked, in: [0]) { (row) throws(MillError) in
            sources.append(try Self.source(receipt, row, signedAt: 0, digest: 1))
        }
        return Int32(sources.count - 1)
    }

    private static func source(
        _ receipt: Int64, _ row: LoaderRow, signedAt: Int32, digest: Int32
    ) throws(MillError) -> MergedTerms.Source {
        guard let sha256 = row.withBytes(digest, { bytes in bytes.flatMap { SHA256Digest(bytes: $0) } }) else {
            throw MillError.damage(of: nil, "receipt \(receipt) has no SHA-256")
        }
        return MergedTerms.Source(signedAt: row.integer(signedAt) ?? 0, digest: sha256, receipt: receipt)
    }
}
