/// The command that is useful after another one, as arguments of this program.
package enum NextCommand {
    /// More apps than these are hardly one person's: a report shows whose they are.
    private static let maximumApps = 4

    /// - Parameter stored: what the database holds; nil if it can't be read.
    /// - Returns: nil if no command is of use.
    package static func after(_ outcome: FinishedLoad, _ stored: StoredFacts?) -> [String]? {
        if outcome.isStopped { return outcome.again }
        guard let stored else { return nil }
        let database = ["--database", outcome.database]
        func report(_ name: String, _ parameters: String...) -> [String] {
            ["report", name] + database + parameters
        }
        // Most reports read models: outdated ones would not show what was loaded.
        if !stored.hasCurrentModels { return ["refresh"] + database }
        // Where an anchor is missing, most are not trusted, and the verdicts say so. A few are somebody's fraud.
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
            // The version that the app was first free in may follow the colon; without, the app is known as one's own.
            return arguments + stored.unknownApps.flatMap { ["--app", "\($0):"] }
        }
        return report("coverage")
    }
}
