internal import MillSystem

/// An entry of `store_reports` that has keys, and not only a path.
struct ReportFileSection: ConfigurationSection {
    var path = ""
    /// The folder for damaged files and files that are not reports.
    var quarantine: String?

    static let expected = "a path or a pattern such as /var/spool/store-reports/*.txt.gz"

    static var keys: [ConfigurationKey<ReportFileSection>] {
        [
            ConfigurationKey("path", \.path, .path(expected), isRequired: true, "As for path of archives."),
            ConfigurationKey(
                "damaged_to", \.quarantine, .path("a folder"),
                "The folder to which damaged files and files that are not Apple's reports are moved once they are "
                    + "reported, so that the next night does not fail again. Not a folder that any path searches."),
        ]
    }
}

extension ValueKind where Value == ArchiveSource {
    /// A path or pattern of report files, or an entry with keys. The files are found like archives, but are not moved.
    static var reportFiles: ValueKind {
        ValueKind(
            expected: ReportFileSection.expected, keys: ReportFileSection.descriptions,
            read: { (node) throws(MillError) in
                guard try node.members() != nil else {
                    return ArchiveSource(path: try ValueKind<String>.path(ReportFileSection.expected).read(node))
                }
                let section = try ValueKind<ReportFileSection>.section.read(node)
                var source = ArchiveSource(path: section.path)
                source.quarantine = section.quarantine
                return source
            }, written: \.path)
    }
}
