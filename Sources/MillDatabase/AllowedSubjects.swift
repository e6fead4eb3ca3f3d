/// Subjects that make no case of fraud, such as a tester's, as the user writes them.
package struct AllowedSubjects: Sendable, Hashable {
    package var accounts: [String] = []
    package var devices: [String] = []
    /// Lineages, as the view `receipts` has them.
    package var installations: [String] = []
    /// SHA-256 in hexadecimal.
    package var receipts: [String] = []

    package init() {}
}
