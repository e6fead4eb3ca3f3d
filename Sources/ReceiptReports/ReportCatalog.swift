internal import Foundation
internal import MillSystem
internal import ReceiptSQL

/// The reports that can be run by name: those built in, and those of a folder
/// of the user's, which go before built-in ones of the same name.
///
/// A file is read when its report is asked for, so that one broken file does
/// not stand in the way of the others.
package struct ReportCatalog: Sendable {
    private struct Entry {
        var topic: String?
        var origin: Report.Origin
        /// The text where it is at hand, else it is read from the origin.
        var text: String?
        /// Another file of the same name, which makes it unclear what is meant.
        var rival: String?
    }

    private var entries: [String: Entry] = [:]
    /// The folder of the user's, for messages.
    private var folder: String?

    /// The built-in reports alone.
    package init() {
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
    /// - Throws: ``MillError`` if the folder can't be read.
    package init(folder: String) throws {
        self.init()
        self.folder = folder
        let reports = folder + "/reports"
        let root = Self.isFolder(reports) ? reports : folder
        guard Self.isFolder(root), let paths = FileManager.default.subpaths(atPath: root) else {
            throw MillError(
                stage: .reporting, path: folder, what: "no folder of reports can be read here",
                hint: "give the folder that holds the .sql files", exitStatus: .missingInput)
        }
        var own: Set<String> = []
        for path in paths.sorted() where path.hasSuffix(".sql") && Self.isFile("\(root)/\(path)") {
            let parts = path.split(separator: "/")
            guard let file = parts.last, !parts.contains(where: { $0.hasPrefix(".") }) else { continue }
            let name = String(file.dropLast(4))
            guard own.insert(name).inserted else {
                entries[name]?.rival = "\(root)/\(path)"
                continue
            }
            entries[name] = Entry(
                topic: parts.count == 1 ? nil : parts.dropLast().joined(separator: "/"),
                origin: .file(path: "\(root)/\(path)"))
        }
    }

    /// The names of all reports, ordered by topic, then name; those without a
    /// topic come last.
    package var names: [String] {
        entries.sorted {
            ($0.value.topic == nil ? 1 : 0, $0.value.topic ?? "", $0.key)
                < ($1.value.topic == nil ? 1 : 0, $1.value.topic ?? "", $1.key)
        }.map(\.key)
    }

    /// The files of the user's that would be read.
    package var files: [String] {
        entries.values.flatMap { entry in
            guard case .file(let path) = entry.origin else { return [String]() }
            return [path] + (entry.rival.map { [$0] } ?? [])
        }
    }

    /// The report of a name.
    ///
    /// - Throws: ``MillError`` if there is none or its header can't be read.
    package func report(named name: String) throws -> Report {
        guard let entry = entries[name] else {
            let near = nearestNames(to: name, among: names)
            let list = "receiptmill report --list\(folder.map { " --sql \($0)" } ?? "") names them all"
            throw MillError(
                stage: .reporting,
                what: "there is no report named \(name)\(folder.map { ", neither in \($0) nor built in" } ?? "")",
                hint: near.isEmpty ? list : "did you mean \(near.joined(separator: ", "))? " + list, exitStatus: .usage)
        }
        if let rival = entry.rival {
            throw MillError(
                stage: .reporting, path: entry.origin.path, line: 1, what: "the report \(name) stands in \(rival) too",
                hint: "rename one of the two, in its first line as well", exitStatus: .configuration)
        }
        return try Report(
            sql: entry.text ?? Self.text(of: entry.origin), fileName: name, topic: entry.topic, origin: entry.origin)
    }

    /// More than any report has.
    private static let greatestBytes = 1 << 20

    private static func text(of origin: Report.Origin) throws -> String {
        do throws(TextFile.Fault) {
            return try TextFile.read(origin.path, atMost: greatestBytes)
        } catch {
            throw MillError(
                stage: .reporting, path: origin.path, line: error.line, what: error.what, hint: error.hint,
                exitStatus: error.isMissing ? .missingInput : origin.exitStatusOfFault)
        }
    }

    /// Whether a path leads to a regular file: a pipe's writer may never come.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
