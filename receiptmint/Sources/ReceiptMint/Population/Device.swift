internal import Foundation

/// A customer's app on one of the customer's devices.
struct Installation {
    var customer: Customer
    let device: Device
}

/// An installation of an app on a device, as its receipts know it.
struct Device: Sendable {
    /// 16 bytes of identifierForVendor, or 6 of a MAC address.
    let identifier: [UInt8]
    /// The identifier as the app's server wrote it down.
    let text: String
    /// Attribute 4, kept across refreshes.
    let opaqueValue: [UInt8]

    init(platform: App.Platform, random: inout SeededRandom) {
        switch platform {
        case .ios:
            let uuid = random.version4()
            identifier = withUnsafeBytes(of: uuid.uuid) { Array($0) }
            text = random.chance(0.8) ? uuid.uuidString : uuid.uuidString.lowercased()
        case .macos:
            var bytes = random.bytes(6)
            bytes[0] &= 0xfc
            identifier = bytes
            let text = bytes.map { [$0].hexadecimal }.joined(separator: random.chance(0.8) ? ":" : "-")
            self.text = random.chance(0.3) ? text.uppercased() : text
        }
        opaqueValue = random.bytes(16)
    }

    /// Attribute 5: SHA-1 over the identifier, attribute 4 and attribute 2,
    /// the last with tag and length, as it stands in the receipt.
    static func hash(identifier: [UInt8], opaqueValue: [UInt8], bundleID: String) throws -> [UInt8] {
        try Digest.sha1.hash(identifier + opaqueValue + DER.utf8String(bundleID))
    }

    /// What the store hashes where it hands a receipt to a server.
    static let serverIdentifier = [UInt8](repeating: 0, count: 16)
}
