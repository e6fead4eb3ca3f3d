internal import MillBytes
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
package import ReceiptTrust

/// Verifies batches of lines: scan, base64, digest, container, payload, verdict,
/// device check. Every worker has its own.
package struct LineVerifier {
    private let decoder: LineDecoder
    private let verifier: ReceiptVerifier
    /// The documents that need not be verified. If nil, every document is verified, and then the receipts of a batch
    /// correspond to its submissions one to one.
    private let known: (receipts: KnownReceipts, lookup: any ReceiptLookup)?
    private let keepsReceipts: Bool
    /// Whether rejections contain the lines that they reject, for storage.
    private let keepsRejectedLines: Bool
    /// The number of purchases for which memory is reserved, for each receipt.
    private static let usualPurchases = 6
    /// The number of a line's bytes for each stored byte, if payloads without certificates are stored instead of whole
    /// receipts.
    private static let usualTextPerKept = 3

    package init(
        keys: LineKeys, limits: Limits, anchors: TrustAnchors, issuers: CertificatePool,
        known: (receipts: KnownReceipts, lookup: any ReceiptLookup)?, pseudonyms: Pseudonyms? = nil,
        keepsReceipts: Bool = false, keepsRejectedLines: Bool = false, erasedLines: ErasedLines = ErasedLines()
    ) throws(MillError) {
        self.keepsReceipts = keepsReceipts
        self.keepsRejectedLines = keepsRejectedLines
        self.known = known
        (decoder, verifier) = try MillError.wrapping { () throws(OpenSSLError) in
            (
                try LineDecoder(keys: keys, limits: limits, erasedLines: erasedLines),
                try ReceiptVerifier(
                    anchors: anchors, issuers: issuers, pseudonyms: pseudonyms, keepsReceipts: keepsReceipts)
            )
        }
    }

    /// Verifies a batch; every line becomes a submission or a rejection.
    ///
    /// - Parameter rejected: lines that are not read, by their index, with the reasons.
    package func verify(
        _ batch: LineBatch, rejecting rejected: [Int: Unreadable] = [:]
    ) throws(MillError) -> VerifiedBatch {
        var verified = VerifiedBatch(sequence: batch.sequence)
        switch batch.content {
        case .overlongLine(let bytes):
            verified.lineCount = 1
            verified.rejections.append(Rejection(line: 0, cause: decoder.overlong(bytes)))
        case .lines(let text):
            // Decoded base64 takes three quarters of the text; all other values fit into the rest.
            var decoded = ByteBuffer(capacity: text.count)
            let lines = try MillError.wrapping { () throws(OpenSSLError) in
                try decoder.decode(
                    text, header: batch.header, rejecting: rejected, into: &decoded, counting: &verified)
            }
            let standings = try standings(of: lines, batch: batch.sequence)
            verified.purchases.reserveCapacity(lines.count * Self.usualPurchases)
            try MillError.wrapping { () throws(OpenSSLError) in
                try verifier.verify(
                    lines, standings: standings, &decoded,
                    keeping: keepsReceipts ? text.count : text.count / Self.usualTextPerKept, into: &verified)
            }
            // Without its table's header, a row may lose its account. So rows that are read again are read from their
            // archive only.
            Self.finishRejections(
                of: text, in: &verified, keepsLines: keepsRejectedLines && decoder.table(batch.header) == nil)
        }
        verified.measure()
        return verified
    }

    /// Marks lines about purchases of other stores as such, and copies other rejected lines into their rejections. A
    /// line beyond the size limit is not examined, because in a batch of its own its bytes were never read; nor is an
    /// erased line.
    private static func finishRejections(of text: [UInt8], in verified: inout VerifiedBatch, keepsLines: Bool) {
        guard !verified.rejections.isEmpty else { return }
        let loaded = Set(verified.submissions.map(\.line))
        var finished: [Rejection] = []
        var (start, line) = (0, 0)
        for var rejection in verified.rejections.sorted(by: { $0.line < $1.line }) {
            if let former = finished.last, former.line == rejection.line {
                if former.isDismissed { continue }
                rejection.content = former.content
            } else if rejection.cause.reason != .lineTooLong, !rejection.isDismissed {
                var end = Self.end(ofLineAt: start, text)
                while line < rejection.line {
                    (start, line) = (min(end + 1, text.count), line + 1)
                    end = Self.end(ofLineAt: start, text)
                }
                if !loaded.contains(line),
                    let cause = OtherStore.rejection(of: text, start..<end, instead: rejection.cause)
                {
                    rejection = Rejection(line: line, cause: cause)
                } else if keepsLines {
                    rejection.content = Array(text[start..<end])
                }
            }
            finished.append(rejection)
        }
        verified.rejections = finished
    }

    private static func end(ofLineAt start: Int, _ text: [UInt8]) -> Int {
        ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count) ?? text.count
    }

    /// Whether each document is new, and its id if it is in the database.
    private func standings(
        of lines: [DecodedDocument], batch: Int
    ) throws(MillError) -> [(isNew: Bool, stored: Int64?)]? {
        guard let known else { return nil }
        // Documents are claimed before the database is queried. If a document is not found then, it is in no commit
        // that this batch could have missed.
        let standings = known.receipts.claim(lines.map(\.key), batch: batch)
        var found = standings.map { (isNew: $0 != .taken, stored: Int64?.none) }
        let asked = lines.indices.filter { standings[$0] == .perhapsStored }
        guard !asked.isEmpty else { return found }
        for (index, id) in zip(asked, try known.lookup.storedReceipts(asked.map { lines[$0].digest })) {
            if let id { found[index] = (false, id) }
        }
        return found
    }
}
