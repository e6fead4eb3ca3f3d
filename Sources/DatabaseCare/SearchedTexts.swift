/// The texts of a line that are still to be searched, each once.
struct SearchedTexts {
    struct Text: Hashable {
        let bytes: [UInt8]
        let role: Role
    }

    enum Role: Hashable {
        /// The line, or a reading of it, which may be cut at its ends.
        case line
        case bytes
        /// A value of JSON or of a form.
        case value(isPersonal: Bool)
    }

    private var waiting: [Text] = []
    /// The hash values of all texts so far. They are seeded, so that no line can be made of equal ones.
    private var known: Set<Int> = []
    /// The number of bytes that may still be added.
    private(set) var budget: Int
    /// Whether not all texts could be added.
    private(set) var isExhausted = false

    /// What a text costs beside its bytes.
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
