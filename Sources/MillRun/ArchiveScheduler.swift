internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// Reads archives one after another and cuts them into batches.
///
/// What an archive is depends on what the database holds of others: those of its
/// name, of which it may be the grown version, and where it is a mended rejects
/// file, all whose lines were rejected. So shorter archives of a name come before
/// longer ones, mended files come last, and such an archive is judged only when all
/// before it is loaded: what a run makes of them depends neither on the order in
/// which they are given nor on the number of workers.
final class ArchiveScheduler {
    /// Places of the archives among those given, in the order of reading.
    let order: [Int]
    private var paths: ArraySlice<String>
    /// Bytes of each of these when the run began.
    private var sizes: ArraySlice<Double>
    private let loadDatabase: LoadDatabase
    private let limits: Limits
    private let batchSize: Int
    private var current: OpenArchive?
    /// Which lines of the archive at hand are read, where not all that follow.
    private var unsettled: UnsettledLines?
    /// Which of those are passed over, where it is a mended rejects file.
    private var settled: SettledLines?
    /// Whether rejected lines of archives that were loaded before are read again.
    var readsRejectedAgain = false
    /// Archives that nobody has named: a pattern has found them.
    var found: Set<String> = []
    /// Finds out what one of the archives is.
    var ahead: ArchiveHashTask?
    /// The same, of the archive that is read at the same time.
    private var unnamed: ArchiveHashTask?
    private var nextBatch = 0
    /// Contents met in this run, by the names under which they came first.
    private var begun: [SHA256Digest: String] = [:]
    /// Names of rejects files.
    private let rejectsFiles: Set<String>
    /// Names of archives that were handed on and may not be loaded yet.
    private var inFlightNames: Set<String> = []

    private let stop: CancellationFlag

    init(
        archives: [String], loadDatabase: LoadDatabase, limits: Limits, batchSize: Int, stop: CancellationFlag
    ) throws(MillError) {
        self.batchSize = batchSize
        rejectsFiles = try loadDatabase.rejectsFiles()
        order = Self.order(of: archives, rejectsFiles)
        paths = order.map { archives[$0] }[...]
        sizes = paths.map { Double(Self.bytes(of: $0)) }[...]
        self.loadDatabase = loadDatabase
        self.limits = limits
        self.stop = stop
    }

    /// By what archives belong together: the name under which one came, or may have.
    private static func name(_ path: String) -> String {
        let name = PathParts.name(of: path)
        return MovedName.original(of: name) ?? name
    }

    private static func bytes(of path: String) -> Int64 { FileStamp(path: path)?.bytes ?? 0 }

    private static func order(of archives: [String], _ rejectsFiles: Set<String>) -> [Int] {
        let mended = archives.indices.filter { rejectsFiles.contains(name(archives[$0])) }
        var order = archives.indices.filter { !rejectsFiles.contains(name(archives[$0])) }
        let places = Dictionary(grouping: order.indices) { name(archives[order[$0]]) }
        for places in places.values where places.count > 1 {
            let bytes = places.map { (Self.bytes(of: archives[order[$0]]), order[$0]) }
            for (place, (_, archive)) in zip(places, bytes.sorted { $0 < $1 }) { order[place] = archive }
        }
        return order + mended
    }

    /// Whether the next archive can be judged only when all before it is loaded.
    var mustDrain: Bool {
        guard current == nil, !inFlightNames.isEmpty, let name = paths.first.map(Self.name) else { return false }
        return inFlightNames.contains(name) || rejectsFiles.contains(name)
    }

    /// The next piece of work; nil after the last archive, or when asked to stop.
    func next() throws(MillError) -> ArchiveItem<LineBatch>? {
        guard let archive = current else {
            if mustDrain { inFlightNames = [] }
            guard !stop.isMade, let path = paths.popFirst() else { return nil }
            sizes.removeFirst()
            return try open(path)
        }
        if stop.isMade {
            current = nil
            return .end(.stopped)
        }
        do throws(MillError) {
            while let content = try archive.next() {
                let (content, numbers) = try pick(from: content)
                guard let content else {
                    if stop.isMade { break }
                    continue
                }
                defer { nextBatch += 1 }
                return .batch(
                    LineBatch(sequence: nextBatch, content: content), numbers: numbers,
                    ReadingPlace(
                        consumedBytes: Int64(archive.consumedBytes),
                        bytesAhead: archive.bytesAhead + sizes.reduce(0, +)))
            }
            if stop.isMade {
                current = nil
                return .end(.stopped)
            }
            current = nil
            return .end(try archive.ending())
        } catch {
            current = nil
            return .end(stop.isMade ? .stopped : .failed(error))
        }
    }

    /// What is to be read of the next whole lines; nil where nothing is.
    private func pick(
        from content: LineBatch.Content
    ) throws(MillError) -> (content: LineBatch.Content?, numbers: [Int64]?) {
        guard unsettled != nil else { return (settled?.emptied(content, numbers: nil) ?? content, nil) }
        guard let picked = try unsettled?.pick(from: content) else { return (nil, nil) }
        return (settled?.emptied(picked.content, numbers: picked.numbers) ?? picked.content, picked.numbers)
    }

