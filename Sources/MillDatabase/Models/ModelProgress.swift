/// The progress of a refresh through the models.
package struct ModelProgress: Sendable, Hashable {
    /// The model that is being refreshed.
    package let name: String
    /// The model's number in the order of work, from 1.
    package let place: Int
    /// Number of all models.
    package let count: Int
}
