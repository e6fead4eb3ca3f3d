internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Schedules archives.
///
/// An archive may be another one of its name with lines appended, so it is decided on only when
/// those of its name are loaded. The result of a run depends neither on the order in which
/// archives are given nor on the number of workers.
final class ArchiveScheduler: FileScheduler {
    private let configuration: LoadConfiguration
    private let recognizer: ArchiveRecognizer
    private var paths: ArraySlice<String>
    /// Bytes of each of these when the run began.
    private var sizes: ArraySlice<Double>
    private(set) var bytesAhead: Double
    /// Hashes the first archive while it is read, until it has been decided on.
    private var hashTask: ArchiveHashTask?
    private var isFirst = true
    /// The same task while its archive is read: nothing has met its content yet.
    private var unmet: ArchiveHashTask?
    /// Dead-letter files that were met, to be read after all archives.
    private(set) var letters: [CorrectionInput] = []
    /// Names of archives that were begun and may not be loaded yet.
    private var inFlightNames: Set<String> = []

    init(
        archives: [String], recognizer: ArchiveRecognizer, hashTask: ArchiveHashTask?, configuration: LoadConfiguration
    ) {
        self.configuration = configuration
        self.recognizer = recognizer
        self.hashTask = hashTask
        paths = ArchiveOrder(archives).indices.map { archives[$0] }[...]
        sizes = paths.map { Double(ArchiveOrder.bytes(of: $0)) }[...]
        bytesAhead = sizes.reduce(0, +)
    }

    var mustDrain: Bool { paths.first.map { inFlightNames.contains(ArchiveOrder.name($0)) } ?? false }

    var nextPath: String? { paths.first }

    func next() throws(MillError) -> ScheduledFile? {
        if mustDrain { inFlightNames = [] }
        guard !configuration.stop.isCancelled, let path = paths.popFirst() else { return nil }
        bytesAhead -= sizes.removeFirst()
        if let fingerprint = try? unmet?.identity() { recognizer.meet(fingerprint) }
        unmet = nil
        defer { isFirst = false }
        if isFirst, let file = try openUnhashed(path) { return file }
        switch try recognizer.decision(on: path) {
        case .letters(let file, let fingerprint):
            letters.append(.letters(file, fingerprint))
            return (.letters, nil)
        case .known(let fingerprint, let name): return (.known(fingerprint, path: path, name: name), nil)
        case .unreadable(let failure): return configuration.stop.isCancelled ? nil : (.unreadable(failure), nil)
        case .load(let file, let fingerprint, let processedLines):
            do throws(MillError) {
                return try open(file, .found(fingerprint), name: fingerprint.name, processedLines)
            } catch {
                return configuration.stop.isCancelled ? nil : (.unreadable(error), nil)
            }
        }
    }

    private func open(
        _ file: InputFile, _ identity: OpenIdentity, name: String, _ processedLines: Int64
    ) throws(MillError) -> ScheduledFile {
        let archive = try OpenArchive(
            file: file, identity: identity, skippingLines: processedLines, limits: configuration.limits,
            batchSize: configuration.batchSize)
        inFlightNames.insert(ArchiveOrder.name(file.path))
        let opened = OpenedFile(
            path: file.path, name: name, bytes: identity.bytes, identity: identity, processedLines: processedLines)
        return (.begin(opened), archive)
    }

    /// Opens the first archive of a run, into a database that holds none, while it is
    /// still being hashed: whatever its content, it is new, and read from its first line.
    ///
    /// - Returns: nil where it has to be recognised first.
    private func openUnhashed(_ path: String) throws(MillError) -> ScheduledFile? {
        guard let hashTask, try recognizer.database.archives.isEmpty(),
            let file = try? InputFile(path: path, isFound: true, stop: configuration.stop), hashTask.isOf(file),
            MovedName.original(of: file.name) == nil,
            (try? DeadLetterForm.of(file, limits: configuration.limits)) == .some(nil),
            (try? file.rewind(upTo: hashTask.bytes)) != nil,
            let opened = try? open(file, .ahead(hashTask), name: file.name, 0)
        else { return nil }
        unmet = hashTask
        return opened
    }
}
