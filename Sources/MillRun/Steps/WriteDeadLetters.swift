internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Writes the dead-letter file if rejected lines are kept, and removes lines that were kept long enough. Compacts the
/// database if kept lines were cleared or removed. If the run is asked to stop, the next run does this step.
struct WriteDeadLetters: RunStep {
    func run(in context: RunContext) throws(MillError) {
        guard !context.mustStop() else { return }
        do throws(MillError) {
            try context.stop.interrupting([context.database.queue]) { () throws(MillError) in try write(context) }
        } catch {
            // The run's row counts the dead-letter file as a failed archive.
            if context.fail(error) { context.summary.failedArchives += 1 }
        }
    }

    private func write(_ context: RunContext) throws(MillError) {
        var cleared = context.summary.counts.correctionsApplied
        if let settings = context.configuration.deadLetters {
            let file = DeadLetterFile(path: settings.file, limits: context.configuration.limits)
            let cutoff = context.clock?.cutoff(days: settings.keepDays)
            context.summary.deadLetters = try file.write(from: context.database, keptSince: cutoff ?? .min)
            // No line expires while the clock is in doubt.
            if let cutoff {
                // Lines expire only after the file without them is written.
                let expired = try context.database.rejections.expireKeptLines(
                    before: cutoff, by: context.record)
                let days = settings.keepDays
                context.reportExpired(
                    expired, "rejected lines deleted that were kept for \(days) days, since", days: days,
                    before: cutoff)
                cleared += expired
            }
        }
        if cleared > 0 { try DatabasePacking(context.database).releaseFreePages() }
    }

    func plan(in context: RunContext) {
        guard let settings = context.configuration.deadLetters else { return }
        let file = DeadLetterFile(path: settings.file, limits: context.configuration.limits)
        context.plan.add("rejected lines to \(settings.file)", to: .deadLetters) { () throws(MillError) in
            try file.refuseReplacing(context.database)
            return ""
        }
    }
}

/// Counts rejections that are open after a run that has read rejected lines again.
struct CountOpenRejections: RunStep {
    func run(in context: RunContext) throws(MillError) {
        context.summary.openRejections = try context.database.rejections.open()
    }
}

/// Reports archives that have nearly the same submissions as others of their name.
struct ReportRepeats: RunStep {
    func run(in context: RunContext) throws(MillError) {
        for load in context.summary.loads {
            for archive in try RepeatedArchive.all(of: load.id, in: context.database) {
                context.summary.repeatedArchives += 1
                report(archive, at: load.path, in: context)
            }
        }
    }

    private func report(_ archive: RepeatedArchive, at path: String, in context: RunContext) {
        let (digest, former) = (archive.sha256.prefix(16), archive.formerSHA256.prefix(16))
        context.log(
            .warning,
            "\(PathParts.shown(path)): \(archive.shared) of its \(archive.submissions) submissions are also among the \(archive.formerSubmissions) of \(archive.name) (\(former)), loaded before, and count twice",
            [
                "archive": path, "sha256": archive.sha256, "former_sha256": archive.formerSHA256,
                "shared": archive.shared,
            ],
            hint: "where they are one night, take one out: receiptmill retract \(former) --database "
                + "\(context.database.path), or \(digest) for this one")
    }
}

/// Reports that stored documents are not trusted although their root certificate is an anchor of this run: they were
/// loaded before the anchor was named, and loading an archive again does not verify its documents again.
struct ReportPresentAnchors: RunStep {
    func run(in context: RunContext) throws(MillError) {
        let anchors = context.configuration.anchors
        let known = anchors.fingerprints.union(anchors.signedDataFingerprints).map(\.hex)
        for reason in try context.database.documents.untrustedRoots() where known.contains(where: reason.contains) {
            let areKept = try context.database.documents.keepsReceipts()
            return context.log(
                .warning,
                "documents loaded earlier are not trusted: \(reason). This run names that root as an anchor",
                hint: areKept
                    ? "receiptmill regrade verifies them again, with the same --trust"
                    : "receiptmill retract takes their archives out, and ingest loads them again; or begin with a "
                        + "new database")
        }
    }
}

/// Makes sure that all loaded rows are on the disk, and writes the number of archives into the run's row.
struct SecureLoad: RunStep {
    func run(in context: RunContext) throws(MillError) { try context.updateRecord(.running, isEnd: false) }
}
