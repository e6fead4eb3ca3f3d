internal import Foundation
internal import ReceiptSQL

/// The reports that can be run by name: those built in, and those of a folder
/// of the user's, which go before built-in ones of the same name.
///
/// A file is read when its report is asked for, so that one broken file does
/// not stand in the way of the others.
public struct ReportCatalog: Sendable {
    private struct Entry {
        var topic: String?
        var origin: Report.Origin
        /// The text where it is at hand, else it is read from the origin.
        var text: String?
    }

    private var entries: [String: Entry] = [:]

    /// The built-in reports alone.
    public init() {
        for file in SQLFile.files(in: "reports") {
            let folders = file.path.split(separator: "/").dropFirst().dropLast()
            entries[file.name] = Entry(
                topic: folders.isEmpty ? nil : folders.joined(separator: "/"),
                origin: .builtIn(path: "sql/" + file.path), text: file.text)
        }
    }

    /// The built-in reports and every `.sql` file in a folder and below it.
    ///
    /// Where the folder holds one named `reports`, as the project's own `sql/`
    /// does, only that is read.
    ///
    /// - Throws: ``MillError`` if the folder can't be read or holds two reports
    ///   of one name.
    public init(folder: String) throws {
        self.init()
        let reports = folder + "/reports"
        let root = Self.isFolder(reports) ? reports : folder
        guard Self.isFolder(root), let paths = FileManager.default.subpaths(atPath: root) else {
            throw MillError(
                stage: .reporting, path: folder, what: "no folder of reports can be read here",
                hint: "give a folder that holds .sql files", exitStatus: .missingInput)
        }
        var own: [String: String] = [:]
        for path in paths.sorted() where path.hasSuffix(".sql") {
            let parts = path.split(separator: "/")
            guard let file = parts.last, !parts.contains(where: { $0.hasPrefix(".") }) else { continue }
            let name = String(file.dropLast(4))
            if let other = own[name] {
                throw MillError(
                    stage: .reporting, path: root + "/" + path,
                    what: "the report \(name) stands in \(root)/\(other) too",
                    hint: "rename one of the two, in its first line as well", exitStatus: .configuration)
            }
            own[name] = path
            entries[name] = Entry(
                topic: parts.count == 1 ? nil : parts.dropLast().joined(separator: "/"),
                origin: .file(path: root + "/" + path))
        }
    }

    /// The names of all reports, ordered by topic, then name; those without a
    /// topic come last.
    public var names: [String] {
        entries.sorted {
            ($0.value.topic == nil ? 1 : 0, $0.value.topic ?? "", $0.key)
                < ($1.value.topic == nil ? 1 : 0, $1.value.topic ?? "", $1.key)
        }.map(\.key)
    }

    /// Every report, in the order of ``names``.
    ///
    /// - Throws: ``MillError`` for the first that can't be read.
    public func reports() throws -> [Report] { try names.map(report(named:)) }

    /// The report of a name.
    ///
    /// - Throws: ``MillError`` if there is none or its header can't be read.
    public func report(named name: String) throws -> Report {
        guard let entry = entries[name] else {
            let near = nearestNames(to: name, among: names)
            let hint =
                near.isEmpty
                ? "receiptmill report --list names them all"
                : "did you mean \(near.joined(separator: ", "))? receiptmill report --list names them all"
            throw MillError(
                stage: .reporting, what: "there is no report named \(name)", hint: hint, exitStatus: .usage)
        }
        return try Report(
            sql: entry.text ?? Self.text(at: entry.origin.path), fileName: name, topic: entry.topic,
            origin: entry.origin)
    }

    private static func text(at path: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw MillError(
                stage: .reporting, path: path, what: "the report can't be read as UTF-8 text",
                hint: "check the file's permissions and encoding", exitStatus: .missingInput)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
