internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Opens archives so that the result of a run is independent of the order in which archives are given and of the number
/// of workers.
///
/// An archive may be another archive of its name with lines appended, so an archive is opened only when all earlier
/// archives of the same name are loaded.
final class ArchiveOpener: FileOpener {
    private let configuration: LoadConfiguration
    private let recognizer: ArchiveRecognizer
    /// Dead-letter files that were found; they are read after all archives.
    private(set) var letters: [CorrectionInput] = []
    /// Names of archives that are being loaded.
    private var inFlightNames: Set<String> = []

    init(_ recognizer: ArchiveRecognizer, _ configuration: LoadConfiguration) {
        (self.recognizer, self.configuration) = (recognizer, configuration)
    }

    func mustWait(_ path: String) -> Bool { inFlightNames.contains(ArchiveOrder.name(path)) }

    func open(_ path: String) throws(MillError) -> OpenedText {
        if mustWait(path) { inFlightNames = [] }
        switch try recognizer.decision(on: path) {
        case .letters(let file, let fingerprint):
            letters.append(.letters(file, fingerprint))
            return (.letters, nil)
        case .known(let fingerprint, let name): return (.known(fingerprint, path: path, name: name), nil)
        case .unreadable(let failure): return (.unreadable(failure), nil)
        case .load(let file, let identity, let processedLines):
            do throws(MillError) {
                let archive = try OpenArchive(
                    file: file, identity: identity, skippingLines: processedLines, limits: configuration.limits,
                    batchSize: configuration.batchSize, digestsText: true)
                inFlightNames.insert(ArchiveOrder.name(path))
                let opened = OpenedFile(
                    path: path, name: identity.name, bytes: identity.bytes, identity: identity,
                    processedLines: processedLines)
                return (.begin(opened), archive)
            } catch {
                return (.unreadable(error), nil)
            }
        }
    }
}
