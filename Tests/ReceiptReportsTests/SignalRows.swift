import MillTestSupport

extension SampleDatabase {
    /// Kinds of signals: app, signal, severity, lines, receipts, devices, accounts, first and last day.
    func signals(_ settings: [(name: String, text: String)] = []) throws -> [String] {
        try rows(of: "fraud-signals", with: settings).map { row in
            row.split(separator: ",", omittingEmptySubsequences: false)[1...9].joined(separator: ",")
        }
    }

    /// A part of a case's file, each row without its place and section.
    func file(_ section: String, of subject: String) throws -> [String] {
        try rows(of: "fraud-case", with: [("case", subject), ("section", section)]).map { row in
            row.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)[2...].joined()
        }
    }
}
