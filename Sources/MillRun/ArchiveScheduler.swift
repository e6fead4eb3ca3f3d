internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Opens archives in an order that makes the result of a run independent of the order in which archives are given and
/// of the number of workers.
///
/// An archive may be another archive of its name with lines appended, so the scheduler decides on an archive only when
/// all earlier archives of the same name are loaded.
final class ArchiveScheduler: FileScheduler {
    private let configuration: LoadConfiguration
    private let recognizer: ArchiveRecognizer
    private(set) var ahead: FilesAhead
    /// Dead-letter files that were found; they are read after all archives.
    private(set) var letters: [CorrectionInput] = []
    /// Names of archives that are being loaded.
    private var inFlightNames: Set<String> = []

    init(archives: [String], recognizer: ArchiveRecognizer, configuration: LoadConfiguration) {
        self.configuration = configuration
        self.recognizer = recognizer
        ahead = FilesAhead(ArchiveOrder(archives).indices.map { archives[$0] })
    }

    var mustDrain: Bool { ahead.next.map { inFlightNames.contains(ArchiveOrder.name($0)) } ?? false }

    func next() throws(MillError) -> ScheduledFile? {
        if mustDrain { inFlightNames = [] }
        guard !configuration.stop.isCancelled, let path = ahead.popFirst() else { return nil }
        switch try recognizer.decision(on: path) {
        case .letters(let file, let fingerprint):
            letters.append(.letters(file, fingerprint))
            return (.letters, nil)
        case .known(let fingerprint, let name): return (.known(fingerprint, path: path, name: name), nil)
        case .unreadable(let failure): return configuration.stop.isCancelled ? nil : (.unreadable(failure), nil)
        case .load(let file, let fingerprint, let processedLines):
            do throws(MillError) {
                return try open(file, fingerprint, name: fingerprint.name, processedLines)
            } catch {
                return configuration.stop.isCancelled ? nil : (.unreadable(error), nil)
            }
        }
    }

    private func open(
        _ file: InputFile, _ identity: ArchiveFingerprint, name: String, _ processedLines: Int64
    ) throws(MillError) -> ScheduledFile {
        let archive = try OpenArchive(
            file: file, identity: identity, skippingLines: processedLines, limits: configuration.limits,
            batchSize: configuration.batchSize, digestsText: true)
        inFlightNames.insert(ArchiveOrder.name(file.path))
        let opened = OpenedFile(
            path: file.path, name: name, bytes: identity.bytes, identity: identity, processedLines: processedLines)
        return (.begin(opened), archive)
    }
}
