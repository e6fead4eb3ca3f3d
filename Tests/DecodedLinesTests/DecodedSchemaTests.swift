import Foundation
import ReceiptFormat
import ReceiptTrust
import ReceiptVerification
import Testing

@testable import DecodedLines

/// The schema is written by hand but for the members of signed data, which `FieldPageTests` hold to the table of fields.
@Suite("The schema of decoded lines")
struct DecodedSchemaTests {
    private typealias Object = [String: Any]

    private let schema: Object

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/decode-format.schema.json")
        schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Object)
    }

    /// The object of a schema under some names.
    private func object(_ path: String...) throws -> Object {
        try path.reduce(schema) { try #require($0[$1] as? Object, "\(path)") }
    }

    /// Holds the properties of an object to the members that are written and read.
    private func expect<Members: DecodedObject>(_ properties: Object, are type: Members.Type) throws {
        var visited = VisitedMembers()
        var members = Members()
        members.visit(with: &visited)
        #expect(properties.keys.sorted() == visited.members.map(\.name).sorted(), "\(type)")
        for (name, form) in visited.members {
            let property = try #require(properties[name] as? Object)
            #expect(form.isThat(of: property), "\(type), \(name): \(form), \(property)")
        }
    }

    @Test("has the members of each object that is written and read, of their types")
    func members() throws {
        try expect(try object("properties"), are: DecodedLine.self)
        try expect(try object("properties", "archive", "properties"), are: ArchiveObject.self)
        try expect(try object("properties", "documents", "items", "properties"), are: LineDocument.self)
        try expect(try object("$defs", "parts", "items", "properties"), are: LinePart.self)
        try expect(try object("$defs", "submission", "properties"), are: SubmissionMembers.self)
        try expect(try object("$defs", "receipt", "properties"), are: ReceiptMembers.self)
        try expect(try object("$defs", "purchases", "items", "properties"), are: InAppPurchase.self)
        try expect(try object("$defs", "rejection", "properties"), are: RejectionMembers.self)
    }

    @Test("has the stored attributes of purchases, which decoded lines have in the order of their table")
    func purchases() {
        var visited = VisitedMembers()
        var purchase = InAppPurchase()
        purchase.visit(with: &visited)
        #expect(visited.members.map(\.name) == AttributeField.purchase.filter(\.isStored).map(\.decodedName))
    }
}

/// What a member's format is in the schema.
private enum SchemaForm {
    /// One of the definitions, or several of which each is right.
    case defined([String])
    case words([String])
    /// A value of a type, or one value alone, which the schema says in its own way.
    case own

    func isThat(of property: [String: Any]) -> Bool {
        switch self {
        case .defined(let names): names.contains { property["$ref"] as? String == "#/$defs/\($0)" }
        case .words(let words): Set(property["enum"] as? [String] ?? []) == Set(words)
        case .own: property["const"] != nil || property["type"] != nil
        }
    }

    init(_ format: any MemberFormat.Type, name: String) {
        switch format {
        case is TextMember.Type, is StringMember.Type: self = .defined(["text"])
        case is TimeMember.Type: self = .defined(["milliseconds"])
        case is HexMember.Type: self = .defined(["hexadecimal"])
        case is DigestMember.Type: self = .defined(["sha256"])
        case is OctetsMember.Type: self = .defined(["base64"])
        case is AppTypesMember.Type, is PurchaseTypesMember.Type: self = .defined(["types"])
        case is PurchasesMember.Type, is ObjectMember<SubmissionMembers>.Type, is ObjectMember<ReceiptMembers>.Type,
            is ObjectMember<RejectionMembers>.Type, is ObjectsMember<LinePart>.Type:
            self = .defined([name])
        // Those that count have bounds of their own.
        case is IntegerMember.Type where ["schema", "line", "document", "purchase_count"].contains(name): self = .own
        case is IntegerMember.Type: self = .defined(["integer", "count"])
        case let list as any WordList.Type: self = .words(list.words)
        default: self = .own
        }
    }
}

/// The members that an object names.
private struct VisitedMembers: MemberVisitor {
    var members: [(name: String, form: SchemaForm)] = []

    mutating func member<Format: MemberFormat>(
        _ name: StaticString, _ value: inout Format.Value?, as format: Format.Type
    ) {
        members.append((name.description, SchemaForm(format, name: name.description)))
    }

    mutating func member<Format: MemberFormat>(_ name: [UInt8], _ value: inout Format.Value?, as format: Format.Type) {
        let name = String(decoding: name, as: UTF8.self)
        members.append((name, SchemaForm(format, name: name)))
    }

    mutating func payload(_ index: inout Int?) {
        members += SignedForm.all.map { ($0.name.description, .defined([$0.name.description])) }
    }
}

/// A format of a few words.
private protocol WordList {
    static var words: [String] { get }
}

extension WordMember: WordList {
    fileprivate static var words: [String] { Word.allCases.map(\.rawValue) }
}

extension DerivedWordMember: WordList where Word: CaseIterable {
    fileprivate static var words: [String] { Word.allCases.map(\.rawValue) }
}
