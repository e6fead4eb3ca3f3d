internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillDigest
package import MillSystem
package import ReceiptArchive
package import ReceiptWarehouse
internal import StoreReports

/// Loads App Store report files, each in one transaction: a file is loaded completely or not at all.
///
/// A file is read twice. The first time gives the digest of the text, which identifies a file that was loaded before,
/// whatever its name and compression. The second time gives the rows, so that memory holds only a few of them.
package struct ReportFileLoader {
    private let database: Warehouse
    private let limits: Limits
    private let stop: CancellationFlag
    private let onWarning: (ReportFileWarning) -> Void

    /// The maximum number of a file's warnings that are reported singly; further warnings are only counted.
    private static let reportedWarnings = 20

    package init(
        _ database: Warehouse, limits: Limits = Limits(), stop: CancellationFlag = CancellationFlag(),
        onWarning: @escaping (ReportFileWarning) -> Void = { _ in }
    ) {
        (self.database, self.limits, self.stop, self.onWarning) = (database, limits, stop, onWarning)
    }

    /// - Parameter isFound: whether a pattern found the file; otherwise the user named it.
    /// - Throws: ``MillError`` if nothing of the file is loaded.
    package func load(_ path: String, isFound: Bool = false) throws(MillError) -> LoadedReportFile {
        let (file, content) = try open(path, isFound)
        if let (known, id) = try known(content, path) {
            guard !content.former.isEmpty else { return known }
            return try database.transaction { db in
                var known = known
                known.replaced = try replace(content, by: id, after: id, db)
                if !known.replaced.isEmpty { try ModelState.noteAddition(db) }
                return known
            }
        }
        try file.rewind()
        let text = try DigestedText(of: file, inflationLimit: limits.inflation)
        var reader = try Self.reader(of: text, path)
        return try database.transaction { db in
            let rows = try StoreFileRows(db, content, report: reader.kind)
            try read(&reader, into: rows, path)
            guard try text.wholeSHA256() == content.sha256 else {
                throw MillError(
                    stage: .reading, path: path, what: "was overwritten while it was read",
                    hint: "replace files by renaming a new one, and load it again; nothing of it is loaded",
                    exitStatus: .badData)
            }
            try rows.end()
            try ModelState.noteAddition(db)
            var loaded = LoadedReportFile(path: path, sha256: content.sha256, report: reader.kind)
            (loaded.rows, loaded.rejected, loaded.erased) = (rows.count, rows.rejected, rows.erased)
            loaded.replaced = try replace(content, by: rows.file, after: 0, db)
            return loaded
        }
    }

    private func read(_ reader: inout StoreReportReader, into rows: StoreFileRows, _ path: String) throws {
        var warnings = 0
        while let item = try reader.next() {
            if case .warning(let line, let what) = item {
                warnings += 1
                if warnings <= Self.reportedWarnings { warn(path, line, what) }
            } else {
                try rows.insert(item)
                try refuseUnreadable(rows, path)
                try refuseRepeated(rows, path)
            }
        }
        if warnings > Self.reportedWarnings {
            warn(path, nil, "\(warnings - Self.reportedWarnings) more warnings, which are not listed")
        }
    }

    /// Removes older files of the same name that a file replaces: files whose whole text is the beginning of its text,
    /// as after a half-written delivery; and files numbered above `first` all of whose periods it states.
    ///
    /// - Parameter id: the number of the new file, whose text may have been loaded earlier under another name.
    /// - Returns: the names of the files that were removed.
    private func replace(
        _ content: ReportContent, by id: Int64, after first: Int64, _ db: Database
    ) throws -> [String] {
        var replaced: [String] = []
        for former in content.former where former.id != id {
            let isOutgrown = content.beginnings[former.bytes] == former.sha256 && !former.isBeside(content)
            guard try isOutgrown || former.id > first && former.isOverwritten(by: id, content, db) else {
                continue
            }
            try LoaderTable.deleteRows(of: .reportFile, in: "(SELECT \(former.id) AS file_id)", db)
            replaced.append(former.name)
        }
        return replaced
    }

    /// What loading a file would do, without counts of its rows; nothing is written.
    package func examine(_ path: String, isFound: Bool = false) throws(MillError) -> LoadedReportFile {
        let (file, content) = try open(path, isFound)
        if let (known, _) = try known(content, path) { return known }
        try file.rewind()
        let text = try DigestedText(of: file, inflationLimit: limits.inflation)
        return LoadedReportFile(path: path, sha256: content.sha256, report: try Self.reader(of: text, path).kind)
    }

    /// The number of the file that was loaded last; 0 if there is none.
    package func newestFile() throws(MillError) -> Int64 {
        try database.row("SELECT coalesce(max(file_id), 0) FROM store_file")?[0] ?? 0
    }

    /// Warns about files that state the same days, if at least one of them was loaded after the file with the given
    /// number.
    package func warnOfOverlaps(loadedAfter file: Int64) throws(MillError) {
        guard try newestFile() > file else { return }
        let overlaps = try database.access { try ReportOverlap.all($0, loadedAfter: file) }
        for overlap in overlaps.prefix(Self.reportedWarnings) { warn(overlap.file, nil, overlap.text) }
        guard overlaps.count > Self.reportedWarnings else { return }
        let more = overlaps.count - Self.reportedWarnings
        warn(overlaps[0].file, nil, "\(more) more files overlap; receiptmill status counts them")
    }

    private func warn(_ path: String, _ line: Int?, _ what: String) {
        onWarning(ReportFileWarning(path: path, line: line, what: what))
    }

    // MARK: Files

    private func open(_ path: String, _ isFound: Bool) throws(MillError) -> (InputFile, ReportContent) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw MillError(
                stage: .reading, path: path, what: "is a folder, and no report file",
                hint: "name the files in it, such as '\(path)/*'", exitStatus: .missingInput)
        }
        let file = try InputFile(path: path, isFound: isFound, stop: stop)
        let former = try FormerReportFile.named(file.name, database)
        let text = try DigestedText(of: file, inflationLimit: limits.inflation, marks: former.map(\.bytes))
        let sha256 = try text.wholeSHA256()
        let folder = path == "-" ? "" : RealPath.ofFolder(path)
        return (
            file,
            ReportContent(
                name: file.name, folder: folder, sha256: sha256, bytes: text.bytes, former: former,
                beginnings: text.beginnings)
        )
    }

    /// The file with the same text that was loaded before, and its number; nil if there is none.
    private func known(_ content: ReportContent, _ path: String) throws(MillError) -> (LoadedReportFile, id: Int64)? {
        let row = try database.row(
            "SELECT name, report, rows, rejected, file_id FROM store_file WHERE sha256 = ?", [content.sha256])
        guard let row, let report = StoreReportKind(rawValue: row[1]) else { return nil }
        var known = LoadedReportFile(path: path, sha256: content.sha256, report: report)
        (known.knownAs, known.rows, known.rejected) = (row[0], row[2], row[3])
        return (known, row[4])
    }

    // MARK: Texts

    /// - Throws: ``MillError`` if the text has no header of a report. For an archive of receipts, the error names the
    ///   command that loads archives.
    private static func reader(of text: DigestedText, _ path: String) throws(MillError) -> StoreReportReader {
        do throws(MillError) {
            return try StoreReportReader(name: path) { () throws(MillError) in try text.next() }
        } catch {
            var error = error
            if text.beginning.starts(with: gzipBeginning) {
                error.what = "the text is gzip again, and no report file of the store"
                error.hint = "the file was compressed twice: load what gzip -dc makes of it"
                throw error
            }
            guard isArchive(text.beginning) else { throw error }
            error.what = "is no report file of the store; it begins as an archive of receipts does"
            error.hint = "receiptmill ingest loads archives; receiptmill load loads what receiptmill decode wrote"
            throw error
        }
    }

    /// The first bytes of a gzip file (RFC 1952, 2.3.1).
    private static let gzipBeginning: [UInt8] = [0x1f, 0x8b]

    /// Whether a text begins as lines of archives do: with JSON, with an app receipt in base64, or with a signed
    /// string.
    private static func isArchive(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = beginning.drop { $0 <= 0x20 }
        return ["{", "[", "\"{", "MII", "ewo", "ey"].contains { text.starts(with: $0.utf8) }
    }

    /// Refuses a file that is hardly a report. Each row that can't be read is stored with a reason, so such a file
    /// could fill the disk.
    private func refuseUnreadable(_ rows: StoreFileRows, _ path: String) throws(MillError) {
        guard rows.rejected > limits.rejections, rows.rejected > rows.count else { return }
        throw MillError(
            stage: .reading, path: path,
            what: "more than \(limits.rejections) rows can't be read, and fewer can; nothing of it is loaded",
            hint: "look at its lines: is it a report as the store wrote it?", exitStatus: .badData)
    }

    /// The maximum number of repeated rows in a file most of whose rows are repeated. Apple states each row once; in a
    /// file that was appended to itself, half of the rows are repeated.
    private static let maximumRepeats = 10_000

    /// Refuses a file that was made to fill the disk, since gzip needs only a few bytes for a repeated row.
    private func refuseRepeated(_ rows: StoreFileRows, _ path: String) throws(MillError) {
        guard rows.repeated > Self.maximumRepeats, rows.repeated > rows.count - rows.repeated else { return }
        throw MillError(
            stage: .reading, path: path,
            what:
                "more than \(Self.maximumRepeats) rows state what rows above them state, and fewer do not; nothing of "
                + "it is loaded",
            hint: "look at its lines: is it one report as the store wrote it? fetch it again", exitStatus: .badData)
    }
}
