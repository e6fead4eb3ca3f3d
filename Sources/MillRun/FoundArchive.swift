internal import MillConfiguration
internal import ReceiptTrust

/// An archive to load, with the entry of the pipeline file that has found the archive.
struct FoundArchive {
    let path: String
    /// The entry of the pipeline file that has found the archive; nil if a person has named the archive.
    var source: ArchiveSource?
    /// The SHA-256 of the archive's content; nil until a dry run has read the archive.
    var content: SHA256Digest?

    /// Whether a pattern has found the archive: a path that is no regular file is then refused, since no person has
    /// named the path.
    var isFoundByPattern: Bool { source?.isPattern == true }
}
