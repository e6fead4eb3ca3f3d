public import ReceiptFormat

/// The result of comparing a document's proof of its device with the device that presented it. The
/// raw values are those of the database.
public enum DeviceCheck: String, Sendable, Hashable, CaseIterable {
    /// The hash is that of the device.
    case match
    /// The hash is that of another device.
    case mismatch
    /// The hash is that of sixteen zero bytes: Apple gave this receipt to a server in a notification, not to a device.
    case serverIssued = "server_issued"
    /// The submission states no device identifier.
    case noDeviceID = "no_device_id"
    /// The submission states a device identifier that can't be read.
    case invalidDeviceID = "invalid_device_id"
    /// The receipt lacks the hash, or an attribute that is part of it.
    case noHash = "no_hash"
}

/// Computes device checks. Not for use by two threads at once.
public struct DeviceChecker {
    private let digest: MessageDigest

    /// The device identifier that a submission states.
    public enum Claim: Sendable, Hashable {
        /// The submission states no device identifier.
        case none
        /// The submission states a text that is not a device identifier.
        case unreadable
        /// The submission states this device.
        case device(DeviceIdentifier)
    }

    /// Creates a checker with its own digest.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL can't provide the digest.
    public init() throws(OpenSSLError) {
        digest = try MessageDigest()
    }

    /// Compares attribute 5 with the SHA-1 over the device identifier, the value of attribute 4, and the value of
    /// attribute 2 including tag and length (Apple, Receipt Validation Programming Guide, "Compute the Hash of the
    /// GUID").
    ///
    /// - Parameters:
    ///   - receipt: a payload parsed from `bytes`.
    ///   - bytes: the buffer of the receipt's ranges.
    ///   - claim: the device that the submission states.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the receipt.
    public func check(
        _ receipt: AppReceipt, in bytes: Span<UInt8>, against claim: Claim
    ) throws(OpenSSLError) -> DeviceCheck {
        guard let hash = receipt.sha1Hash, let opaqueValue = receipt.opaqueValue,
            let bundle = receipt.bundleIdentifierBytes
        else { return .noHash }
        func belongs(to device: DeviceIdentifier) throws(OpenSSLError) -> Bool {
            var computed: (UInt64, UInt64, UInt64) = (0, 0, 0)
            try digest.start(.sha1)
            try device.withBytes { (bytes) throws(OpenSSLError) in try digest.update(bytes) }
            try digest.update(bytes, in: opaqueValue.indices)
            try digest.update(bytes, in: bundle.indices)
            return try withUnsafeMutableBytes(of: &computed) { (output) throws(OpenSSLError) in
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
