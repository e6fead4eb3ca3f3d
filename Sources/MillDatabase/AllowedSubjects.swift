/// Subjects that make no case of fraud, such as a tester's, in the notation of the user's settings.
package struct AllowedSubjects: Sendable, Hashable {
    package var accounts: [String] = []
    package var devices: [String] = []
    /// Lineages, in the notation of the view `receipts`.
    package var installations: [String] = []
    /// SHA-256 digests of receipts, in hexadecimal digits.
    package var receipts: [String] = []

    package init() {}
}
