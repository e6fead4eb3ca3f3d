internal import MillBytes
internal import MillSystem
package import ReceiptFormat
package import ReceiptTrust
package import SignedDataFormat

/// A signed string that was read, before it is known whether the document is new.
package final class SignedDocument {
    /// The buffer of the ranges: the payload's JSON, its unescaped texts, and the signature.
    package let bytes: [UInt8]
    /// The range of the payload's JSON.
    package let json: ByteRange
    package let payload: SignedPayload
    package let header: KnownHeader
    /// The SHA-256 of the signed characters: header, full stop and payload as written.
    package let signedDigest: SHA256Digest
    /// The numbers r and s; nil if the third part of the string is not canonical base64url.
    package let signature: ByteRange?
    /// Whether the signature is the signer's; nil until it is verified.
    package var signatureHolds: Bool?

    init(
        bytes: [UInt8], json: ByteRange, payload: SignedPayload, header: KnownHeader, signedDigest: SHA256Digest,
        signature: ByteRange?
    ) {
        (self.bytes, self.json, self.payload, self.header) = (bytes, json, payload, header)
        (self.signedDigest, self.signature) = (signedDigest, signature)
    }

    /// The signature with the digest of the signed characters; nil if its size is not that of
    /// ES256.
    package var es256: ES256Signature? {
        let bytes = bytes
        return signature.flatMap { ES256Signature($0, in: bytes.span, of: signedDigest) }
    }
}

/// A header that was read, and its signer, once a caller has asked for it.
package final class KnownHeader {
    package let header: SignedHeader
    private var signer: SignedDataSigner?
    /// The state of SHA-256 after the header's characters, except the last few.
    let digestPrefix: DigestPrefix

    init(_ header: SignedHeader, _ digestPrefix: DigestPrefix) {
        (self.header, self.digestPrefix) = (header, digestPrefix)
    }

    package func signer(by verifier: SignedDataVerifier) throws(OpenSSLError) -> SignedDataSigner {
        if let signer { return signer }
        let made = try verifier.signer(of: header)
        signer = made
        return made
    }
}

/// Reads signed strings. Not for use by two threads at once: every worker has its own.
final class SignedStringReader {
    private let digest: MessageDigest
    /// A cache of headers by their characters, the most recently used last. Apple's are the same for years, and reading
    /// one costs as much as some hundred payloads.
    private var headers: [(text: [UInt8], outcome: Result<KnownHeader, MalformedSignedData>)] = []

    /// The number of bytes reserved for a signature, more than one has.
    private static let signatureCapacity = 128
    /// The maximum number of cached headers, some 30 kB each with certificates.
    private static let capacity = 64

    init() throws(OpenSSLError) {
        digest = try MessageDigest()
    }

    /// A document that was read, and the SHA-256 of its characters.
    struct Read {
        let document: SignedDocument
        let digest: SHA256Digest
    }

    /// Reads the signed string in a range of characters.
    func read(_ bytes: Span<UInt8>, in text: Range<Int>) throws(OpenSSLError) -> Result<Read, Unreadable> {
        let string: SignedString
        do throws(MalformedSignedData) {
            string = try Self.split(bytes, text)
        } catch {
            return .failure(Unreadable(error))
        }
        let header: KnownHeader
        switch try self.header(bytes, in: string.header) {
        case .success(let known): header = known
        case .failure(let fault): return .failure(Unreadable(fault))
        }
        var content: [UInt8] = []
        // Decoded base64 takes three quarters of the characters; texts with escapes and the
        // signature fit into the rest.
        content.reserveCapacity(string.payload.count + Self.signatureCapacity)
        let parsed: (payload: SignedPayload, appended: [UInt8])
        let json: ByteRange
        do throws(MalformedSignedData) {
            guard Base64.appendURL(bytes, in: string.payload.indices, to: &content) else {
                throw MalformedSignedData(.payload, "the payload is no base64url")
            }
            json = ByteRange(offset: 0, count: content.count)
            parsed = try SignedPayloadParser.parse(content.span, in: json)
        } catch {
            return .failure(Unreadable(error))
        }
        content += parsed.appended
        let start = content.count
        let isSigned = Base64.appendURL(bytes, in: string.signature.indices, to: &content)
        try digest.start(with: header.digestPrefix)
        try digest.update(bytes, in: string.signingInput.indices.dropFirst(header.digestPrefix.count))
        let signed = try digest.currentSHA256()
        try digest.update(bytes, in: string.signingInput.end..<text.upperBound)
        let document = SignedDocument(
            bytes: content, json: json, payload: parsed.payload, header: header, signedDigest: signed,
            signature: isSigned ? ByteRange(offset: start, count: content.count - start) : nil)
        return .success(Read(document: document, digest: try digest.finishSHA256()))
    }

    private static func split(_ bytes: Span<UInt8>, _ text: Range<Int>) throws(MalformedSignedData) -> SignedString {
        guard text.count <= SignedDataLimits.stringBytes else {
            throw MalformedSignedData(
                .container, "\(text.count) characters where a signed string has \(SignedDataLimits.stringBytes) at most"
            )
        }
        return try SignedString(splitting: bytes, in: ByteRange(offset: text.lowerBound, count: text.count))
    }

    private func header(
        _ bytes: Span<UInt8>, in text: ByteRange
    ) throws(OpenSSLError) -> Result<KnownHeader, MalformedSignedData> {
        if let found = headers.lastIndex(where: { ByteSearch.isEqual(bytes, text.indices, $0.text) }) {
            if found != headers.count - 1 { headers.append(headers.remove(at: found)) }
            return headers[headers.count - 1].outcome
        }
        let prefix = try digest.sha256Prefix(bytes, in: text.indices)
        let outcome = Result { () throws(MalformedSignedData) in
            KnownHeader(try SignedHeader(decoding: bytes, in: text), prefix)
        }
        if headers.count == Self.capacity { headers.removeFirst() }
        headers.append((bytes.extracting(text.indices).withUnsafeBufferPointer { Array($0) }, outcome))
        return outcome
    }
}

extension Unreadable {
    /// The reason why a signed string can't be read, as a rejection states it.
    init(_ fault: MalformedSignedData) {
        let reason: RejectionReason =
            switch fault.part {
            case .container: .malformedContainer
            case .payload: .malformedPayload
            case .kind: .unsupportedKind
            }
        self.init(reason, fault.what)
    }
}
