internal import MillSystem

/// One entry of `store_reports` that is more than a path.
struct ReportFileSection: ConfigurationSection {
    var path = ""
    /// The folder for files that are damaged, or no reports.
    var quarantine: String?

    static let expected = "a path or a pattern such as /var/spool/store-reports/*.txt.gz"

    static var keys: [ConfigurationKey<ReportFileSection>] {
        [
            ConfigurationKey("path", \.path, .path(expected), isRequired: true, "As for path of archives."),
            ConfigurationKey(
                "damaged_to", \.quarantine, .path("a folder"),
                "Where files are moved that are damaged, or no reports of the store, once that was reported: the next "
                    + "night does not fail for them again. Not where any path looks."),
        ]
    }
}

extension ValueKind where Value == ArchiveSource {
    /// A path or pattern of report files, which are found as archives are and stay where they are, or such an entry.
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
