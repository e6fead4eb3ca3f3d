package import MillSystem

/// The reason why nothing more is read of an archive.
package enum ArchiveEnding: Sendable {
    /// The end was reached.
    case whole
    /// The end was reached, but the archive is being appended to.
    case growing
    /// The run was asked to stop.
    case stopped
    /// The rest can't be read.
    case failed(MillError)
}

/// An archive that is being read.
package final class OpenArchive {
    package let file: InputFile
    /// The file's fingerprint; nil where the file is read once, and so never recognised.
    package let identity: ArchiveFingerprint?
    private var reader: ArchiveReader

    /// - Parameter file: the file, positioned at its beginning.
    package init(
        file: InputFile, identity: ArchiveFingerprint?, skippingLines: Int64 = 0, limits: Limits,
        batchSize: Int = ArchiveReader.defaultBatchSize
    ) throws(MillError) {
        self.file = file
        self.identity = identity
        reader = try ArchiveReader(
            file: file, skippingLines: skippingLines, limits: limits, batchSize: batchSize,
            isGrowing: { () throws(MillError) in
                guard let identity else { return false }
                return try identity.change(of: file) != .none
            })
    }

    /// The number of the file's bytes read so far.
    package var consumedBytes: Int { reader.consumedBytes }

    /// The next whole lines; no line where a stream is silent; nil at the end of the archive.
    package func next() throws(MillError) -> LineBatch.Content? { try reader.next() }

    /// The reason why the text ended.
    package func ending() throws(MillError) -> ArchiveEnding {
        func failed(_ what: String, _ hint: String) -> ArchiveEnding {
            .failed(MillError(stage: .reading, path: file.path, what: what, hint: hint, exitStatus: .badData))
        }
        var change = ArchiveFingerprint.FileChange.none
        if let identity { change = try identity.change(of: file) }
        switch change {
        case .rewritten:
            return failed(
                "was overwritten while it was read",
                "replace archives by renaming a new file; the lines that were read from the old one are loaded")
        case .grown: return .growing
        case .none:
            guard let damage = reader.damage else { return .whole }
            return failed(
                "\(damage) (near byte \(consumedBytes))",
                "every whole line before the damage is loaded; fetch the archive again and load it too")
        }
    }
}
