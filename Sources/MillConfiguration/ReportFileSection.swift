internal import MillSystem

extension ArchiveSource {
    static let expectedReportFiles = "a path or a pattern such as /var/spool/store-reports/*.txt.gz"

    /// The keys of an entry of `store_reports` that has keys, and not only a path.
    fileprivate static var keysOfReportFiles: [Key] {
        [
            Key("path", \.path, .path(expectedReportFiles), isRequired: true, "As for path of archives."),
            Key(
                "damaged_to", \.quarantine, .path("a folder"),
                "The folder to which damaged files and files that are not Apple's reports are moved once they are "
                    + "reported, so that the next night does not fail again. Not a folder that any path searches."),
        ]
    }
}

extension ValueKind where Value == ArchiveSource {
    /// A path or pattern of report files, or an entry with keys. The files are found like archives, but are not moved.
    static var reportFiles: ValueKind {
        let expected = ArchiveSource.expectedReportFiles
        let section = section(with: ArchiveSource.keysOfReportFiles)
        return ValueKind(
            expected: expected, keys: section.keys,
            read: { (node) throws(MillError) in
                guard try node.members() == nil else { return try section.read(node) }
                return ArchiveSource(path: try ValueKind<String>.path(expected).read(node))
            }, written: \.path)
    }
}
