internal import ArgumentParser
internal import Foundation
internal import MillDatabase
internal import MillSystem

/// The option `--database FILE`, which may be left out.
struct DatabaseOption: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customLong("database")],
        help: .everyday(
            "The database. Unless set, that of \(Self.variable), else the only one in this folder.",
            details:
                "Commands that load create the file. In the folder, only files that end in .sqlite, .sqlite3 or .db count.",
            valueName: "file"),
        completion: .file())
    var named: String?

    static let variable = "RECEIPTMILL_DATABASE"

    /// The path of the database on which the command works.
    ///
    /// - Throws: ``MillError`` if neither the option nor the environment names a database, and the folder has none or
    ///   several.
    var path: String {
        get throws(MillError) { if let named { named } else { try Self.unnamed.get() } }
    }

    /// A stored property, so that the message is printed only once.
    private static let unnamed: Result<String, MillError> = {
        if let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty { return .success(path) }
        let found = databases(in: ".")
        if found.count == 1 {
            if !CommandLine.arguments.contains("--quiet") {
                Console.complain("database: \(found[0]), the only one in this folder", as: .notice)
            }
            return .success(found[0])
        }
        let several =
            "this folder has \(found.count) databases: \(found.prefix(3).joined(separator: ", "))"
            + (found.count > 3 ? " and others" : "")
        return .failure(
            MillError(
                stage: .configuring, what: found.isEmpty ? "no database is named" : several,
                hint: "give --database FILE, which a load creates, or set \(variable)", exitStatus: .usage
            ))
    }()

    /// The names of ReceiptMill's databases in a folder, sorted. Only regular files are opened: opening a pipe would
    /// wait for a writer.
    private static func databases(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            [".sqlite", ".sqlite3", ".db"].contains { name.hasSuffix($0) } && isFile(name)
                && Schema.isStated(inFileAt: name)
        }.sorted()
    }

    private static func isFile(_ name: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: name)[.type] as? FileAttributeType
        return type == .typeRegular
    }
}
