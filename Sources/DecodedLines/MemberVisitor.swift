internal import MillJSON

/// An object of a decoded line.
///
/// Each type lists its members once; the writer, the reader, and the test of docs/decode-format.schema.json all visit
/// this list.
protocol DecodedObject {
    init()

    /// Whether a repeated member is a fault. Otherwise the last of the repeated members counts.
    static var refusesRepetition: Bool { get }

    /// Passes every member to a visitor, with the variable to be written or read, in the order in which members are
    /// written.
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure)

    /// The fault of an object that was read; nil if the object is valid.
    ///
    /// - Parameter others: the preceding objects of the array.
    func fault(behind others: [Self]) -> String?
}

extension DecodedObject {
    static var refusesRepetition: Bool { false }
    func fault(behind others: [Self]) -> String? { nil }
}

/// Writes or reads the members of objects.
protocol MemberVisitor: ~Copyable, ~Escapable {
    associatedtype Failure: Error

    /// Visits a member; nil means that the member is absent.
    mutating func member<Format: MemberFormat>(
        _ name: StaticString, _ value: inout Format.Value?, as format: Format.Type
    ) throws(Failure)

    /// Visits a member whose name comes from the table of fields.
    mutating func member<Format: MemberFormat>(
        _ name: [UInt8], _ value: inout Format.Value?, as format: Format.Type
    ) throws(Failure)

    /// Visits a member that is an object.
    mutating func object<Object: DecodedObject>(_ name: StaticString, _ value: inout Object?) throws(Failure)

    /// Visits the payload of a signed document, as an index among the batch's payloads. The member is named after the
    /// document's kind.
    mutating func payload(_ index: inout Int?) throws(Failure)
}

extension MemberVisitor where Self: ~Copyable & ~Escapable {
    mutating func object<Object: DecodedObject>(_ name: StaticString, _ value: inout Object?) throws(Failure) {
        try member(name, &value, as: ObjectMember<Object>.self)
    }
}

/// The JSON format of a member's value.
protocol MemberFormat {
    associatedtype Value
    static func write(_ value: Value, to writer: inout MemberWriter)
    /// - Returns: nil for null, and for a value that counts as absent.
    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Value?
}
