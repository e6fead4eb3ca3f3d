import Testing

@testable import SignedDataFormat

/// Two readers that understand one payload differently make a forgery: whatever JSON
/// leaves open is refused (RFC 8259, 4 and 8; RFC 7493, 2).
@Suite("A payload's JSON")
struct StrictJSONTests {
    private func transaction(_ more: String) -> String { #"{"transactionId":"1"\#(more)}"# }

    @Test("may hold anything that is strict")
    func reads() {
        for more in [
            "", #","a":[1,{"b":[]},"c",null,true,-1.5e-3]"#, #","a":{"k":1},"b":{"k":1}"#,
            #","a":"\ud83d\ude00\u0000\n""#,
            #","\ud83d\ude00":1"#, #","":1"#, #","a":"é😀""#, ",\"b\" : 1 \r\n\t",
            #","a":{"transactionId":"2"}"#, #","data":{"transactionId":"2"}"#,
            // Keys that differ, though by case or by normal form alone.
            #","TransactionId":"2""#, ",\"\u{e9}\":1,\"e\u{301}\":2", #","a":1,"a ":2,"\u0061\u0000":3"#,
        ] { #expect(fault(transaction(more)) == nil, "\(more)") }
        #expect(fault(" \t\r\n" + transaction("") + "\n ") == nil)
    }

    @Test("refuses NUL in a text that is read, as in receipts")
    func refusesNUL() {
        for more in [
            #","productId":"a\u0000b""#, #","bundleId":"\u0000""#, #","environment":"Sandbox\u0000""#,
            #","currency":"\u0000EUR""#, #","appAccountToken":"x\u0000""#,
            #","notificationType":"TEST","data":{"bundleId":"a\u0000"}"#,
        ] { #expect(fault(transaction(more)) == .payload, "\(more)") }
        #expect(fault(#"{"transactionId":"1\u0000"}"#) == .payload)
        #expect(fault(transaction(#","productId":"a\u0001b""#)) == nil)
    }

    @Test("names no key twice in one object, known or not, however it is escaped")
    func refusesDoubledKeys() {
        for more in [
            #","transactionId":"1""#, #","transactionId":null"#, #","\u0074ransactionId":"2""#,
            #","transactionI\u0064":"2""#,
            #","a":1,"a":1"#, #","a":1,"\u0061":2"#, #","\u0061":1,"a":2"#, #","\u0061":1,"\u0061":2"#,
            #","😀":1,"\ud83d\ude00":2"#, #","":1,"":2"#, #","a":{"b":1,"b":1}"#, #","a":{"b":1,"\u0062":1}"#,
            #","a":[[{"b":{"c":0,"c":0}}]]"#, #","a":[{"bundleId":"1","bundleId":"1"}]"#, #","a/b":1,"a\/b":1"#,
            #","data":{"bundleId":"1","bundleId":"2"}"#, #","data":{"bundleId":"1","bundleI\u0064":"2"}"#,
            #","data":{"x":{"y":1,"y":2}}"#, #","data":{},"data":{}"#, #","data":{},"dat\u0061":null"#,
            #","summary":null,"summary":{}"#, #","a":1,"b":2,"c":3,"d":4,"a":5"#,
        ] { #expect(fault(transaction(more)) == .payload, "\(more)") }
    }

    /// Few keys are compared in pairs and many by their hashes: the second stands at every place.
    @Test("names no key twice among many, wherever the two stand, however they are escaped")
    func refusesDoubledKeysAmongMany() {
        func members(_ names: [String]) -> String { names.map { ",\"\($0)\":0" }.joined() }
        // As long as one another, and the same but for the last character.
        let names = (0..<40).map { String(repeating: "k", count: 20) + String(UnicodeScalar(UInt8(0x41 + $0))) }
            .filter { !$0.hasSuffix("\\") }
        func escaped(_ name: String) -> String { "\\u006b" + name.dropFirst() }
        let mixed = names.enumerated().map { $0.offset % 3 == 0 ? escaped($0.element) : $0.element }
        #expect(fault(transaction(members(names))) == nil && fault(transaction(members(mixed))) == nil)
        for (index, name) in names.enumerated() {
            for second in [name, escaped(name)] {
                for place in [index, names.count] {
                    for var all in [names, mixed] {
                        all.insert(second, at: place)
                        #expect(fault(transaction(members(all))) == .payload, "\(second) at \(place)")
                    }
                }
            }
        }
    }

    @Test("names no key twice of those that are read", arguments: SignedField.table.map(\.name))
    func refusesEachDoubledKey(name: String) {
        let escaped = name.unicodeScalars.map { "\\u" + String($0.value + 0x10000, radix: 16).dropFirst() }.joined()
        let other = name == "transactionId" ? "" : #""transactionId":"1","#
        #expect(fault(#"{\#(other)"\#(name)":"1"}"#) == nil || name == "notificationUUID")
        for second in [name, escaped, "\\u00" + String(name.utf8.first!, radix: 16) + name.dropFirst()] {
            for value in ["\"1\"", "null", "1", "{}", "[]"] {
                #expect(fault(#"{\#(other)"\#(name)":"1","\#(second)":\#(value)}"#) == .payload, "\(second): \(value)")
                #expect(
                    fault(#"{\#(other)"\#(second)":\#(value),"x":0,"\#(name)":"1"}"#) == .payload, "\(second): \(value)"
                )
            }
        }
    }

    @Test("has no half of a surrogate pair, in keys and texts, read or not")
    func refusesLoneSurrogates() {
        for half in [
            #"\ud800"#, #"\udfff"#, #"\udc00\ud800"#, #"\ud800\ud800"#, #"\ud83d x"#, #"\ud83d\n"#, #"\ud83d\u0041"#,
            #"a\ud800b"#,
            #"\uD83D\uDE00\uD83D"#,
        ] {
            for more in [
                ",\"a\":\"\(half)\"", ",\"\(half)\":1", ",\"bundleId\":\"\(half)\"", ",\"a\":[{\"b\":\"\(half)\"}]",
                ",\"a\":{\"\(half)\":1}", ",\"data\":{\"bundleId\":\"\(half)\"}", ",\"price\":\"\(half)\"",
            ] { #expect(fault(transaction(more)) == .payload, "\(more)") }
        }
    }

    @Test("is an object and nothing beside")
    func refusesOthers() {
        for json in [
            "", " ", "{", "}", "[]", "null", "1", #""{}""#, transaction("") + "x", transaction("") + "{}",
            transaction("") + ",",
            "\u{feff}" + transaction(""), transaction("") + "\0", "[" + transaction("") + "]", transaction(","),
            transaction(",1"),
            transaction(#","a""#), transaction(#","a":"#), transaction(#","a":,"b":1"#), transaction(#","a":01"#),
            transaction(#","a":+1"#), transaction(#","a":1."#), transaction(#","a":.5"#), transaction(#","a":1e"#),
            transaction(#","a":NaN"#), transaction(#","a":Infinity"#), transaction(#","a":0x10"#),
            transaction(#","a":True"#),
            transaction(#","a":nul"#), transaction(#",'a':1"#), transaction(#",a:1"#), transaction(#","a":"\x41""#),
            transaction(#","a":"\u12g4""#), transaction(#","a":"\u+123""#), transaction(",\"a\":\"\u{1}\""),
            transaction(",\"a\":\"\n\""), transaction(",\"a\":\"\u{0}\""), transaction(#","a":[1,]"#),
            transaction("/**/"),
            transaction(",\u{a0}\"a\":1"), transaction(",\"a\":1\u{b}"),
        ] { #expect(fault(json) == .payload, "\(json)") }
        for bytes: [UInt8] in [
            [0xff], [0xfe], [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xed, 0xa0, 0x80], [0xe0, 0x80, 0x80], [0xe2, 0x82],
            [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
            [0xf8, 0x88, 0x80, 0x80, 0x80],
        ] {
            let start = Array(#"{"transactionId":"1","a":""#.utf8)
            #expect(fault(start + bytes + Array(#""}"#.utf8)) == .payload, "\(bytes)")
            let key = Array(#"{"transactionId":"1",""#.utf8)
            #expect(fault(key + bytes + Array(#"":1}"#.utf8)) == .payload, "\(bytes)")
        }
        // What is wrong, and where: the payload is at fault, not the line that holds it.
        let latin = Array(#"{"transactionId":"1","a":"é"#.utf8) + [0xe9] + Array(#""}"#.utf8)
        #expect(detail(latin) == "the payload: not UTF-8 (character 29 of its JSON)")
        #expect(
            detail(Array(#"{"transactionId":"#.utf8))
                == "the payload: the text ends where a value should stand (character 18 of its JSON)")
        // UTF-16 and UTF-32 of the same text.
        let text = transaction("")
        #expect(fault(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }) == .payload)
        #expect(fault(text.unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] }) == .payload)
    }

    @Test("nests 32 levels and has 1,024 members at most, in whichever objects")
    func bounds() {
        func nested(_ open: String, _ close: String, _ count: Int) -> String {
            ",\"a\":" + String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        #expect(fault(transaction(nested("[", "]", 31))) == nil)
        #expect(fault(transaction(nested("[", "]", 32))) == .payload)
        #expect(fault(transaction(nested("{\"k\":", "}", 31))) == nil)
        #expect(fault(transaction(nested("{\"k\":", "}", 32))) == .payload)
        #expect(fault(transaction(nested("[{\"k\":", "}]", 15))) == nil)
        #expect(fault(transaction(nested("[{\"k\":", "}]", 16))) == .payload)
        #expect(
            fault(
                transaction(
                    ",\"data\":{\"b\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"))
                == .payload)
        // A hundred thousand unclosed, which must not exhaust the stack.
        #expect(fault("{\"a\":" + String(repeating: "[", count: 100_000)) == .payload)
        #expect(fault("{\"a\":" + String(repeating: "{\"a\":", count: 20_000)) == .payload)

        func members(_ count: Int) -> String { (0..<count).map { ",\"k\($0)\":0" }.joined() }
        func objects(_ count: Int) -> String {
            ",\"a\":[" + (0..<count).map { _ in "{\"k\":0}" }.joined(separator: ",") + "]"
        }
        #expect(fault(transaction(members(1_023))) == nil)
        #expect(fault(transaction(members(1_024))) == .payload)
        #expect(fault(transaction(objects(1_022))) == nil)
        #expect(fault(transaction(objects(1_023))) == .payload)
        // Elements of lists are no members.
        #expect(fault(transaction(",\"a\":[" + String(repeating: "0,", count: 20_000) + "0]")) == nil)
    }
}
