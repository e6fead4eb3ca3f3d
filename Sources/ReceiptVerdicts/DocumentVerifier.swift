internal import Foundation
internal import ReceiptArchive
public import ReceiptTrust
internal import ReceiptVerification

/// A verifier of all that the store signs, receipts and signed strings, for any number of threads at once.
///
/// A call takes a worker that no other call uses, or makes one where all are in use, so that no call waits for another.
/// Workers remember the chains that they verified, so that a verifier should live as long as its process.
///
/// Safe to share between threads: `idle` is touched under `lock` alone, and a worker that was taken out of `idle` is
/// known to no thread but the one that took it, until that thread returns it.
public final class DocumentVerifier: @unchecked Sendable {
    private let anchors: TrustAnchors
    private let issuers: CertificatePool
    private let lock = NSLock()
    private var idle: [DocumentListVerifier] = []

    /// The maximum number of workers that are kept while no call needs them.
    private static let maximumIdleCount = 64

    /// Makes a verifier that trusts the given anchors alone.
    ///
    /// - Parameter issuers: certificates that receipts of iOS 6 and before need and don't carry.
    /// - Throws: ``OpenSSLError`` where OpenSSL can't provide the digests.
    public init(
        anchors: TrustAnchors = .apple, issuers: CertificatePool = CertificatePool()
    ) throws(OpenSSLError) {
        (self.anchors, self.issuers) = (anchors, issuers)
        // A worker that can't be made shows here, and not at the first document.
        idle = [try DocumentListVerifier(limits: Limits(), anchors: anchors, issuers: issuers)]
    }

    /// Verifies a document: a signed string, a receipt's bytes, or base64 of a receipt, with white space around.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the document.
    public func verify(_ document: [UInt8]) throws(OpenSSLError) -> VerifiedDocument {
        VerifiedDocument(try verify(document.span, [document.indices]))
    }

    /// Verifies a document that is text: a signed string, or base64 of a receipt.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the document.
    public func verify(_ document: String) throws(OpenSSLError) -> VerifiedDocument {
        try verify(Array(document.utf8))
    }

    /// Verifies many documents, which takes less time than verifying each by itself.
    ///
    /// - Parameters:
    ///   - text: the buffer of all documents.
    ///   - ranges: the range of each document.
    ///   - device: the device that presents the documents; nil if unknown.
    package func verify(
        _ text: Span<UInt8>, _ ranges: some Sequence<Range<Int>>, presentedBy device: String? = nil
    ) throws(OpenSSLError) -> VerifiedDocumentList {
        let worker = try takeWorker()
        let found = VerifiedDocumentList(
            try worker.verify(text, ranges, presentedBy: device.map { Array($0.utf8) }))
        // A worker that met a failure of OpenSSL is not used again.
        putBack(worker)
        return found
    }

    private func takeWorker() throws(OpenSSLError) -> DocumentListVerifier {
        lock.lock()
        let worker = idle.popLast()
        lock.unlock()
        if let worker { return worker }
        return try DocumentListVerifier(limits: Limits(), anchors: anchors, issuers: issuers)
    }

    private func putBack(_ worker: DocumentListVerifier) {
        lock.lock()
        if idle.count < Self.maximumIdleCount { idle.append(worker) }
        lock.unlock()
    }
}
