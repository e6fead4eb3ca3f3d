/// Suggests the next useful command, as arguments of this program.
package enum NextCommand {
    /// With more apps than this, they are unlikely to belong to one person, so a report on them is suggested instead.
    private static let maximumApps = 4

    /// - Parameter stored: what the database contains; nil if it can't be read.
    /// - Returns: nil if no command is useful.
    package static func after(_ outcome: FinishedLoad, _ stored: StoredFacts?) -> [String]? {
        if outcome.isStopped { return outcome.again }
        guard let stored else { return nil }
        let database = ["--database", outcome.database]
        func report(_ name: String, _ parameters: String...) -> [String] {
            ["report", name] + database + parameters
        }
        // Most reports read models. Outdated models would not show what was loaded.
        if !stored.hasCurrentModels { return ["refresh"] + database }
        // If a trust anchor is missing, most receipts are untrusted, and the verdicts show it. A few untrusted receipts
        // may be fraud.
        if outcome.untrusted * 2 > outcome.newReceipts { return report("coverage", "by=verdict") }
        if outcome.rejected > 0 { return report("archive-loads", "by=reason") }
        if outcome.untrusted > 0 { return report("fraud-signals", "found=last-run") }
        if outcome.newReceipts > 0, stored.hasAppSettings, !stored.unknownApps.isEmpty {
            return report("fraud-signals", "signal=unexpected_bundle", "by=line")
        }
        if outcome.storeRows > 0 { return report("reconciliation", "class=differences") }
        if stored.hasPricedSubscriptions { return report("recurring-revenue") }
        if stored.hasOwnersByEra { return report("freemium-migration") }
        if !stored.hasAppSettings, (1...maximumApps).contains(stored.unknownApps.count), outcome.takesApps,
            let arguments = outcome.again
        {
            // The first version in which the app was free may follow the colon. Without it, the app is only recorded as
            // the user's own.
            return arguments + stored.unknownApps.flatMap { ["--app", "\($0):"] }
        }
        return report("coverage")
    }
}
