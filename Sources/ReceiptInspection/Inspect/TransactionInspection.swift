internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// The contents of a transaction receipt, as far as they can be read.
struct TransactionInspection {
    let receipt: ByteRange
    /// The faults, which are complete only after writing.
    var faults: [InspectionFault]

    /// Writes the members outside the signed part, the signature, and the signed part. Base64 within the receipt is
    /// decoded at the end of the buffer.
    mutating func write(to report: inout ReportWriter, _ buffer: inout ByteBuffer) throws(OpenSSLError) {
        let envelope = members(of: receipt, buffer.span, or: .malformedContainer)
        let blob = Self.decoded(.signature, envelope, &buffer)
        let signature = blob.flatMap {
            faults.reading(
                $0, of: buffer.span, named: .signature, or: .malformedContainer, SignatureBlob.init(parsing:))
        }
        let info = Self.decoded(.purchaseInfo, envelope, &buffer)
        let purchaseInfo = info.map { members(of: $0, named: .purchaseInfo, buffer.span, or: .malformedPayload) } ?? []
        let accepted = parsed(&buffer)

        let bytes = buffer.span
        let heading = "property list, of which purchase-info alone is signed: \(Self.keys(envelope))"
        report.list("property_list", heading: heading, envelope) { report, member in
            Self.write(member, to: &report, bytes) { TransactionKey.isKnown(ofEnvelope: $0) ? $0.string : nil }
        }
        if let blob {
            try report.section("signature", "signature: \(blob.count) bytes") { (report) throws(OpenSSLError) in
                try Self.write(signature, of: blob, to: &report, bytes)
            }
        } else {
            report.member("signature", nil)
        }
        report.member("purchase_info_bytes", info?.count)
        let title = info.map { "purchase-info: \(Self.keys(purchaseInfo)), \($0.count) bytes" }
        report.list("purchase_info", heading: title, purchaseInfo) { report, member in
            Self.write(member, to: &report, bytes, named: TransactionKey.name(ofPurchaseInfo:))
        }
        report.member("environment", accepted.map { bytes.text($0.app.environment) ?? "" })
        report.member("is_environment_contradicted", accepted?.isEnvironmentContradicted)
        if let accepted, accepted.isEnvironmentContradicted, let environment = bytes.text(accepted.app.environment) {
            report.line("environment: \(environment); outside the signature it says otherwise")
        }
    }

    // MARK: Reading

    /// The members of a property list before its first fault.
    private mutating func members(
        of list: ByteRange, named key: TransactionKey? = nil, _ bytes: Span<UInt8>, or reason: RejectionReason
    ) -> [PropertyList.Member] {
        var members: [PropertyList.Member] = []
        _ = faults.reading(list, of: bytes, named: key, or: reason) { (reader) throws(MalformedReceipt) in
            try PropertyList.read(&reader, into: &members)
        }
        return members
    }

    /// The receipt as loading would read it; nil if loading would reject it.
    private mutating func parsed(_ buffer: inout ByteBuffer) -> TransactionReceiptVerifier.Parsed? {
        do throws(Unreadable) {
            return try TransactionReceiptVerifier.parse(receipt, &buffer)
        } catch {
            let isKnown = faults.contains { $0.reason == error.reason && $0.detail == error.detail }
            if !isKnown { faults.insert(InspectionFault(error), at: 0) }
            return nil
        }
    }

    /// The decoded base64 of a member; nil if the member is absent or not base64.
    private static func decoded(
        _ key: TransactionKey, _ members: [PropertyList.Member], _ buffer: inout ByteBuffer
    ) -> ByteRange? {
        let member = members.first { key.rawValue ~= buffer.span.text($0.key) }
        guard let value = member?.value, !value.range.isEmpty else { return nil }
        return try? buffer.appendBase64(of: value, named: key)
    }

    // MARK: Writing

    private static func keys(_ members: [PropertyList.Member]) -> String {
        members.count == 1 ? "1 key" : "\(members.count) keys"
    }

    /// Writes a key with its value. Text shortens long values, such as the base64 of both parts.
    private static func write(
        _ member: PropertyList.Member, to report: inout ReportWriter, _ bytes: Span<UInt8>,
        named name: (DocumentText) -> String?
    ) {
        let key = bytes.text(member.key)
        let name = name(key)
        let value = member.value.flatMap { bytes.text($0) }
        let written = bytes.text(member.written)
        let number = TransactionKey.isMilliseconds(key) ? value.flatMap { Int64($0.string) } : nil
        let date = number.flatMap { (0...ReceiptDate.range.upperBound).contains($0) ? $0.date : nil }

        let isPlain = name.map { $0 ~= key || $0 ~= key.replacing("-", with: "_") } ?? false
        let title = isPlain ? key.string : "\(key) (\(name ?? "unknown"))"
        let meaning = date.map { " = " + $0 } ?? ""
        report.line("\(title): \(written.shortened(over: 80, to: 80))\(meaning)")
        report.member("key", key)
        report.member("name", name)
        report.member("value", value)
        // The written form is added only if it differs from the usual ones: the value in quotes, or bare.
        if value.map({ written != "\"\($0)\"" && written != $0 }) ?? true { report.member("written", written) }
        if let date { report.member("date", date) }
    }

    private static func write(
        _ signature: SignatureBlob?, of blob: ByteRange, to report: inout ReportWriter, _ bytes: Span<UInt8>
    ) throws(OpenSSLError) {
        report.member("bytes", blob.count)
        report.field("version", blob.isEmpty ? nil : bytes[blob.offset])
        report.field("digest_algorithm", as: "digest", signature == nil ? nil : DigestAlgorithm.sha1.rawValue) {
            "\($0), over the version and purchase-info"
        }
        report.member("signature_bytes", signature?.signature.count)
        guard let signature else {
            report.member("certificate", nil)
            return report.member("hex", bytes.hex(blob))
        }
        report.field("signature_hex", as: "signature", bytes.hex(signature.signature))
        let range = signature.certificate
        let certificate = try CertificateDescription(bytes, in: range)
        if certificate != nil {
            report.line("certificate of the signer; those of its issuers are not in the receipt", indent: -1)
        }
        report.section("certificate", nil) { report in
            report.member("offset", range.offset - blob.offset)
            report.certificate(
                certificate, bytes: range.count, unreadable: ("certificate", "unreadable, \(range.count) bytes"))
        }
    }
}
