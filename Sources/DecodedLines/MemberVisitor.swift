internal import MillJSON

/// An object of a decoded line.
///
/// It names each of its members once: what writes lines, what reads them, and the test of
/// docs/decode-format.schema.json visit the same members.
protocol DecodedObject {
    init()

    /// Whether a member that stands twice is a fault. Of objects that hold little the last one counts.
    static var refusesRepetition: Bool { get }

    /// Hands every member to a visitor, in the order in which they are written, each with the value that it has
    /// or is to get.
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure)

    /// What is wrong with the object once it is read; nil where it is whole.
    ///
    /// - Parameter others: the objects before it in its array.
    func fault(behind others: [Self]) -> String?
}

extension DecodedObject {
    static var refusesRepetition: Bool { false }
    func fault(behind others: [Self]) -> String? { nil }
}

/// Writes or reads the members of objects.
protocol MemberVisitor: ~Copyable, ~Escapable {
    associatedtype Failure: Error

    /// Visits a member; nil is absent.
    mutating func member<Format: MemberFormat>(
        _ name: StaticString, _ value: inout Format.Value?, as format: Format.Type
    ) throws(Failure)

    /// Visits a member whose name comes from the table of fields.
    mutating func member<Format: MemberFormat>(
        _ name: [UInt8], _ value: inout Format.Value?, as format: Format.Type
    ) throws(Failure)

    /// Visits what a signed document states beside what receipts do, as the index of one of the batch's payloads.
    /// The member is named after the document's kind.
    mutating func payload(_ index: inout Int?) throws(Failure)
}

/// How the value of a member is written and read.
protocol MemberFormat {
    associatedtype Value
    static func write(_ value: Value, to writer: inout MemberWriter)
    /// - Returns: nil for null, and for a value that counts as absent.
    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Value?
}
