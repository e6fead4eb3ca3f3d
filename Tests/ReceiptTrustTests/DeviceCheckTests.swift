import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@Suite("A device check")
struct DeviceCheckTests {
    private static let uuid = (0..<16).map { UInt8($0 + 1) }
    private static let mac: [UInt8] = [0x00, 0x17, 0xf2, 0xc4, 0xbc, 0xc0]
    private static let server = [UInt8](repeating: 0, count: 16)
    private let opaque = (0..<16).map { UInt8(0xf0 &- $0 &* 5) }
    private let bundle = BER.utf8("com.example.app")

    /// SHA-1 by OpenSSL's tool.
    private func sha1(_ bytes: [UInt8]) throws -> [UInt8] {
        let workdir = try Workdir()
        try workdir.write(bytes, to: "input")
        _ = try #require(try workdir.openssl("dgst", "-sha1", "-binary", "-out", "hash", "input"))
        return try workdir.read("hash")
    }

    private func check(_ attributes: [[UInt8]], _ claim: DeviceChecker.Claim) throws -> DeviceCheck {
        let bytes = BER.element(0x31, attributes.flatMap { $0 })
        var reader = ByteReader(bytes.span)
        let receipt = try AppReceipt(parsingOwnAttributes: &reader)
        return try DeviceChecker().check(receipt, in: bytes.span, against: claim)
    }

    private func receipt(for device: [UInt8]) throws -> [[UInt8]] {
        [
            BER.attribute(5, try sha1(device + opaque + bundle)), BER.attribute(2, bundle), BER.attribute(4, opaque),
        ]
    }

    private func device(_ bytes: [UInt8]) throws -> DeviceChecker.Claim {
        .device(try #require(DeviceIdentifier(bytes)))
    }

    @Test("matches the device whose hash the receipt holds, by UUID and by MAC address")
    func matches() throws {
        #expect(try check(receipt(for: Self.uuid), device(Self.uuid)) == .match)
        #expect(try check(receipt(for: Self.mac), device(Self.mac)) == .match)
        #expect(try check(receipt(for: Self.uuid), device(Self.mac)) == .mismatch)
        #expect(try check(receipt(for: Self.mac), device(Self.uuid)) == .mismatch)
    }

    @Test("takes the bundle identifier's whole octet string, tag and length included")
    func hashesWholeValue() throws {
        let text = Array(bundle.dropFirst(2))
        let hash = try sha1(Self.uuid + opaque + text)
        let attributes = [BER.attribute(2, bundle), BER.attribute(4, opaque), BER.attribute(5, hash)]
        #expect(try check(attributes, device(Self.uuid)) == .mismatch)
        // An opaque value may look like ASN.1; the whole value is hashed all the same.
        let integer = BER.integer(7)
        let sample = [
            BER.attribute(2, bundle), BER.attribute(4, integer),
            BER.attribute(5, try sha1(Self.uuid + integer + bundle)),
        ]
        #expect(try check(sample, device(Self.uuid)) == .match)
    }

    @Test("is server_issued before mismatch, no_device_id and invalid_device_id")
    func recognizesServerReceipts() throws {
        let receipt = try receipt(for: Self.server)
        for claim in [.none, .unreadable, try device(Self.uuid), try device(Self.server), try device(Self.mac)] {
            #expect(try check(receipt, claim) == .serverIssued)
        }
    }

    @Test("distinguishes an absent, an unreadable and another device")
    func recognizesMissingDevices() throws {
        let receipt = try receipt(for: Self.uuid)
        #expect(try check(receipt, .none) == .noDeviceID)
        #expect(try check(receipt, .unreadable) == .invalidDeviceID)
        var other = Self.uuid
        other[15] ^= 1
        #expect(try check(receipt, device(other)) == .mismatch)
    }

    @Test("is no_hash before all else where an attribute is absent or empty")
    func recognizesMissingHashes() throws {
        let whole = try receipt(for: Self.uuid)
        for missing in 0..<3 {
            var attributes = whole
            attributes.remove(at: missing)
            for claim in [.none, .unreadable, try device(Self.uuid)] {
                #expect(try check(attributes, claim) == .noHash)
            }
        }
        for empty in [BER.attribute(5, []), BER.attribute(4, []), BER.attribute(2, [])] {
            let type = empty[4]
            let attributes = whole.filter { $0[4] != type } + [empty]
            #expect(try check(attributes, device(Self.uuid)) == .noHash)
        }
    }

    @Test("never matches a hash of another length")
    func refusesOtherLengths() throws {
        let hash = try sha1(Self.uuid + opaque + bundle)
        for other in [Array(hash.dropLast()), hash + [0], Array(hash.prefix(1))] {
            let attributes = [BER.attribute(2, bundle), BER.attribute(4, opaque), BER.attribute(5, other)]
            #expect(try check(attributes, device(Self.uuid)) == .mismatch)
        }
    }
}
