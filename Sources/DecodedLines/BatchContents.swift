internal import MillJSON
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The bytes, purchases and payloads into which the lines of a batch point, and values that a worker remembers
/// from batch to batch.
struct BatchContents {
    var bytes = ByteBuffer(capacity: 0)
    var purchases: [InAppPurchase] = []
    /// What signed documents state beside what receipts do.
    var signedPayloads: [SignedPayload] = []
    /// Issuers that no batch before has brought.
    var issuers = IssuerCertificates()

    // Nearly every line names an archive, types and issuers that a line before named, in the same text.
    var archives = RememberedValues<ArchiveID>()
    var types = RememberedValues<UndocumentedTypes>()
    var knownIssuers = RememberedValues<Void>()

    /// Begins a batch.
    ///
    /// - Parameter textCount: bytes of the lines.
    mutating func begin(textCount: Int) {
        bytes = ByteBuffer(capacity: textCount / 2)
        // The last batch keeps its arrays, on another thread. As much is expected again, in memory of its own.
        let expected = (purchases: purchases.count, signedPayloads: signedPayloads.count)
        (purchases, signedPayloads) = ([], [])
        purchases.reserveCapacity(expected.purchases)
        signedPayloads.reserveCapacity(expected.signedPayloads)
    }

    /// Gives the runs of a batch the arrays that they point into.
    mutating func end(_ batch: inout DecodedBatch) {
        for index in batch.runs.indices {
            batch.runs[index].verified.bytes = bytes.bytes
            batch.runs[index].verified.purchases = purchases
            batch.runs[index].verified.signedPayloads = signedPayloads
        }
        batch.measure()
        batch.issuers = issuers
        issuers = IssuerCertificates()
    }
}

/// Values that were read last, by their JSON, which takes longer to read again than to compare.
struct RememberedValues<Value> {
    private var entries: [(text: [UInt8], value: Value)] = []

    /// Values that are remembered, and bytes of the text of one: made-up ones must not fill the memory.
    private static var capacity: Int { 64 }
    private static var longestText: Int { 8 << 10 }

    /// Moves past the next value if it is remembered. Bracket, brace or quotation mark ends each text, so that a
    /// value which begins with one is no longer than the text.
    func skip(_ cursor: inout JSONCursor, where isWanted: (Value) -> Bool = { _ in true }) -> Value? {
        for entry in entries where isWanted(entry.value) && cursor.skip(entry.text) { return entry.value }
        return nil
    }

    /// Remembers a value, which ends where the cursor is.
    mutating func remember(_ cursor: borrowing JSONCursor, from start: Int, _ value: Value) {
        let range = start..<cursor.position
        guard range.count <= Self.longestText else { return }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((cursor.bytes.extracting(range).withUnsafeBufferPointer { Array($0) }, value))
    }
}
