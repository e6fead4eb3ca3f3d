internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Everything that a receipt holds, known or not; nothing is verified.
struct Inspection {
    let receipt: ByteRange
    let digest: SHA256Digest
    let kind: ReceiptKind
    private(set) var outline = ContainerOutline()
    /// One for each of the outline's; nil where the bytes are no certificate.
    private(set) var certificates: [CertificateDescription?] = []
    /// The attributes' range: content in chunks is joined after the receipt's own bytes.
    private(set) var content: ByteRange?
    private(set) var isContentJoined = false
    private(set) var attributes: [InspectedAttribute] = []
    /// Nil for app receipts, which have all of the above.
    private(set) var transaction: InspectedTransaction?
    /// What can't be read: first why the mill rejects the receipt, if it does.
    private(set) var faults: [InspectionFault] = []

    /// - Parameters:
    ///   - buffer: what `line` points into.
    ///   - damage: why only the beginning of a receipt is there, if so.
    init(_ line: DecodedDocument, in buffer: inout ByteBuffer, damage: Unreadable? = nil) throws(OpenSSLError) {
        receipt = line.receipt
        digest = line.digest
        kind = buffer.kind(of: line.receipt)
        if let damage { faults.append(InspectionFault(damage)) }
        switch kind {
        case .appReceipt: try inspectContainer(&buffer)
        case .transactionReceipt:
            let transaction = try InspectedTransaction(receipt, in: &buffer)
            self.transaction = transaction
            faults += transaction.faults
        case .signedTransaction, .signedRenewal, .appTransaction, .notification: break
        }
    }

    private mutating func inspectContainer(_ buffer: inout ByteBuffer) throws(OpenSSLError) {
        let base = receipt.offset
        outline = ContainerOutline(reading: ByteReader(buffer.span, in: receipt))
        for range in outline.certificates {
            certificates.append(try CertificateDescription(buffer.span, in: range))
        }
        var isContainerWhole = true
        do throws(MalformedReceipt) {
            var reader = ByteReader(buffer.span, in: receipt)
            _ = try Container(parsing: &reader)
        } catch {
            isContainerWhole = false
            faults.append(InspectionFault(Unreadable.reason(ofContainer: error), error, base: base))
        }
        if outline.isCut {
            let detail =
                "more than \(ContainerOutline.maximumMembers) digest algorithms, certificates, signers or signed "
                + "attributes; those beyond are not shown"
            faults.append(InspectionFault(Unreadable(.malformedContainer, detail)))
        }
        guard let string = outline.content else { return }
        isContentJoined = string.isFragmented
        let content = buffer.joined(string)
        self.content = content
        let contentBase = isContentJoined ? content.offset : base
        if isContainerWhole {
            do throws(MalformedReceipt) {
                var reader = ByteReader(buffer.span, in: content)
                var purchases: [InAppPurchase] = []
                _ = try AppReceipt(parsing: &reader, purchases: &purchases)
            } catch {
                faults.append(InspectionFault(.malformedPayload, error, base: contentBase))
            }
        }
        let listing = AttributeListing(reading: ByteReader(buffer.span, in: content))
        attributes = listing.attributes.map { InspectedAttribute($0, of: .app, in: buffer.span) }
        for fault in (listing.faults + attributes.flatMap(\.faults)).prefix(AttributeListing.maximumFaults) {
            let found = InspectionFault(.malformedPayload, fault, base: contentBase)
            if !faults.contains(where: { $0.offset == found.offset && $0.detail == found.detail }) {
                faults.append(found)
            }
        }
    }
}

/// What can't be read of a receipt, and where.
struct InspectionFault {
    let reason: RejectionReason
    let detail: String
    /// From the receipt's first byte; of content in chunks, from the joined
    /// content's; of what base64 inside a transaction receipt holds, from its own.
    let offset: Int?

    init(_ fault: Unreadable) { (reason, detail, offset) = (fault.reason, fault.detail, nil) }

    /// - Parameter part: the part of a transaction receipt whose first byte is `base`.
    init(_ reason: RejectionReason, _ fault: MalformedReceipt, in part: TransactionKey? = nil, base: Int) {
        self.reason = reason
        detail = (part.map { "\($0.rawValue): " } ?? "") + fault.description(relativeTo: base)
        offset = fault.offset - base
    }
}

extension ByteBuffer {
    /// The content of a string in one piece, as far as it can be read.
    fileprivate mutating func joined(_ string: OctetString) -> ByteRange {
        guard string.isFragmented else { return string.range }
        var joined: [UInt8] = []
        try? ByteReader(span).appendBytes(of: string, to: &joined)
        return append(joined)
    }
}
