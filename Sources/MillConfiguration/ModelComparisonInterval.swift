internal import Foundation

/// How often a run compares its models with models that are computed from all documents.
package enum ModelComparisonInterval: String, CaseIterable, Sendable {
    case weekly, never, always

    /// - Parameter time: when all models were last computed from all documents, in milliseconds since 1970 UTC. A time
    ///   in the future was written by a wrong clock.
    package func isDue(after time: Int64) -> Bool {
        switch self {
        case .never: false
        case .always: true
        case .weekly: abs(Date().timeIntervalSince1970 * 1000 - Double(time)) >= Self.week
        }
    }

    /// Six and a half days, so that a nightly run that begins slightly less than a week after the last comparison still
    /// compares.
    private static let week: Double = 6.5 * 86_400_000
}
