internal import Foundation
internal import GRDB
internal import ReceiptTrust

extension PipelineRun {
    /// What a run would do now, a line for each step; nothing is written and no
    /// other run is disturbed.
    public func plan() throws(MillError) -> String {
        let archives = archives()
        _ = try ingest([])
        var lines = ["database \(pipeline.database)\(isThere(pipeline.database) ? "" : " (would be made)")"]
        for source in pipeline.archives {
            if let fault = source.searchFault() {
                lines.append("archive \(source.path): \(fault.what)")
            } else if source.paths().isEmpty {
                lines.append("archive \(source.path): nothing there")
            }
        }
        let known = try knownContents()
        for archive in archives { lines.append("archive \(archive.path): \(step(for: archive, known))") }
        for report in pipeline.reports {
            lines.append("report \(report.name) as \(report.format.rawValue) to \(report.output)")
        }
        if let dashboard = pipeline.dashboard { lines.append("dashboard to \(dashboard)") }
        for alarm in pipeline.alarms.reportsWithoutRows { lines.append("alarm if the report \(alarm.name) has rows") }
        if pipeline.alarms.rejectedShare < 1 {
            lines.append("alarm if more than \(pipeline.alarms.rejectedShare) of the lines are rejected")
        }
        if let days = pipeline.alarms.missingDays {
            lines.append("alarm if an archive has not come for \(days) days")
        }
        if !pipeline.environments.isEmpty {
            lines.append("alarm on environments other than \(pipeline.environments.joined(separator: ", "))")
        }
        if let rejects = pipeline.rejects { lines.append("rejected lines to \(rejects)") }
        if let days = pipeline.retentionDays { lines.append("remove submissions older than \(days) days") }
        if let metrics = pipeline.metrics { lines.append("metrics to \(metrics)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// A content that the database knows.
    private struct KnownContent {
        let name: String
        let bytes, lines: Int64
        let isComplete: Bool
        let rejected: Int
    }

    private func knownContents() throws(MillError) -> [SHA256Digest: KnownContent] {
        guard isThere(pipeline.database) else { return [:] }
        do {
            let rows = try ReportDatabase(path: pipeline.database).queue.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT sha256, name, bytes, lines, complete, (
                            SELECT count(*) FROM rejection
                            WHERE rejection.archive_id = archive.archive_id AND cleared_by IS NULL)
                        FROM archive
                        """)
            }
            let contents = rows.compactMap { row in
                SHA256Digest(bytes: row[0] as Data).map {
                    ($0, KnownContent(name: row[1], bytes: row[2], lines: row[3], isComplete: row[4], rejected: row[5]))
                }
            }
            return Dictionary(contents) { first, _ in first }
        } catch {
            throw MillError(error, path: pipeline.database)
        }
    }

    private func load(_ archive: Archive, _ known: [SHA256Digest: KnownContent]) throws(MillError) -> String {
        let file = try InputFile(path: archive.path, isFound: archive.isFound)
        let identity = try ArchiveIdentity(of: file)
        if let state = known[identity.sha256] {
            let again = readsRejectedAgain && state.rejected > 0 ? ", read \(state.rejected) rejected lines again" : ""
            return (state.isComplete ? "loaded before" : "go on after line \(state.lines)") + again
        }
        let shorter = known.filter { $1.name == identity.name && $1.bytes > 0 && $1.bytes < identity.bytes }
        for (sha256, state) in shorter.sorted(by: { $0.value.bytes > $1.value.bytes })
        where try file.digest(upTo: state.bytes).sha256 == sha256 {
            return "has grown, go on after line \(state.lines)"
        }
        return "load"
    }

    private func step(for archive: Archive, _ known: [SHA256Digest: KnownContent]) -> String {
        let load: String
        do throws(MillError) {
            load = try self.load(archive, known)
        } catch {
            return error.what
        }
        switch archive.source.after {
        case .keep: return load
        case .move: return "\(load), move to \(archive.source.destination ?? "")"
        case .delete: return "\(load), delete"
        }
    }
}
