internal import Foundation
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// What the table of fields does not know: members, types and values of the store's next year.
@Suite("verify and inspect of unknown members")
struct UnknownMembersTests {
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    /// The members that `verify` names as unknown, as `path: type`.
    private func unknown(_ payload: String) throws -> [String] {
        let found = try store.run().answer(to: try store.sign(payload))
        #expect(found["verdict"] as? String == "trusted", "\(payload)")
        return listed((found.objects("steps").last ?? [:]))
    }

    private func listed(_ object: Object) -> [String] {
        object.objects("unknown_members").map { "\($0["path"] ?? ""): \($0["value_type"] ?? "")" }
    }

    /// The paths that `inspect` marks as unknown, and the paths without a meaning that it does not mark.
    private func marks(
        _ fields: [Object], below path: String = "", inList: Bool = false
    ) -> (marked: Set<String>, unexplained: Set<String>) {
        var (marked, unexplained): (Set<String>, Set<String>) = ([], [])
        for field in fields {
            let name = field["name"] as? String ?? ""
            let own = inList ? path + "[]" : path.isEmpty ? name : path + "." + name
            if field["unknown"] is String { marked.insert(own) }
            if !inList, field["meaning"] is NSNull, field["unknown"] is NSNull { unexplained.insert(own) }
            let inner = field.objects("fields")
            let isList = inner.first.map { ($0["name"] as? String)?.hasPrefix("[") == true } ?? false
            let below = marks(inner, below: own, inList: isList)
            marked.formUnion(below.marked)
            unexplained.formUnion(below.unexplained)
        }
        return (marked, unexplained)
    }

    private func inspectedMarks(_ payload: String) throws -> (
        marked: Set<String>, unexplained: Set<String>, listed: [String]
    ) {
        let found = try object(try inspected(try store.sign(payload)).text)
        let (marked, unexplained) = marks(found.object("payload").objects("fields"))
        return (marked, unexplained, listed(found))
    }

    @Test("finds none in the models of Apple's libraries, and a meaning for each member", arguments: StoreModels.all)
    func storeModels(payload: String) throws {
        #expect(try unknown(payload).isEmpty)
        let (marked, unexplained, listed) = try inspectedMarks(payload)
        #expect(marked.isEmpty && unexplained.isEmpty && listed.isEmpty)
    }

