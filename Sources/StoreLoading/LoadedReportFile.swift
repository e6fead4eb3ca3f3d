internal import MillDigest
internal import StoreReports

/// The outcome of loading a report file.
package struct LoadedReportFile: Sendable, Hashable {
    package let path: String
    /// SHA-256 of the inflated text in hexadecimal, which identifies the file in the database.
    package let sha256: String
    /// The report's name, as in the view `store_sales`.
    package let report: String
    /// The name under which the same text was loaded before; nil for a new file.
    package internal(set) var knownAs: String?
    /// Names of the files that this one replaces: their whole text is the beginning of its text, or it states all of
    /// their periods.
    package internal(set) var replaced: [String] = []
    /// The number of the file's rows in the database.
    package internal(set) var rows = 0
    /// The number of rows that could not be read.
    package internal(set) var rejected = 0
    /// The number of rows that were left out because their persons were erased.
    package internal(set) var erased = 0

    init(path: String, sha256: SHA256Digest, report: StoreReportKind) {
        (self.path, self.sha256, self.report) = (path, sha256.hex, report.rawValue)
    }
}

/// Something odd in a report file that does not keep rows from being loaded.
package struct ReportFileWarning: Sendable, Hashable {
    package let path: String
    package let line: Int?
    package let what: String
}

/// Counts over several report files.
package struct ReportFileCounts: Sendable, Hashable {
    /// The number of new files that were loaded.
    package private(set) var files = 0
    /// The number of files that had been loaded before.
    package private(set) var known = 0
    /// Counts of rows of new files.
    package private(set) var rows = 0
    package private(set) var rejected = 0
    package private(set) var erased = 0

    package init() {}

    package mutating func add(_ file: LoadedReportFile) {
        guard file.knownAs == nil else {
            known += 1
            return
        }
        files += 1
        rows += file.rows
        rejected += file.rejected
        erased += file.erased
    }
}
