public import ReceiptFormat

/// A verifier of app receipts' containers. It checks first the signature, then the chain, then the chain's dates.
///
/// Trust depends only on the anchors, never on a field of the receipt, with one exception: certificates have to be
/// valid at the receipt's creation date. Not for use by two threads at once: every worker has its own.
public final class Verifier {
    private let anchors: TrustAnchors
    private let digest: MessageDigest
    private let chains = ChainCache()
    /// The issuers found since ``takeNewIssuers()`` was last called.
    private var newIssuers = CertificatePool()

    /// Creates a verifier that trusts only the given anchors.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't provide the digests.
    public init(anchors: TrustAnchors) throws(OpenSSLError) {
        self.anchors = anchors
        digest = try MessageDigest()
    }

    /// Verifies a container's signature and chain (RFC 5652, 5.4 and 5.6; RFC 5280,
    /// 6.1).
    ///
    /// - Parameters:
    ///   - container: a container parsed from `bytes`.
    ///   - bytes: the buffer of the container's ranges.
    ///   - creationDate: attribute 12 of the payload, milliseconds since 1970 UTC; if nil, nothing is trusted.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the container.
    public func verify(
        _ container: Container, in bytes: Span<UInt8>, createdAt creationDate: Int64?
    ) throws(OpenSSLError) -> Verification {
        let chain = try chains.chain(of: container, in: bytes) { (input) throws(OpenSSLError) in
            let chain = try CertificateChain(of: input, anchors: anchors, digest: digest)
            for issuer in chain.issuers { newIssuers.insert(issuer) }
            return chain
        }
        var verification = try verification(of: container, in: bytes, createdAt: creationDate, chain)
        verification.issuers = chain.issuers
        return verification
    }

    private func verification(
        of container: Container, in bytes: Span<UInt8>, createdAt creationDate: Int64?, _ chain: CertificateChain
    ) throws(OpenSSLError) -> Verification {
        let reader = ByteReader(bytes)
        guard let algorithm = container.signer.acceptedDigest(reader) else {
            let name = AlgorithmName.of(bytes, container.signer.digestAlgorithm)
            return Verification(
                verdict: .unsupportedAlgorithm, detail: "digest algorithm \(name)", digestAlgorithm: name,
                signer: chain.signerName)
        }
        guard container.names(container.signer.digestAlgorithm, reader) else {
            return refused(
                .unsupportedAlgorithm, "the signer's digest is not among those the container states", algorithm, chain)
        }
        guard container.signer.isRSA(with: algorithm, reader) else {
            let name = AlgorithmName.of(bytes, container.signer.signatureAlgorithm)
            return refused(.unsupportedAlgorithm, "signature algorithm \(name) with \(algorithm)", algorithm, chain)
        }
        if let signer = chain.signer {
            guard let key = signer.publicKey, key.isRSA, key.isAffordable else {
                return refused(.unsupportedAlgorithm, "the signer's key is not RSA, or oversized", algorithm, chain)
            }
            if let fault = try signatureFault(container, bytes, algorithm, key) {
                return refused(.badSignature, fault, algorithm, chain)
            }
        }
        switch chain.validation {
        case .refused(let verdict, let detail):
            return refused(verdict, detail, algorithm, chain)
        case .anchored(let validities):
            guard let creationDate else {
                return refused(.notValidAtCreation, "the receipt states no creation date", algorithm, chain)
            }
            guard validities.contains(where: { $0.contains(creationDate) }) else {
                return refused(
                    .notValidAtCreation, "a certificate was not valid when the receipt was created", algorithm, chain)
            }
            return Verification(
                verdict: .trusted, detail: nil, digestAlgorithm: algorithm.rawValue, signer: chain.signerName)
        }
    }

    /// Returns, and removes from this object, the authorities that lead to an anchor, from containers whose chains were
    /// not cached. The chains of transaction receipts, which contain no issuers, may need them.
    public func takeNewIssuers() -> CertificatePool {
        defer { newIssuers = CertificatePool() }
        return newIssuers
    }

    @inline(never)
    private func refused(
        _ verdict: Verdict, _ detail: String, _ algorithm: DigestAlgorithm, _ chain: CertificateChain
    ) -> Verification {
        Verification(
            verdict: verdict, detail: detail, digestAlgorithm: algorithm.rawValue, signer: chain.signerName)
    }

