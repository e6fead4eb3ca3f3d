internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Everything that stands in a transaction receipt, as far as it can be read.
struct InspectedTransaction {
    /// Of the receipt itself, around what is signed.
    let envelope: [InspectedMember]
    /// Nil where there is none that is base64.
    let signature: InspectedSignature?
    /// Octets of the decoded `purchase-info`; nil where there is none that is base64.
    let purchaseInfoCount: Int?
    let purchaseInfo: [InspectedMember]
    /// What the mill makes of it; nil where it rejects the receipt.
    let environment: InspectedEnvironment?
    /// First why the mill rejects the receipt, if it does.
    let faults: [InspectionFault]

    init(_ receipt: ByteRange, in octets: inout ByteBuffer) throws(MillError) {
        var faults: [InspectionFault] = []
        let list = PropertyListListing(reading: ByteReader(octets.span, in: receipt))
        if let fault = list.fault {
            faults.append(InspectionFault(.malformedContainer, fault, base: receipt.offset))
        }
        envelope = list.members.map { member in
            InspectedMember(member, in: octets.span) { TransactionKey.isKnown(ofEnvelope: $0) ? $0 : nil }
        }

        let blob = Self.decoded(.signature, list, &octets)
        signature = try blob.map { (blob) throws(MillError) in try InspectedSignature(blob, in: octets.span) }
        if let blob, let fault = signature?.fault {
            faults.append(InspectionFault(.malformedContainer, fault, in: .signature, base: blob.offset))
        }

        let info = Self.decoded(.purchaseInfo, list, &octets)
        let inner = info.map { PropertyListListing(reading: ByteReader(octets.span, in: $0)) }
        purchaseInfoCount = info?.count
        purchaseInfo = (inner?.members ?? []).map { member in
            InspectedMember(member, in: octets.span, named: TransactionKey.name)
        }
        if let info, let fault = inner?.fault {
            faults.append(InspectionFault(.malformedPayload, fault, in: .purchaseInfo, base: info.offset))
        }
        do throws(Unreadable) {
            environment = InspectedEnvironment(try TransactionReceiptVerifier.parse(receipt, &octets), in: octets.span)
        } catch {
            environment = nil
            let isKnown = faults.contains { $0.reason == error.reason && $0.what == error.detail }
            if !isKnown { faults.insert(InspectionFault(reason: error.reason, what: error.detail, offset: nil), at: 0) }
        }
        self.faults = faults
    }

    /// What a member of the receipt decodes to.
    private static func decoded(
        _ key: TransactionKey, _ list: PropertyListListing, _ octets: inout ByteBuffer
    ) -> ByteRange? {
        let member = list.members.first { octets.span.text($0.key) == key.rawValue }
        guard let value = member?.value, !value.range.isEmpty else { return nil }
        return try? octets.appendBase64(of: value, named: key)
    }
}

/// The environment of a transaction receipt.
struct InspectedEnvironment {
    let name: String
    /// Outside the signature stands another.
    let isContradicted: Bool

    init(_ parsed: TransactionReceiptVerifier.Parsed, in octets: Span<UInt8>) {
        name = parsed.app.environment.map { octets.text($0) } ?? ""
        isContradicted = parsed.isEnvironmentContradicted
    }
}

/// A key of a property list with its value.
struct InspectedMember {
    let key: String
    /// What the key tells; nil where it is not known.
    let name: String?
    /// Without escapes; nil for a dictionary.
    let value: String?
    /// The value as it stands.
    let written: String
    /// Milliseconds since 1970 UTC, where the value is such a number.
    let date: Int64?

    /// To the end of the year 9999, the last that ISO 8601 writes with four digits.
    private static let dates: ClosedRange<Int64> = 0...253_402_300_799_999

    init(_ member: PropertyList.Member, in octets: Span<UInt8>, named name: (String) -> String?) {
        key = octets.text(member.key)
        self.name = name(key)
        value = member.value.flatMap { octets.text($0) }
        written = octets.text(member.written)
        let number = TransactionKey.isMilliseconds(key) ? value.flatMap { Int64($0) } : nil
        date = number.flatMap { Self.dates.contains($0) ? $0 : nil }
    }

    /// The value stands otherwise than in quotes and without escapes.
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

    init(_ bytes: ByteRange, in octets: Span<UInt8>) throws(MillError) {
        self.bytes = bytes
        version = bytes.isEmpty ? nil : octets[bytes.offset]
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets, in: bytes)
            blob = try SignatureBlob(parsing: &reader)
            fault = nil
        } catch {
            blob = nil
            fault = error
        }
        let range = blob?.certificate
        certificate = try MillError.wrapping { () throws(OpenSSLError) in
            guard let range else { return nil }
            return try CertificateDescription(octets, in: range)
        }
    }
}

extension InspectionFault {
    /// A fault of a decoded part of a transaction receipt, from whose first byte
    /// its offset counts.
    fileprivate init(_ reason: RejectionReason, _ fault: MalformedReceipt, in part: TransactionKey, base: Int) {
        let what = "\(part.rawValue): \(fault.description(relativeTo: base))"
        self.init(reason: reason, what: what, offset: fault.offset - base)
    }
}
