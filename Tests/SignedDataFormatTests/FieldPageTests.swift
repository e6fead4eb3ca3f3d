import Foundation
import Testing

@testable import SignedDataFormat

/// The pages that follow from the table of fields. With `RECEIPTMILL_WRITE_DOCS` set the tests write them.
@Suite("Documents made of the table of fields")
struct FieldPageTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
    private static let isWriting = ProcessInfo.processInfo.environment["RECEIPTMILL_WRITE_DOCS"] != nil

    private func expect(_ file: String, toBe text: String) throws {
        let file = Self.docs.appending(path: file)
        if Self.isWriting { try Data(text.utf8).write(to: file) }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == text,
            "\(file.lastPathComponent) is not what the table of fields says; `make docs` writes it")
    }

    @Test("the page of fields has each field, with its meaning and what becomes of it")
    func page() throws {
        var page = """
            # Fields of signed documents

            For who reads signed transactions, renewal infos, app transactions, notifications or realtime requests, or adds a field: what \
            each member means, and which column has it. A number beyond 2^53 − 1 is null (RFC 8259, 6). Written by `make docs` from the table by which they are read, \
            `Sources/SignedDataFormat/SignedFields.swift`.

            A member within an object is named with the object. Members of `advancedCommerceInfo` have columns of \
            `commerce`, those of its `items` of `commerce_item`, those of `refunds` of `commerce_refund`.

            *Merged* says which of several documents about one transaction decides: the newest, the newest that states \
            the field (or a field of its group), or every revocation in a row of its own. A field that is *read* is part of \
            the purchase, of the app, or of the document itself; others without a column are explained by `inspect` \
            alone. *Since* is the version of Apple's App Store Server API, or the year or month.

            """
        for (kind, title, source) in Self.kinds {
            page += """

                ## \(title)

                Apple, \(source).

                | member | type | since | meaning | column | merged |
                | --- | --- | --- | --- | --- | --- |

                """
            for field in SignedField.table where field.kinds.contains(kind) { page += row(field, kind) + "\n" }
        }
        try expect("signed-fields.md", toBe: page)
    }

    private static let kinds: [(SignedKinds, String, String)] = [
        (.transaction, "Transaction", "App Store Server API: JWSTransactionDecodedPayload"),
        (.renewal, "Renewal info", "App Store Server API: JWSRenewalInfoDecodedPayload"),
        (.appTransaction, "App transaction", "StoreKit: AppTransaction"),
        (.notification, "Notification", "App Store Server Notifications: responseBodyV2DecodedPayload"),
        (.realtimeRequest, "Realtime request", "Retention Messaging API: DecodedRealtimeRequestBody"),
    ]

    private func row(_ field: SignedField, _ kind: SignedKinds) -> String {
        var name = "`\(field.name)`"
        if case .inside(let object) = field.place { name += " in `\(object)`" }
        let column =
            field.storedKinds.contains(kind) || field.record != .document
            ? field.column.map { "`\($0)`" } : field.slot == nil ? nil : "*read*"
        var meaning = field.meaning
        if field.person != nil { meaning += "; names a person" }
        let merged: String? =
            switch kind == .transaction ? field.merge : nil {
            case .newest: "newest"
            case .newestStating(let group), .along(let group): "newest with \(group.rawValue.replacing("_", with: " "))"
            case .withRevocation: "each"
            case nil: nil
            }
        let cells = [name, "\(field.type)", field.since, meaning, column, merged]
        return "| " + cells.map { $0 ?? "" }.joined(separator: " | ") + " |"
    }

    @Test("the schema of decoded lines has the members of the table, of its types")
    func schema() throws {
        let file = "decode-format.schema.json"
        var text = try String(contentsOf: Self.docs.appending(path: file), encoding: .utf8)
        let definitions: [(String, [SignedField])] = [
            ("terms", SignedField.stored(of: .transaction)), ("renewal", SignedField.stored(of: .renewal)),
            ("app_transaction", SignedField.stored(of: .appTransaction)),
            ("notification", SignedField.stored(of: .notification)),
            ("realtime_request", SignedField.stored(of: .realtimeRequest)),
            ("commerce", SignedField.stored(in: .commerce)), ("item", SignedField.stored(in: .item)),
            ("refund", SignedField.stored(in: .refund)),
        ]
        for (definition, fields) in definitions {
            let start = try #require(text.range(of: "\"$defs\": {"))
            let object = try #require(
                text.range(of: "\n    \"\(definition)\": {", range: start.upperBound..<text.endIndex))
            let properties = try #require(
                text.range(of: "\"properties\": {\n", range: object.upperBound..<text.endIndex))
            let end = try #require(text.range(of: "\n      }", range: properties.upperBound..<text.endIndex))
            var members = fields.map(Self.member)
            if let lists = Self.lists[definition] { members.append(lists) }
            text.replaceSubrange(
                properties.upperBound..<end.lowerBound, with: members.joined(separator: ",\n"))
        }
        try expect(file, toBe: text)
    }

    /// The members of definitions that are no fields: records within records.
    private static let lists = [
        "terms": reference("commerce", to: "commerce"), "renewal": reference("commerce", to: "commerce"),
        "commerce": list("items", of: "item"), "item": list("refunds", of: "refund"),
    ]

    private static func reference(_ name: String, to definition: String) -> String {
        let indent = String(repeating: " ", count: 8)
        return "\(indent)\"\(name)\": {\n\(indent)  \"$ref\": \"#/$defs/\(definition)\"\n\(indent)}"
    }

    private static func list(_ name: String, of definition: String) -> String {
        let indent = String(repeating: " ", count: 8)
        return """
            \(indent)"\(name)": {
            \(indent)  "type": "array",
            \(indent)  "items": {
            \(indent)    "$ref": "#/$defs/\(definition)"
            \(indent)  }
            \(indent)}
            """
    }

    /// A member of the schema, indented as the file is.
    private static func member(_ field: SignedField) -> String {
        let indent = String(repeating: " ", count: 10)
        let body =
            switch field.type {
            case .date: "\(indent)\"$ref\": \"#/$defs/milliseconds\""
            case .flag: "\(indent)\"enum\": [\n\(indent)  0,\n\(indent)  1\n\(indent)]"
            case .share: "\(indent)\"type\": \"number\",\n\(indent)\"minimum\": 0,\n\(indent)\"maximum\": 1"
            case let type: "\(indent)\"$ref\": \"#/$defs/\(type.isText ? "text" : "integer")\""
            }
        return "        \"\(field.decodedName ?? "")\": {\n\(body)\n        }"
    }
}
