internal import MillSystem

/// A kind of value of a key: how the value is read and described.
struct ValueKind<Value> {
    /// The expected value in the words of a message, such as "a share from 0 to 1".
    let expected: String
    /// The keys of the section, or of the sections in a list, that is the value.
    var keys: [KeyDescription] = []
    let read: (ConfigurationNode) throws(MillError) -> Value
    /// The text of a value as written in a file; nil for an empty value.
    var written: (Value) -> String? = { _ in nil }
}

extension ValueKind {
    /// A kind of value that is parsed from a text.
    ///
    /// - Parameter hint: the advice if the text can't be parsed.
    static func scalar(
        _ expected: String, written: @escaping (Value) -> String? = { "\($0)" },
        hint: @escaping (String) -> String? = { _ in nil }, _ parse: @escaping (String) -> Value?
    ) -> ValueKind {
        ValueKind(
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

    /// The same kind, with values checked or changed after reading.
    func checked(_ check: @escaping (Value, ConfigurationNode) throws(MillError) -> Value) -> ValueKind {
        ValueKind(
            expected: expected, keys: keys,
            read: { (node) throws(MillError) in try check(read(node), node) }, written: written)
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A number with a limited number of decimals, as a multiple of the last decimal's unit.
    static func decimal(
        _ expected: String, decimals: Int, wholeDigits: Int = 12, _ range: ClosedRange<Value>
    ) -> ValueKind {
        scalar(expected, written: { _ in nil }) { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2,
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                parts[0].utf8.count <= wholeDigits
            else { return nil }
            let fraction = parts.count == 2 ? String(parts[1]) : ""
            guard fraction.utf8.count <= decimals else { return nil }
            let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
            return Value("\(parts[0])\(fraction)\(zeros)").flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueKind where Value == String {
    static func text(_ expected: String) -> ValueKind {
        scalar(expected, written: { $0.isEmpty ? nil : $0 }) { $0.isEmpty ? nil : $0 }
    }

    /// A path; a relative path is relative to the pipeline file's folder.
    ///
    /// - Parameter output: the kind of file that is written to the path.
    static func path(_ expected: String, of output: OutputKind = .report) -> ValueKind {
        let expected = output.ending.isEmpty ? expected : "\(expected) that ends in \(output.ending)"
        return text(expected).checked { (path, node) throws(MillError) in
            guard output.accepts(path) else { throw node.fault(expected: expected) }
            return node.file.resolved(path)
        }
    }

    /// The path of a file. It may not end in a slash: SQLite would open `FILE/` as `FILE`, but other programs would
    /// find no file.
    static func file(_ expected: String) -> ValueKind {
        path(expected).checked { (file, node) throws(MillError) in
            guard file.hasSuffix("/") else { return file }
            throw node.fault(expected: expected, hint: "remove the slash at its end, which is for folders")
        }
    }
}

extension ValueKind where Value == Int {
    static func number(_ range: ClosedRange<Int>, _ unit: String) -> ValueKind {
        let number = { (text: String) in Int(text).flatMap { range.contains($0) ? $0 : nil } }
        return scalar(
            "a number of \(unit) from \(range.lowerBound) to \(range.upperBound)",
            hint: { number($0).map { _ in "write it without the 0 in front, which may mean octal" } },
            // YAML 1.1 and 1.2 differ on whether 010 is eight or ten.
            { $0.first == "0" && $0.count > 1 ? nil : number($0) })
    }
}

extension ValueKind where Value == Double {
    static var share: ValueKind {
        scalar("a share from 0 to 1, such as 0.01") { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
    }
}

extension ValueKind where Value == Bool {
    static var flag: ValueKind { scalar("true or false") { ["true": true, "false": false][$0] } }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static var word: ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return scalar(
            words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""), written: \.rawValue,
            hint: { nearestNames(to: $0, among: words, limit: 1).first.map { "did you mean \($0)?" } },
            Value.init(rawValue:))
    }
}

extension ValueKind {
    /// A list of values of one kind.
    static func list<Member>(_ members: String, of kind: ValueKind<Member>) -> ValueKind where Value == [Member] {
        let expected = "a list of \(members)"
        return ValueKind(
            expected: expected, keys: kind.keys,
            read: { (node) throws(MillError) in
                guard let elements = node.elements else { throw node.fault(expected: expected) }
                var members: [Member] = []
                for element in elements { members.append(try kind.read(element)) }
                return members
            },
            written: { $0.isEmpty ? nil : "[" + $0.compactMap(kind.written).joined(separator: ", ") + "]" })
    }

    /// A list with at least one value. An empty list is refused, because its writer may expect that it means the
    /// default, as an absent key does.
    static func filledList<Member>(_ members: String, of kind: ValueKind<Member>) -> ValueKind
    where Value == [Member] {
        list(members, of: kind).checked { (members, node) throws(MillError) in
            guard members.isEmpty else { return members }
            throw node.fault("the list is empty", hint: "name one; a key that has a default may be left out")
        }
    }

    /// Names that the file may choose, with a text for each, in the file's order.
    static func settings(_ expected: String) -> ValueKind where Value == [Setting] {
        ValueKind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let members = try node.members() else { throw node.fault(expected: expected) }
                var settings: [Setting] = []
                for (name, value) in members {
                    guard let text = try value.text() else { throw value.fault(expected: "a value") }
                    settings.append(Setting(name: name, text: text))
                }
                return settings
            })
    }
}

/// A parameter's name and text, as written in the file.
package struct Setting: Sendable, Hashable {
    package let name: String
    package let text: String
}

extension ValueKind where Value: ConfigurationSection {
    /// A mapping with the keys of a section.
    static var section: ValueKind { section(with: Value.keys) }

    static func section(with keys: [ConfigurationKey<Value>]) -> ValueKind {
        let names = keys.map(\.description.name)
        let expected = "a mapping of the keys \(names.joined(separator: ", "))"
        return ValueKind(
            expected: expected, keys: keys.map(\.description),
            read: { (node) throws(MillError) in
                guard let members = try node.members() else { throw node.fault(expected: expected) }
                var section = Value()
                for (name, value) in members {
                    guard let key = keys.first(where: { $0.description.name == name }) else {
                        throw value.fault(
                            "there is no such key",
                            hint: suggestion(for: name, among: names, limit: 1)
                                + "the keys here are \(names.joined(separator: ", "))")
                    }
                    try key.read(value, &section)
                }
                for key in keys.map(\.description)
                where key.isRequired && !members.contains(where: { $0.name == key.name }) {
                    throw node[key.name].fault("is missing: \(key.meaning)", hint: "give \(key.expected)")
                }
                try section.check(node)
                return section
            })
    }
}
