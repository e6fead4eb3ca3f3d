internal import MillSystem
internal import Yams

/// A value of a pipeline file, with its key and its line.
struct ConfigurationNode {
    let node: Node
    let file: ConfigurationFile
    /// The way to it: `archives[0].path`; empty for the whole file.
    let key: String
    /// The line of its key, which may be above its own; of what has no key, its own.
    let line: Int?

    init(node: Node, file: ConfigurationFile, key: String, line: Int? = nil) {
        self.node = node
        self.file = file
        self.key = key
        self.line = line ?? node.mark?.line
    }

    /// The node of a key that is absent: its section's, under the name of the key.
    func below(_ name: String) -> ConfigurationNode {
        ConfigurationNode(node: node, file: file, key: key.isEmpty ? name : "\(key).\(name)", line: line)
    }

    func value(of name: String) -> ConfigurationNode? {
        node.mapping?.first { $0.key.scalar?.string == name }.map { member(name, $0.key, $0.value) }
    }

    private func member(_ name: String, _ key: Node, _ value: Node) -> ConfigurationNode {
        ConfigurationNode(node: value, file: file, key: below(name).key, line: key.mark?.line)
    }

    /// Keys and values of a mapping, nil where this is none.
    func members() throws(MillError) -> [(name: String, value: ConfigurationNode)]? {
        guard let mapping = node.mapping else { return nil }
        var members: [(String, ConfigurationNode)] = []
        for (name, value) in mapping {
            let node = ConfigurationNode(node: name, file: file, key: key)
            guard let text = name.scalar?.string else { throw node.fault("a key has to be a word") }
            if text == "<<" {
                throw node.fault(
                    "merge keys (<<) are not supported",
                    hint: "write the keys out; an alias (*name) of a whole value works")
            }
            members.append((text, member(text, name, value)))
        }
        return members
    }

    /// The members of a list, nil where this is none.
    var elements: [ConfigurationNode]? {
        node.sequence?.enumerated().map { index, member in
            ConfigurationNode(node: member, file: file, key: "\(key)[\(index)]")
        }
    }

    /// The text of a scalar as it is written, whatever type YAML would give it
    /// (`1.10` is a version, not 1.1); nil for nothing, a list or a mapping.
    ///
    /// `${NAME}` is the environment variable of that name. NUL is refused.
    func text() throws(MillError) -> String? {
        guard let scalar = node.scalar else { return nil }
        if scalar.string.utf8.contains(0) {
            throw fault("holds the character NUL, at which a name ends for the system", hint: "remove it (\\0, \\x00)")
        }
        if scalar.style == .plain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) { return nil }
        return try expanded(scalar.string)
    }

    private func expanded(_ text: String) throws(MillError) -> String {
        var rest = text[...]
        var result = ""
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}"), rest.startIndex < end,
                rest[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { throw fault("${ has to be followed by the name of an environment variable and }") }
            let name = String(rest[..<end])
            guard let value = file.environment[name], !value.allSatisfy(\.isWhitespace) else {
                let state = file.environment[name].map { $0.isEmpty ? "is empty" : "holds nothing but blanks" }
                throw fault(
                    "the environment variable \(name) \(state ?? "is not set")",
                    hint: "set it for the run (cron and systemd start with few), or write the value in its place")
            }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The value as an error quotes it.
    var found: String {
        if let scalar = node.scalar {
            let text = scalar.string
            if text.isEmpty { return "nothing" }
            return "'" + text.prefix(60).replacing("\n", with: " ") + (text.count > 60 ? "…'" : "'")
        }
        return node.mapping == nil ? "a list" : "a mapping of keys"
    }

    func fault(expected: String, hint: String? = nil) -> MillError {
        fault("expected \(expected), found \(found)", hint: hint)
    }

    func fault(_ what: String, hint: String? = nil) -> MillError {
        MillError(
            stage: .configuring, path: file.path, line: line, what: key.isEmpty ? what : "\(key): \(what)",
            hint: hint, exitStatus: .configuration)
    }
}
