extension Container {
    /// Reads a container and requires that nothing follows it.
    ///
    /// ```
    /// ContentInfo ::= SEQUENCE {
    ///   contentType ContentType,                  -- signedData
    ///   content [0] EXPLICIT SignedData }
    /// SignedData ::= SEQUENCE {
    ///   version Version,
    ///   digestAlgorithms SET OF AlgorithmIdentifier,
    ///   encapContentInfo SEQUENCE {
    ///     eContentType ContentType,               -- data
    ///     eContent [0] EXPLICIT OCTET STRING },
    ///   certificates [0] IMPLICIT SET OF Certificate OPTIONAL,
    ///   crls [1] IMPLICIT SET OF CertificateRevocationList OPTIONAL,
    ///   signerInfos SET OF SignerInfo }
    /// ```
    /// The grammar is that of RFC 2315, 9.1, and RFC 5652, 5.1. Version numbers are not checked,
    /// and revocation lists are skipped.
    ///
    /// - Throws: `.unsupportedContentType`, `.detachedContent`, `.tooManyCertificates`, `.signerCount` if the container
    ///   is not a receipt's; `.fragmentedValue` if its signature is in chunks; `.trailingBytes` if bytes follow a
    ///   structure; and the errors of ``ByteReader/readElement(_:)`` and ``ByteReader/readOctetString()``.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        var contentInfo = reader.reader(in: try reader.readElement(Tag.sequence).content)
        try reader.requireEnd()

        let kind = try contentInfo.readElement(Tag.objectIdentifier)
        guard contentInfo.matches(kind.content, ObjectIdentifier.signedData) else {
            throw MalformedReceipt(.unsupportedContentType, at: kind.whole.offset)
        }
        var explicit = contentInfo.reader(in: try contentInfo.readElement(Tag.context0).content)
        try contentInfo.requireEnd()

        var signedData = explicit.reader(in: try explicit.readElement(Tag.sequence).content)
        try explicit.requireEnd()
        _ = try signedData.readElement(Tag.integer)
        digestAlgorithms = try signedData.readElement(Tag.set).content
        content = try Self.encapsulatedContent(&signedData)
        certificates = try Self.certificates(&signedData)
        _ = try signedData.readOptionalElement(Tag.context1)
        signer = try Self.onlySigner(&signedData)
        try signedData.requireEnd()
    }

    private static func encapsulatedContent(
        _ signedData: inout ByteReader
    ) throws(MalformedReceipt) -> OctetString {
        var info = signedData.reader(in: try signedData.readElement(Tag.sequence).content)
        let kind = try info.readElement(Tag.objectIdentifier)
        guard info.matches(kind.content, ObjectIdentifier.data) else {
            throw MalformedReceipt(.unsupportedContentType, at: kind.whole.offset)
        }
        guard !info.isAtEnd else { throw MalformedReceipt(.detachedContent, at: info.position) }
        var explicit = info.reader(in: try info.readElement(Tag.context0).content)
        try info.requireEnd()
        let content = try explicit.readOctetString()
        try explicit.requireEnd()
        return content
    }

    private static func certificates(
        _ signedData: inout ByteReader
    ) throws(MalformedReceipt) -> ByteRange {
        let start = signedData.position
        guard let set = try signedData.readOptionalElement(Tag.context0) else {
            return ByteRange(offset: start, count: 0)
        }
        guard set.content.count <= maximumCertificateBytes else {
            throw MalformedReceipt(.tooManyCertificates, at: set.whole.offset)
        }
        var certificates = signedData.reader(in: set.content)
        var count = 0
        while !certificates.isAtEnd {
            _ = try certificates.readElement()
            count += 1
            guard count <= maximumCertificates else {
                throw MalformedReceipt(.tooManyCertificates, at: set.whole.offset)
            }
        }
        return set.content
    }

    private static func onlySigner(
        _ signedData: inout ByteReader
    ) throws(MalformedReceipt) -> SignerInfo {
        let set = try signedData.readElement(Tag.set)
        var signers = signedData.reader(in: set.content)
        guard !signers.isAtEnd else {
            throw MalformedReceipt(.signerCount(0), at: set.whole.offset)
        }
        var signer = signers.reader(in: try signers.readElement(Tag.sequence).content)
        var count = 1
        while !signers.isAtEnd {
            _ = try signers.readElement()
            count += 1
        }
        guard count == 1 else { throw MalformedReceipt(.signerCount(count), at: set.whole.offset) }
        let info = try SignerInfo(parsing: &signer)
        try signer.requireEnd()
        return info
    }
}

