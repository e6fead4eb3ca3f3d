internal import MillSystem

/// What a key's value may be, how it is read, and how it is described.
struct Kind<Value> {
    /// What is expected, in the words of an error: "a share from 0 to 1".
    let expected: String
    /// The keys below, of the value or of each of its members.
    var keys: [KeyDescription] = []
    let read: (ConfigurationNode) throws(MillError) -> Value
    /// How a value is written; nil for one that is absent or says nothing.
    let written: (Value) -> String?
}

extension Kind {
    /// A value that is parsed from its text.
    ///
    /// - Parameter hint: for a text that can't be parsed.
    private static func scalar(
        _ expected: String, written: @escaping (Value) -> String? = { "\($0)" },
        hint: @escaping (String) -> String? = { _ in nil }, _ parse: @escaping (String) -> Value?
    ) -> Kind {
        Kind(
            expected: expected,
            read: { (node) throws(MillError) in
                let text = try node.text()
                guard let value = text.flatMap(parse) else {
                    throw node.fault(expected: expected, hint: text.flatMap(hint))
                }
                return value
            },
            written: written)
    }

    /// The same, checked or changed after reading.
    func checked(_ check: @escaping (Value, ConfigurationNode) throws(MillError) -> Value) -> Kind {
        let read = read
        return Kind(
            expected: expected, keys: keys, read: { (node) throws(MillError) in try check(read(node), node) },
            written: written)
    }
}

extension Kind where Value == String {
    static func text(_ expected: String) -> Kind {
        scalar(expected, written: { $0.isEmpty ? nil : $0 }) { $0.isEmpty ? nil : $0 }
    }

    /// A path; one that is relative starts at the pipeline file's folder.
    ///
    /// - Parameter output: what is written there, which has an ending.
    static func path(_ expected: String, of output: OutputKind = .report) -> Kind {
        let expected = output.ending.isEmpty ? expected : "\(expected) that ends in \(output.ending)"
        return text(expected).checked { (path, node) throws(MillError) in
            guard output.accepts(path) else { throw node.fault(expected: expected) }
            return node.file.resolved(path)
        }
    }

    /// The path of a file. SQLite would open `FILE/` as `FILE`, where others find nothing.
    static func file(_ expected: String) -> Kind {
        path(expected).checked { (file, node) throws(MillError) in
            guard file.hasSuffix("/") else { return file }
            throw node.fault(expected: expected, hint: "remove the slash at its end, which is for folders")
        }
    }
}

extension Kind where Value == Int {
    static func number(_ range: ClosedRange<Int>, _ unit: String) -> Kind {
        let expected = "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
        let number = scalar(expected) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
        return number.checked { (number, node) throws(MillError) in
            // Eight or ten: readers of YAML 1.1 and 1.2 differ on 010.
            guard let text = try node.text(), text.first == "0", text.count > 1 else { return number }
            throw node.fault(expected: expected, hint: "write it without the 0 in front, which may mean octal")
        }
    }
}

extension Kind where Value == Double {
    static var share: Kind {
        scalar("a share from 0 to 1, such as 0.01") { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
    }
}

extension Kind where Value == Bool {
    static var flag: Kind { scalar("true or false") { ["true": true, "false": false][$0] } }
}

extension Kind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of an enumeration's words.
    static var word: Kind {
        let words = Value.allCases.map(\.rawValue)
        return scalar(
            words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""), written: \.rawValue,
            hint: { nearestNames(to: $0, among: words, limit: 1).first.map { "did you mean \($0)?" } },
            Value.init(rawValue:))
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

    /// The same of one value or more. As on the command line, an absent key means the
    /// default, and no value at all can't be said.
    static func filledList<Member>(_ what: String, of kind: Kind<Member>) -> Kind where Value == [Member] {
        list(what, of: kind).checked { (members, node) throws(MillError) in
            guard members.isEmpty else { return members }
            throw node.fault("the list is empty", hint: "name one; a key that has a default may be left out")
        }
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
                        let names = keys.map(\.description.name)
                        let near = nearestNames(to: name, among: names, limit: 1).map { "did you mean \($0)? " }
                        throw value.fault(
                            "there is no such key",
                            hint: near.joined() + "the keys here are \(names.joined(separator: ", "))")
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
}
