internal import Foundation
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
package import MillSystem
internal import ReceiptArchive
internal import ReceiptReports
internal import ReceiptTrust
internal import ReceiptWarehouse

/// What a run would do now, and what of it would fail.
package struct PipelinePlan: Sendable {
    /// A line for each step.
    package fileprivate(set) var text = ""
    /// What is wrong already; a run would report the same.
    package fileprivate(set) var failures: [MillError] = []

    fileprivate mutating func add(_ step: String, unless fault: MillError? = nil) {
        text += fault.map { "\(step): \($0.what)\n" } ?? "\(step)\n"
        if let fault { failures.append(fault) }
    }
}

extension PipelineRun {
    /// Checks what a run would check before it loads; nothing is written and no
    /// other run is disturbed.
    ///
    /// - Throws: ``MillError`` where a run could not begin.
    package func plan() throws(MillError) -> PipelinePlan {
        let isNew = !FileManager.default.fileExists(atPath: pipeline.database)
        var archives = archives()
        var ingest = try ingest(archives)
        let identity = IdentityFile(of: pipeline.database)
        if !pipeline.createsDatabase {
            try identity.refuseVanished()
            try DatabaseName.refuseNewBeginning(pipeline.database)
        }
        let database = try Warehouse(examining: pipeline.database)
        if !isNew { try identity.refuseOther(database, remembering: false) }
        try database.pseudonyms.refuse(otherThan: ingest.configuration.pseudonyms)
        let moved = MovedArchives(pipeline: pipeline, database: database, stop: stop)
        let unknown = try moved.unknown(remembering: false)
        if reloadsMoved { archives = unknown.map { Archive(path: $0.path, source: $0.source) } + archives }
        let preflight = Preflight(database: database, configuration: ingest.configuration)
        let unfit = try preflight.unfit(archives.map(\.path))
        archives.leaveOut(unfit)
        ingest.take(archives)
        try preflight.check(archives.map(\.path))
        var plan = PipelinePlan()
        let isOlder = try database.access { try Schema.version(of: $0) ?? 0 } < Schema.version
        let change = isNew ? " (would be made)" : isOlder ? " (would be migrated to schema \(Schema.version))" : ""
        plan.add("database \(pipeline.database)\(change)")
        if FaultMark(of: pipeline.database).isThere {
            plan.add("database \(pipeline.database): is checked first, an earlier run has met a fault of it")
        }
        // In the order of a run, whose first fault decides how it ends.
        if !reloadsMoved {
            if !isNew, let fault = try identity.faultOfOlderCopy(database, pipeline) {
                plan.add("database \(pipeline.database)", unless: fault)
            }
            for fault in moved.faults(of: unknown) { plan.add("archives in \(fault.path ?? "")", unless: fault) }
        }
        for fault in pipeline.archives.flatMap({ $0.searchFaults() }) + unfit {
            plan.add("archive \(fault.path ?? "")", unless: fault)
        }
        for folder in passedOver() { plan.add("folder \(folder): matches a pattern, and is passed over") }
        let recognizer = ingest.recognizer(database)
        var readable: [(archive: Archive, sha256: SHA256Digest)] = []
        for archive in ArchiveOrder(archives.map(\.path)).indices.map({ archives[$0] }) {
            if let sha256 = try add(archive, recognizer, database, to: &plan) { readable.append((archive, sha256)) }
        }
        if let deadLetters = pipeline.deadLetters {
            let file = DeadLetterFile(path: deadLetters.file, limits: pipeline.limits)
            let fault = Self.fault { () throws(MillError) in try file.refuseReplacing(database) }
            plan.add("rejected lines to \(deadLetters.file)", unless: fault)
        }
        if retriesRejectedLines { plan.add("read rejected lines again") }
        for source in pipeline.archives {
            if source.searchFaults().isEmpty, paths(of: source).isEmpty {
                plan.add("archive \(source.path): nothing there")
            }
        }
        for (archive, sha256) in readable {
            let fault = Self.fault { () throws(MillError) in
                try ArchiveDisposal.refuseUnmovable(archive.path, sha256, as: archive.source)
            }
            if let fault { plan.add("archive \(archive.path)", unless: fault) }
        }
        addOutputs(to: &plan)
        addAlarms(to: &plan)
        if let days = pipeline.retentionDays { plan.add("remove submissions older than \(days) days") }
        return plan
    }

