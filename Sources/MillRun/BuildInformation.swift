internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// What a binary is made of.
package struct BuildInformation: Sendable {
    package let version = receiptMillVersion
    /// Of the database's tables; see `PRAGMA user_version`.
    package let schema = Schema.version
    /// `release`, or `debug`, whose speed says nothing.
    package let configuration: String = {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }()
    /// Names and versions, as the process finds them.
    package let libraries: [(name: String, version: String)]

    /// - Parameter sqlite: the version of SQLite.
    package init(sqlite: String) {
        libraries =
            [("openssl", openSSLVersion), ("sqlite", sqlite), ("zlib", InflationLibraries.zlibVersion)]
            + (InflationLibraries.isalVersion.map { [("isal", $0)] } ?? [])
    }
}
