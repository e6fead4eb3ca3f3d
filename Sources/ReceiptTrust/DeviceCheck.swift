public import ReceiptFormat

/// Whether a receipt belongs to the device that presented it. The raw values
/// are those of the database.
public enum DeviceCheck: String, Sendable, Hashable, CaseIterable {
    case match
    case mismatch
    /// The hash is that of sixteen zero bytes: the store gave this receipt to a
    /// server, in a notification, not to a device.
    case serverIssued = "server_issued"
    case noDeviceID = "no_device_id"
    case invalidDeviceID = "invalid_device_id"
    /// The receipt lacks its hash, or what it is computed over.
    case noHash = "no_hash"
}

/// Compares a receipt's hash with a device's.
public struct DeviceChecker {
    private let digest: MessageDigest

    /// What a submission says of its device.
    public enum Claim: Sendable, Hashable {
        case none
        case unreadable
        case device(DeviceIdentifier)
    }

    public init() throws(OpenSSLError) {
        digest = try MessageDigest()
    }

    /// Attribute 5 should be SHA-1 over the device identifier, the raw octets of
    /// attribute 4, and the raw octets of attribute 2 with tag and length (Apple,
    /// Receipt Validation Programming Guide, "Compute the Hash of the GUID").
    ///
    /// - Parameter bytes: what the receipt's ranges point into.
    public func check(
        _ receipt: AppReceipt, in bytes: Span<UInt8>, against claim: Claim
    ) throws(OpenSSLError) -> DeviceCheck {
        guard let hash = receipt.sha1Hash, let opaqueValue = receipt.opaqueValue,
            let bundle = receipt.bundleIdentifierBytes
        else { return .noHash }
        func belongs(to device: DeviceIdentifier) throws(OpenSSLError) -> Bool {
            var room: (UInt64, UInt64, UInt64) = (0, 0, 0)
            try digest.start(.sha1)
            try device.withBytes { (bytes) throws(OpenSSLError) in try digest.update(bytes) }
            try digest.update(bytes, in: opaqueValue.indices)
            try digest.update(bytes, in: bundle.indices)
            return try withUnsafeMutableBytes(of: &room) { (output) throws(OpenSSLError) in
                try digest.finish(into: output)
                guard hash.count == DigestAlgorithm.sha1.count else { return false }
                for index in 0..<hash.count where bytes[hash.offset + index] != output[index] { return false }
                return true
            }
        }
        if case .device(let device) = claim, try belongs(to: device) {
            return device == .server ? .serverIssued : .match
        }
        if try belongs(to: .server) { return .serverIssued }
        switch claim {
        case .none: return .noDeviceID
        case .unreadable: return .invalidDeviceID
        case .device: return .mismatch
        }
    }
}
