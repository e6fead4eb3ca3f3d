internal import DatabaseCare
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// The decision on an archive that is to be loaded.
enum ArchiveDecision {
    /// The archive's content was loaded before, under this name.
    case known(ArchiveFingerprint, name: String)
    /// Reading starts after the lines that earlier runs have processed.
    case load(InputFile, ArchiveFingerprint, processedLines: Int64)
    /// The file is a dead-letter file, whose rejected lines are read after all archives.
    case letters(InputFile, ArchiveFingerprint)
    case unreadable(MillError)
}

/// Recognises archives by their content and by the archives that the database knows.
final class ArchiveRecognizer {
    let database: Warehouse
    /// Archives that a pattern has found.
    private let found: Set<String>
    private let limits: Limits
    private let stop: CancellationFlag
    /// For each content, the name of the first archive of this run that has it.
    private var met: [SHA256Digest: String] = [:]

    init(_ run: RunContext) {
        database = run.database
        found = Set(run.archives.filter(\.isFoundByPattern).map(\.path))
        (limits, stop) = (run.configuration.limits, run.stop)
    }

    /// Decides on the next archive in the order of reading. Of two archives with the same content, only the first is
    /// loaded.
    ///
    /// - Throws: ``MillError`` only if the database fails.
    func decision(on path: String) throws(MillError) -> ArchiveDecision {
        let file: InputFile
        var fingerprint: ArchiveFingerprint
        do throws(MillError) {
            if path != "-", DatabaseName.isTaken(path, by: database.path) {
                throw MillError(
                    stage: .reading, path: path, what: "is the database that is loaded into, not an archive",
                    hint: "let archives lie in a folder of their own", exitStatus: .missingInput)
            }
            file = try InputFile(path: path, isFound: found.contains(path), stop: stop)
            fingerprint = try ArchiveFingerprint(of: file)
            if try DeadLetterForm.of(file, limits: limits) != nil { return .letters(file, fingerprint) }
        } catch {
            return .unreadable(error)
        }
        if let name = met[fingerprint.sha256] { return .known(fingerprint, name: name) }
        met[fingerprint.sha256] = fingerprint.name
        let state = try database.archives.progress(of: fingerprint.sha256)
        if let state, state.isComplete { return .known(fingerprint, name: state.name) }
        do throws(MillError) {
            var processedLines = state?.lines ?? 0
            if state == nil, let prefix = try prefix(of: fingerprint, file) {
                fingerprint.prefix = prefix
                processedLines = try database.archives.processedLines(ofPrefix: prefix)
            }
            try file.rewind(upTo: fingerprint.bytes)
            return .load(file, fingerprint, processedLines: processedLines)
        } catch {
            return .unreadable(error)
        }
    }

    /// The content that an archive had before lines were appended to it: the content of a loaded archive of the same
    /// name that is the beginning of the file, or whose text is the beginning of its text. Texts are compared too,
    /// because a log that is compressed again each night has other bytes.
    ///
    /// A file of another name is another archive, even if both begin alike. Otherwise the order in which two files are
    /// loaded would decide which lines each holds.
    private func prefix(of fingerprint: ArchiveFingerprint, _ file: InputFile) throws(MillError) -> SHA256Digest? {
        guard fingerprint.name != "-" else { return nil }
        let known = try database.archives.shorterContents(than: fingerprint)
        let found = try file.digests(upTo: known.map(\.bytes))
        if let prefix = zip(known, found).filter({ $0.sha256 == $1.sha256 }).last { return prefix.0.sha256 }
        let texts = try database.archives.texts(named: fingerprint.name)
        guard !texts.isEmpty else { return nil }
        try file.rewind(upTo: fingerprint.bytes)
        let begun = try file.texts(upTo: texts.map(\.text.bytes), inflationLimit: limits.inflation)
        return zip(texts, begun).filter { $0.text == $1 }.last?.0.archive
    }
}
