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
        for source in pipeline.archives where source.paths().isEmpty {
            lines.append("archive \(source.path): nothing there")
        }
        let known = try knownContents()
        for (path, source) in archives { lines.append("archive \(path): \(step(for: path, source, known))") }
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
        if let metrics = pipeline.metrics { lines.append("metrics to \(metrics)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Lines settled and completeness of the contents that the database knows.
    private func knownContents() throws(MillError) -> [SHA256Digest: (lines: Int64, isComplete: Bool)] {
        guard isThere(pipeline.database) else { return [:] }
        do {
            let rows = try ReportDatabase(path: pipeline.database).queue.read { db in
                try Row.fetchAll(db, sql: "SELECT sha256, lines, complete FROM archive")
            }
            let contents = rows.compactMap { row in
                SHA256Digest(bytes: row[0] as Data).map { ($0, (lines: row[1] as Int64, isComplete: row[2] as Bool)) }
            }
            return Dictionary(contents) { first, _ in first }
        } catch {
            throw MillError(error, path: pipeline.database)
        }
    }

    private func step(
        for path: String, _ source: ArchiveSource, _ known: [SHA256Digest: (lines: Int64, isComplete: Bool)]
    ) -> String {
        let identity: ArchiveIdentity
        do throws(MillError) {
            identity = try ArchiveIdentity(of: InputFile(path: path))
        } catch {
            return error.what
        }
        let load =
            switch known[identity.sha256] {
            case nil: "load"
            case let state? where state.isComplete: "loaded before"
            case let state?: "go on after line \(state.lines)"
            }
        switch source.after {
        case .keep: return load
        case .move: return "\(load), move to \(source.destination ?? "")"
        case .delete: return "\(load), delete"
        }
    }
}
