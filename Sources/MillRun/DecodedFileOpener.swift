internal import DecodedLines
internal import MillBytes
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Opens files of decoded lines.
final class DecodedFileOpener: FileOpener {
    private let database: Warehouse
    private let configuration: LoadConfiguration
    /// For each digest, the name of the file that this run has begun, for files that are archives themselves.
    private var begun: [SHA256Digest: String] = [:]

    init(_ database: Warehouse, _ configuration: LoadConfiguration) {
        self.database = database
        self.configuration = configuration
    }

    func open(_ path: String) throws(MillError) -> OpenedText {
        do throws(MillError) {
            return try openReadable(path)
        } catch {
            guard error.databaseFault == nil else { throw error }
            return (.unreadable(error), nil)
        }
    }

    /// A stream whose lines name their archives is loaded while its text arrives. Any other stream is copied first,
    /// because the digest of all its bytes identifies it as an archive.
    private func openReadable(_ path: String) throws(MillError) -> OpenedText {
        let input = try InputFile(
            path: path, isReadOnce: true, longestSilence: configuration.longestSilence, stop: configuration.stop)
        input.keepBeginning()
        guard try namesNoArchive(input) else {
            try input.rewind()
            return try open(input, bytes: try input.stamp().bytes, nil, 0)
        }
        try input.copyStream()
        let fingerprint = try ArchiveFingerprint(of: input)
        if let name = begun[fingerprint.sha256] { return (.known(fingerprint, path: path, name: name), nil) }
        begun[fingerprint.sha256] = fingerprint.name
        let state = try database.archives.progress(of: fingerprint.sha256)
        if let state, state.isComplete { return (.known(fingerprint, path: path, name: state.name), nil) }
        return try open(input, bytes: fingerprint.bytes, fingerprint, state?.lines ?? 0)
    }

    private func open(
        _ input: InputFile, bytes: Int64, _ identity: ArchiveFingerprint?, _ processedLines: Int64
    ) throws(MillError) -> OpenedText {
        let opened = OpenedFile(
            path: input.path, name: input.name, bytes: bytes, identity: identity, processedLines: processedLines)
        let archive = try OpenArchive(
            file: input, identity: identity, skippingLines: processedLines, limits: configuration.limits,
            batchSize: configuration.batchSize)
        return (.begin(opened), archive)
    }

    /// Whether the first line is a decoded line that names no archive.
    private func namesNoArchive(_ input: InputFile) throws(MillError) -> Bool {
        var reader = try ArchiveReader(file: input, limits: configuration.limits, batchSize: configuration.batchSize)
        var first = try reader.next()
        while case .lines([])? = first { first = try reader.next() }
        guard case .lines(let text)? = first else { return false }
        var parser = try DecodedLineParser(keepsReceipts: false, keepsRejectedLines: false)
        return parser.namesArchive(text) == false
    }
}
