internal import ArgumentParser
internal import CSQLite
internal import Foundation
internal import MillRun
internal import MillSystem

/// `receiptmill version`: the binary and what it runs with.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Say which version this is, of which libraries and schema.",
        discussion: "As JSON, an object with version, configuration, schema and libraries.")

    @OptionGroup var output: SummaryOptions

    private struct Answer: Encodable {
        let version: String
        let configuration: String
        let schema: Int
        let libraries: [String: String]
    }

    func run() throws {
        try CommandExit.of {
            let build = BuildInformation(sqlite: String(cString: sqlite3_libversion()))
            guard output.isJSON else {
                let libraries = build.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
                try Console.write(
                    "receiptmill \(build.version) (\(build.configuration)), schema \(build.schema)\n\(libraries)\n")
                return
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let answer = Answer(
                version: build.version, configuration: build.configuration, schema: build.schema,
                libraries: Dictionary(uniqueKeysWithValues: build.libraries.map { ($0.name, $0.version) }))
            try Console.write(String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n")
        }
    }
}
