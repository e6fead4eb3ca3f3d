/// Subjects that are exempt from fraud cases, such as a tester's device, in the notation of the user's settings.
package struct AllowedSubjects: Sendable, Hashable {
    package var accounts: [String] = []
    package var devices: [String] = []
    /// Installations (lineages), in the notation of the view `receipts`.
    package var installations: [String] = []
    /// SHA-256 digests of receipts, in hexadecimal digits.
    package var receipts: [String] = []

    package init() {}
}