extension SignerInfo {
    /// ```
    /// SignerInfo ::= SEQUENCE {
    ///   version Version,
    ///   sid CHOICE {
    ///     issuerAndSerialNumber SEQUENCE { issuer Name, serialNumber INTEGER },
    ///     subjectKeyIdentifier [0] IMPLICIT OCTET STRING },
    ///   digestAlgorithm AlgorithmIdentifier,
    ///   signedAttrs [0] IMPLICIT SET OF Attribute OPTIONAL,
    ///   signatureAlgorithm AlgorithmIdentifier,
    ///   signature OCTET STRING,
    ///   unsignedAttrs [1] IMPLICIT SET OF Attribute OPTIONAL }
    /// ```
    /// The grammar is that of RFC 5652, 5.3. Unsigned attributes are skipped.
    init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        _ = try reader.readElement(Tag.integer)
        if let keyIdentifier = try reader.readOptionalElement(Tag.primitiveContext0) {
            identifier = .subjectKeyIdentifier(keyIdentifier.content)
        } else {
            var sid = reader.reader(in: try reader.readElement(Tag.sequence).content)
            let issuer = try sid.readElement(Tag.sequence)
            let serialNumber = try sid.readElement(Tag.integer)
            try sid.requireEnd()
            identifier = .issuerAndSerialNumber(
                issuer: issuer.whole, serialNumber: serialNumber.content)
        }
        digestAlgorithm = try reader.readAlgorithmIdentifier()
        if let attributes = try reader.readOptionalElement(Tag.context0) {
            signedAttributes = try SignedAttributes(parsing: reader.reader(in: attributes.content))
        } else {
            signedAttributes = nil
        }
        signatureAlgorithm = try reader.readAlgorithmIdentifier()
        let start = reader.position
        let value = try reader.readOctetString()
        guard !value.isFragmented else { throw MalformedReceipt(.fragmentedValue, at: start) }
        signature = value.range
        _ = try reader.readOptionalElement(Tag.context1)
    }
}

extension SignedAttributes {
    /// ```
    /// Attribute ::= SEQUENCE { attrType OBJECT IDENTIFIER, attrValues SET OF AttributeValue }
    /// ```
    /// The grammar is that of RFC 5652, 5.3. Only contentType and messageDigest are kept (11.1,
    /// 11.2).
    init(parsing attributes: consuming ByteReader) throws(MalformedReceipt) {
        content = ByteRange(offset: attributes.position, count: attributes.remaining)
        var contentTypes: [ByteRange] = []
        var messageDigests: [ByteRange] = []
        while !attributes.isAtEnd {
            var attribute = attributes.reader(in: try attributes.readElement(Tag.sequence).content)
            let kind = try attribute.readElement(Tag.objectIdentifier).content
            var values = attribute.reader(in: try attribute.readElement(Tag.set).content)
            try attribute.requireEnd()
            if values.matches(kind, ObjectIdentifier.contentType) {
                contentTypes.append(try values.readElement(Tag.objectIdentifier).content)
                try values.requireEnd()
            } else if values.matches(kind, ObjectIdentifier.messageDigest) {
                messageDigests.append(try values.readElement(Tag.octetString).content)
                try values.requireEnd()
            }
        }
        contentType = contentTypes.count == 1 ? contentTypes[0] : nil
        messageDigest = messageDigests.count == 1 ? messageDigests[0] : nil
    }
}

extension ByteReader {
    /// Reads an AlgorithmIdentifier and returns the content of its object
    /// identifier. Parameters are skipped: those of the accepted algorithms are
    /// NULL or absent (RFC 3370, 2 and 3).
    @_lifetime(self: copy self)
    fileprivate mutating func readAlgorithmIdentifier() throws(MalformedReceipt) -> ByteRange {
        var algorithm = reader(in: try readElement(Tag.sequence).content)
        return try algorithm.readElement(Tag.objectIdentifier).content
    }
}
