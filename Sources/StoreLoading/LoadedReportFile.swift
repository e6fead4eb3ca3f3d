internal import MillDigest
internal import StoreReports

/// What became of a report file.
package struct LoadedReportFile: Sendable, Hashable {
    package let path: String
    /// SHA-256 of the inflated text in hexadecimal, by which the database knows the file.
    package let sha256: String
    /// The report's name, as in the view `store_sales`.
    package let report: String
    /// The name under which the same text was loaded before; nil of a file that is new.
    package internal(set) var knownAs: String?
    /// Names of the files that this one replaces: its text begins with their whole text, or it states all their
    /// periods.
    package internal(set) var replaced: [String] = []
    /// How many rows the database has of the file.
    package internal(set) var rows = 0
    /// How many rows could not be read.
    package internal(set) var rejected = 0
    /// How many rows were left out, because they are of persons who were erased.
    package internal(set) var erased = 0

    init(path: String, sha256: SHA256Digest, report: StoreReportKind) {
        (self.path, self.sha256, self.report) = (path, sha256.hex, report.rawValue)
    }
}

/// Something odd in a report file, although every row is loaded.
package struct ReportFileWarning: Sendable, Hashable {
    package let path: String
    package let line: Int?
    package let what: String
}

/// Counts over several report files.
package struct ReportFileCounts: Sendable, Hashable {
    /// How many new files were loaded.
    package private(set) var files = 0
    /// How many files were loaded before.
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
