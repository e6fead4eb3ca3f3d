import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// A container every part of which can be chosen, signed with the key of a store
/// whose certificates it carries. Unchanged, it is a receipt like any other.
struct HandmadeReceipt {
    let store: ReceiptStore
    let payload: [UInt8]
    var parts = SignedDataBytes()

    init(
        _ store: ReceiptStore, payload: [UInt8] = ReceiptStore.payload(createdAt: Date() + 60)
    ) throws {
        self.store = store
        self.payload = payload
        parts.content = BER.octets(payload)
        parts.certificates = BER.element(0xa0, try ["signer", "intermediate", "root"].flatMap { try store.der($0) })
        parts.signerIdentifier = try Self.identifier(of: store)
        parts.signature = BER.octets(try signature(of: payload))
    }

    /// The signer's issuer and serial number, as OpenSSL's tool writes them.
    private static func identifier(of store: ReceiptStore) throws -> [UInt8] {
        let bytes = try store.receipt()
        guard case .issuerAndSerialNumber(let issuer, let serial) = try ReadReceipt(bytes).container.signer.identifier
        else { throw CocoaError(.fileReadCorruptFile) }
        return BER.sequence(Array(bytes[issuer.indices]), BER.element(0x02, Array(bytes[serial.indices])))
    }

    /// RSASSA-PKCS1-v1_5 by OpenSSL's tool.
    func signature(of bytes: [UInt8], _ digest: String = "-sha256") throws -> [UInt8] {
        try store.workdir.write(bytes, to: "to-sign")
        _ = try #require(
            try store.workdir.openssl("dgst", digest, "-sign", "signer.key", "-out", "signature", "to-sign"))
        return try store.workdir.read("signature")
    }

    func digest(of bytes: [UInt8]) throws -> [UInt8] {
        try store.workdir.write(bytes, to: "to-digest")
        _ = try #require(try store.workdir.openssl("dgst", "-sha256", "-binary", "-out", "digest", "to-digest"))
        return try store.workdir.read("digest")
    }

    /// Signs attributes in place of the content.
    mutating func sign(attributes: [[UInt8]]) throws {
        let content = attributes.flatMap { $0 }
        parts.signedAttributes = BER.element(0xa0, content)
        parts.signature = BER.octets(try signature(of: BER.element(0x31, content)))
    }

    static let contentType = SignedDataBytes.attribute(SignedDataBytes.contentType, SignedDataBytes.data)

    static func messageDigest(_ bytes: [UInt8]) -> [UInt8] {
        SignedDataBytes.attribute(SignedDataBytes.messageDigest, BER.octets(bytes))
    }

    /// Our verdict under the store's root.
    func verdict() throws -> Verdict {
        try ReceiptTrustTests.verify(parts.bytes, trusting: TrustAnchors(files: store.der("root"))).verdict
    }

    /// Whether OpenSSL's tool finds that the signature holds, chain aside.
    func opensslVerifies() throws -> Bool {
        try store.workdir.write(parts.bytes, to: "handmade.der")
        return try store.workdir.openssl(
            "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", "handmade.der", "-out", "content") != nil
    }
}
