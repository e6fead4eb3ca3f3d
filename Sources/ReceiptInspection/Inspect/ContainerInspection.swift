internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// The contents of an app receipt's container, known or not, as far as they can be read. Nothing is verified.
///
/// ``Container`` and ``AppReceipt`` read a receipt completely or not at all, and their errors come first among the
/// faults. This listing follows the same grammar and continues where they stop: an element that is cut short ends with
/// the bytes, and an absent element is left out with its contents.
struct ContainerInspection {
    let receipt: ByteRange
    /// The faults, which are complete only after writing.
    var faults: [InspectionFault]
    /// Whether the container has more members of a kind than are listed.
    var isCut = false

    /// The maximum number of members of each kind that are listed; a hostile container could hold millions.
    private static let maximumMembers = Container.maximumCertificates

    /// Writes the container, in the order of ``Container/init(parsing:)``.
    mutating func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) throws(OpenSSLError) {
        let container = faults.reading(receipt, of: bytes, or: .malformedContainer, Container.init(parsing:))
        var reader = ByteReader(bytes, in: receipt)
        report.field("encoding", Self.isBasicEncoded(reader) ? "BER" : "DER")
        var contentInfo = reader.readClippedContent(Tag.sequence)
        let contentType = contentInfo.readClippedElement(Tag.objectIdentifier)?.content
        let isSigned = contentType.map { contentInfo.matches($0, ObjectIdentifier.signedData) } ?? false
        var explicit = contentInfo.readClippedContent(isSigned ? Tag.context0 : Tag.null)
        var signedData = explicit.readClippedContent(Tag.sequence)
        let version = signedData.readClippedInteger()
        let digests = members(of: signedData.readClippedContent(Tag.set)).compactMap { Self.algorithm($0, bytes) }
        var encapsulated = signedData.readClippedContent(Tag.sequence)
        let encapsulatedType = encapsulated.readClippedElement(Tag.objectIdentifier)?.content
        let content = ContainerContent(reading: encapsulated.readClippedContent(Tag.context0), of: receipt)
        let certificates = members(of: signedData.readClippedContent(Tag.context0))
        let hasRevocationLists = signedData.readClippedElement(Tag.context1) != nil
        let signers = members(of: signedData.readClippedContent(Tag.set)).filter { $0.tag == Tag.sequence }

        report.section("container", "container") { report in
            report.field("content_type", as: "type", contentType.map { NamedObject(bytes, in: $0) })
            report.field("version", version)
            report.values("digest_algorithms", as: "digest", digests)
            report.field(
                "encapsulated_content_type", as: "content type", encapsulatedType.map { NamedObject(bytes, in: $0) })
            report.field("content_bytes", as: "content", content?.range.count) {
                "\($0) bytes" + (content?.joined == nil ? "" : ", in chunks")
            }
            report.member("content_in_chunks", content?.joined != nil)
            report.field("has_revocation_lists", as: "crls", hasRevocationLists) {
                $0 ? "revocation lists, not shown" : nil
            }
        }
        let title = { (index: Int) in signers.count == 1 ? "signer" : "signer \(index + 1) of \(signers.count)" }
        report.list("signers", signers, title: title) { write($1, to: &$0, bytes) }
        try report.list("certificates", certificates, title: { "certificate \($0 + 1) of \(certificates.count)" }) {
            (report, certificate) throws(OpenSSLError) in
            let offset = certificate.whole.offset - receipt.offset
            report.member("offset", offset)
            let count = certificate.whole.count
            report.certificate(
                try CertificateDescription(bytes, in: certificate.whole), bytes: count,
                unreadable: ("unreadable", "\(count) bytes at byte \(offset)"))
        }
        if isCut {
            let detail =
                "more than \(Self.maximumMembers) digest algorithms, certificates, signers or signed attributes; "
                + "those beyond are not shown"
            faults.append(InspectionFault(Unreadable(.malformedContainer, detail)))
        }
        if let joined = content?.joined {
            writePayload(content, isVerifiable: container != nil, to: &report, joined.span)
        } else {
            writePayload(content, isVerifiable: container != nil, to: &report, bytes)
        }
    }

    /// Writes the attributes of the content, and adds the reason why loading would reject them, if it would.
    private mutating func writePayload(
        _ content: ContainerContent?, isVerifiable: Bool, to report: inout ReportWriter, _ bytes: Span<UInt8>
    ) {
        if isVerifiable, let content {
            _ = faults.reading(content.range, of: bytes, base: content.base, or: .malformedPayload) {
                (reader) throws(MalformedReceipt) in
                var purchases: [InAppPurchase] = []
                _ = try AppReceipt(parsing: &reader, purchases: &purchases)
            }
        }
        let base = content?.base ?? 0
        let listing = content.map { AttributeListing(reading: $0.range, of: .app, in: bytes) } ?? AttributeListing()
        for fault in listing.allFaults {
            let found = InspectionFault(.malformedPayload, fault, base: base)
            if !faults.contains(where: { $0.offset == found.offset && $0.detail == found.detail }) {
                faults.append(found)
            }
        }
        listing.write(heading: "attributes: \(listing.attributes.count)", to: &report, bytes, base: base)
    }

    /// Writes a signer, with the same grammar as ``SignerInfo``.
    private mutating func write(_ signer: Element, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, in: signer.content)
        report.field("version", reader.readClippedInteger())
        if let key = reader.readClippedElement(Tag.primitiveContext0) {
            report.field("subject_key_identifier", as: "key", bytes.hex(key.content).digits)
        } else {
            var identifier = reader.readClippedContent(Tag.sequence)
            if let issuer = identifier.readClippedElement(Tag.sequence),
                let serial = identifier.readClippedElement(Tag.integer)
            {
                let name = CertificateDescription.name(bytes, in: issuer.whole)
                report.field("issuer", report.isText ? name ?? "unreadable" : name)
                report.field("serial", bytes.hex(serial.content).digits)
            }
        }
        let digest = reader.readClippedElement(Tag.sequence)
        let attributes = reader.readClippedElement(Tag.context0)
        let algorithm = reader.readClippedElement(Tag.sequence)
        report.field("digest_algorithm", as: "digest", digest.flatMap { Self.algorithm($0, bytes) })
        report.field("signature_algorithm", as: "algorithm", algorithm.flatMap { Self.algorithm($0, bytes) })
        if let attributes {
            let signed = members(of: reader.reader(in: attributes.content)).compactMap {
                Self.signedAttribute($0, bytes)
            }
            report.list("signed_attributes", signed) { report, attribute in
                report.member("type", attribute.type)
                report.field("values_hex", as: "signs", attribute.values) { "\(attribute.type.shown): \($0.shown)" }
            }
        } else {
            report.field("signed_attributes", as: "signs", report.isText ? "the content; no signed attributes" : nil)
        }
        let signature = reader.readClippedElement(Tag.octetString)?.content
        report.member("signature_bytes", signature?.count)
        if let signature { report.field("signature_hex", as: "signature", bytes.hex(signature)) }
        let hasUnsigned = reader.readClippedElement(Tag.context1) != nil
        report.field("has_unsigned_attributes", as: "unsigned", hasUnsigned) { $0 ? "attributes, not shown" : nil }
    }

    // MARK: Parts

    /// The signed content; chunks are joined into one piece.
    private struct ContainerContent {
        let range: ByteRange
        /// The joined chunks of the content, to which `range` then refers; nil if the content is in one piece.
        var joined: [UInt8]?
        /// The position from which offsets are counted.
        let base: Int

        /// Reads the content, even if it is cut short; nil if there is none.
        init?(reading explicit: ByteReader, of receipt: ByteRange) {
            var (whole, clipped) = (explicit, explicit)
            let element = clipped.readClippedElement()
            guard let string = (try? whole.readOctetString()) ?? element.flatMap(OctetString.init(clipped:)) else {
                return nil
            }
            guard string.isFragmented else {
                (range, base) = (string.range, receipt.offset)
                return
            }
            var joined: [UInt8] = []
            try? explicit.appendBytes(of: string, to: &joined)
            (range, base, self.joined) = (ByteRange(offset: 0, count: joined.count), 0, joined)
        }
    }

    /// The members of a set, up to ``maximumMembers``.
    private mutating func members(of set: consuming ByteReader) -> [Element] {
        var found: [Element] = []
        while found.count < Self.maximumMembers, let member = set.readClippedElement() { found.append(member) }
        if found.count == Self.maximumMembers, !set.isAtEnd { isCut = true }
        return found
    }

    /// The object identifier of an AlgorithmIdentifier.
    private static func algorithm(_ element: Element?, _ bytes: Span<UInt8>) -> NamedObject? {
        guard let element, element.tag == Tag.sequence else { return nil }
        var reader = ByteReader(bytes, in: element.content)
        return reader.readClippedElement(Tag.objectIdentifier).map { NamedObject(bytes, in: $0.content) }
    }

    private static func signedAttribute(
        _ element: Element, _ bytes: Span<UInt8>
    ) -> (type: NamedObject, values: HexBytes)? {
        guard let type = algorithm(element, bytes) else { return nil }
        var reader = ByteReader(bytes, in: element.content)
        _ = reader.readClippedElement()
        return reader.readClippedElement(Tag.set).map { (type, bytes.hex($0.content)) }
    }

    /// Whether an element, or one nested in it, has an encoding that DER forbids: an indefinite or padded length
    /// (X.690, 10.1), or an octet string in chunks (10.2). The order of a SET's members is not checked.
    private static func isBasicEncoded(_ reader: borrowing ByteReader, depth: Int = 0) -> Bool {
        guard depth < Element.maximumDepth else { return false }
        var elements = copy reader
        while let element = elements.readClippedElement() {
            let start = element.whole.offset
            let first = elements[start + 1]
            if first == 0x80 || element.tag == Tag.constructedOctetString { return true }
            if first > 0x80, elements[start + 2] == 0 || (first == 0x81 && element.content.count < 0x80) { return true }
            if element.isConstructed, isBasicEncoded(elements.reader(in: element.content), depth: depth + 1) {
                return true
            }
        }
        return false
    }
}

extension OctetString {
    /// The string of an element that may be truncated; nil if the element is not an octet string.
    fileprivate init?(clipped element: Element) {
        guard element.tag == Tag.octetString || element.tag == Tag.constructedOctetString else { return nil }
        self.init(range: element.content, isFragmented: element.isConstructed)
    }
}

extension ByteReader {
    /// Reads an INTEGER; nil if the next element is none, or if its value exceeds 64 bits.
    @_lifetime(self: copy self)
    fileprivate mutating func readClippedInteger() -> Int64? {
        var value = self
        return readClippedElement(Tag.integer) == nil ? nil : try? value.readInteger()
    }
}
