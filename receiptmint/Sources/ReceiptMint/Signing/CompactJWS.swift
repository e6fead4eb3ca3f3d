/// Writes signed strings: the compact serialization of RFC 7515 7.1, with the
/// certificates in the header, as the store's.
enum CompactJWS {
    /// What the header states (RFC 7518 3.1), and how the string is signed.
    enum Algorithm: String, Sendable {
        /// By the signer's key on P-256, as the store.
        case es256 = "ES256"
        /// HMAC, with the signer's public certificate for the secret: what a forger has at hand.
        case hs256 = "HS256"
        /// Not at all.
        case unsigned = "none"
    }

    /// `header.payload.signature`.
    ///
    /// - Parameter carrying: a payload that the string holds in place of what was signed.
    static func text(
        signing payload: [UInt8], carrying other: [UInt8]? = nil, by chain: Authority.Chain,
        algorithm: Algorithm = .es256
    ) throws -> [UInt8] {
        let dot = [UInt8(ascii: ".")]
        let header: JSONText = ["alg": algorithm.rawValue, "x5c": WrittenJSON(json: chain.x5c)]
        let start = Base64.url(header.json) + dot
        let signed = start + Base64.url(payload)
        let signature =
            switch algorithm {
            case .es256: try chain.key.sign(signed, digest: .sha256)
            case .hs256: try Digest.sha256.code(signed, key: chain.certificate.encoded)
            case .unsigned: [UInt8]()
            }
        return (other.map { start + Base64.url($0) } ?? signed) + dot + Base64.url(signature)
    }
}