    private static let tomorrow = #"""
        {"transactionId":"7","bundleId":"com.example.app","purchaseDate":1729999000000,"price":"1990","quantity":1.5,\#
        "inAppOwnershipType":"LEASED","offerType":9,"autoRenewStatus":1,"signedDate":1730000000000,\#
        "revocationDate":-1,"leaseInfo":{"price":1,"months":[{"number":3}]},"isUpgraded":null,\#
        "commitmentInfo":{"totalBillingPeriods":12,"billingDay":31},\#
        "advancedCommerceInfo":{"items":[{"SKU":"a","partner":{"id":7}},"b"],"taxRate":0.15},\#
        "multiSeatInfo":{"priceTiers":[{"price":1000,"quantity":2,"until":5}],"invitationManagement":"MALL"}}
        """#

    @Test("names each member, type and value of a document of tomorrow, and inspect marks the same")
    func tomorrow() throws {
        let wanted = [
            "advancedCommerceInfo.items[]: string", "advancedCommerceInfo.items[].partner: object",
            "advancedCommerceInfo.taxRate: number", "autoRenewStatus: number", "commitmentInfo.billingDay: number",
            #"inAppOwnershipType: string "LEASED""#, "leaseInfo: object",
            #"multiSeatInfo.invitationManagement: string "MALL""#, "multiSeatInfo.priceTiers[].until: number",
            "offerType: number 9", "price: string", "quantity: number",
        ]
        #expect(try unknown(Self.tomorrow) == wanted)
        let (marked, _, listed) = try inspectedMarks(Self.tomorrow)
        #expect(listed == wanted)
        #expect(marked == Set(wanted.map { $0.replacing(#/:.*/#, with: "") }))
    }

    @Test("shows in text what is unknown where it stands")
    func text() throws {
        let shown = try inspected(try store.sign(Self.tomorrow), .text).text
        let lines = Set(shown.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } })
        for line in [
            "unknown       12 members or values", "price: string", #"inAppOwnershipType: string "LEASED""#,
            "price                       1990 = unknown type: string, where number is known  "
                + "(price in thousandths of the currency, after the offer, for the whole quantity)",
            "quantity                    1.5 = unknown type: number, where number is known  (number of units)",
            "inAppOwnershipType          LEASED = unknown value  "
                + "(bought by the customer, shared by family, or assigned by an organization or group)",
            "offerType                   9 = unknown value  (type of the offer)",
            "autoRenewStatus             1  (unknown field in this kind of document; elsewhere: whether it will renew)",
            "leaseInfo                   (unknown field)", "billingDay                  31  (unknown field)",
            "partner                     (unknown field)", "until                       5  (unknown field)",
            "[1]                         b = unknown type: string, where object is known  (what was sold)",
        ] {
            #expect(lines.contains(line[...]), "\(line)\n\(shown)")
        }
        let answer = try store.run { $0.format = .text }.answers(to: try store.sign(Self.tomorrow)).text
        #expect(
            answer.contains("\n    unknown       12 members or values\n      advancedCommerceInfo.items[]: string\n"))
        #expect(try !inspected(try store.sign(), .text).text.contains("unknown"))
    }

    /// Two readers: the parser of loads, and the listing of `inspect`.
    @Test("is the same to inspect as to the parser, whichever member of a document changes", arguments: StoreModels.all)
    func agreement(payload: String) throws {
        let members = try #require(payload.matches(of: #/"(?<name>[A-Za-z]+)":/#)).map { $0.range }
        let values = ["\"x\"", "7", "1.5", "true", "null", "{\"a\":1}", "[]", "[{\"a\":1}]", "[1]", "-1", "\"\""]
        var compared = 0
        func compare(_ changed: String) throws {
            let answer = try store.run().answer(to: try store.sign(changed))
            // A member that the kind needs may be the one that was changed.
            guard answer["rejection"] == nil else { return }
            let (marked, _, listed) = try inspectedMarks(changed)
            #expect(listed == self.listed(answer.objects("steps").last ?? [:]), "\(changed)")
            let paths = listed.map { $0.replacing(#/: .*/#, with: "") }
            #expect(marked == Set(paths), "\(changed)")
            compared += 1
        }
        // By day every third member.
        let step = Nightly.rounds(day: 3, night: 1)
        for (index, range) in members.enumerated() where index % step == 0 {
            var renamed = payload
            renamed.replaceSubrange(range, with: payload[range].dropLast(2) + "X\":")
            try compare(renamed)
            // The value up to the next comma or bracket: of an object or list only its beginning, and then no JSON.
            let rest = payload[range.upperBound...]
            guard let first = rest.first, first != "{", first != "[" else { continue }
            let isText = first == "\""
            let end =
                isText
                ? rest.dropFirst().firstIndex(of: "\"").map { rest.index(after: $0) }
                : rest.firstIndex { ",}]".contains($0) }
            var changed = payload
            changed.replaceSubrange(
                range.upperBound..<(try #require(end)), with: values[index % values.count])
            try compare(changed)
        }
        #expect(compared > members.count / step)
    }

    @Test("is what other kinds state within an object, and a number that readers of JSON need not agree on")
    func foreign() throws {
        let renewal = #"""
            {"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1730000000000,"renewalPrice":9007199254740993,\#
            "commitmentInfo":{"billingPeriodNumber":3,"commitmentAutoRenewStatus":1},\#
            "multiSeatInfo":{"invitationManagement":"APPLE"}}
            """#
        let wanted = ["commitmentInfo.billingPeriodNumber", "multiSeatInfo.invitationManagement", "renewalPrice"]
        #expect(try unknown(renewal) == zip(wanted, ["number", "string", "number"]).map { "\($0): \($1)" })
        #expect(try inspectedMarks(renewal).marked == Set(wanted))
    }

    @Test("is counted over a batch, notifications and what they hold by themselves, and decides no verdict")
    func batch() throws {
        let inner = try store.sign(SignedStringStore.transaction(more: #","fare":1"#))
        let outer = store.notification(["signedTransactionInfo": inner]).replacing("DID_RENEW", with: "DID_LEASE")
        let lines = [
            try store.sign(), try store.sign(outer), try store.sign(SignedStringStore.transaction(more: #","fare":2"#)),
            "{}",
        ]
        let (text, counts) = try store.run().answers(to: lines.joined(separator: "\n"), isBatch: true)
        let answers = try text.split(separator: "\n").map { try object(String($0)) }
        #expect(answers.map { $0["accepted"] as? Bool } == [true, true, true, false])
        #expect(counts.accepted == 3 && counts.refused == 1)
        #expect(counts.documentsWithUnknownMembers == 3)
        #expect(
            counts.unknownMemberNames == [
                "fare: number", #"notificationType: string "DID_LEASE""#,
            ])
        let step = try #require(answers[1].objects("steps").last)
        #expect(listed(step) == [#"notificationType: string "DID_LEASE""#])
        let held = try #require(step.objects("holds").first)
        #expect(listed(held.objects("steps").last ?? [:]) == ["fare: number"])
        // Line by line the counts are the same.
        let single = try store.run().answers(to: lines.joined(separator: "\n")).outcome
        #expect(single.documentsWithUnknownMembers == 3 && single.unknownMemberNames == counts.unknownMemberNames)
    }
}
