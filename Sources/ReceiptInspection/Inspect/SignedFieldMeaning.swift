internal import ReceiptFormat
internal import SignedDataFormat

/// What a field of signed data means (Apple, App Store Server API and Notifications:
/// JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload, responseBodyV2DecodedPayload,
/// advancedCommerceInfo; StoreKit: AppTransaction; headers: RFC 7515, 4.1).
struct SignedFieldMeaning: Sendable {
    /// How a value reads in words.
    enum Form: Sendable {
        case plain
        /// Milliseconds since 1970 UTC.
        case date
        /// Milliunits of the currency that stands beside.
        case amount
        /// Thousandths of a percent.
        case share
        /// A number of ``SignedWords/numbers``.
        case number
        /// Another signed string.
        case signedString

        init(_ type: SignedFieldType) {
            switch type {
            case .date, .signingDate: self = .date
            case .amount: self = .amount
            case .share: self = .share
            case .code: self = .number
            case .signedString: self = .signedString
            case .text, .environment, .product, .transaction, .deviceProof, .identifier, .integer, .flag, .sandboxToken,
                .subject, .structure:
                self = .plain
            }
        }
    }

    let text: String
    let form: Form

    /// Meanings by names. A name means the same wherever it stands.
    static let payload: [DocumentText: SignedFieldMeaning] = dictionary(
        SignedField.table.map { (DocumentText($0.name), $0.meaning, Form($0.type)) })

    /// Those of headers, of which `alg`, `x5c` and `crit` are used.
    static let header: [DocumentText: SignedFieldMeaning] = dictionary([
        ("alg", "algorithm of the signature; ES256 is the only one that is read", .plain),
        ("x5c", "certificates: the signer's, its issuer's, the root", .plain),
        ("kid", "name of the key; not used", .plain),
        ("typ", "type of the string; not used", .plain),
        ("cty", "type of the payload; not used", .plain),
        ("crit", "extensions that a reader must know: refused", .plain),
        ("jwk", "key; not used", .plain),
        ("jku", "address of keys; not used", .plain),
        ("x5u", "address of certificates; not used", .plain),
        ("x5t", "SHA-1 of the certificate; not used", .plain),
        ("x5t#S256", "SHA-256 of the certificate; not used", .plain),
    ])

    private typealias Entry = (name: DocumentText, text: String, form: Form)

    private static func dictionary(_ entries: [Entry]) -> [DocumentText: SignedFieldMeaning] {
        Dictionary(entries.map { ($0.name, SignedFieldMeaning(text: $0.text, form: $0.form)) }) { first, _ in first }
    }
}