    /// The fault of the signature (RFC 5652, 5.4 and 5.6); nil if it holds.
    private func signatureFault(
        _ container: Container, _ bytes: Span<UInt8>, _ algorithm: DigestAlgorithm, _ key: PublicKey
    ) throws(OpenSSLError) -> String? {
        var output: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return try withUnsafeMutableBytes(of: &output) { (signed) throws(OpenSSLError) -> String? in
            try digest.start(algorithm)
            if container.content.isFragmented {
                var joined: [UInt8] = []
                do throws(MalformedReceipt) {
                    try ByteReader(bytes).appendBytes(of: container.content, to: &joined)
                } catch {
                    return "a chunk of the content is malformed"
                }
                try digest.update(joined.span, in: joined.indices)
            } else {
                try digest.update(bytes, in: container.content.range.indices)
            }
            try digest.finish(into: signed)
            if let attributes = container.signer.signedAttributes {
                if let fault = attributes.fault(contentDigest: signed, algorithm, bytes) { return fault }
                let header = attributes.setHeader
                try digest.start(algorithm)
                try digest.update(header.span, in: header.indices)
                try digest.update(bytes, in: attributes.content.indices)
                try digest.finish(into: signed)
            }
            let signature = bytes.extracting(container.signer.signature.indices)
            let holds = try signature.withUnsafeBufferPointer { (signature) throws(OpenSSLError) in
                try key.verify(signature, of: UnsafeRawBufferPointer(signed), algorithm: algorithm)
            }
            return holds ? nil : "the signature is not the signer's, or not of this content"
        }
    }
}

extension Container {
    /// Whether the container lists an algorithm among its digests, as one-pass parsers require (RFC 5652, 5.1).
    fileprivate func names(_ algorithm: ByteRange, _ reader: borrowing ByteReader) -> Bool {
        var algorithms = reader.reader(in: digestAlgorithms)
        while !algorithms.isAtEnd, let element = try? algorithms.readElement(Tag.sequence) {
            var identifier = algorithms.reader(in: element.content)
            if let stated = try? identifier.readElement(Tag.objectIdentifier), reader.equal(stated.content, algorithm) {
                return true
            }
        }
        return false
    }
}

extension SignerInfo {
    /// The signer's digest, if it is one of the two with which Apple has signed; otherwise nil.
    fileprivate func acceptedDigest(_ reader: borrowing ByteReader) -> DigestAlgorithm? {
        if reader.matches(digestAlgorithm, ObjectIdentifier.sha256) { return .sha256 }
        if reader.matches(digestAlgorithm, ObjectIdentifier.sha1) { return .sha1 }
        return nil
    }

    /// Whether the signature's algorithm is plain rsaEncryption, as Apple writes, or RSA with the digest that the
    /// signer states (RFC 3370, 3.2).
    fileprivate func isRSA(with digest: DigestAlgorithm, _ reader: borrowing ByteReader) -> Bool {
        if reader.matches(signatureAlgorithm, ObjectIdentifier.rsaEncryption) { return true }
        switch digest {
        case .sha1: return reader.matches(signatureAlgorithm, ObjectIdentifier.sha1WithRSAEncryption)
        case .sha256: return reader.matches(signatureAlgorithm, ObjectIdentifier.sha256WithRSAEncryption)
        }
    }
}

extension SignedAttributes {
    /// The header of a SET, which is signed instead of the header of [0] (RFC 5652, 5.4).
    fileprivate var setHeader: [UInt8] {
        let count = content.count
        guard count >= 0x80 else { return [Tag.set, UInt8(count)] }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }.drop { $0 == 0 }
        return [Tag.set, 0x80 | UInt8(length.count)] + length
    }

    /// The fault of the attributes; nil if contentType and messageDigest each occur once and match the content (RFC
    /// 5652, 11.1 and 11.2).
    fileprivate func fault(
        contentDigest: UnsafeMutableRawBufferPointer, _ algorithm: DigestAlgorithm, _ bytes: Span<UInt8>
    ) -> String? {
        guard let contentType, ByteReader(bytes).matches(contentType, ObjectIdentifier.data) else {
            return "the signed attributes do not say once that the content is data"
        }
        guard let messageDigest, messageDigest.count == algorithm.count else {
            return "the signed attributes do not hold one digest of the content"
        }
        for (index, offset) in messageDigest.indices.enumerated() where bytes[offset] != contentDigest[index] {
            return "the content is not what was signed: its digest differs"
        }
        return nil
    }
}
