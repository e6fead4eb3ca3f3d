package import ReceiptArchive
internal import ReceiptFormat
package import ReceiptTrust

/// Verifies documents that are not part of lines. Every worker has its own.
package struct DocumentListVerifier {
    private let decoder: LineDecoder
    private let verifier: ReceiptVerifier

    package init(
        limits: Limits, anchors: TrustAnchors, issuers: CertificatePool
    ) throws(OpenSSLError) {
        decoder = try LineDecoder(keys: LineKeys(), limits: limits)
        verifier = try ReceiptVerifier(anchors: anchors, issuers: issuers)
    }

    /// Verifies documents, each a signed string, a receipt's bytes, or base64 of a receipt.
    ///
    /// - Parameters:
    ///   - text: the buffer of all documents.
    ///   - ranges: the range of each document.
    ///   - device: the identifier of the device that presents the documents: a receipt's identifier, or the device
    ///     verification identifier of signed data; nil if unknown.
    /// - Returns: a batch with a line for each document. All documents count as new, so that the receipts of the batch
    ///   correspond one to one to its submissions, each followed by the documents that it contains.
    package func verify(
        _ text: Span<UInt8>, _ ranges: some Sequence<Range<Int>>, presentedBy device: [UInt8]? = nil
    ) throws(OpenSSLError) -> VerifiedBatch {
        var verified = VerifiedBatch(sequence: 0)
        var buffer = ByteBuffer(capacity: 0)
        var decoded: [DecodedDocument] = []
        for range in ranges {
            // A separate range for each document keeps offsets small: the buffer of all documents may be larger than 4
            // GiB.
            try decoder.decode(document: text.extracting(range), into: &buffer, &decoded, counting: &verified)
        }
        if let device {
            var context = LineContext()
            context.deviceVerification = buffer.append(device)
            let range = ByteRange(offset: 0, count: device.count)
            context.claim = DeviceIdentifier(parsing: device.span, in: range).map { .device($0) } ?? .unreadable
            for index in decoded.indices { decoded[index].context = context }
        }
        try verifier.verify(decoded, standings: nil, &buffer, keeping: buffer.bytes.count / 3, into: &verified)
        return verified
    }
}
