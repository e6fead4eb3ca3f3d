internal import GRDB
internal import MillConfiguration
internal import ReceiptArchive
package import StoreLoading

/// What a person should know about Apple's report files: days that several files state, and files that are damaged or
/// not reports.
package struct StoreReportStatus: Sendable {
    package let overlaps: [ReportOverlap]
    /// Files in the quarantine folders of report files, by folder. Files are left out if a file of the same name was
    /// loaded later.
    package let damaged: [(folder: String, files: FileCount)]

    init(_ db: Database, _ pipeline: Pipeline?) throws {
        overlaps = try ReportOverlap.all(db)
        damaged = try Set(pipeline?.storeReports.compactMap(\.quarantine) ?? []).sorted().map { folder in
            let files = try SpoolStatus.files(in: folder).filter { file in
                try Bool.fetchOne(
                    db, sql: "SELECT NOT EXISTS (SELECT 1 FROM store_file WHERE name = ? AND loaded_at > ?)",
                    arguments: [MovedName.original(of: file.name) ?? file.name, file.arrivedAt]) ?? true
            }
            return (folder, files.reduce(into: FileCount()) { $0.add($1) })
        }.filter { $0.files.files > 0 }
    }
}

extension OperatorStatus {
    /// The screen's lines about damaged report files, and about days that several files state.
    var storeReportLines: [StatusLine?] {
        guard let storeReports else { return [] }
        return storeReports.damaged.map { folder, files in
            StatusLine(
                .storeReports, "\(folder): \(files.files) damaged, or no reports (\(files.named))", isNeeded: true,
                advice: "have them delivered again, then remove these", next: ShellCommand("ls", "-l", folder))
        } + [
            overlapLine(
                storeReports.overlaps.filter { $0.kind == .same },
                "whose days another file states, too: they count once"),
            overlapLine(
                storeReports.overlaps.filter { $0.kind != .same },
                "of a longer span that shorter ones cover in part: products of the shorter ones count only there"),
        ]
    }

    private func overlapLine(_ overlaps: [ReportOverlap], _ text: String) -> StatusLine? {
        guard !overlaps.isEmpty else { return nil }
        let files = Set(overlaps.map(\.file)).count
        let more = overlaps.count > Self.namedArchives ? ["and \(overlaps.count - Self.namedArchives) more"] : []
        return StatusLine(
            .storeReports, "\(Wording.count(files, "file")) \(text)",
            advice: "remove a file that is wrong from its folder, then retract it (receiptmill retract)",
            details: overlaps.prefix(Self.namedArchives).map(\.text) + more)
    }
}
