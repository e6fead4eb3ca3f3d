internal import DatabaseCare
internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse
internal import RunGuide

/// The state that the steps of a run share: the database, the run's row, the summary so far, and the receiver of
/// events.
final class RunContext {
    let configuration: LoadConfiguration
    let database: Warehouse
    /// Whether steps only add their actions to the plan, and write nothing.
    let isDryRun: Bool
    /// Archives to load, in this order.
    var archives: [FoundArchive] = []
    var summary = RunSummary()
    /// The row that describes the run; nil in a dry run, and in a run without a row.
    var record: RunRecord?
    /// The clock by which expired rows and files are deleted; nil for a run without a row, which deletes nothing
    /// because of its age.
    var clock: RunClock?
    /// The alarm about lines with untrusted documents. They are counted before any of them is deleted because of its
    /// age.
    var untrustedAlarm: Alarm?
    /// The state of the database that reports see; nil outside of ``ReportingSteps``.
    var session: Result<ReportSession, any Error>?
    /// The plan that a dry run fills.
    var plan = RunPlan()
    private let onEvent: (RunEvent) -> Void

    var stop: CancellationFlag { configuration.stop }

    /// Opens the database for a run, and locks out other runs.
    ///
    /// - Parameter identity: the file that states how the last run left the database; if nil, any database is accepted.
    init(
        opening configuration: LoadConfiguration, heldAgainst identity: IdentityFile? = nil,
        _ onEvent: @escaping (RunEvent) -> Void = { _ in }
    ) throws(MillError) {
        (self.configuration, self.onEvent, isDryRun) = (configuration, onEvent, false)
        if let identity {
            if configuration.createsDatabase, identity.hasVanished {
                onEvent(
                    .log(
                        .warning, "the database of the last run is gone, and a new one is made",
                        ["path": configuration.database],
                        hint: "was it lost? restore the last backup; without create: true a run would refuse"))
                identity.remove()
            }
            try identity.refuseVanished()
        }
        summary.maxRejected = configuration.maxRejected
        database = try configuration.open(onEvent: onEvent)
        if let identity {
            if let path = identity.lost {
                log(
                    .warning, "\(path): is empty, and is written anew for the database that is there", ["path": path],
                    hint: "a full disk or a power cut may leave it so; make sure that the database is the one that is "
                        + "meant")
            }
            try identity.refuseOther(database)
        }
    }

    /// Opens the database for a dry run: nothing is written, and no run is locked out.
    init(examining configuration: LoadConfiguration, heldAgainst identity: IdentityFile?) throws(MillError) {
        (self.configuration, onEvent, isDryRun) = (configuration, { _ in }, true)
        let path = configuration.database
        if !configuration.createsDatabase {
            try identity?.refuseVanished()
            try DatabaseName.refuseNewBeginning(path)
        }
        database = try Warehouse(examining: path)
        if let identity, !identity.hasVanished { try identity.refuseOther(database, remembering: false) }
        try database.pseudonyms.refuse(otherThan: configuration.pseudonyms)
        let isOlder = try database.access { try Schema.version(of: $0) ?? 0 } < Schema.version
        let change =
            !FileManager.default.fileExists(atPath: path)
            ? " (would be made)" : isOlder ? " (would be migrated to schema \(Schema.version))" : ""
        plan.add("database \(path)\(change)", to: .database)
        if FaultMark(of: path).isThere {
            plan.add("database \(path): is checked first, an earlier run has met a fault of it", to: .database)
        }
    }

    /// Whether the run was asked to stop, which the summary states from then on.
    func mustStop() -> Bool {
        if stop.isCancelled { summary.isStopped = true }
        return summary.isStopped
    }

    // MARK: Actions

    /// Performs an action; a dry run only states it.
    ///
    /// - Parameters:
    ///   - words: the action in the plan.
    ///   - check: throws the fault that the action would meet, else returns further words for the plan.
    func act(
        _ part: RunPlan.Part, as words: String, check: () throws(MillError) -> String = { "" },
        _ perform: () throws(MillError) -> Void
    ) throws(MillError) {
        if isDryRun { plan.add(words, to: part, unlessFails: check) } else { try perform() }
    }

    /// Writes a file; a dry run only states it. If writing fails, the run continues.
    func write(_ words: String, to path: String, _ write: () throws -> Void) {
        guard isDryRun else {
            do { try write() } catch { fail(error, at: path) }
            return
        }
        plan.add("\(words) to \(path)", to: .outputs) { () throws(MillError) in
            try OutputFile.refuseUnwritable(path)
            return ""
        }
    }

    /// Reports faults that a step has met; a dry run states them.
    func fail(_ faults: [MillError], _ part: RunPlan.Part, as words: (MillError) -> String) {
        for fault in faults {
            if isDryRun { plan.add(words(fault), to: part, unless: fault) } else { fail(fault) }
        }
    }

    // MARK: The run's row

    /// Updates the run's row, and makes sure that all commits are on the disk.
    ///
    /// - Parameter reason: why the run was no success; nil for a success.
    func updateRecord(_ outcome: RunOutcome, isEnd: Bool, because reason: RunReason? = nil) throws(MillError) {
        try record?.update(
            outcome, archives: (summary.archives, summary.knownArchives, summary.failedArchives), isEnd: isEnd,
            because: reason, database)
    }

    /// Copies the counts of a load into the summary.
    func endLoad(_ loader: ArchiveLoader, _ cpuSeconds: [Stage: Double]) {
        summary.cpuSeconds = cpuSeconds
        summary.counts = loader.writer.counts
        summary.rejectionsNotKept = loader.deadLetters?.notKept ?? 0
        if !mustStop() { summary.stoppedAt = .behindArchives }
    }

    // MARK: Events

    func report(_ event: RunEvent) { onEvent(event) }

    func log(_ level: LogLine.Level, _ message: String, _ fields: LogLine.Fields = [:], hint: String? = nil) {
        onEvent(.log(level, message, fields, hint: hint))
    }

    /// Reports how many rows or files a run has deleted because of their age; a count of 0 is not reported.
    ///
    /// - Parameters:
    ///   - days: the age from which they are deleted.
    ///   - time: the time before which they were stored, in milliseconds since 1970.
    func reportExpired(_ count: Int, _ words: String, days: Int, before time: Int64) {
        guard count > 0 else { return }
        let time = Date(timeIntervalSince1970: Double(time) / 1000).ISO8601Format()
        log(.notice, "\(count) \(words) before \(time)", ["deleted": count, "days": days, "before": time])
    }

    /// Reports that part of the run failed, unless the run was asked to stop.
    ///
    /// - Parameter path: the path of the file that could not be written.
    /// - Returns: whether the failure was reported.
    @discardableResult
    func fail(_ error: any Error, at path: String? = nil) -> Bool {
        let failure = configuration.advised(MillError(error, at: .reporting, path: path))
        if stop.explains(failure), mustStop() { return false }
        summary.failures.append(failure)
        onEvent(.failed(failure))
        return true
    }
}
