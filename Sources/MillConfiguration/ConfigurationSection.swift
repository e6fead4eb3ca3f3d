internal import MillSystem

/// A mapping of a pipeline file. Its keys are declared once; reading, checking, the suggestion of the nearest key, and
/// the reference all use the declaration.
///
/// The default of a key is the value that `init()` gives its property.
protocol ConfigurationSection: Sendable {
    init()
    /// The keys, in the order in which they are documented.
    static var keys: [Key] { get }
    /// Checks rules that concern several keys.
    func check(_ written: ConfigurationNode) throws(MillError)
}

extension ConfigurationSection {
    typealias Key = ConfigurationKey<Self>

    func check(_ written: ConfigurationNode) throws(MillError) {}

    static var descriptions: [KeyDescription] { keys.map(\.description) }
}

/// One key of a section: name, property, kind of value, and meaning.
struct ConfigurationKey<Target: ConfigurationSection> {
    let description: KeyDescription
    let read: (ConfigurationNode, inout Target) throws(MillError) -> Void

    init<Value>(
        _ name: String, _ property: WritableKeyPath<Target, Value>, _ kind: ValueKind<Value>, isRequired: Bool = false,
        _ meaning: String
    ) {
        description = KeyDescription(
            name: name, meaning: meaning, expected: kind.expected, isRequired: isRequired,
            defaultText: isRequired ? nil : kind.written(Target()[keyPath: property]), keys: kind.keys)
        read = { (node, target) throws(MillError) in target[keyPath: property] = try kind.read(node) }
    }

    /// A key whose property is nil if the key is absent.
    init<Value>(
        _ name: String, _ property: WritableKeyPath<Target, Value?>, _ kind: ValueKind<Value>, _ meaning: String
    ) {
        description = KeyDescription(
            name: name, meaning: meaning, expected: kind.expected, isRequired: false, defaultText: nil, keys: kind.keys)
        read = { (node, target) throws(MillError) in target[keyPath: property] = try kind.read(node) }
    }
}

extension ConfigurationKey {
    /// A key that is checked and not used: a note for people who read the file.
    init<Value>(_ name: String, _ kind: ValueKind<Value>, _ meaning: String) {
        description = KeyDescription(
            name: name, meaning: meaning, expected: kind.expected, isRequired: false, defaultText: nil, keys: [])
        read = { (node, _) throws(MillError) in _ = try kind.read(node) }
    }
}

/// The entry of a key in the reference, whatever the type of the key's value.
struct KeyDescription: Sendable {
    let name: String
    let meaning: String
    /// The expected value in words, such as "a share from 0 to 1".
    let expected: String
    let isRequired: Bool
    /// The default as a file would state it; nil if there is no value by default.
    let defaultText: String?
    /// The keys of the section, or of the sections in a list, that is the value.
    let keys: [KeyDescription]

    var isList: Bool { expected.hasPrefix("a list of ") }
}
