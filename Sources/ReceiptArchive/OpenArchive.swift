package import MillSystem

/// Why no more is read of an archive.
package enum ArchiveEnding: Sendable {
    /// The end was reached, with the archive's text; nil if the text is not digested.
    case whole(ArchiveText?)
    /// The end was reached, but the archive is being appended to.
    case growing
    /// The run was asked to stop.
    case stopped
    /// The rest can't be read.
    case failed(MillError)
    /// The text is damaged, or may be a mixture of two texts. Lines after the sound ones may differ from what was
    /// written.
    case damaged(MillError, soundLines: Int64)

    /// Why the rest can't be read.
    package var failure: MillError? {
        switch self {
        case .failed(let failure), .damaged(let failure, _): failure
        case .whole, .growing, .stopped: nil
        }
    }
}

/// An archive that is being read.
package final class OpenArchive {
    package let file: InputFile
    /// The file's fingerprint; nil if the file is read only once and so can't be recognised.
    package let identity: ArchiveFingerprint?
    private var reader: ArchiveReader
    private let (skippedLines, limits, digestsText): (Int64, Limits, Bool)

    /// - Parameter file: the file, positioned at its beginning.
    package init(
        file: InputFile, identity: ArchiveFingerprint?, skippingLines: Int64 = 0, limits: Limits,
        batchSize: Int = ArchiveReader.defaultBatchSize, digestsText: Bool = false
    ) throws(MillError) {
        self.file = file
        self.identity = identity
        (skippedLines, self.limits, self.digestsText) = (skippingLines, limits, digestsText)
        reader = try ArchiveReader(
            file: file, skippingLines: skippingLines, limits: limits, batchSize: batchSize, digestsText: digestsText,
            isGrowing: { () throws(MillError) in
                guard let identity else { return false }
                return try identity.change(of: file) != .none
            })
    }

    /// The number of the file's bytes read so far.
    package var consumedBytes: Int { reader.consumedBytes }

    /// The header of an archive that may be a table, once its first line was read.
    package var header: TableHeader? { reader.header }

    /// The next whole lines; no line if a stream is silent; nil at the end of the archive.
    package func next() throws(MillError) -> LineBatch.Content? { try reader.next() }

    /// The text of all lines so far; nil if it is not digested, or if the file's bytes are the text.
    package func text() throws(MillError) -> ArchiveText? { try reader.text() }

    /// The reason why the text ended.
    package func ending() throws(MillError) -> ArchiveEnding {
        func damaged(_ what: String, _ hint: String, _ soundLines: Int64) -> ArchiveEnding {
            let failure = MillError(stage: .reading, path: file.path, what: what, hint: hint, exitStatus: .badData)
            return .damaged(failure, soundLines: soundLines)
        }
        var change = ArchiveFingerprint.FileChange.none
        if let identity { change = try identity.change(of: file) }
        switch change {
        case .rewritten:
            return damaged(
                "was overwritten while it was read",
                "replace archives by renaming a new file; the lines that were read from the old one are loaded",
                skippedLines)
        case .grown: return .growing
        case .none:
            guard let damage = reader.damage else {
                guard digestsText else { return .whole(nil) }
                return .whole(
                    try reader.text() ?? identity.map { ArchiveText(sha256: $0.sha256, bytes: $0.bytes) })
            }
            let place = consumedBytes
            return damaged(
                "\(damage) (near byte \(place))",
                "every whole line before the damage is loaded; fetch the archive again and load it too",
                try soundLines())
        }
    }

    /// The number of lines in the gzip members whose checksums match. The file is read again for it, which is
    /// acceptable since damage is rare.
    private func soundLines() throws(MillError) -> Int64 {
        guard reader.soundBytes > 0, let identity else { return 0 }
        try file.rewind(upTo: identity.bytes)
        return try file.countLines(inFirst: reader.soundBytes, inflationLimit: limits.inflation)
    }
}
