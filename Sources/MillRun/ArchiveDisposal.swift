internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// The decision on an archive whose every line is in the database.
enum DisposalDecision {
    case stay
    case move(to: String)
    case delete
    /// The archive would be deleted, but rejected lines would be lost with it.
    case keep(lines: Int)
    /// Nearly all lines of the archive are rejected: the file is not an archive, or was read with wrong settings.
    case setAside(RejectedArchive, to: String)
    /// The archive would be deleted, but holds the only copy of documents that may still become trusted.
    case keepUntrusted(UntrustedArchive)
}

/// Moves and deletes archives that are loaded. A value of this type is also the permission to do so: it can be made only
/// after all steps that can meet a fault of the database, and only if no step has met one. If the database turns out to
/// be damaged, committed rows are not safe, whichever step met the damage.
///
/// An archive is moved or deleted only if all of its lines are durable, and only if the file is still the one that was
/// read. It is deleted only if nothing is lost: a rejected line that the database does not keep exists in the archive
/// alone.
struct ArchiveDisposal {
    private let run: RunContext
    /// The maximum share of an archive's lines that may hold documents which are not trusted; an archive above it is
    /// not deleted. Nil if the database keeps receipts, since those can be verified again.
    private let untrustedShare: Double?

    var database: Warehouse { run.database }

    /// - Parameter run: a run that has done all steps except the disposal of archives.
    /// - Returns: nil if a step met a fault of the database, or the run was stopped.
    init?(after run: RunContext, untrustedShare: Double?) {
        guard !run.summary.isStopped, run.summary.failures.allSatisfy({ $0.databaseFault == nil }) else { return nil }
        (self.run, self.untrustedShare) = (run, untrustedShare)
    }

    /// - Parameter holdsLetters: whether the archive is a dead-letter file all of whose rejected lines are loaded or
    ///   skipped.
    static func decision(
        on sha256: SHA256Digest, of source: ArchiveSource, holdsLetters: Bool = false, untrustedShare: Double?,
        in database: Warehouse
    ) throws(MillError) -> DisposalDecision {
        guard source.after != .keep || source.quarantine != nil else { return .stay }
        if !holdsLetters {
            if try !database.archives.isComplete(sha256) { return .stay }
            if let folder = source.quarantine, let rejected = try RejectedArchive(sha256, in: database) {
                return .setAside(rejected, to: folder)
            }
        }
        guard source.after != .keep else { return .stay }
        if source.after == .move, let folder = source.destination { return .move(to: folder) }
        if holdsLetters { return .delete }
        let lines = try database.rejections.countKeptNowhere(in: sha256)
        if lines > 0 { return .keep(lines: lines) }
        let untrusted = try untrustedShare.flatMap { (share) throws(MillError) in
            try UntrustedArchive(sha256, allowing: share, database)
        }
        return untrusted.map { .keepUntrusted($0) } ?? .delete
    }

    /// The words by which a dry run states the decision on an archive that is loaded already.
    static func announcement(
        of sha256: SHA256Digest, _ source: ArchiveSource?, untrustedShare: Double?, in database: Warehouse
    ) throws(MillError) -> String {
        guard let source else { return "" }
        return switch try decision(on: sha256, of: source, untrustedShare: untrustedShare, in: database) {
        case .stay: ""
        case .move(let folder): ", move to \(folder)"
        case .delete: ", delete"
        case .setAside(let rejected, let folder):
            ", move to \(folder): \(rejected.rejected) of its \(rejected.lines) lines were rejected"
        case .keepUntrusted(let untrusted):
            ", not deleted: \(untrusted.untrusted) of its \(untrusted.lines) lines hold what is not trusted"
        case .keep(let lines): ", not deleted: \(lines) of its lines were rejected and stand nowhere else"
        }
    }

    /// The words by which a dry run states what will happen to an archive whose lines are still to be read.
    static func announcement(ofUnread source: ArchiveSource?) -> String {
        switch source?.after {
        case .keep, nil: ""
        case .move: ", move to \(source?.destination ?? "")"
        case .delete: ", delete unless rejected lines of it would be lost"
        }
    }

