internal import Foundation
internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Everything that a signed string holds, as far as it can be read; nothing is verified.
struct SignedInspection {
    /// Characters of the string.
    let count: Int
    let digest: SHA256Digest
    /// Nil where the payload can't be read, or is of no known kind.
    let kind: ReceiptKind?
    /// The header's own characters, and those of the payload.
    let header, payload: SignedPartContent
    /// The elements of `x5c`.
    let certificates: [InspectedCertificate]
    /// The third part; nil where there is none.
    let signature: SignedPartContent?
    /// What it holds, one level deep, by the names of the fields.
    private(set) var held: [(field: DocumentText, inspection: SignedInspection)] = []
    /// What can't be read: first why the mill rejects the string, if it does.
    let faults: [InspectionFault]

    private static let heldFields: Set<DocumentText> = [
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
    ]
    /// Signed strings in one that are opened. The store's hold two.
    private static let maximumHeld = 8

    /// - Parameters:
    ///   - characters: a signed string, or what there is of one.
    ///   - fault: why its line can't be read, if so.
    ///   - isHeld: whether another string holds it.
    init(
        _ characters: [UInt8], fault: Unreadable? = nil, isHeld: Bool = false, reader: LineDecoder
    ) throws(OpenSSLError) {
        count = characters.count
        digest = try MessageDigest().sha256(characters.span, in: characters.indices)
        var faults: [InspectionFault] = []
        var buffer = ByteBuffer(capacity: count)
        switch try reader.signedDocument(buffer.append(characters), 0, buffer) {
        case .success(let document): kind = document.signed?.payload.kind
        case .failure(let found):
            kind = nil
            faults.append(InspectionFault(found))
        }
        if let fault, fault.detail != faults.first?.detail { faults.insert(InspectionFault(fault), at: 0) }
        let parts = characters.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        header = SignedPartContent(parts[0])
        payload = SignedPartContent(parts.count > 1 ? parts[1] : [])
        signature = parts.count > 2 ? SignedPartContent(parts[2]) : nil
        certificates =
            try header.listing.members.first { $0.name == "x5c" }?.members
            .map { (element) throws(OpenSSLError) in try InspectedCertificate(element) } ?? []
        for (part, name, reason) in [
            (header, "header", RejectionReason.malformedContainer), (payload, "payload", .malformedPayload),
        ] {
            for detail in part.faults(named: name) where !faults.contains(where: { $0.detail == detail }) {
                faults.append(InspectionFault(Unreadable(reason, detail)))
            }
        }
        if let signature, let detail = signature.cut(named: "signature") {
            faults.append(InspectionFault(Unreadable(.malformedContainer, detail)))
        }
        let isES256 = header.listing.members.contains { $0.name == "alg" && $0.text == "ES256" }
        if isES256, let count = signature?.bytes.count, count != ES256Signature.size {
            let detail = "the signature has \(count) bytes, where ES256 has \(ES256Signature.size)"
            faults.append(InspectionFault(Unreadable(.malformedContainer, detail)))
        }
        if !isHeld {
            let fields = payload.listing.members.flatMap { $0.all(named: Self.heldFields) }
            for field in fields.prefix(Self.maximumHeld) {
                guard let text = field.text, !text.isEmpty else { continue }
                let inner = try SignedInspection(Array(text.utf8), isHeld: true, reader: reader)
                held.append((field.name, inner))
                faults += inner.faults.map { InspectionFault(Unreadable($0.reason, "\(field.name): \($0.detail)")) }
            }
        }
        self.faults = faults
    }
}

/// A part of a signed string, decoded as far as that goes.
struct SignedPartContent {
    let characters: [UInt8]
    let bytes: [UInt8]
    /// How many of the characters were decoded.
    let decodedCharacters: Int
    let listing: JSONListing

    init(_ characters: ArraySlice<UInt8>) {
        self.characters = Array(characters)
        var bytes: [UInt8] = []
        var (bits, held, decoded): (UInt32, Int, Int) = (0, 0, 0)
        for character in characters {
            guard let value = Self.value(character) else { break }
            bits = bits << 6 | value
            held += 6
            decoded += 1
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
        }
        self.bytes = bytes
        decodedCharacters = decoded
        listing = JSONListing(reading: bytes)
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// What of the part is not decoded; nil where all is.
    func cut(named name: String) -> String? {
        guard decodedCharacters < characters.count else { return nil }
        return "the \(name) is read up to character \(decodedCharacters) of its \(characters.count)"
    }

    func faults(named name: String) -> [String] {
        guard !characters.isEmpty else { return ["the \(name) is empty"] }
        let fault = listing.fault.map { "the \(name): \($0.what) (character \($0.offset + 1) of its JSON)" }
        return [cut(named: name), fault].compactMap { $0 }
    }
}

/// An element of `x5c`.
struct InspectedCertificate {
    /// Bytes; nil where it is no base64.
    let count: Int?
    /// Nil where it is no certificate.
    let description: CertificateDescription?

    init(_ element: JSONListing.Member) throws(OpenSSLError) {
        guard let der = element.text.flatMap({ Data(base64Encoded: $0.string) }).map({ [UInt8]($0) }) else {
            (count, description) = (nil, nil)
            return
        }
        count = der.count
        description = try CertificateDescription(der.span, in: ByteRange(offset: 0, count: der.count))
    }
}
