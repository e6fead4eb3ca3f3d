internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Everything that a transaction receipt holds, as far as it can be read.
struct InspectedTransaction {
    /// The members of the receipt itself, around the signed part.
    let envelope: [InspectedMember]
    /// Nil where there is none that is base64.
    let signature: InspectedSignature?
    /// Bytes of the decoded `purchase-info`; nil where there is none that is base64.
    let purchaseInfoCount: Int?
    let purchaseInfo: [InspectedMember]
    /// The environment that the mill assigns, and whether another is stated outside the
    /// signature; nil where it rejects the receipt.
    let environment: (name: DocumentText, isContradicted: Bool)?
    /// First why the mill rejects the receipt, if it does.
    let faults: [InspectionFault]

    init(_ receipt: ByteRange, in buffer: inout ByteBuffer) throws(OpenSSLError) {
        var faults: [InspectionFault] = []
        let list = PropertyListListing(reading: ByteReader(buffer.span, in: receipt))
        if let fault = list.fault {
            faults.append(InspectionFault(.malformedContainer, fault, base: receipt.offset))
        }
        envelope = list.members.map { member in
            InspectedMember(member, in: buffer.span) { TransactionKey.isKnown(ofEnvelope: $0) ? $0.string : nil }
        }

        let blob = Self.decoded(.signature, list, &buffer)
        signature = try blob.map { (blob) throws(OpenSSLError) in try InspectedSignature(blob, in: buffer.span) }
        if let blob, let fault = signature?.fault {
            faults.append(InspectionFault(.malformedContainer, fault, in: .signature, base: blob.offset))
        }

        let info = Self.decoded(.purchaseInfo, list, &buffer)
        let inner = info.map { PropertyListListing(reading: ByteReader(buffer.span, in: $0)) }
        purchaseInfoCount = info?.count
        purchaseInfo = (inner?.members ?? []).map { member in
            InspectedMember(member, in: buffer.span, named: TransactionKey.name)
        }
        if let info, let fault = inner?.fault {
            faults.append(InspectionFault(.malformedPayload, fault, in: .purchaseInfo, base: info.offset))
        }
        do throws(Unreadable) {
            let parsed = try TransactionReceiptVerifier.parse(receipt, &buffer)
            let name = parsed.app.environment.map { buffer.span.text($0) } ?? ""
            environment = (name, parsed.isEnvironmentContradicted)
        } catch {
            environment = nil
            let isKnown = faults.contains { $0.reason == error.reason && $0.detail == error.detail }
            if !isKnown { faults.insert(InspectionFault(error), at: 0) }
        }
        self.faults = faults
    }

    /// What a member of the receipt decodes to.
    private static func decoded(
        _ key: TransactionKey, _ list: PropertyListListing, _ buffer: inout ByteBuffer
    ) -> ByteRange? {
        let member = list.members.first { key.rawValue ~= buffer.span.text($0.key) }
        guard let value = member?.value, !value.range.isEmpty else { return nil }
        return try? buffer.appendBase64(of: value, named: key)
    }
}

/// A key of a property list with its value.
struct InspectedMember {
    let key: DocumentText
    /// The meaning of the key; nil where it is not known.
    let name: String?
    /// Without escapes; nil for a dictionary.
    let value: DocumentText?
    /// The value as it is written.
    let written: DocumentText
    /// Milliseconds since 1970 UTC, where the value is such a number.
    let date: Int64?

    /// To the end of the year 9999, the last that ISO 8601 writes with four digits.
    private static let dates: ClosedRange<Int64> = 0...253_402_300_799_999

    init(_ member: PropertyList.Member, in bytes: Span<UInt8>, named name: (DocumentText) -> String?) {
        key = bytes.text(member.key)
        self.name = name(key)
        value = member.value.flatMap { bytes.text($0) }
        written = bytes.text(member.written)
        let number = TransactionKey.isMilliseconds(key) ? value.flatMap { Int64($0.string) } : nil
        date = number.flatMap { Self.dates.contains($0) ? $0 : nil }
    }

    /// The value is written in another way than in quotes and without escapes.
    var isWrittenOtherwise: Bool { value.map { written != "\"\($0)\"" && written != $0 } ?? true }
}

/// A decoded `signature`.
struct InspectedSignature {
    let bytes: ByteRange
    /// The first byte; nil where there is none.
    let version: UInt8?
    /// Nil where the blob is malformed.
    let blob: SignatureBlob?
    /// Nil where there is none, or its bytes are no certificate.
    let certificate: CertificateDescription?
    let fault: MalformedReceipt?

    init(_ range: ByteRange, in bytes: Span<UInt8>) throws(OpenSSLError) {
        self.bytes = range
        version = range.isEmpty ? nil : bytes[range.offset]
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes, in: range)
            blob = try SignatureBlob(parsing: &reader)
            fault = nil
        } catch {
            blob = nil
            fault = error
        }
        certificate = try (blob?.certificate).flatMap { (range) throws(OpenSSLError) in
            try CertificateDescription(bytes, in: range)
        }
    }
}
