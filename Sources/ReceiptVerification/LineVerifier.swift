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
    /// The documents that need no verifying; nil verifies every document anew, and then the
    /// receipts of a batch are its submissions', one for one.
    private let known: (receipts: KnownReceipts, lookup: any ReceiptLookup)?
    private let keepsReceipts: Bool
    /// Whether rejections hold the lines that they reject, for storage.
    private let keepsRejectedLines: Bool
    /// The number of purchases for which memory is reserved, for each receipt.
    private static let usualPurchases = 6
    /// The number of a line's bytes for each stored byte, where receipts are not stored whole, but
    /// only payloads, without certificates.
    private static let usualTextPerKept = 3

    package init(
        keys: LineKeys, limits: Limits, anchors: TrustAnchors, issuers: IssuerCertificates,
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

    /// Verifies a batch; every line ends as a submission or a rejection.
    ///
    /// - Parameter rejected: lines that are not read, by their index, and why.
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
            // A row without its table's header may lose its account, so rows are read again from their archive alone.
            if keepsRejectedLines, decoder.table(batch.header) == nil {
                Self.keepRejectedLines(of: text, in: &verified.rejections)
            }
        }
        verified.measure()
        return verified
    }

    /// Copies rejected lines into their rejections. A line beyond the limit is not copied, because
    /// in a batch of its own its bytes were never read; nor is an erased line.
    private static func keepRejectedLines(of text: [UInt8], in rejections: inout [Rejection]) {
        rejections.sort { $0.line < $1.line }
        var (start, line) = (0, 0)
        for index in rejections.indices
        where rejections[index].cause.reason != .lineTooLong && !rejections[index].isSettled {
            if index > rejections.startIndex, rejections[index].line == rejections[index - 1].line {
                rejections[index].content = rejections[index - 1].content
                continue
            }
            while true {
                let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
                let end = newline ?? text.count
                defer { (start, line) = (min(end + 1, text.count), line + 1) }
                if line == rejections[index].line {
                    rejections[index].content = Array(text[start..<end])
                    break
                }
            }
        }
    }

    /// Whether each document is new, and its id where the database has it.
    private func standings(
        of lines: [DecodedDocument], batch: Int
    ) throws(MillError) -> [(isNew: Bool, stored: Int64?)]? {
        guard let known else { return nil }
        // Documents are claimed before the database is asked: one that is not found then is in no
        // commit that this batch could have missed.
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
