/// Three letters of ISO 4217, in capitals.
struct CurrencyCode: Hashable {
    let letters: String

    /// - Parameter text: in letters of any case.
    init?(_ text: String) {
        guard text.utf8.count == 3, text.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        letters = text.uppercased()
    }
}
