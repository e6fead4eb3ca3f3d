internal import GRDB
internal import MillConfiguration
internal import MillSystem
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
        var damaged: [(folder: String, files: FileCount)] = []
        for folder in Set(pipeline?.storeReports.compactMap(\.quarantine) ?? []).sorted() {
            var files = FileCount()
            for file in SpoolStatus.files(in: folder) {
                let name = MovedName.original(of: file.name) ?? file.name
                let isLoaded =
                    try Bool.fetchOne(
                        db, sql: "SELECT EXISTS (SELECT 1 FROM store_file WHERE name = ? AND loaded_at > ?)",
                        arguments: [name, file.arrivedAt]) ?? false
                if !isLoaded { files.add(file) }
            }
            if files.files > 0 { damaged.append((folder, files)) }
        }
        self.damaged = damaged
    }
}

extension OperatorStatus {
    /// The screen's lines about report files.
    var storeReportLines: [StatusLine] {
        guard let storeReports else { return [] }
        var lines = storeReports.damaged.map { folder, files in
            StatusLine(
                .storeReports, "\(folder): \(files.files) damaged, or no reports (\(files.named))", isNeeded: true,
                advice: "have them delivered again, then remove these", next: ShellCommand("ls", "-l", folder))
        }
        let same = storeReports.overlaps.filter { $0.kind == .same }
        let partly = storeReports.overlaps.filter { $0.kind != .same }
        for (overlaps, text) in [
            (same, "whose days another file states, too: they count once"),
            (partly, "of a longer span that shorter ones cover in part: products of the shorter ones count only there"),
        ] where !overlaps.isEmpty {
            let files = Set(overlaps.map(\.file)).count
            let more = overlaps.count > Self.namedArchives ? ["and \(overlaps.count - Self.namedArchives) more"] : []
            lines.append(
                StatusLine(
                    .storeReports, "\(Wording.count(files, "file")) \(text)",
                    advice: "remove a file that is wrong from its folder, then retract it (receiptmill retract)",
                    details: overlaps.prefix(Self.namedArchives).map(\.text) + more))
        }
        return lines
    }

    /// The members of `store_reports` about overlaps and damaged files.
    var storeReportMembers: [String: Int] {
        guard let storeReports else { return [:] }
        let same = storeReports.overlaps.count { $0.kind == .same }
        return [
            "stated_twice": same, "stated_partly": storeReports.overlaps.count - same,
            "damaged": storeReports.damaged.reduce(0) { $0 + $1.files.files },
        ]
    }
}
