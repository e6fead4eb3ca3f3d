internal import ArgumentParser
internal import CSQLite
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// `receiptmill version`: shows the versions of the binary, the schema and the libraries.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the versions of program, libraries, schema.",
        discussion: "As JSON, an object with version, configuration, schema and libraries.")

    @OptionGroup var output: SummaryOptions

    /// Measurements of a debug build say nothing about the program's speed.
    private static var buildConfiguration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    func run() throws {
        let (build, schema) = (Self.buildConfiguration, Schema.version)
        let known: [(name: String, version: String?)] = [
            ("openssl", openSSLVersion), ("sqlite", String(cString: sqlite3_libversion())),
            ("zlib", InflationLibraries.zlibVersion), ("isal", InflationLibraries.isalVersion),
        ]
        let libraries = known.compactMap { name, version in version.map { (name: name, version: $0) } }
        if output.isJSON {
            try Console.writeJSON([
                "version": receiptMillVersion, "configuration": build, "schema": schema,
                "libraries": Dictionary(uniqueKeysWithValues: libraries.map { ($0.name, $0.version) }),
            ])
        } else {
            let named = libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
            try Console.write("receiptmill \(receiptMillVersion) (\(build)), schema \(schema)\n\(named)\n")
        }
    }
}
