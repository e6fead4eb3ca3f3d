internal import ReceiptFormat

/// The certificates of a container. A certificate is decoded only if a path could lead through it, because a stranger
/// may add certificates whose keys take long to decode.
struct CarriedCertificates {
    private let bytes: [UInt8]
    private let outlines: [CertificateOutline]
    /// The decoded certificates by index; nil if the bytes are not a certificate.
    private var decoded: [Int: Certificate?] = [:]
    private let digest: MessageDigest

    /// - Parameter certificates: DER, one after another.
    init(_ certificates: [UInt8], digest: MessageDigest) {
        bytes = certificates
        self.digest = digest
        var outlines: [CertificateOutline] = []
        var reader = ByteReader(certificates.span)
        while !reader.isAtEnd, let element = try? reader.readElement() {
            if let outline = CertificateOutline(certificates.span, in: element) { outlines.append(outline) }
        }
        self.outlines = outlines
    }

    /// Indices of the certificates that were decoded, in order.
    var decodedIndices: [Int] { decoded.keys.sorted() }

    /// The first certificate that has the name of the signer.
    mutating func signer(_ name: ChainInput.SignerName) throws(OpenSSLError) -> Certificate? {
        guard let index = outlines.firstIndex(where: { $0.isNamed(by: name, in: bytes.span) }) else { return nil }
        return try certificate(index).flatMap { $0.isNamed(by: name) ? $0 : nil }
    }

    /// The certificates that, by their names, may be above a given one on a path, in the order of the container.
    mutating func issuers(of certificates: [Certificate]) throws(OpenSSLError) -> [Certificate] {
        let names = try certificates.map { (certificate) throws(OpenSSLError) in try certificate.issuerName() }
        return try decode(reached(from: names, by: \.subject, to: \.issuer))
    }

    /// The anchors, and the certificates that, by their names, may be below an anchor or a given certificate on a path;
    /// in the order of the container.
    mutating func issued(
        by certificates: [Certificate], or anchors: Set<SHA256Digest>
    ) throws(OpenSSLError) -> [Certificate] {
        var own: Set<Int> = []
        for (index, outline) in outlines.enumerated()
        where anchors.contains(try digest.sha256(bytes.span, in: outline.whole.indices)) {
            own.insert(index)
        }
        let names =
            try certificates.map { (certificate) throws(OpenSSLError) in try certificate.subjectName() }
            + own.map { outlines[$0].subject }
        return try decode(own.union(reached(from: names, by: \.issuer, to: \.subject)))
    }

    /// Indices of the certificates that a search over names reaches, starting from the given names. It reaches a
    /// certificate by its name on the near side, and continues from its name on the far side. A certificate with a key
    /// that can't issue is never reached.
    private func reached(
        from names: [DistinguishedName], by near: KeyPath<CertificateOutline, DistinguishedName>,
        to far: KeyPath<CertificateOutline, DistinguishedName>
    ) -> Set<Int> {
        var names = names
        var reached: Set<Int> = []
        while let name = names.popLast() {
            for (index, outline) in outlines.enumerated()
            where !reached.contains(index) && outline.hasIssuersKey && outline[keyPath: near].equals(name) {
                reached.insert(index)
                names.append(outline[keyPath: far])
            }
        }
        return reached
    }

    private mutating func decode(_ indices: Set<Int>) throws(OpenSSLError) -> [Certificate] {
        var certificates: [Certificate] = []
        for index in indices.sorted() {
            if let certificate = try certificate(index) { certificates.append(certificate) }
        }
        return certificates
    }

    private mutating func certificate(_ index: Int) throws(OpenSSLError) -> Certificate? {
        if let known = decoded[index] { return known }
        let certificate = try Certificate(bytes.span, in: outlines[index].whole, digest: digest)
        decoded[index] = .some(certificate)
        return certificate
    }
}
