internal import MillConfiguration
internal import ReceiptTrust

/// An archive to load.
struct FoundArchive {
    let path: String
    /// The entry of the pipeline file that has found it; nil where a person has named the archive.
    var source: ArchiveSource?
    /// The SHA-256 of its content, as far as a dry run has read the archive.
    var content: SHA256Digest?

    /// Whether no one has named the archive: one that is no regular file is then refused.
    var isFoundByPattern: Bool { source?.isPattern == true }
}
