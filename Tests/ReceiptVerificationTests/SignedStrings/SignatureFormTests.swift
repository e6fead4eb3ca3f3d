import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Signatures of another form than RFC 7518, 3.4, and texts of another than RFC 7515, 2.
@Suite("A signed string's signature")
struct SignatureFormTests {
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    @Test("of another length or encoding than r and s in 32 bytes each is bad")
    func refusesOtherForms() throws {
        let changes: [(String, @Sendable (ThrowAwayKey, [UInt8]) throws -> [UInt8])] = [
            ("DER", { try $0.signature(of: $1) }),
            ("empty", { _, _ in [] }),
            ("63 bytes", { Array(try $0.es256($1).dropLast()) }),
            ("63 bytes, the first gone", { Array(try $0.es256($1).dropFirst()) }),
            ("65 bytes", { try $0.es256($1) + [0] }),
            ("65 bytes, a zero first", { [0] + (try $0.es256($1)) }),
            ("r alone", { Array(try $0.es256($1).prefix(32)) }),
        ]
        for (what, sign) in changes { try store.expect(.badSignature, what) { $0.sign = sign } }
        let orders: [(String, @Sendable (_ r: [UInt8], _ s: [UInt8]) -> [UInt8])] = [
            ("33 bytes each", { [0] + $0 + [0] + $1 }), ("s before r", { $1 + $0 }),
            ("little-endian", { $0.reversed() + $1.reversed() }), ("twice", { $0 + $1 + $0 + $1 }),
        ]
        for (what, order) in orders {
            try store.expect(.badSignature, what) {
                $0.sign = { key, message in
                    let raw = try key.es256(message)
                    return order(Array(raw.prefix(32)), Array(raw.suffix(32)))
                }
            }
        }
    }

