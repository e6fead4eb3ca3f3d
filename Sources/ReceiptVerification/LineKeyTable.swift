internal import MillBytes
internal import MillJSON

/// The keys of a line that have a meaning. Documents are found under all other keys, too.
struct LineKeyTable {
    enum Meaning {
        /// A text under the key is meant as a document, so it is rejected if it can't be read.
        case document
        case device, deviceVerification, account, time
        /// The value is ignored.
        case ignored
    }

    struct KnownKey {
        let meaning: Meaning
        /// The index of the key in the list of keys with its meaning; the smallest takes precedence.
        let rank: Int
        /// Whether the user has named the key. Such a key takes precedence over a usual key, wherever that is.
        let isStated: Bool
    }

    private let keys: [KnownKey]
    private let names: KeyTable

    /// Keys under which Apple's servers send documents and nothing else.
    private static let store = [
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedTransactions",
        "latest_receipt",
    ]
    private static let deviceVerification = ["device_verification_id", "deviceVerificationID"]

    /// If a name is in several lists, it has the meaning of the first. A name that a user states has the user's
    /// meaning.
    init(_ lines: LineKeys) {
        var (stated, usual): ([(name: String, key: KnownKey)], [(name: String, key: KnownKey)]) = ([], [])
        func add(_ names: [String], _ defaults: [String], _ meaning: Meaning) {
            let isStated = names != defaults
            if isStated {
                stated += names.enumerated().map { ($1, KnownKey(meaning: meaning, rank: $0, isStated: true)) }
            }
            let first = isStated ? names.count : 0
            usual += defaults.enumerated().map { ($1, KnownKey(meaning: meaning, rank: first + $0, isStated: false)) }
        }
        let defaults = LineKeys()
        add(lines.ignored, [], .ignored)
        add(lines.receipt, defaults.receipt, .document)
        add(lines.device, defaults.device, .device)
        add(lines.account, defaults.account, .account)
        add(lines.time, defaults.time, .time)
        add(Self.deviceVerification, Self.deviceVerification, .deviceVerification)
        add(Self.store, Self.store, .document)
        names = KeyTable((stated + usual).map(\.name))
        keys = (stated + usual).map(\.key)
    }

    /// The key's meaning; nil if it has none.
    func key(_ token: JSONToken, _ bytes: Span<UInt8>) -> KnownKey? { token.number(in: names, bytes).map { keys[$0] } }

    /// Whether a column's name shows that a line is the header of a table.
    func isKnown(column name: [UInt8]) -> Bool {
        guard let key = key(JSONToken(kind: .string, range: name.indices), name.span) else { return false }
        return key.isStated || key.meaning != .time
    }
}
