internal import MillDatabase
internal import MillSystem

/// A mapping of a pipeline file. Its keys are declared once; reading, checking,
/// the nearest key in an error, and the reference all come from the declaration.
///
/// A key defaults to the value that `init()` gives its property.
protocol Section: Sendable {
    init()
    /// The keys, in the order in which they are documented.
    static var keys: [Key<Self>] { get }
    /// Checks what no key alone can say.
    func check(_ written: WrittenSection) throws(MillError)
}

extension Section {
    func check(_ written: WrittenSection) throws(MillError) {}

    static var descriptions: [KeyDescription] { keys.map(\.description) }
}

/// One key of a section: its name, its property, what it takes, what it means.
struct Key<Target: Section> {
    let description: KeyDescription
    let read: (ConfigurationNode, inout Target) throws(MillError) -> Void

    init<Value>(
        _ name: String, _ property: WritableKeyPath<Target, Value>, _ kind: Kind<Value>, isRequired: Bool = false,
        _ meaning: String
    ) {
        description = KeyDescription(
            name: name, meaning: meaning, expected: kind.expected, isRequired: isRequired,
            defaultText: isRequired ? nil : kind.written(Target()[keyPath: property]), keys: kind.keys)
        read = { (node, target) throws(MillError) in target[keyPath: property] = try kind.read(node) }
    }
}

/// What the reference says of a key, whatever its type.
struct KeyDescription: Sendable {
    let name: String
    let meaning: String
    /// What the value has to be: "a share from 0 to 1".
    let expected: String
    let isRequired: Bool
    /// The default as it would be written; nil where the key is then absent.
    let defaultText: String?
    /// The keys below: of the value, or of each of its members.
    let keys: [KeyDescription]
}

/// A section as it is written, for faults that involve several keys.
struct WrittenSection {
    let node: ConfigurationNode

    /// A fault of one of the keys; of the whole section where it is not written.
    func fault(_ key: String, _ what: String, hint: String? = nil) -> MillError {
        node(at: [.key(key)]).fault(what, hint: hint)
    }

    /// Does what may fail because of one value: a fault of usage, or of what the
    /// value names, becomes a fault of the file, with its line.
    ///
    /// - Parameter way: names of keys, and indices in lists.
    func checking<Result>(_ way: [ConfigurationStep], _ work: () throws -> Result) throws(MillError) -> Result {
        do {
            return try work()
        } catch {
            let error = MillError(error, at: .configuring, path: nil)
            guard Self.faultsOfValues.contains(error.exitStatus) else { throw error }
            let named = error.path.map { $0 + (error.line.map { ":\($0)" } ?? "") + ": " } ?? ""
            throw node(at: way).fault(named + error.what, hint: error.hint)
        }
    }

    /// The same for each value of a list.
    func checkingEach<Value>(
        _ values: [Value], of way: [ConfigurationStep], _ work: (Value) throws -> Void
    ) throws(MillError) {
        for (index, value) in values.enumerated() { try checking(way + [.index(index)]) { try work(value) } }
    }

    /// The value at the end of a way; the last that is written, where the way goes on.
    func node(at way: [ConfigurationStep]) -> ConfigurationNode {
        way.reduce(node) { node, step in
            switch step {
            case .key(let name): node.value(of: name) ?? node.below(name)
            case .index(let index): node.elements?[index] ?? node
            }
        }
    }

    private static let faultsOfValues: [ExitStatus] = [.usage, .badData, .missingInput, .configuration]
}

/// A step on the way to a value: into a mapping, or into a list.
enum ConfigurationStep: ExpressibleByStringLiteral {
    case key(String)
    case index(Int)

    init(stringLiteral name: String) { self = .key(name) }
}
