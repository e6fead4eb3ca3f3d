internal import COpenSSL
internal import MillBytes
public import ReceiptFormat

extension DeviceChecker {
    /// Compares `deviceVerification` with the base64 of the SHA-384 over the lower-case texts of
    /// `deviceVerificationNonce` and of the device's verification identifier (Apple, StoreKit,
    /// AppStore.deviceVerificationID).
    ///
    /// - Parameters:
    ///   - verification: the text of `deviceVerification`; nil if it is absent.
    ///   - nonce: the text of `deviceVerificationNonce`; nil if it is absent.
    ///   - bytes: the buffer of both ranges.
    ///   - claim: the text that the submission states; nil if it states none.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the data.
    public func check(
        verification: ByteRange?, nonce: ByteRange?, in bytes: Span<UInt8>, against claim: [UInt8]?
    ) throws(OpenSSLError) -> DeviceCheck {
        guard let verification, let nonce else { return .noHash }
        guard let claim else { return .noDeviceID }
        guard DeviceIdentifier(uuid: claim.span, in: ByteRange(offset: 0, count: claim.count)) != nil else {
            return .invalidDeviceID
        }
        let hashed = nonce.indices.map { Self.lowercased(bytes[$0]) } + claim.map(Self.lowercased)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(hashed, hashed.count, &digest, &count, EVP_sha384(), nil) == 1 else {
            throw OpenSSLError("EVP_Digest")
        }
        let text = Base64.text(Array(digest.prefix(Int(count))))
        return ByteReader(bytes).matches(verification, text) ? .match : .mismatch
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
