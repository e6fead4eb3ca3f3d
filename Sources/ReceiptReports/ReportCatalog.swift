internal import Foundation
internal import MillSystem
internal import ReceiptSQL
internal import ReportHeaders

/// The reports that can be run by name: built-in reports, and those of a user's folder, which replace built-in reports
/// of the same name.
///
/// A file is read only when its report is used, so that a broken file does not hide other reports.
package struct ReportCatalog: Sendable {
    private struct ReportFile {
        var topic: String?
        var origin: ReportOrigin
        /// The text of a built-in report; nil for a file, which is read when the report is used.
        var text: String?
        /// Another file of the same name; if there is one, the name is ambiguous.
        var rival: String?
    }

    private var files: [String: ReportFile] = [:]
    /// The user's folder, for messages.
    private var folder: String?

    /// The built-in reports alone.
    package init() {
        for file in SQLFile.files(in: "reports") {
            let origin = ReportOrigin(path: "sql/" + file.path, isBuiltIn: true)
            add(file.path.split(separator: "/").dropFirst(), origin, text: file.text)
        }
    }

    /// - Parameter parts: the parts of the path from the folder of reports to the file.
    private mutating func add(_ parts: ArraySlice<Substring>, _ origin: ReportOrigin, text: String? = nil) {
        let topic = parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
        files[String(parts.last?.dropLast(4) ?? "")] = ReportFile(topic: topic, origin: origin, text: text)
    }

    /// The built-in reports, and all `.sql` files in a folder and its subfolders.
    ///
    /// If the folder has a subfolder `reports`, as the project's own `sql/` does, only that is read.
    ///
    /// - Throws: ``MillError`` if the folder can't be read.
    package init(folder: String) throws {
        self.init()
        self.folder = folder
        let reports = folder + "/reports"
        let root = Self.isFile(reports, of: S_IFDIR) ? reports : folder
        guard Self.isFile(root, of: S_IFDIR), let paths = FileManager.default.subpaths(atPath: root) else {
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
                files[name]?.rival = "\(root)/\(path)"
                continue
            }
            add(parts[...], ReportOrigin(path: "\(root)/\(path)"))
        }
    }

    /// The names of all reports, ordered by topic, then name; reports without a topic come last.
    package var names: [String] {
        let keys = files.map { ($1.topic == nil ? 1 : 0, $1.topic ?? "", $0) }
        return keys.sorted { $0 < $1 }.map(\.2)
    }

    /// Paths of the files in the user's folder that may be read.
    package var ownFiles: [String] {
        files.values.filter { !$0.origin.isBuiltIn }.flatMap { [$0.origin.path, $0.rival].compactMap(\.self) }
    }

    /// The names of all parameters of reports.
    package var parameterNames: Set<String> {
        Set(names.compactMap { try? report(named: $0) }.flatMap(\.parameters).map(\.name))
    }

    /// The report with a name or an alias.
    ///
    /// - Throws: ``MillError`` if there is no such report, or if its header can't be read.
    package func report(named name: String) throws -> Report {
        guard let entry = files[name] else {
            let aliases = aliases
            if let meant = aliases[name] { return try report(named: meant) }
            throw ReportRun.misuse(
                "there is no report named \(name)\(folder.map { ", neither in \($0) nor built in" } ?? "")",
                hint: suggestion(for: name, among: names + aliases.keys.sorted())
                    + "receiptmill report --list\(folder.map { " --sql \($0)" } ?? "") names them all")
        }
        if let rival = entry.rival {
            throw MillError(
                stage: .reporting, path: entry.origin.path, line: 1, what: "the report \(name) stands in \(rival) too",
                hint: "rename one of the two, in its first line as well", exitStatus: .configuration)
        }
        return try Report(
            sql: Self.text(of: entry), fileName: name, topic: entry.topic, origin: entry.origin)
    }

    /// Names of reports by the aliases in their headers. If two reports have the same alias, a user's file takes
    /// precedence over a built-in report, otherwise the first name does. A report that can't be read has no alias.
    package var aliases: [String: String] {
        let isLater = { (name: String) in files[name]?.origin.isBuiltIn == true ? 1 : 0 }
        return names.sorted { (isLater($0), $0) < (isLater($1), $1) }.reduce(into: [:]) { found, name in
            guard let header = declaring("Aliases", name).flatMap({ try? ReportHeader(parsing: $0) }) else { return }
            for alias in header.aliases where found[alias] == nil { found[alias] = name }
        }
    }

    /// The panels that reports declare, in the order of the page, each with its report.
    ///
    /// - Throws: ``MillError`` if the header of a report with a panel can't be read, or if two panels have the same
    ///   name.
    func panels() throws -> [(panel: ReportPanel, report: Report)] {
        let panels = try names.flatMap { name -> [(panel: ReportPanel, report: Report)] in
            guard declaring("Panel", name) != nil else { return [] }
            let report = try report(named: name)
            return report.header.panels.map { ($0, report) }
        }.sorted { ($0.panel.place, $0.panel.id) < ($1.panel.place, $1.panel.id) }
        for (index, (panel, report)) in panels.enumerated() {
            guard let other = panels[..<index].first(where: { $0.panel.id == panel.id }) else { continue }
            throw MillError(
                stage: .reporting, path: report.origin.path,
                what: "the panel \(panel.id) is declared in \(other.report.origin.path) too",
                hint: "give one of them another name: place  NUMBER  NAME", exitStatus: .configuration)
        }
        return panels
    }

    /// The maximum length of a report's file, well above any real report's.
    private static let maximumBytes = 1 << 20

    private static func text(of file: ReportFile) throws -> String {
        if let text = file.text { return text }
        do throws(TextFile.Fault) {
            return try TextFile.read(file.origin.path, atMost: maximumBytes)
        } catch {
            throw MillError(
                stage: .reporting, path: file.origin.path, line: error.line, what: error.what, hint: error.hint,
                exitStatus: error.isMissing ? .missingInput : file.origin.exitStatusOfFault)
        }
    }

    /// The text of a report if it can be read and has the section; headers of other reports need not be parsed.
    private func declaring(_ section: String, _ name: String) -> String? {
        guard let text = files[name].flatMap({ try? Self.text(of: $0) }) else { return nil }
        return text.contains("\n-- \(section):") ? text : nil
    }

    /// Whether a path leads to a file of the given type. Reading a pipe would block, since its writer may never come.
    private static func isFile(_ path: String, of type: mode_t = S_IFREG) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == type
    }
}
