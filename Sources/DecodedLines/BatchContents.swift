internal import MillJSON
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The arrays to which the lines of a batch refer, and values that a worker caches across batches.
struct BatchContents {
    var bytes = ByteBuffer(capacity: 0)
    var purchases: [InAppPurchase] = []
    /// The payloads of signed documents: the fields that receipts don't have.
    var signedPayloads: [SignedPayload] = []
    /// Issuers that earlier batches did not contain.
    var issuers = CertificatePool()

    // Most lines repeat the archive, types and issuers of earlier lines, in the same text.
    var archives = RememberedValues<ArchiveID>()
    var types = RememberedValues<UndocumentedTypes>()
    var knownIssuers = RememberedValues<Void>()

    /// Begins a batch.
    ///
    /// - Parameter textCount: the number of bytes of the lines.
    mutating func begin(textCount: Int) {
        bytes = ByteBuffer(capacity: textCount / 2)
        // The former batch keeps its arrays on another thread, so this one gets new arrays of the same size.
        let expected = (purchases: purchases.count, signedPayloads: signedPayloads.count)
        (purchases, signedPayloads) = ([], [])
        purchases.reserveCapacity(expected.purchases)
        signedPayloads.reserveCapacity(expected.signedPayloads)
    }

    /// Moves the arrays to the runs of a batch, which refer to them.
    mutating func end(_ batch: inout DecodedBatch) {
        for index in batch.runs.indices {
            batch.runs[index].verified.bytes = bytes.bytes
            batch.runs[index].verified.purchases = purchases
            batch.runs[index].verified.signedPayloads = signedPayloads
        }
        batch.measure()
        batch.issuers = issuers
        issuers = CertificatePool()
    }
}

/// A cache of recently read values by their JSON text, which is faster to compare than to parse again.
struct RememberedValues<Value> {
    private var entries: [(text: [UInt8], value: Value)] = []

    /// The maximum number of cached values, and of bytes of a value's text. Invented values must not fill the memory.
    private static var capacity: Int { 64 }
    private static var longestText: Int { 8 << 10 }

    /// Skips the next value if it is cached. Each text ends with a bracket, brace or quotation mark, so a longer value
    /// can't begin with a cached text.
    func skip(_ cursor: inout JSONCursor, where isWanted: (Value) -> Bool = { _ in true }) -> Value? {
        for entry in entries where isWanted(entry.value) && cursor.skip(entry.text) { return entry.value }
        return nil
    }

    /// Caches a value whose text ends at the cursor.
    mutating func remember(_ cursor: borrowing JSONCursor, from start: Int, _ value: Value) {
        let range = start..<cursor.position
        guard range.count <= Self.longestText else { return }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((cursor.bytes.extracting(range).withUnsafeBufferPointer { Array($0) }, value))
    }
}
