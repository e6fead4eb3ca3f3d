internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// Versions of the program, its schema and its libraries.
struct BuildInformation: Sendable {
    let version = receiptMillVersion
    /// The version of the database's tables, which `PRAGMA user_version` holds.
    let schema = Schema.version
    /// `release`, or `debug`; measurements of a debug build say nothing about the program's speed.
    let configuration: String = {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }()
    /// Names of the libraries that the process uses, with the versions that the libraries report.
    let libraries: [(name: String, version: String)]

    /// - Parameter sqlite: the version of SQLite.
    init(sqlite: String) {
        libraries =
            [("openssl", openSSLVersion), ("sqlite", sqlite), ("zlib", InflationLibraries.zlibVersion)]
            + (InflationLibraries.isalVersion.map { [("isal", $0)] } ?? [])
    }
}