    /// - Returns: nil where the archive can't be read.
    private func add(
        _ archive: Archive, _ recognizer: ArchiveRecognizer, _ database: Warehouse, to plan: inout PipelinePlan
    ) throws(MillError) -> SHA256Digest? {
        let step = "archive \(archive.path)"
        switch try recognizer.decision(on: archive.path) {
        case .unreadable(let fault):
            plan.add(step, unless: fault)
            return nil
        case .letters(_, let fingerprint):
            plan.add("\(step): dead letters, load what was corrected\(foreseen(archive))")
            return fingerprint.sha256
        case .known(let fingerprint, let name):
            let isLoaded = try database.archives.progress(of: fingerprint.sha256) != nil
            let disposal = isLoaded ? try decided(fingerprint, archive, database) : foreseen(archive)
            plan.add("\(step): \(isLoaded ? "loaded before" : "as \(name) before it")\(disposal)")
            return fingerprint.sha256
        case .load(_, let fingerprint, let processedLines):
            var load = processedLines > 0 ? "go on after line \(processedLines)" : "load"
            if fingerprint.prefix != nil { load = "has grown, \(load)" }
            plan.add("\(step): \(load)\(foreseen(archive))")
            return fingerprint.sha256
        }
    }

    /// What becomes of an archive that is loaded.
    private func decided(
        _ fingerprint: ArchiveFingerprint, _ archive: Archive, _ database: Warehouse
    ) throws(MillError) -> String {
        switch try ArchiveDisposal.decision(
            on: fingerprint.sha256, of: archive.source, untrustedShare: pipeline.untrustedShareOfDeleted, in: database)
        {
        case .stay: ""
        case .move(let folder): ", move to \(folder)"
        case .delete: ", delete"
        case .setAside(let rejected):
            ", move to \(archive.source.quarantine ?? ""): \(rejected.rejected) of its \(rejected.lines) lines were rejected"
        case .keepUntrusted(let untrusted):
            ", not deleted: \(untrusted.untrusted) of its \(untrusted.lines) lines hold what is not trusted"
        case .keep(let lines): ", not deleted: \(lines) of its lines were rejected and stand nowhere else"
        }
    }

    /// The same of one whose lines are yet to be read.
    private func foreseen(_ archive: Archive) -> String {
        switch archive.source.after {
        case .keep: ""
        case .move: ", move to \(archive.source.destination ?? "")"
        case .delete: ", delete unless rejected lines of it would be lost"
        }
    }

    private func addOutputs(to plan: inout PipelinePlan) {
        func add(_ step: String, _ path: String) {
            plan.add(step, unless: Self.fault { () throws(MillError) in try OutputFile.refuseUnwritable(path) })
        }
        for report in pipeline.reports {
            add("report \(report.name) as \(report.format.rawValue) to \(report.output)", report.output)
        }
        if let dashboard = pipeline.dashboard { add("dashboard to \(dashboard)", dashboard) }
        if let metrics = pipeline.metrics { add("metrics to \(metrics)", metrics) }
    }

    private func addAlarms(to plan: inout PipelinePlan) {
        for alarm in pipeline.alarms.reportsWithoutRows { plan.add("alarm if the report \(alarm.name) has rows") }
        if pipeline.alarms.rejectedShare < 1 {
            plan.add("alarm if more than \(pipeline.alarms.rejectedShare) of the lines are rejected")
        }
        if pipeline.alarms.untrustedShare < 1 {
            plan.add("alarm if more than \(pipeline.alarms.untrustedShare) of the lines hold what is not trusted")
        }
        if let days = pipeline.alarms.missingDays { plan.add("alarm if an archive has not come for \(days) days") }
        if !pipeline.environments.isEmpty {
            plan.add("alarm on environments other than \(pipeline.environments.joined(separator: ", "))")
        }
    }

    private static func fault(_ check: () throws(MillError) -> Void) -> MillError? {
        do throws(MillError) {
            try check()
            return nil
        } catch {
            return error
        }
    }
}
