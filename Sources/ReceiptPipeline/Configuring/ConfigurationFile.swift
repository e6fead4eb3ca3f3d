internal import Foundation
internal import Yams

/// A pipeline file's text, and what its values may refer to.
struct ConfigurationFile: Sendable {
    let path: String
    let environment: [String: String]

    /// More than any pipeline file has; what is longer is none.
    static let greatestBytes = 1 << 20

    /// Reads the file into a section.
    ///
    /// - Throws: ``MillError`` with the line and the key of the first fault.
    func read<Root: Section>(as type: Root.Type) throws(MillError) -> Root {
        let text = try text()
        let node: Node?
        do {
            node = try compose(yaml: text)
        } catch {
            throw fault(error)
        }
        // A file of comments alone holds nothing; the required keys are missing.
        let root = node ?? Node([(Node, Node)]())
        return try Kind<Root>.section.read(ConfigurationNode(node: root, file: self, key: ""))
    }

    /// A path as the process can use it: one that is relative starts at the
    /// folder of the file, wherever the run was started.
    func resolved(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let folder = (self.path as NSString).deletingLastPathComponent
        return folder.isEmpty ? path : folder + "/" + path
    }

    private func text() throws(MillError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MillError(
                stage: .configuring, path: path, what: "can't be read",
                hint: "name a pipeline file, such as nightly.yaml",
                exitStatus: .missingInput)
        }
        guard data.count <= Self.greatestBytes, let text = String(bytes: data, encoding: .utf8) else {
            throw MillError(
                stage: .configuring, path: path, what: "is no pipeline file: more than 1 MiB, or not UTF-8",
                exitStatus: .configuration)
        }
        return text
    }

    private func fault(_ error: any Error) -> MillError {
        var line: Int?
        var what = "\(error)"
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            line = mark.line
            what = [context?.text.trimmingCharacters(in: .whitespacesAndNewlines), problem]
                .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        case .duplicatedKeysInMapping(let names, let context):
            line = context.mark.line
            what = "the mapping that begins here holds \(names.sorted().joined(separator: ", ")) more than once"
        default: break
        }
        return MillError(
            stage: .configuring, path: path, line: line, what: "this is no YAML: \(what)",
            hint: "keys of one mapping stand in one column; a text with : or # needs quotes", exitStatus: .configuration
        )
    }
}
