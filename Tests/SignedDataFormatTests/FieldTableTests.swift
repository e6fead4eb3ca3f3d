import Foundation
import ReceiptFormat
import Testing

@testable import SignedDataFormat

@Suite("The table of fields")
struct FieldTableTests {
    private let table = SignedField.table

    @Test("names each field once at its place, and says what it means")
    func names() {
        let stated = table.filter { !$0.type.isDerived }
        #expect(Set(stated.map { "\($0.place) \($0.name)" }).count == stated.count)
        for field in table { #expect(!field.meaning.isEmpty && !field.kinds.isEmpty, "\(field.name)") }
    }

    @Test("gives each field that is read a slot of its own, of the field's type")
    func slots() {
        for record in SignedField.Record.allCases {
            let slots = table.filter { $0.record == record }.compactMap(\.slot)
            #expect(Set(slots).count == slots.count)
        }
        let slots = table.filter { $0.record == .document }.compactMap(\.slot)
        for field in table {
            switch field.slot {
            case .text: #expect(field.type.isText, "\(field.name)")
            case .number: #expect(!field.type.isText, "\(field.name)")
            case nil: #expect(field.column == nil && field.person == nil && !field.tellsKind, "\(field.name)")
            }
        }
        // Each name by which code knows a slot is some field's.
        for name in TextField.allCases { #expect(slots.contains(.text(name.rawValue)), "\(name)") }
        for name in NumberField.allCases { #expect(slots.contains(.number(name.rawValue)), "\(name)") }
    }

    @Test("fits into a payload, value for value")
    func fits() {
        var payload = SignedPayload()
        let slots = table.filter { $0.record == .document }.compactMap(\.slot)
        for slot in slots {
            #expect(!payload.has(slot))
            switch slot {
            case .text(let number): payload[text: number] = ByteRange(offset: number, count: number + 1)
            case .number(let number): payload[number: number] = Int64(number)
            }
        }
        for slot in slots {
            switch slot {
            case .text(let number): #expect(payload[text: number] == ByteRange(offset: number, count: number + 1))
            case .number(let number): #expect(payload[number: number] == Int64(number))
            }
        }
    }

    @Test("has a merge rule for what transactions store, and no other")
    func mergeRules() {
        for field in table {
            #expect((field.merge != nil) == field.storedKinds.contains(.transaction), "\(field.name)")
            #expect(field.storedKinds.isSubset(of: field.kinds), "\(field.name)")
        }
        for group in TermGroup.allCases {
            #expect(table.contains { $0.merge == .newestStating(group) }, "\(group)")
        }
    }

    /// Erasing by a token finds the terms that an erased document states by the group of the term.
    @Test("names persons in texts that are merged by a group of their own")
    func persons() {
        let persons = table.filter { $0.person != nil }
        #expect(persons.map(\.name).sorted() == ["appAccountToken", "appTransactionId"])
        for field in persons {
            guard case .newestStating(let group) = field.merge else {
                Issue.record("\(field.name) is not merged by itself")
                continue
            }
            #expect(table.count { $0.merge == .newestStating(group) || $0.merge == .along(group) } == 1)
        }
    }
}
