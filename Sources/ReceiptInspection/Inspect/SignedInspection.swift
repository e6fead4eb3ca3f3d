internal import Foundation
internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The contents of a signed string, as far as they can be read. Nothing is verified.
struct SignedInspection {
    /// The number of the string's characters.
    private let count: Int
    private let digest: SHA256Digest
    /// The document's kind; nil if the payload can't be read, or is of an unknown kind.
    private let kind: ReceiptKind?
    private let header, payload: DecodedPart
    /// The payload's unknown members and values; none if the payload can't be read.
    private let unknown: UnknownMembers
    /// The third part of the string; nil if the string has fewer parts.
    private let signature: DecodedPart?
    /// The signed strings within the payload, one level deep, with the names of their fields.
    private var held: [(field: DocumentText, inspection: SignedInspection)] = []
    let faults: [InspectionFault]

    private static let heldFields = Set(
        SignedField.table.filter { $0.type == .signedString }.map { DocumentText($0.name) })
    /// The maximum number of signed strings within a payload that are shown. Apple's notifications hold two.
    private static let maximumHeld = 8

    /// - Parameters:
    ///   - characters: a signed string, or the beginning of one.
    ///   - fault: the reason why the string's line can't be read; nil if the line can be read.
    ///   - isHeld: whether the string is inside another signed string.
    init(
        _ characters: [UInt8], fault: Unreadable? = nil, isHeld: Bool = false, reader: LineDecoder
    ) throws(OpenSSLError) {
        count = characters.count
        digest = try MessageDigest().sha256(characters.span, in: characters.indices)
        var faults: [Unreadable] = []
        func add(_ reason: RejectionReason, _ details: [String?]) {
            for case let detail? in details where !faults.contains(where: { $0.detail == detail }) {
                faults.append(Unreadable(reason, detail))
            }
        }
        var buffer = ByteBuffer(capacity: count)
        let read = try reader.signedDocument(buffer.append(characters), 0, buffer)
        let known = (try? read.get())?.signed?.payload
        (kind, unknown) = (known?.kind, known?.unknownMembers ?? UnknownMembers())
        if case .failure(let found) = read { faults.append(found) }
        if let fault, fault.detail != faults.first?.detail { faults.insert(fault, at: 0) }
        let parts = characters.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        header = DecodedPart("header", parts[0])
        payload = DecodedPart("payload", parts.count > 1 ? parts[1] : [])
        signature = parts.count > 2 ? DecodedPart("signature", parts[2]) : nil
        add(.malformedContainer, header.faults)
        add(.malformedPayload, payload.faults)
        let isES256 = header.listing.members.contains { $0.name == "alg" && $0.text == "ES256" }
        let size = signature.flatMap { isES256 && $0.bytes.count != ES256Signature.size ? $0.bytes.count : nil }
        add(
            .malformedContainer,
            [signature?.cut, size.map { "the signature has \($0) bytes, where ES256 has \(ES256Signature.size)" }])
        if !isHeld {
            let fields = payload.listing.members.flatMap { $0.all(named: Self.heldFields) }
            for field in fields.prefix(Self.maximumHeld) {
                guard let text = field.text, !text.isEmpty else { continue }
                let inner = try SignedInspection(Array(text.utf8), isHeld: true, reader: reader)
                held.append((field.name, inner))
                for fault in inner.faults { faults.append(Unreadable(fault.reason, "\(field.name): \(fault.detail)")) }
            }
        }
        self.faults = faults.map { InspectionFault($0) }
    }

    /// Whether a text has the form of a signed string, or begins like its header. Receipts in JSON, which Apple never
    /// wrote, begin with other keys.
    static func isSigned(_ characters: [UInt8]) -> Bool {
        if SignedString.isSignedString(characters.span, in: characters.indices) { return true }
        guard characters.starts(with: beginning) else { return false }
        let key = DecodedPart("header", characters[...]).listing.members.first?.name
        return key.map(KnownMembers.header.contains) ?? false
    }

    /// The base64url of `{"`, with which all of Apple's headers begin.
    static let beginning = Array("eyJ".utf8)

    // MARK: Writing

    /// - Parameter holder: the signed string that contains this one. In text, a header that equals the holder's is not
    ///   repeated.
    func write(to report: inout ReportWriter, heldBy holder: SignedInspection? = nil) throws(OpenSSLError) {
        report.field("kind", report.isText ? kind?.rawValue ?? "not known" : kind?.rawValue)
        report.field("bytes", as: "characters", count)
        report.field("sha256", digest.hex)
        unknown.write(to: &report)
        if report.isText, let holder, holder.header.characters == header.characters {
            report.text("header", "the same as above")
        } else {
            header.write("header", to: &report, .header)
            let certificates = header.listing.members.first { $0.name == "x5c" }?.members ?? []
            try report.list(
                "certificates", certificates, title: { "certificate \($0 + 1) of \(certificates.count)" }
            ) { (report, certificate) throws(OpenSSLError) in
                let data = certificate.text.flatMap { Data(base64Encoded: $0.string) }
                let der = [UInt8](data ?? Data())
                report.certificate(
                    try CertificateDescription(der.span, in: ByteRange(offset: 0, count: der.count)),
                    bytes: data?.count,
                    unreadable: ("unreadable", data == nil ? "no base64" : "\(der.count) bytes"))
            }
        }
        payload.write("payload", to: &report, .payload(of: kind))
        writeSignature(to: &report)
        guard holder == nil else { return }
        try report.list("holds", held, title: { "\(held[$0].field), opened" }) { (report, held) throws(OpenSSLError) in
            report.member("field", held.field)
            try held.inspection.write(to: &report, heldBy: self)
        }
    }

    private func writeSignature(to report: inout ReportWriter) {
        guard let bytes = signature?.bytes else { return report.member("signature", nil) }
        report.section("signature", "signature: \(bytes.count) bytes") { report in
            let isWhole = bytes.count == ES256Signature.size
            report.member("bytes", bytes.count)
            report.field("r", isWhole ? HexBytes(bytes: Array(bytes.prefix(bytes.count / 2))) : nil)
            report.field("s", isWhole ? HexBytes(bytes: Array(bytes.suffix(bytes.count / 2))) : nil)
            report.field("hex", HexBytes(bytes: bytes)) { isWhole ? nil : $0.shown }
        }
    }
}
