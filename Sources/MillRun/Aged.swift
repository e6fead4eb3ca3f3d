/// What a run deleted because it was old.
package struct Aged: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Submissions, by `retention_days`.
        case submissions
        /// Archives that were moved, by `expire_days`.
        case archives(folder: String)
    }

    package let kind: Kind
    package let count: Int
    /// Days after which such a thing is old.
    package let days: Int
    /// The time before which it was of, in milliseconds since 1970.
    package let before: Int64
}
