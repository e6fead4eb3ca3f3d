import ReceiptFormat
import Testing

@Suite("The listing of a property list")
struct PropertyListListingTests {
    private func listed(_ text: String) -> (members: [String], fault: MalformedReceipt?) {
        let bytes = Array(text.utf8)
        var members: [PropertyList.Member] = []
        var fault: MalformedReceipt?
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes.span)
            try PropertyList.read(&reader, into: &members)
        } catch {
            fault = error
        }
        let shown = members.map { member in
            [member.key, member.written].map { String(decoding: bytes[$0.indices], as: UTF8.self) }
                .joined(separator: "=")
        }
        return (shown, fault)
    }

    @Test("holds every member as it stands, in order")
    func listsAll() {
        let text = #"{ b = 1; "a" = "x\"y"; d = { e = f; } ; c = 'q'; }"#
        let found = listed(text)
        #expect(found.members == ["b=1", #"a="x\"y""#, "d={ e = f; }", "c='q'"])
        #expect(found.fault == nil)
    }

    @Test(
        "ends before the fault that refuses the list",
        arguments: [
            "{ a = 1; b = \"2", "{ a = 1; b 2; }", "{ a = 1; a = 2; }", "{ a = 1; } x",
            "{ a = 1; b = { c = 1; c = 2; }; }",
            "{ a = 1; b : 2; }", "{ a = 1;",
        ])
    func endsAtTheFault(text: String) throws {
        let found = listed(text)
        #expect(found.members == ["a=1"])
        let bytes = Array(text.utf8)
        let fault = try #require(found.fault)
        #expect(throws: fault) {
            var reader = ByteReader(bytes.span)
            _ = try PropertyList(parsing: &reader)
        }
    }

    @Test("is empty for a list that is too large to be read")
    func refusesLargeLists() {
        let found = listed("{ a = 1; }" + String(repeating: " ", count: PropertyList.maximumCount))
        #expect(found.members.isEmpty)
        #expect(found.fault?.code == .propertyList(.tooLarge))
    }
}
