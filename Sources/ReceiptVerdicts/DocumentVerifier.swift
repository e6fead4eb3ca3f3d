internal import Foundation
internal import ReceiptArchive
public import ReceiptTrust
internal import ReceiptVerification

/// A verifier of everything that Apple signs, receipts and signed strings, for any number of threads at once.
///
/// A call uses a worker that no other call is using, or creates one if all are in use, so that no call waits for
/// another. Workers cache the chains that they have verified, so a verifier should live as long as its process.
///
/// Safe to share between threads: `idle` is accessed only under `lock`, and a worker that was taken out of `idle` is
/// used only by the thread that took it, until that thread returns it.
public final class DocumentVerifier: @unchecked Sendable {
    private let anchors: TrustAnchors
    private let issuers: CertificatePool
    private let lock = NSLock()
    private var idle: [DocumentListVerifier] = []

    /// The maximum number of workers that are kept while no call needs them.
    private static let maximumIdleCount = 64

    /// Creates a verifier that trusts only the given anchors.
    ///
    /// - Parameter issuers: certificates that receipts of iOS 6 and earlier need and don't contain.
    /// - Throws: ``OpenSSLError`` if OpenSSL can't provide the digests.
    public init(
        anchors: TrustAnchors = .apple, issuers: CertificatePool = CertificatePool()
    ) throws(OpenSSLError) {
        (self.anchors, self.issuers) = (anchors, issuers)
        // If a worker can't be created, this fails here, not at the first document.
        idle = [try DocumentListVerifier(limits: Limits(), anchors: anchors, issuers: issuers)]
    }

    /// Verifies a document: a signed string, a receipt's bytes, or base64 of a receipt; surrounding white space is
    /// ignored.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the document.
    public func verify(_ document: [UInt8]) throws(OpenSSLError) -> VerifiedDocument {
        VerifiedDocument(try verify(document.span, [document.indices]))
    }

    /// Verifies a document that is text: a signed string, or base64 of a receipt.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the document.
    public func verify(_ document: String) throws(OpenSSLError) -> VerifiedDocument {
        try verify(Array(document.utf8))
    }

    /// Verifies many documents, which is faster than verifying each separately.
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
        // A worker in which OpenSSL has failed is not used again.
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
