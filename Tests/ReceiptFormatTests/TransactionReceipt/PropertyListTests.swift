import ReceiptFormat
import Testing

@Suite("A property list of NeXTSTEP")
struct PropertyListTests {
    /// The list's strings, escapes resolved; nil for a member that is a dictionary.
    private func parsed(_ text: String) throws -> [String: String?] {
        try parsed(Array(text.utf8))
    }

    private func parsed(_ bytes: [UInt8]) throws -> [String: String?] {
        var reader = ByteReader(bytes.span)
        let list = try PropertyList(parsing: &reader)
        var strings: [String: String?] = [:]
        for member in list.members {
            let key = String(decoding: bytes[member.key.indices], as: UTF8.self)
            strings[key] = .some(nil)
            if let value = member.value {
                strings[key] = String(decoding: try ByteReader(bytes.span).unescaped(value), as: UTF8.self)
            }
        }
        return strings
    }

    private func fault(_ text: String) -> MalformedReceipt.Code? { fault(Array(text.utf8)) }

    private func fault(_ bytes: [UInt8]) -> MalformedReceipt.Code? {
        do {
            _ = try parsed(bytes)
            return nil
        } catch {
            return (error as? MalformedReceipt)?.code
        }
    }

    @Test("holds quoted and bare strings with any white space between")
    func readsStrings() throws {
        #expect(
            try parsed("\r\n\t{ \"a b\"=\"c;d}\" ;pod = 50;\u{0b}e\u{0c}=\nf/g:h.i-j_k$;'q' = '\"';}\n ")
                == ["a b": "c;d}", "pod": "50", "e": "f/g:h.i-j_k$", "q": "\""])
        #expect(try parsed("{}").isEmpty)
        #expect(try parsed("{a=\"\";}") == ["a": ""])
    }

    @Test("resolves escapes")
    func resolvesEscapes() throws {
        #expect(
            try parsed(#"{a = "\"\\\n\t\101\60\U0041\U20ac\Ud83d\Ude00\/\q";}"#)
                == ["a": "\"\\\n\tA0A€😀/q"])
        #expect(try parsed("{a = \"x\\\ny\";}") == ["a": "x\ny"])
    }

    @Test("skips comments")
    func skipsComments() throws {
        #expect(try parsed("// head\n{ /* a = b; */ c /**/ = // x\n d; }/* end */") == ["c": "d"])
        #expect(fault("{ a = b; } /* open *") == .propertyList(.unclosedComment))
    }

    @Test("may hold dictionaries, which are skipped, down to a depth")
    func nestsToLimit() throws {
        #expect(try parsed("{a = {b = c; d = {};}; e = f;}") == ["a": nil, "e": "f"])
        func nested(_ depth: Int) -> String {
            String(repeating: "{a=", count: depth - 1) + "{}" + String(repeating: ";}", count: depth - 1)
        }
        #expect(fault(nested(PropertyList.maximumDepth)) == nil)
        #expect(fault(nested(PropertyList.maximumDepth + 1)) == .tooDeep(limit: 8))
        #expect(fault(String(repeating: "{a=", count: 20_000)) == .tooDeep(limit: 8))
    }

    @Test("is refused where a key occurs twice or holds an escape")
    func refusesDuplicates() {
        #expect(fault("{a = b; \"a\" = c;}") == .propertyList(.duplicateKey))
        #expect(fault("{x = {a = b; a = c;};}") == .propertyList(.duplicateKey))
        #expect(fault(#"{"\U0061" = b;}"#) == .propertyList(.escapedKey))
    }

    @Test("is distinguished from JSON")
    func recognisesJSON() {
        #expect(fault(#"{"signature": "AA==", "purchase-info": "e30="}"#) == .propertyList(.json))
        #expect(fault(#"{ "pod" :44}"#) == .propertyList(.json))
    }

    @Test(
        "is refused for a fault of its grammar",
        arguments: [
            ("{a = b}", PropertyListFault.expected(UInt8(ascii: ";"))), ("{a b;}", .expected(UInt8(ascii: "="))),
            ("[a]", .expected(UInt8(ascii: "{"))), ("{a = (b);}", .expectedValue), ("{a = <00>;}", .expectedValue),
            ("{= b;}", .expectedValue), ("{a = \"b;}", .unclosedString), ("{a = \"b\\\";}", .unclosedString),
            (#"{a = "\U12";}"#, .invalidEscape), (#"{a = "\Ud83d";}"#, .invalidEscape),
            (#"{a = "\Ude00";}"#, .invalidEscape), (#"{a = "\377";}"#, .invalidEscape),
            (#"{a = "\0";}"#, .invalidEscape), (#"{a = "\U0000";}"#, .invalidEscape),
        ])
    func refusesFaults(text: String, expected: PropertyListFault) {
        #expect(fault(text) == .propertyList(expected))
    }

    @Test("ends where its bytes end, and nothing follows it")
    func respectsBounds() {
        #expect(fault("") == .truncated)
        #expect(fault("{") == .truncated)
        #expect(fault("{a = b;") == .truncated)
        #expect(fault("{a = b;} x") == .trailingBytes)
        #expect(fault(Array("{a = \"".utf8) + [0xff] + Array("\";}".utf8)) == .invalidText)
        #expect(fault(Array("{a = \"".utf8) + [0] + Array("\";}".utf8)) == .invalidText)
    }

    @Test("is limited in bytes and in members")
    func limitsSize() {
        func members(_ count: Int) -> String { "{" + (0..<count).map { "k\($0)=v;" }.joined() + "}" }
        #expect(fault(members(PropertyList.maximumMembers)) == nil)
        #expect(fault(members(PropertyList.maximumMembers + 1)) == .propertyList(.tooManyMembers))
        let room = PropertyList.maximumCount - 2
        #expect(fault("{" + String(repeating: " ", count: room) + "}") == nil)
        #expect(fault("{" + String(repeating: " ", count: room + 1) + "}") == .propertyList(.tooLarge))
    }

    @Test("never makes the parser read beyond it, whatever is broken in it")
    func survivesMutations() {
        let whole = Array(#"{ "a" = "b\U0041"; c = 'd'; /* e */ f = { g = h; }; }"#.utf8)
        for end in 0..<whole.count { #expect(fault(Array(whole[..<end])) != nil) }
        for index in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var broken = whole
                broken[index] = byte
                _ = fault(broken)
            }
        }
    }
}
