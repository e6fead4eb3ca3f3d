/// A currency: three letters of ISO 4217, in capitals.
package struct CurrencyCode: Hashable, Sendable {
    package let letters: String

    /// - Parameter text: three letters in any case.
    package init?(_ text: String) {
        guard text.utf8.count == 3, text.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        letters = text.uppercased()
    }
}
