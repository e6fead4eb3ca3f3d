package import GRDB
package import MillSystem
package import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Merges the purchases that receipts state, and writes them into `purchase` and `claimed_purchase`.
package struct Purchases {
    private var trusted: Merging
    private var claimed: Merging
    /// The transactions of the current receipt; a property, so that its memory is reused.
    private var transactions: [TransactionIdentifier] = []

    /// A table, and the purchases to be written into it.
    private struct Merging {
        private var window, late: PurchaseMergeBuffer
        /// Indices of the window's unwritten rows in the order of keys, while the window is written in parts.
        private(set) var unwritten: ArraySlice<Int32> = []
        private let upsert, maximumNumber: LoaderStatement

        init(columnCount: Int, upsert: LoaderStatement, maximumNumber: LoaderStatement) {
            window = PurchaseMergeBuffer(columnCount: columnCount)
            late = PurchaseMergeBuffer(columnCount: columnCount)
            self.upsert = upsert
            self.maximumNumber = maximumNumber
        }

        var isFull: Bool { window.isFull || late.isFull }

        /// The buffer into which states are merged. While the window is written, new states are merged into `late`.
        var open: PurchaseMergeBuffer {
            _read { if unwritten.isEmpty { yield window } else { yield late } }
            _modify { if unwritten.isEmpty { yield &window } else { yield &late } }
        }

        mutating func beginWriting() {
            unwritten = window.order()[...]
        }

        /// Writes at most `maximum` purchases of the window.
        ///
        /// - Returns: the number of new purchases.
        mutating func writePart(_ maximum: Int) throws(MillError) -> Int {
            guard !unwritten.isEmpty else { return 0 }
            let part = unwritten.prefix(maximum)
            let new = try write(window.rows, in: part)
            unwritten.removeFirst(part.count)
            if unwritten.isEmpty { window.removeAll() }
            return new
        }

        /// Writes all merged purchases.
        ///
        /// - Returns: the number of new purchases.
        mutating func write() throws(MillError) -> Int {
            if unwritten.isEmpty { beginWriting() }
            var new = try writePart(.max)
            if late.rows.count > 0 {
                new += try write(late.rows, in: late.order()[...])
                late.removeAll()
            }
            return new
        }

        private func write(_ rows: borrowing RowBuffer, in indices: ArraySlice<Int32>) throws(MillError) -> Int {
            let before = try maximumNumber.queryInteger() ?? 0
            try upsert.run(rows, in: indices)
            return Int((try maximumNumber.queryInteger() ?? 0) - before)
        }
    }

    package init(_ db: Database) throws(MillError) {
        trusted = try Self.merging("purchase", keptApartBy: [], db)
        claimed = try Self.merging("claimed_purchase", keptApartBy: ["verdict", "kind"], db)
    }

    /// The columns that merging rewrites. None of them is declared NOT NULL, because SQLite would otherwise copy each
    /// page that the upsert changes, to undo a statement that fails half-way. A failing statement is thus left half
    /// done, and the caller has to roll back.
    static let mergedColumns =
        AttributeField.purchase.filter { $0.isStored && $0.type != PurchaseAttribute.transactionIdentifier }
        .map(\.storedColumn) + ["as_of", "receipt_id"]

    /// Prepares the upsert that inserts purchases or merges them by the ``MergeRule``. Unchanged rows are not written.
    private static func merging(
        _ table: String, keptApartBy further: [String], _ db: Database
    ) throws(MillError) -> Merging {
        let key = ["app_id", "transaction_id"] + further
        let columns = key + mergedColumns
        let upsert = """
            \(RowWriter.insert(into: table, columns))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
            SET \(mergedColumns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE \(MergeRule.excludedOverrules(table))
            """
        return Merging(
            columnCount: columns.count, upsert: try LoaderStatement(db, upsert),
            maximumNumber: try LoaderStatement(db, "SELECT max(purchase_id) FROM \(table)"))
    }

    package var isFull: Bool { trusted.isFull || claimed.isFull }

    /// Merges the purchases that a receipt states.
    ///
    /// - Parameter link: called once with each transaction.
    package mutating func merge(
        _ purchases: some Collection<InAppPurchase>, by source: PurchaseSource, _ bytes: UnsafeBufferPointer<UInt8>,
        _ dimensions: inout DimensionKeys, link: (TransactionIdentifier, TextTable) -> Void
    ) throws(MillError) {
        if source.verdict == .trusted {
            try Self.merge(purchases, &transactions, by: source, bytes, &dimensions, &trusted.open, link: link)
        } else {
            try Self.merge(purchases, &transactions, by: source, bytes, &dimensions, &claimed.open, link: link)
        }
    }

    private static func merge(
        _ purchases: some Collection<InAppPurchase>, _ transactions: inout [TransactionIdentifier],
        by source: PurchaseSource,
        _ bytes: UnsafeBufferPointer<UInt8>, _ dimensions: inout DimensionKeys, _ window: inout PurchaseMergeBuffer,
        link: (TransactionIdentifier, TextTable) -> Void
    ) throws(MillError) {
        transactions.removeAll(keepingCapacity: true)
        for purchase in purchases {
            let transaction = TransactionIdentifier(
                bytes.part(purchase.transactionIdentifier), texts: &window.texts)
            window.expect(transaction, of: source.app)
            transactions.append(transaction)
        }
        guard !transactions.isEmpty else { return }
        window.begin(source.digest)
        for (purchase, transaction) in zip(purchases, transactions) {
            let asOf = source.asOf(purchase)
            let key = PurchaseMergeBuffer.Key(
                app: source.app, transaction: transaction, verdict: source.verdict, kind: source.kind)
            let outcome = window.merge(key, asOf: asOf)
            if outcome == .duplicate { continue }
            link(transaction, window.texts)
            guard outcome == .latest else { continue }
            window.rows.put(source.app)
            transaction.put(into: &window.rows, texts: window.texts)
            if source.verdict != .trusted {
                window.rows.putText(source.verdict.rawValue)
                window.rows.putText(source.kind.rawValue)
            }
            if let original = bytes.part(purchase.originalTransactionIdentifier) {
                TransactionIdentifier(original, texts: &window.texts).put(into: &window.rows, texts: window.texts)
            } else {
                window.rows.putNull()
            }
            window.rows.put(try dimensions.product(bytes.part(purchase.productIdentifier)))
            window.rows.put(purchase.quantity)
            window.rows.put(purchase.productType)
            window.rows.put(purchase.purchaseDate)
            window.rows.put(purchase.originalPurchaseDate)
            window.rows.put(purchase.expiresDate)
            window.rows.put(purchase.cancellationDate)
            window.rows.put(purchase.webOrderLineItemID)
            window.rows.put(purchase.isTrialPeriod)
            window.rows.put(purchase.isInIntroOfferPeriod)
            window.rows.putText(bytes.part(purchase.promotionalOfferIdentifier))
            window.rows.put(asOf)
            window.rows.put(source.receipt)
        }
    }

    /// Begins writing the merged purchases in parts. Purchases that are merged meanwhile are written after the last
    /// part.
    mutating func beginWriting() {
        claimed.beginWriting()
        trusted.beginWriting()
    }

    /// The number of purchases that are still to be written in parts.
    var unwritten: Int { claimed.unwritten.count + trusted.unwritten.count }

    /// Writes at most `maximum` purchases, claims first.
    ///
    /// - Returns: the number of new purchases of trusted receipts.
    mutating func writePart(_ maximum: Int) throws(MillError) -> Int {
        let claims = min(maximum, claimed.unwritten.count)
        _ = try claimed.writePart(claims)
        return try trusted.writePart(maximum - claims)
    }

    /// Writes all merged purchases.
    ///
    /// - Returns: the number of new purchases of trusted receipts.
    package mutating func write() throws(MillError) -> Int {
        _ = try claimed.write()
        return try trusted.write()
    }
}
