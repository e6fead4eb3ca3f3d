internal import MillSystem
internal import SignedDataFormat

extension UnknownMembers {
    /// Writes the members that are not in the table of fields, with the JSON types of their values.
    func write(to report: inout ReportWriter) {
        let heading = isEmpty ? nil : TerminalText.padded("unknown", to: ReportWriter.labelWidth) + counted
        report.list(
            "unknown_members", heading: heading, members, title: { "\(members[$0].path): \(members[$0].valueType)" }
        ) {
            $0.member("path", $1.path)
            $0.member("value_type", $1.valueType)
        }
    }

    /// The number of members, in words.
    private var counted: String {
        members.count == 1
            ? "1 member or value"
            : "\(members.count)\(members.count == Self.maximumCount ? " or more" : "") members or values"
    }
}