    /// - Returns: nil where reading was stopped.
    private func open(_ path: String) throws(MillError) -> ArchiveItem<LineBatch>? {
        if let identity = try? unnamed?.identity() { begun[identity.sha256] = identity.name }
        unnamed = nil
        if let item = try openUnnamed(path) { return item }
        switch try intake(of: path) {
        case .known(let identity, let name): return .known(identity, path: path, name: name)
        case .unreadable(let failure): return stop.isMade ? nil : .unreadable(failure)
        case .taken(let file, let identity, let settled, let archive):
            do throws(MillError) {
                unsettled = archive.map {
                    UnsettledLines(loadDatabase, archive: $0, settled: settled, origins: identity.origins)
                }
                self.settled = identity.origins.map { SettledLines($0, behind: settled) }
                current = try OpenArchive(
                    file: file, identity: .found(identity), skippingLines: archive == nil ? settled : 0,
                    limits: limits, batchSize: batchSize)
                inFlightNames.insert(Self.name(path))
                return .begin(.found(identity), path: path, start: archive == nil ? .behind(lines: settled) : .again)
            } catch {
                return stop.isMade ? nil : .unreadable(error)
            }
        }
    }

    /// Opens the first archive of a run, into a database that holds none, while it is
    /// still found out what it is: whatever that be, it is new, and read from its first
    /// line.
    ///
    /// - Returns: nil where it has to be looked at first, as a file that has the name of
    ///   rejected lines.
    private func openUnnamed(_ path: String) throws(MillError) -> ArchiveItem<LineBatch>? {
        guard let ahead, paths.count == order.count - 1, !rejectsFiles.contains(Self.name(path)),
            try !loadDatabase.holdsArchives(), let file = try? InputFile(path: path, isFound: true, stop: stop),
            ahead.isOf(file),
            MovedName.original(of: file.name) == nil, (try? file.rewind(upTo: ahead.bytes)) != nil,
            let archive = try? OpenArchive(
                file: file, identity: .ahead(ahead), limits: limits, batchSize: batchSize)
        else { return nil }
        current = archive
        unnamed = ahead
        inFlightNames.insert(Self.name(path))
        return .begin(.ahead(ahead), path: path, start: .behind(lines: 0))
    }

    /// What is to be done with an archive.
    enum ArchiveDecision {
        /// Its content was loaded before, under a name.
        case known(ArchiveFingerprint, name: String)
        /// It is read from its beginning.
        ///
        /// - Parameters:
        ///   - settled: lines that earlier runs have read.
        ///   - archive: its number, where of those the ones without a submission are
        ///     read again.
        case taken(InputFile, ArchiveFingerprint, settled: Int64, archive: Int64?)
        case unreadable(MillError)
    }

    /// Judges an archive that comes after those that were judged before.
    ///
    /// - Throws: ``MillError`` of the database alone.
    func intake(of path: String) throws(MillError) -> ArchiveDecision {
        let file: InputFile
        var identity: ArchiveFingerprint
        do throws(MillError) {
            if path != "-", DatabaseName.isTaken(path, by: loadDatabase.path) {
                throw MillError(
                    stage: .reading, path: path, what: "is the database that is loaded into, not an archive",
                    hint: "let archives lie in a folder of their own", exitStatus: .missingInput)
            }
            file = try InputFile(path: path, isFound: found.contains(path), stop: stop)
            if let ahead, ahead.isOf(file), let ready = try? ahead.identity() {
                identity = ready
            } else {
                identity = try ArchiveFingerprint(of: file)
            }
        } catch {
            return .unreadable(error)
        }
        if let name = begun[identity.sha256] { return .known(identity, name: name) }
        begun[identity.sha256] = identity.name
        let state = try loadDatabase.state(of: identity.sha256)
        do throws(MillError) {
            var settled = state?.lines ?? 0
            if state == nil, let beginning = try beginning(of: identity, file) {
                identity.beginning = beginning
                settled = try loadDatabase.processedLines(ofBeginning: beginning)
            }
            // Somebody waits for lines of a mended file that could not be read before.
            let isReadAgain = try readsRejectedAgain ? true : loadDatabase.unmendedLines(of: identity.sha256) > 0
            let archive =
                isReadAgain
                ? try loadDatabase.archiveWithUnsettledLines(identity.beginning ?? identity.sha256) : nil
            if let state, state.isComplete, archive == nil { return .known(identity, name: state.name) }
            // What was loaded stays the archive that it was, whatever its name is now.
            if let written = try loadDatabase.writtenRejects(ofFile: state?.name ?? identity.name) {
                try file.rewind(upTo: identity.bytes)
                let origins = try LineOrigins(of: file, limits: limits, among: written)
                try origins.refuseStrangers(of: path, behind: settled)
                identity.origins = origins
            }
            try file.rewind(upTo: identity.bytes)
            return .taken(file, identity, settled: settled, archive: archive)
        } catch {
            return .unreadable(error)
        }
    }

    /// What was loaded of an archive that has grown since: a file of the same name
    /// that begins with exactly that content.
    ///
    /// Another name is another archive, even if it begins alike: else the order
    /// of loading two would decide what they hold.
    private func beginning(of identity: ArchiveFingerprint, _ file: InputFile) throws(MillError) -> SHA256Digest? {
        guard identity.name != "-" else { return nil }
        let known = try loadDatabase.shorterContents(than: identity)
        let found = try file.digests(upTo: known.map(\.bytes))
        return zip(known, found).filter { $0.sha256 == $1.sha256 }.last?.0.sha256
    }
}
