internal import Foundation
internal import MillSystem
internal import Yams

/// A pipeline file or another YAML file, and the environment variables that its values may name.
struct ConfigurationFile: Sendable {
    let path: String
    let environment: [String: String]
    /// A word for the file and an example of its name, for messages.
    var noun = "pipeline file"
    var example = "nightly.yaml"

    /// The maximum length of a pipeline file; a longer file was likely named by mistake.
    static let maximumBytes = 1 << 20

    /// Reads the file into a section.
    ///
    /// - Throws: ``MillError`` with the line and the key of the first fault.
    func read<Root: ConfigurationSection>(as type: Root.Type) throws(MillError) -> Root {
        let text = try text()
        let root: Node
        do {
            // A file with only comments is empty; the required keys are then reported as missing.
            root = try compose(yaml: text) ?? Node([(Node, Node)]())
        } catch {
            throw fault(error)
        }
        return try ValueKind<Root>.section.read(ConfigurationNode(root, of: self))
    }

    /// The path to open: a relative path is relative to the folder of the pipeline file, not to the working directory.
    func resolved(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let folder = PathParts.folder(of: self.path)
        return folder == "." ? path : folder == "/" ? "/" + path : folder + "/" + path
    }

    /// The path that a key of the file names, even if the rest of the file is invalid; nil if the key can't be read.
    func path(of key: String) -> String? {
        guard let text = try? text() else { return nil }
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(key):") }
        // Even if the whole file is not valid YAML, the key's line may be.
        guard let root = (try? compose(yaml: text)) ?? line.flatMap({ try? compose(yaml: String($0)) }),
            root.mapping != nil, let value = try? ConfigurationNode(root, of: self)[key].text()
        else { return nil }
        return resolved(value)
    }

    private func text() throws(MillError) -> String {
        let bytes = try UserFile.bytes(path, hint: "name a \(noun), such as \(example)")
        guard bytes.count <= Self.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw MillError(
                stage: .configuring, path: path, what: "is no \(noun): more than 1 MiB, or not UTF-8",
                exitStatus: .configuration)
        }
        return text
    }

    /// The line on which a mapping repeats a key; the parser states only the line of the first occurrence.
    private static func lineOfSecond(_ name: String, after first: Mark, in text: String) -> Int {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        func begins(_ text: Substring) -> Bool {
            let bare = text.drop { "\"'".contains($0) }
            guard bare.hasPrefix(name) else { return false }
            return bare.dropFirst(name.count).drop { "\"' \t".contains($0) }.first == ":"
        }
        func isAmong(_ text: Substring) -> Bool { text.split { "{, ".contains($0) }.contains(where: begins) }
        // In braces, the repeated key may be on the same line.
        let beside = lines.dropFirst(first.line - 1).first?.dropFirst(first.column)
        if beside.map(isAmong) ?? true { return first.line }
        let rest = lines.dropFirst(first.line)
        let below = rest.firstIndex {
            $0.prefix(first.column - 1).allSatisfy(\.isWhitespace) && begins($0.dropFirst(first.column - 1))
        }
        return (below ?? rest.firstIndex(where: isAmong)).map { $0 + 1 } ?? first.line
    }

    private func fault(_ error: any Error) -> MillError {
        var line: Int?
        var what = "\(error)"
        var hint = "keys of one mapping stand in one column; a text with : or # needs quotes"
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            line = mark.line
            what = [context?.text.trimmingCharacters(in: .whitespacesAndNewlines), problem]
                .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        case .duplicatedKeysInMapping(let names, let context):
            line = Self.lineOfSecond(names.first ?? "", after: context.mark, in: context.text)
            hint = "keep one of them"
            what = "\(names.joined(separator: ", ")) stands more than once in one mapping"
        default: break
        }
        return MillError(
            stage: .configuring, path: path, line: line, what: "this is no YAML: \(what)",
            hint: hint, exitStatus: .configuration)
    }
}
