internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Everything that stands in a receipt, known or not; nothing is judged.
struct Inspection {
    let receipt: ByteRange
    let digest: SHA256Digest
    let kind: ReceiptKind
    let outline: ContainerOutline
    /// One for each of the outline's; nil where the bytes are no certificate.
    let certificates: [CertificateDescription?]
    /// Where the attributes stand: content in chunks is joined after the
    /// receipt's own bytes.
    let content: ByteRange?
    let isContentJoined: Bool
    let attributes: [InspectedAttribute]
    /// Nil for app receipts, which have all of the above.
    let transaction: InspectedTransaction?
    /// What can't be read: first why the mill rejects the receipt, if it does.
    let faults: [InspectionFault]

    /// - Parameters:
    ///   - octets: what `line` points into.
    ///   - damage: why the octets are only the beginning of a receipt, if they are.
    init(_ line: DecodedLine, in octets: inout ByteBuffer, damage: Unreadable? = nil) throws(MillError) {
        receipt = line.receipt
        digest = line.digest
        kind = octets.kind(of: line.receipt)
        var faults: [InspectionFault] = []
        if let damage { faults.append(InspectionFault(reason: damage.reason, what: damage.detail, offset: nil)) }
        guard kind == .appReceipt else {
            outline = ContainerOutline()
            certificates = []
            content = nil
            isContentJoined = false
            attributes = []
            let transaction = try InspectedTransaction(receipt, in: &octets)
            self.transaction = transaction
            self.faults = faults + transaction.faults
            return
        }
        transaction = nil
        let base = receipt.offset
        outline = ContainerOutline(reading: ByteReader(octets.span, in: receipt))
        var certificates: [CertificateDescription?] = []
        for range in outline.certificates {
            let certificate = try MillError.wrapping { () throws(OpenSSLError) in
                try CertificateDescription(octets.span, in: range)
            }
            certificates.append(certificate)
        }
        self.certificates = certificates
        var isContainerWhole = true
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets.span, in: receipt)
            _ = try Container(parsing: &reader)
        } catch {
            isContainerWhole = false
            faults.append(InspectionFault(Unreadable.reason(ofContainer: error), error, base: base))
        }
        if outline.isCut {
            let what =
                "more than \(ContainerOutline.maximumMembers) digest algorithms, certificates, signers or signed "
                + "attributes; those beyond are not shown"
            faults.append(InspectionFault(reason: .malformedContainer, what: what, offset: nil))
        }
        isContentJoined = outline.content?.isFragmented ?? false
        content = outline.content.map { octets.joined($0) }
        guard let content else {
            attributes = []
            self.faults = faults
            return
        }
        let contentBase = isContentJoined ? content.offset : base
        if isContainerWhole {
            do throws(MalformedReceipt) {
                var reader = ByteReader(octets.span, in: content)
                var purchases: [InAppPurchase] = []
                _ = try AppReceipt(parsing: &reader, purchases: &purchases)
            } catch {
                faults.append(InspectionFault(.malformedPayload, error, base: contentBase))
            }
        }
        let listing = AttributeListing(reading: ByteReader(octets.span, in: content))
        attributes = listing.attributes.map { InspectedAttribute($0, of: .app, in: octets.span) }
        for fault in (listing.faults + attributes.flatMap(\.faults)).prefix(AttributeListing.maximumFaults) {
            let found = InspectionFault(.malformedPayload, fault, base: contentBase)
            if !faults.contains(where: { $0.offset == found.offset && $0.what == found.what }) { faults.append(found) }
        }
        self.faults = faults
    }
}

/// What can't be read of a receipt, and where.
struct InspectionFault {
    let reason: RejectionReason
    let what: String
    /// From the receipt's first byte; of content in chunks, from the joined
    /// content's; of what base64 inside a transaction receipt holds, from its own.
    let offset: Int?

    init(reason: RejectionReason, what: String, offset: Int?) {
        self.reason = reason
        self.what = what
        self.offset = offset
    }

    init(_ reason: RejectionReason, _ fault: MalformedReceipt, base: Int) {
        self.init(reason: reason, what: fault.description(relativeTo: base), offset: fault.offset - base)
    }
}

extension ByteBuffer {
    /// The octets of a string in one piece, as far as they can be read.
    fileprivate mutating func joined(_ string: OctetString) -> ByteRange {
        guard string.isFragmented else { return string.range }
        var joined: [UInt8] = []
        try? ByteReader(span).appendBytes(of: string, to: &joined)
        return append(joined, in: joined.indices)
    }
}
