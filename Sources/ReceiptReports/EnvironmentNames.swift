internal import MillSystem

/// Names of environments, as attribute 0 of receipts states them.
package enum EnvironmentNames {
    /// Apple's names; a test store may use names of its own.
    package static let ofStore = [
        "Production", "ProductionSandbox", "ProductionVPP", "ProductionVPPSandbox", "Sandbox", "Xcode", "LocalTesting",
    ]

    /// The name that is likely meant, regardless of case; nil if no name is similar.
    package static func nearest(to name: String, among names: [String] = ofStore) -> String? {
        let lowercased = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
        return nearestNames(to: name.lowercased(), among: Array(lowercased.keys), limit: 1).first
            .flatMap { lowercased[$0] }
    }
}