    @Test("with r or s beyond 1 to n - 1 is bad")
    func refusesIntegersOutOfRange() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let one: [UInt8] = zero.dropLast() + [1]
        let ones = [UInt8](repeating: 0xff, count: 32)
        let above: [UInt8] = P256Order.n.dropLast() + [0x52]
        for (what, integer) in [("0", zero), ("n", P256Order.n), ("n + 1", above), ("2^256 - 1", ones)] {
            try store.expect(.badSignature, "r = \(what)") {
                $0.sign = { Array(integer + (try $0.es256($1)).suffix(32)) }
            }
            try store.expect(.badSignature, "s = \(what)") {
                $0.sign = { Array((try $0.es256($1)).prefix(32) + integer) }
            }
            for (other, second) in [("0", zero), ("1", one), ("n", P256Order.n)] {
                try store.expect(.badSignature, "r = \(what), s = \(other)") { $0.sign = { _, _ in integer + second } }
            }
        }
    }

    @Test("with n - s in place of s holds: a second string of the same content")
    func acceptsComplement() throws {
        let genuine = try store.sign()
        let raw = try #require(Data(base64URL: String(genuine.split(separator: ".")[2])))
        let complement = Array(raw.prefix(32)) + P256Order.complement(Array(raw.suffix(32)))
        let second =
            genuine.split(separator: ".").dropLast().joined(separator: ".") + "."
            + SignedStringParts.base64URL(complement)
        let verified = try verify(lines: Array("\(genuine)\n\(second)\n".utf8), trusting: store.anchors)
        #expect(verified.receipts.map(\.verification.verdict) == [.trusted, .trusted])
        #expect(Set(verified.receipts.map(\.digest)).count == 2)
    }

    @Test("over another content, or by another key, is bad")
    func refusesForgeries() throws {
        let other = try SignedStringStore()
        try store.expect(.badSignature, "another key") { $0.key = other.leaf.key }
        try store.expect(.badSignature, "the payload alone") {
            let payload = $0.payload
            $0.sign = { key, _ in try key.es256(payload) }
        }
        try store.expect(.badSignature, "the JSON of both") {
            let content = Array($0.headerJSON.utf8) + [0x2e] + $0.payload
            $0.sign = { key, _ in try key.es256(content) }
        }
        try store.expect(.badSignature, "another's signature") {
            let foreign = Array(SignedStringStore.transaction("3").utf8)
            $0.sign = { key, _ in try key.es256(foreign) }
        }
        // The same JSON, encoded with a space that the signature is not over.
        try store.expect(.badSignature, "another header of the same meaning") {
            let header = SignedStringParts.base64URL(Array(($0.headerJSON.dropLast() + " }").utf8))
            $0.finish = { $0[0] = header }
        }
        try store.expect(.badSignature, "another payload") {
            let payload = SignedStringParts.base64URL(Array(SignedStringStore.transaction("3").utf8))
            $0.finish = { $0[1] = payload }
        }
    }

    /// Texts that decode to the same bytes where a decoder is lenient.
    private static let lenient: [(String, @Sendable (String) -> String)] = [
        ("padded", { $0 + String(repeating: "=", count: (4 - $0.count % 4) % 4) }),
        ("a space inside", { $0.prefix(8) + " " + $0.dropFirst(8) }),
        ("a tab before the last character", { $0.dropLast() + "\t" + $0.suffix(1) }),
        ("a last character alone", { $0 + String(repeating: "A", count: (5 - $0.count % 4) % 4) }),
        ("the standard alphabet", { $0.replacing("-", with: "+").replacing("_", with: "/") }),
        ("a byte above 127", { $0 + "é" }),
    ]

    @Test("that is not canonical base64url can't be read; the same holds for header and payload")
    func refusesOtherBase64() throws {
        let faults: [Outcome] = [
            .rejected(.malformedContainer), .rejected(.malformedPayload), .rejected(.malformedContainer),
        ]
        for part in 0..<3 {
            for (what, change) in Self.lenient {
                // Payloads of three lengths, so that there is always something to pad.
                for length in 0..<3 {
                    // Characters that only one of the two alphabets can write.
                    let more = #","a":"???>>>~~~"#
                    let parts = store.string(
                        SignedStringStore.transaction(
                            String(repeating: "1", count: 10 + length), more: more + "\"")
                    ).with { $0.more = more + String(repeating: "-", count: length) + "\"" }
                    var texts = try parts.text.split(separator: ".").map(String.init)
                    let unchanged = texts[part] == change(texts[part])
                    if part < 2 { #expect(texts[part].contains { $0 == "-" || $0 == "_" }) }
                    texts[part] = change(texts[part])
                    let line = String(
                        decoding: try JSONEncoder().encode(["jws": texts.joined(separator: ".")]), as: UTF8.self)
                    let verified = try verify(line: line, trusting: store.anchors)
                    let expected = unchanged ? .verdict(.trusted) : faults[part]
                    #expect(verified.outcome == expected, "part \(part), \(what): \(verified.detail)")
                }
            }
        }
    }

    @Test("whose last character has unused bits set can't be read; the same holds for the other parts")
    func refusesUnusedBits() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        func next(_ text: String) -> String? {
            guard text.count % 4 != 0, let last = text.last, let index = alphabet.firstIndex(of: last) else {
                return nil
            }
            return text.dropLast() + String(alphabet[index + 1])
        }
        let faults: [Outcome] = [
            .rejected(.malformedContainer), .rejected(.malformedPayload), .rejected(.malformedContainer),
        ]
        var compared = 0
        for part in 0..<3 {
            for length in 0..<3 {
                let padding = String(repeating: " ", count: length)
                let string = store.string(SignedStringStore.transaction() + padding).with {
                    $0.header = Array(($0.headerJSON + padding).utf8)
                }
                var texts = try string.text.split(separator: ".").map(String.init)
                guard let changed = next(texts[part]) else { continue }
                // Lenient decoders take both for the same.
                #expect(Data(base64URL: changed) == Data(base64URL: texts[part]))
                texts[part] = changed
                let verified = try verify(line: texts.joined(separator: "."), trusting: store.anchors)
                #expect(verified.outcome == faults[part], "part \(part): \(verified.detail)")
                compared += 1
            }
        }
        // 64 bytes always leave bits; of three lengths two do.
        #expect(compared == 7)
    }

    @Test("stands behind header and payload: two parts, or four, are no signed string")
    func refusesOtherParts() throws {
        let texts = try store.sign().split(separator: ".").map(String.init)
        let changes: [(String, [String], Outcome)] = [
            ("two", [texts[0], texts[1]], .rejected(.malformedContainer)),
            ("four", texts + [texts[2]], .rejected(.malformedContainer)),
            ("five, as JWE has", texts + ["", "a"], .rejected(.malformedContainer)),
            ("a full stop behind", texts + [""], .rejected(.malformedContainer)),
            ("a full stop before", [""] + texts, .rejected(.malformedContainer)),
            ("no header", ["", texts[1], texts[2]], .rejected(.malformedContainer)),
            ("no payload", [texts[0], "", texts[2]], .rejected(.malformedPayload)),
            ("a signature of other characters", [texts[0], texts[1], "%%%"], .rejected(.malformedContainer)),
            ("no signature", [texts[0], texts[1], ""], .verdict(.badSignature)),
            ("nothing", ["", "", ""], .rejected(.malformedContainer)),
        ]
        for (what, parts, expected) in changes {
            let verified = try verify(
                line: #"{"signedPayload":"\#(parts.joined(separator: "."))"}"#, trusting: store.anchors)
            #expect(verified.outcome == expected, "\(what): \(verified.detail)")
        }
    }
}

extension Data {
    /// Base64url, leniently.
    init?(base64URL text: String) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
