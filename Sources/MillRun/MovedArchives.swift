internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Compares the files in folders of moved archives with the archives that the database knows.
///
/// Every moved archive was loaded before. If the database does not know one of the files, it was restored from an older
/// backup.
struct MovedArchives {
    let pipeline: Pipeline
    let database: Warehouse
    let stop: CancellationFlag

    struct UnknownFile {
        let path: String
        /// The entry of the pipeline file, changed so that the file is not moved.
        let source: ArchiveSource
        /// Whether this is the first run that reports the file.
        let isNew: Bool
    }

    /// The files that the database does not know, in the order of entries and names.
    ///
    /// - Parameter remembering: whether the files count as reported from now on.
    func unknown(remembering: Bool) throws(MillError) -> [UnknownFile] {
        let former = try MovedFileStore(database).files()
        var files: [String: MovedFile] = [:]
        var unknown: [UnknownFile] = []
        for source in pipeline.archives {
            guard let folder = source.destination else { continue }
            var staying = source
            staying.after = .keep
            let names = (try? OpenFolder.own(folder, making: false))?.names() ?? []
            for name in names where !name.hasPrefix(".") && source.isMoved(name: name) {
                let path = "\(folder)/\(name)"
                guard files[path] == nil, let stamp = FileStamp(path: path), stamp.isRegular else { continue }
                var file = former[path]
                let isNew = file?.isOf(stamp) != true
                if let sha256 = try content(name, stamp.bytes) {
                    // The file is recorded because the archive may grow and then has another length.
                    files[path] = isNew ? MovedFile(path: path, stamp, sha256, isSettled: false) : file
                    continue
                }
                if isNew { file = try read(path, stamp) }
                guard let file else { continue }
                files[path] = file
                if file.isSettled { continue }
                if try database.archives.isKnown(file.sha256) { continue }
                unknown.append(UnknownFile(path: path, source: staying, isNew: isNew))
            }
        }
        if remembering { try MovedFileStore(database).remember(Array(files.values)) }
        return unknown
    }

    /// The content of the archive that the database holds with the name and the length; nil if there is none. If two
    /// archives share both, the one moved later has a digest in its name, so the file need not be read.
    private func content(_ name: String, _ bytes: Int64) throws(MillError) -> SHA256Digest? {
        if let original = MovedName.original(of: name) {
            let digits = String(name.prefix { $0 != "-" })
            if let found = try database.archives.content(named: original, bytes: bytes, digestBegins: digits) {
                return found
            }
        }
        return try database.archives.content(named: name, bytes: bytes, digestBegins: "")
    }

    /// - Returns: nil if the file can't be read.
    private func read(_ path: String, _ stamp: FileStamp) throws(MillError) -> MovedFile? {
        let sha256: SHA256Digest
        let reader: DeadLetterReader?
        do throws(MillError) {
            let file = try InputFile(path: path, isFound: true, stop: stop)
            sha256 = try file.digest().sha256
            let isOfLetters = try DeadLetterForm.of(file, limits: pipeline.limits) == .lines
            reader = isOfLetters ? try DeadLetterReader(file, limits: pipeline.limits) : nil
        } catch {
            if error.exitStatus == .tryLater { throw error }
            return nil
        }
        var isSettled = false
        if let reader { isSettled = try self.isSettled(reader) }
        return MovedFile(path: path, stamp, sha256, isSettled: isSettled)
    }

    /// Whether the database knows all lines of a dead-letter file, and none of their rejections is open.
    private func isSettled(_ reader: DeadLetterReader) throws(MillError) -> Bool {
        while true {
            let next: Result<DeadLetter, MillError>?
            do throws(MillError) { next = try reader.next() } catch {
                if error.exitStatus == .tryLater { throw error }
                // The lines before the damage decide.
                break
            }
            guard let next else { break }
            guard case .success(let letter) = next else { continue }
            if let state = try database.rejections.state(ofLine: letter.line, in: letter.archive) {
                if state.status == .open { return false }
            } else if try !database.archives.isRetracted(letter.archive) {
                return false
            }
        }
        return true
    }

    /// One fault for each folder with unknown files that no earlier run has reported.
    func faults(of unknown: [UnknownFile]) -> [MillError] {
        let new = Dictionary(grouping: unknown.filter(\.isNew)) { PathParts.folder(of: $0.path) }
        return new.sorted { $0.key < $1.key }.map { folder, files in
            let names = files.prefix(Self.maximumCount).map { PathParts.name(of: $0.path) }.joined(separator: ", ")
            let more = files.count > Self.maximumCount ? ", and \(files.count - Self.maximumCount) more" : ""
            let what =
                files.count == 1 ? "1 file that was moved here is" : "\(files.count) files that were moved here are"
            return MillError(
                stage: .reading, path: folder,
                what:
                    "\(what) unknown to the database, which may have been restored from an older backup: \(names)\(more)",
                hint:
                    "\(pipeline.reloadCommand) loads them, reported once; remove from there what is not meant to be loaded",
                exitStatus: .badData)
        }
    }

    /// The maximum number of files that a message names; further files are only counted.
    private static let maximumCount = 20
}
