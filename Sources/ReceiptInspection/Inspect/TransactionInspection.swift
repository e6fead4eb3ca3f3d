internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Everything that a transaction receipt holds, as far as it can be read.
struct TransactionInspection {
    private let receipt: ByteRange
    /// First why the mill rejects the receipt, if it does; known once all was written.
    private(set) var faults: [InspectionFault] = []

    init(_ receipt: ByteRange) { self.receipt = receipt }

    /// Writes the members around the signed part, the signature, and the signed part.
    /// What is base64 in the receipt is decoded behind the buffer.
    mutating func write(to report: inout ReportWriter, _ buffer: inout ByteBuffer) throws(OpenSSLError) {
        let envelope = members(of: receipt, .malformedContainer, buffer.span)
        let blob = Self.decoded(.signature, envelope, &buffer)
        let signature = blob.flatMap { parsedSignature(in: $0, buffer.span) }
        let info = Self.decoded(.purchaseInfo, envelope, &buffer)
        let purchaseInfo = info.map { members(of: $0, .malformedPayload, in: .purchaseInfo, buffer.span) } ?? []
        let accepted = parsed(&buffer)

        let bytes = buffer.span
        let heading = "property list, of which purchase-info alone is signed: \(Self.keys(envelope))"
        report.list("property_list", heading: heading, envelope) { report, member in
            Self.write(member, to: &report, bytes) { Self.envelopeKeys.contains($0) ? $0.string : nil }
        }
        if let blob {
            try report.section("signature", "signature: \(blob.count) bytes") { (report) throws(OpenSSLError) in
                try Self.write(signature, of: blob, to: &report, bytes)
            }
        } else {
            report.member("signature", nil as String?)
        }
        report.member("purchase_info_bytes", info?.count)
        let title = info.map { "purchase-info: \(Self.keys(purchaseInfo)), \($0.count) bytes" }
        report.list("purchase_info", heading: title, purchaseInfo) { report, member in
            Self.write(member, to: &report, bytes, named: Self.name(ofPurchaseInfo:))
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
        of list: ByteRange, _ reason: RejectionReason, in part: TransactionKey? = nil, _ bytes: Span<UInt8>
    ) -> [PropertyList.Member] {
        var members: [PropertyList.Member] = []
        let fault = InspectionFault.met(reason, in: part, base: list.offset) { () throws(MalformedReceipt) in
            var reader = ByteReader(bytes, in: list)
            try PropertyList.read(&reader, into: &members)
        }
        if let fault { faults.append(fault) }
        return members
    }

    private mutating func parsedSignature(in blob: ByteRange, _ bytes: Span<UInt8>) -> SignatureBlob? {
        var signature: SignatureBlob?
        let fault = InspectionFault.met(.malformedContainer, in: .signature, base: blob.offset) {
            () throws(MalformedReceipt) in
            var reader = ByteReader(bytes, in: blob)
            signature = try SignatureBlob(parsing: &reader)
        }
        if let fault { faults.append(fault) }
        return signature
    }

    /// The receipt as the mill reads it; nil where the mill rejects it.
    private mutating func parsed(_ buffer: inout ByteBuffer) -> TransactionReceiptVerifier.Parsed? {
        do throws(Unreadable) {
            return try TransactionReceiptVerifier.parse(receipt, &buffer)
        } catch {
            let isKnown = faults.contains { $0.reason == error.reason && $0.detail == error.detail }
            if !isKnown { faults.insert(InspectionFault(error), at: 0) }
            return nil
        }
    }

    /// What a member of the receipt decodes to; nil where it is absent, or no base64.
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

    /// Writes a key with its value. Long values, such as the base64 of both parts, are cut in text.
    private static func write(
        _ member: PropertyList.Member, to report: inout ReportWriter, _ bytes: Span<UInt8>,
        named name: (DocumentText) -> String?
    ) {
        let key = bytes.text(member.key)
        let name = name(key)
        let value = member.value.flatMap { bytes.text($0) }
        let written = bytes.text(member.written)
        let number = millisecondKeys.contains(key) ? value.flatMap { Int64($0.string) } : nil
        let date = number.flatMap { (0...ReceiptDate.range.upperBound).contains($0) ? $0 : nil }

        let isPlain = name.map { $0 ~= key || $0 ~= key.replacing("-", with: "_") } ?? false
        let title = isPlain ? key.string : "\(key) (\(name ?? "unknown"))"
        let meaning = date.map { " = " + CivilTime.iso8601(milliseconds: $0) } ?? ""
        report.line("\(title): \(written.shortened(over: 80, to: 80))\(meaning)")
        report.member("key", key)
        report.member("name", name)
        report.member("value", value)
        // A value is usually written in quotes, or bare, and without escapes.
        if value.map({ written != "\"\($0)\"" && written != $0 }) ?? true { report.member("written", written) }
        if let date { report.member("date", date: date) }
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
            report.member("certificate", nil as String?)
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

    // MARK: Keys

    /// The keys around the `purchase-info`.
    private static let envelopeKeys: Set<DocumentText> = Set(
        [TransactionKey.signature, .purchaseInfo, .environment, .pod, .signingStatus].map { DocumentText($0.rawValue) })

    /// The keys whose values are milliseconds since 1970 UTC.
    private static let millisecondKeys: Set<DocumentText> = Set(
        [
            TransactionKey.purchaseDateMilliseconds, .originalPurchaseDateMilliseconds, .cancellationDateMilliseconds,
            .expiresDate,
        ].map { DocumentText($0.rawValue) })

    /// Keys of a `purchase-info` that the store writes and the mill does not read.
    private static let unreadKeys: [DocumentText] = [
        "expires-date-formatted-pst", "purchase-date-pst", "original-purchase-date-pst", "cancellation-date-pst",
        "item-id", "unique-identifier", "unique-vendor-identifier",
    ]

    private static let knownKeys = Set(TransactionKey.allCases.map { DocumentText($0.rawValue) } + unreadKeys)
        .subtracting(envelopeKeys)

    /// The name by which app receipts and the database have the value of a `purchase-info`
    /// key, all three notations of a date under one; nil for a key that is not known.
    private static func name(ofPurchaseInfo key: DocumentText) -> String? {
        switch key {
        case TransactionKey.bundleIdentifier.rawValue: return "bundle_id"
        case TransactionKey.appVersion.rawValue: return "app_version"
        default:
            guard knownKeys.contains(key) else { return nil }
            let notations: Set<Substring> = ["ms", "pst", "formatted"]
            return key.string.split(separator: "-").filter { !notations.contains($0) }.joined(separator: "_")
        }
    }
}
