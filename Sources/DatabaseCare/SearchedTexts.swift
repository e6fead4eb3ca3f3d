/// The texts of a line that are still to be searched, each of them once.
struct SearchedTexts {
    struct Text: Hashable {
        let bytes: [UInt8]
        let role: Role
    }

    enum Role: Hashable {
        /// The line, or a decoding of it, which may be cut at its ends.
        case line
        case bytes
        /// A value in JSON or in a form.
        case value(isPersonal: Bool)
    }

    private var waiting: [Text] = []
    /// The hash values of all texts so far. Hashing is seeded, so that nobody can make a line of texts with equal
    /// hashes.
    private var known: Set<Int> = []
    /// The number of bytes that may still be added.
    private(set) var budget: Int
    /// Whether a text was left out because the budget is used up.
    private(set) var isExhausted = false

    /// The cost of a text in addition to its bytes.
    private static let textBytes = 64

    init(_ first: Text, budget: Int) {
        self.budget = budget
        add(first.bytes, first.role)
    }

    mutating func next() -> Text? { waiting.popLast() }

    mutating func add(_ bytes: [UInt8], _ role: Role) {
        let text = Text(bytes: bytes, role: role)
        guard known.insert(text.hashValue).inserted else { return }
        budget -= bytes.count + Self.textBytes
        isExhausted = isExhausted || budget < 0
        if !isExhausted { waiting.append(text) }
    }
}