    /// Disposes of an archive, and reports what became of it.
    func dispose(of archive: DurableArchive, as source: ArchiveSource) throws(MillError) {
        guard FileStamp(path: archive.path) == archive.stamp else { return }
        let path = archive.path
        let file = ProcessedFile(path: path, stamp: archive.stamp)
        let decision = try Self.decision(
            on: archive.sha256, of: source, holdsLetters: archive.holdsLetters, untrustedShare: untrustedShare,
            in: database)
        if case .setAside(let rejected, let folder) = decision {
            guard let target = try quarantine(path, archive.stamp, in: folder) else { return }
            let fault = rejected.fault(at: path)
            run.summary.failures.append(fault)
            run.report(.failed(fault))
            return run.log(.warning, "\(path): moved to \(target)", ["to": target])
        }
        do {
            switch decision {
            case .stay, .setAside: break
            case .keepUntrusted(let untrusted):
                let fault = untrusted.fault(at: path)
                run.summary.keptArchives += 1
                run.log(.warning, "\(path): stays; it \(fault.what)", ["archive": path], hint: fault.hint ?? "")
            case .keep(let lines):
                run.summary.keptArchives += 1
                run.log(
                    .warning, "\(path): not deleted, \(lines) of its lines were rejected and stand nowhere else",
                    ["archive": path, "lines": lines],
                    hint: "correct lines and receiptmill run --retry; with dead_letters the database keeps such lines; "
                        + "or move")
            case .delete: if try file.remove() { noteDeletion(of: path) }
            case .move(let folder):
                let target = try file.move(to: folder, archive.sha256, run.stop) { try remember(archive, at: $0) }
                guard let target else { return }
                run.summary.movedArchives += 1
                run.log(.info, "\(path): moved to \(target)", ["archive": path, "to": target])
            }
        } catch let error as Errno {
            throw Self.failure(path, source, error.text, .writing(error.code))
        } catch {
            throw MillError(error, at: .reading, path: path)
        }
    }

    func noteDeletion(of path: String) {
        run.summary.deletedArchives += 1
        run.log(.info, "\(path): deleted", ["archive": path])
    }

    /// Moves a damaged archive or report file to the folder of such files.
    func dispose(ofDamaged file: DamagedFile, in folder: String) throws(MillError) {
        guard let target = try quarantine(file.path, file.stamp, in: folder) else { return }
        run.log(
            .warning, "\(file.path): damaged, moved to \(target)", ["archive": file.path, "to": target],
            hint: "have it delivered again, then remove it")
    }

    /// - Returns: the new path; nil if the file stays, because another file has taken its name meanwhile.
    private func quarantine(_ path: String, _ stamp: FileStamp, in folder: String) throws(MillError) -> String? {
        guard FileStamp(path: path) == stamp else { return nil }
        let sha256 = try InputFile(path: path, isFound: true, stop: run.stop).digest().sha256
        do {
            return try ProcessedFile(path: path, stamp: stamp).move(to: folder, sha256, run.stop)
        } catch let error as Errno {
            throw MillError(
                stage: .reading, path: path, what: "is damaged, and can't be moved to \(folder): \(error.text)",
                hint: "check names, folders and their permissions; the next run tries again",
                exitStatus: .writing(error.code))
        } catch {
            throw MillError(error, at: .reading, path: path)
        }
    }

    /// Records the name to which an archive is moved, before it is moved. The database then knows the file even if no
    /// archive has this name and length, as with an archive that was delivered twice or that grows later.
    private func remember(_ archive: DurableArchive, at target: String) throws(MillError) {
        try MovedFileStore(database).add(
            MovedFile(path: target, archive.stamp, archive.sha256, isSettled: archive.holdsLetters))
    }

    /// Throws if an archive could not be moved or deleted.
    static func refuseUnmovable(
        _ path: String, _ sha256: SHA256Digest, as source: ArchiveSource
    ) throws(MillError) {
        guard source.after != .keep else { return }
        let name = PathParts.name(of: path)
        var changes = [(folder: RealPath.ofFolder(path), name: name)]
        if let folder = source.destination {
            if let fault = OpenFolder.fault(of: folder) { throw fault }
            changes.append((folder, try ProcessedFile.target(for: path, sha256, in: folder)))
        }
        for (folder, name) in changes {
            guard let fault = FolderAccess.fault(making: name, in: folder) else { continue }
            throw failure(path, source, "\(folder): \(Errno(fault).text)", .writing(fault), "would be")
        }
    }

    private static func failure(
        _ path: String, _ source: ArchiveSource, _ why: String, _ status: ExitStatus, _ verb: String = "is"
    ) -> MillError {
        MillError(
            stage: .reading, path: path,
            what: "\(verb) loaded, but can't be \(source.after == .move ? "moved" : "deleted"): \(why)",
            hint: status == .ioError
                ? "check the disk and the space left on it; the next run tries again"
                : "check names, folders and their permissions; the next run tries again", exitStatus: status)
    }
}
