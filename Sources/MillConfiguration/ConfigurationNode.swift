internal import MillDatabase
internal import MillSystem
internal import Yams

/// A value of a pipeline file, with its key and its line.
struct ConfigurationNode {
    private let node: Node
    let file: ConfigurationFile
    /// The path of keys to the value, such as `archives[0].path`; empty for the whole file.
    private let key: String
    /// The line of the value's key, which may be above the value; for a value without a key, the value's own line.
    private let line: Int?

    init(_ node: Node, of file: ConfigurationFile, key: String = "", line: Int? = nil) {
        self.node = node
        self.file = file
        self.key = key
        self.line = line ?? node.mark?.line
    }

    /// The value of a key. If the key is absent, the mapping itself is returned under the key's name, so that an error
    /// about the key states the line of the mapping.
    subscript(name: String) -> ConfigurationNode {
        let member = node.mapping?.first { $0.key.scalar?.string == name }
        return ConfigurationNode(
            member?.value ?? node, of: file, key: key.isEmpty ? name : "\(key).\(name)",
            line: member.map { $0.key.mark?.line } ?? line)
    }

    /// A member of a list; the list itself if it has no such member.
    subscript(index: Int) -> ConfigurationNode {
        elements.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? self
    }

    /// Keys and values of a mapping; nil if the value is not a mapping.
    func members() throws(MillError) -> [(name: String, value: ConfigurationNode)]? {
        guard let mapping = node.mapping else { return nil }
        var members: [(String, ConfigurationNode)] = []
        for name in mapping.keys {
            let node = ConfigurationNode(name, of: file, key: key)
            guard let text = name.scalar?.string else { throw node.fault("a key has to be a word") }
            if text == "<<" {
                throw node.fault(
                    "merge keys (<<) are not supported",
                    hint: "write the keys out; an alias (*name) of a whole value works")
            }
            members.append((text, self[text]))
        }
        return members
    }

    /// The members of a list; nil if the value is not a list.
    var elements: [ConfigurationNode]? {
        node.sequence?.enumerated().map { ConfigurationNode($1, of: file, key: "\(key)[\($0)]") }
    }

    /// The text of a scalar as written in the file, whatever type YAML would give it (`1.10` is a version, not 1.1);
    /// nil for an empty value, a list or a mapping.
    ///
    /// `${NAME}` is replaced by the environment variable of that name. NUL is refused.
    func text() throws(MillError) -> String? {
        guard let scalar = node.scalar else { return nil }
        if scalar.string.utf8.contains(0) {
            throw fault("holds the character NUL, at which a name ends for the system", hint: "remove it (\\0, \\x00)")
        }
        if scalar.style == .plain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) { return nil }
        return try expanded(scalar.string)
    }

    private func expanded(_ text: String) throws(MillError) -> String {
        var (result, end) = ("", text.startIndex)
        for match in text.matches(of: #/\$\{(?:([A-Za-z0-9_]+)\})?/#) {
            guard let name = match.1.map(String.init) else {
                throw fault("${ has to be followed by the name of an environment variable and }")
            }
            guard let value = file.environment[name], !value.allSatisfy(\.isWhitespace) else {
                let state = file.environment[name].map { $0.isEmpty ? "is empty" : "holds nothing but blanks" }
                throw fault(
                    "the environment variable \(name) \(state ?? "is not set")",
                    hint: "set it for the run (cron and systemd start with few), or write the value in its place")
            }
            result += text[end..<match.range.lowerBound] + value
            end = match.range.upperBound
        }
        return result + text[end...]
    }

    // MARK: Faults

    /// The value as quoted in messages.
    private var found: String {
        guard let text = node.scalar?.string else { return node.mapping == nil ? "a list" : "a mapping of keys" }
        guard !text.isEmpty else { return "nothing" }
        return "'" + text.prefix(60).replacing("\n", with: " ") + (text.count > 60 ? "…'" : "'")
    }

    func fault(expected: String, hint: String? = nil) -> MillError {
        fault("expected \(expected), found \(found)", hint: hint)
    }

    func fault(_ message: String, hint: String? = nil) -> MillError {
        MillError(
            stage: .configuring, path: file.path, line: line, what: key.isEmpty ? message : "\(key): \(message)",
            hint: hint, exitStatus: .configuration)
    }

    /// Does work that may fail because of the value. An error of usage, or about a file that the value names, becomes
    /// an error of the pipeline file with the value's line.
    @discardableResult
    func checking<Result>(_ work: () throws -> Result) throws(MillError) -> Result {
        do {
            return try work()
        } catch {
            let error = MillError(error, at: .configuring, path: nil)
            guard [.usage, .badData, .missingInput, .configuration].contains(error.exitStatus) else { throw error }
            let place = error.path.map { $0 + (error.line.map { ":\($0)" } ?? "") + ": " } ?? ""
            throw fault(place + error.what, hint: error.hint)
        }
    }
}
