/// Binds a string to the device that fetched it: a nonce, and SHA-384 over the
/// nonce and the device's verification identifier, both as lower-case text.
struct DeviceVerification: Sendable {
    let deviceVerificationID: String
    let nonce: String
    let hash: String

    init(of device: String, random: inout SeededRandom) throws {
        deviceVerificationID = device
        nonce = random.uuid()
        hash = Base64.standard(try Digest.sha384.hash(Array((nonce + device.lowercased()).utf8)))
    }
}
