/// The place of a refresh among the models.
package struct ModelProgress: Sendable, Hashable {
    /// The model that is being refreshed.
    package let name: String
    /// The model's place in the order of work, counted from 1.
    package let place: Int
    /// Number of all models.
    package let count: Int
}
