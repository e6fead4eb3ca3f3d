internal import MillSystem

/// What a key's value may be: how it is read, and how that is said.
struct Kind<Value> {
    /// What is expected, as it stands in an error: "a share from 0 to 1".
    let expected: String
    /// The keys below, of the value or of each of its members.
    var keys: [KeyDescription] = []
    let read: (ConfigurationNode) throws(MillError) -> Value
    /// How a value is written; nil for one that is absent or says nothing.
    let written: (Value) -> String?
}

extension Kind where Value == String {
    static func text(_ expected: String) -> Kind {
        Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let text = try node.text(), !text.isEmpty else { throw node.fault(expected: expected) }
                return text
            },
            written: { $0.isEmpty ? nil : $0 })
    }

    /// A path; one that is relative starts at the pipeline file's folder.
    ///
    /// - Parameter output: what is written there, which has an ending.
    static func path(_ expected: String, of output: OutputKind = .report) -> Kind {
        let text = text(output.ending.isEmpty ? expected : "\(expected) that ends in \(output.ending)")
        return Kind(
            expected: text.expected,
            read: { (node) throws(MillError) in
                let path = try text.read(node)
                guard output.accepts(path) else { throw node.fault(expected: text.expected) }
                return node.file.resolved(path)
            },
            written: text.written)
    }

    /// The path of what is no folder. SQLite would open `FILE/` as `FILE`, where others
    /// find nothing.
    static func file(_ expected: String) -> Kind {
        let path = path(expected)
        return Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                let file = try path.read(node)
                guard !file.hasSuffix("/") else {
                    throw node.fault(expected: expected, hint: "remove the slash at its end, which is for folders")
                }
                return file
            },
            written: path.written)
    }
}

extension Kind where Value == Int {
    static func number(_ range: ClosedRange<Int>, _ unit: String) -> Kind {
        let expected = "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        return Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let text = try node.text(), let number = Int(text), range.contains(number) else {
                    throw node.fault(expected: expected)
                }
                // Eight or ten: readers of YAML 1.1 and 1.2 differ on 010.
                if text.first == "0", text.count > 1 {
                    throw node.fault(expected: expected, hint: "write it without the 0 in front, which may mean octal")
                }
                return number
            },
            written: { "\($0)" })
    }
}

extension Kind where Value == Double {
    static var share: Kind {
        let expected = "a share from 0 to 1, such as 0.01"
        return Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let text = try node.text(), let share = Double(text), (0...1).contains(share) else {
                    throw node.fault(expected: expected)
                }
                return share
            },
            written: { "\($0)" })
    }
}

extension Kind where Value == Bool {
    static var flag: Kind {
        let expected = "true or false"
        return Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                switch try node.text() {
                case "true": return true
                case "false": return false
                default: throw node.fault(expected: expected)
                }
            },
            written: { "\($0)" })
    }
}

extension Kind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of an enumeration's words.
    static var word: Kind {
        let words = Value.allCases.map(\.rawValue)
        let expected = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                let text = try node.text()
                guard let value = text.flatMap(Value.init(rawValue:)) else {
                    let near = nearestNames(to: text ?? "", among: words, limit: 1).first
                    throw node.fault(expected: expected, hint: near.map { "did you mean \($0)?" })
                }
                return value
            },
            written: { $0.rawValue })
    }
}

extension Kind {
    /// The same, of a property that is nil where the key is absent.
    static func optional<Wrapped>(_ kind: Kind<Wrapped>) -> Kind where Value == Wrapped? {
        Kind(
            expected: kind.expected, keys: kind.keys,
            read: { (node) throws(MillError) in try kind.read(node) }, written: { $0.flatMap(kind.written) })
    }

    /// A list of values of one kind.
    static func list<Member>(_ what: String, of kind: Kind<Member>) -> Kind where Value == [Member] {
        let expected = "a list of \(what)"
        return Kind(
            expected: expected, keys: kind.keys,
            read: { (node) throws(MillError) in
                guard let elements = node.elements else { throw node.fault(expected: expected) }
                var members: [Member] = []
                for element in elements { members.append(try kind.read(element)) }
                return members
            },
            written: { $0.isEmpty ? nil : "[" + $0.compactMap(kind.written).joined(separator: ", ") + "]" })
    }

    /// The same of one value or more: what the command line says too, where no option
    /// stands for the default and nothing for none.
    static func filledList<Member>(_ what: String, of kind: Kind<Member>) -> Kind where Value == [Member] {
        let list = list(what, of: kind)
        return Kind(
            expected: list.expected, keys: list.keys,
            read: { (node) throws(MillError) in
                let members = try list.read(node)
                guard !members.isEmpty else {
                    throw node.fault("the list is empty", hint: "name one; a key that has a default may be left out")
                }
                return members
            },
            written: list.written)
    }

    /// Names that the file may choose, and a text for each, in the file's order.
    static func settings(_ expected: String) -> Kind where Value == [Setting] {
        Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let members = try node.members() else { throw node.fault(expected: expected) }
                var settings: [Setting] = []
                for (name, value) in members {
                    guard let text = try value.text() else { throw value.fault(expected: "a value") }
                    settings.append(Setting(name: name, text: text))
                }
                return settings
            },
            written: { _ in nil })
    }
}

/// A name with a text.
package struct Setting: Sendable, Hashable {
    package let name: String
    package let text: String
}

extension Kind where Value: Section {
    /// A mapping with the keys of a section.
    static var section: Kind {
        let expected = "a mapping of the keys \(Value.descriptions.map(\.name).joined(separator: ", "))"
        return Kind(
            expected: expected, keys: Value.descriptions,
            read: { (node) throws(MillError) in
                guard let members = try node.members() else { throw node.fault(expected: expected) }
                var section = Value()
                let keys = Value.keys
                for (name, value) in members {
                    guard let key = keys.first(where: { $0.description.name == name }) else {
                        throw unknown(name, value, among: keys.map(\.description.name))
                    }
                    try key.read(value, &section)
                }
                for key in keys.map(\.description)
                where key.isRequired && !members.contains(where: { $0.name == key.name }) {
                    throw node.below(key.name).fault("is missing: \(key.meaning)", hint: "give \(key.expected)")
                }
                try section.check(WrittenSection(node: node))
                return section
            },
            written: { _ in nil })
    }

    private static func unknown(
        _ name: String, _ value: ConfigurationNode, among names: [String]
    ) -> MillError {
        let near = nearestNames(to: name, among: names, limit: 1).first
        let all = "the keys here are \(names.joined(separator: ", "))"
        return value.fault("there is no such key", hint: near.map { "did you mean \($0)? \(all)" } ?? all)
    }
}
