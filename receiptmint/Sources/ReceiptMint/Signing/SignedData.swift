/// Writes a receipt's container: SignedData version 1 of RFC 2315 9.1 without
/// signed attributes, as the store's, in definite lengths.
///
///     ContentInfo ::= SEQUENCE { signedData, [0] SignedData }
///     SignedData ::= SEQUENCE { 1, digestAlgorithms SET, contentInfo, [0] certificates, signerInfos SET }
///     SignerInfo ::= SEQUENCE { 1, issuerAndSerialNumber, digestAlgorithm, rsaEncryption, OCTET STRING }
enum SignedData {
    /// The container of a receipt, whole.
    ///
    /// - Parameter carrying: content that the container holds in place of what was signed.
    static func container(
        signing content: [UInt8], carrying other: [UInt8]? = nil, by chain: Authority.Chain, digest: Digest
    ) throws -> [UInt8] {
        let digestAlgorithm = DER.sequence(DER.objectIdentifier(digest.objectIdentifier), DER.null)
        let signerInfo = DER.sequence(
            DER.integer(1),
            DER.sequence(chain.certificate.issuer.encoded, DER.integer(chain.certificate.serial)),
            digestAlgorithm,
            DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DER.null),
            DER.octetString(try chain.key.sign(content, digest: digest)))
        let signedData = DER.sequence(
            DER.integer(1),
            DER.set(digestAlgorithm),
            DER.sequence(
                DER.objectIdentifier([1, 2, 840, 113549, 1, 7, 1]),
                DER.tagged(0, DER.octetString(other ?? content))),
            DER.tagged(0, chain.certificates.flatMap(\.encoded)),
            DER.set(signerInfo))
        return DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DER.tagged(0, signedData))
    }
}
