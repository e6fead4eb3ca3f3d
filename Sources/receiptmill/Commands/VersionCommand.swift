internal import ArgumentParser
internal import CSQLite
internal import MillRun
internal import MillSystem

/// `receiptmill version`: shows the versions of the binary, the schema and the libraries.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the versions of program, libraries, schema.",
        discussion: "As JSON, an object with version, configuration, schema and libraries.")

    @OptionGroup var output: SummaryOptions

    func run() throws {
        try CommandExit.of {
            let build = BuildInformation(sqlite: String(cString: sqlite3_libversion()))
            guard output.isJSON else {
                let libraries = build.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
                try Console.write(
                    "receiptmill \(build.version) (\(build.configuration)), schema \(build.schema)\n\(libraries)\n")
                return
            }
            try Console.writeJSON([
                "version": build.version, "configuration": build.configuration, "schema": build.schema,
                "libraries": Dictionary(uniqueKeysWithValues: build.libraries.map { ($0.name, $0.version) }),
            ])
        }
    }
}
