internal import MillConfiguration
internal import ReceiptTrust

/// An archive to load, with the entry of the pipeline file that found it.
struct FoundArchive {
    let path: String
    /// The entry of the pipeline file that found the archive; nil if a person named the archive.
    var source: ArchiveSource?
    /// The SHA-256 of the archive's content; nil until a dry run has read the archive.
    var content: SHA256Digest?

    /// Whether a pattern found the archive. If its path is no regular file, it is then refused, since no person named
    /// it.
    var isFoundByPattern: Bool { source?.isPattern == true }
}
