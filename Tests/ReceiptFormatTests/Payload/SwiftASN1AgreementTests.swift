import Foundation
import ReceiptFormat
import SwiftASN1
import TestSupport
import Testing

@testable import ReceiptMint

/// Apple's general-purpose parser as the reference for payloads: both find the same
/// attributes in the same order, or both refuse.
@Suite("swift-asn1 agrees on payloads")
struct SwiftASN1AgreementTests {
    /// The result of a parser: attributes with the bytes of their values.
    struct Triple: Equatable {
        let type: Int64
        let version: Int64
        let value: [UInt8]
    }

    /// The deliberate differences, by the rule of ReceiptFormat.
    enum Difference: String, CaseIterable {
        /// ReceiptFormat refuses a value in several chunks, which no store writes.
        case fragmentedValue
        /// ReceiptFormat refuses octet strings in octet strings beyond ``OctetString/maximumDepth``.
        case nestedValue
        /// ReceiptFormat accepts an INTEGER of any width whose value fits 64 bits.
        case wideInteger
    }

    private struct Unexpected: Error {}
    /// swift-asn1 refused an INTEGER of more than eight bytes.
    private struct WideInteger: Error {}
    /// The tests' writer, under another name than swift-asn1's type.
    private typealias Bytes = TestSupport.BER

    // MARK: Both parsers

    private static func ours(_ bytes: [UInt8]) -> Result<[Triple], MalformedReceipt> {
        Result { () throws(MalformedReceipt) in
            var reader = ByteReader(bytes.span)
            let set = try reader.readElement(Tag.set)
            try reader.requireEnd()
            var members = reader.reader(in: set.content)
            var found: [Triple] = []
            while !members.isAtEnd {
                let attribute = try members.readAttribute()
                let value = Array(bytes[attribute.value.indices])
                found.append(Triple(type: attribute.type, version: attribute.version, value: value))
            }
            return found
        }
    }

    private static func theirs(_ bytes: [UInt8]) -> Result<[Triple], any Error> {
        Result {
            guard case let root = try SwiftASN1.BER.parse(bytes), root.identifier == .set,
                case .constructed(let members) = root.content
            else { throw Unexpected() }
            return try members.map { member in
                try SwiftASN1.BER.sequence(member, identifier: .sequence) { parts in
                    let type = try integer(&parts)
                    let version = try integer(&parts)
                    let value = try ASN1OctetString(berEncoded: &parts)
                    return Triple(type: type, version: version, value: Array(value.bytes))
                }
            }
        }
    }

    private static func integer(_ parts: inout ASN1NodeCollection.Iterator) throws -> Int64 {
        guard let node = parts.next() else { throw Unexpected() }
        do {
            return try Int64(berEncoded: node)
        } catch {
            guard node.identifier == .integer, case .primitive(let bytes) = node.content, bytes.count > 8 else {
                throw error
            }
            throw WideInteger()
        }
    }

    /// Nil where both agree; else the rule that explains the difference, or nil.
    private static func difference(_ bytes: [UInt8]) -> (explained: Difference?, what: String)? {
        switch (ours(bytes), theirs(bytes)) {
        case (.success(let own), .success(let other)):
            return own == other ? nil : (nil, "other attributes")
        case (.failure, .failure): return nil
        case (.failure(let fault), .success):
            switch fault.code {
            case .fragmentedValue: return (.fragmentedValue, fault.description)
            case .tooDeep: return (.nestedValue, fault.description)
            default: return (nil, "only swift-asn1 reads it; we say: \(fault)")
            }
        case (.success, .failure(let error)):
            return (error is WideInteger ? .wideInteger : nil, "only we read it; swift-asn1 says: \(error)")
        }
    }

    /// The payload of a container, its chunks joined.
    private static func payload(of receipt: [UInt8]) throws -> [UInt8] {
        var reader = ByteReader(receipt.span)
        let content = try Container(parsing: &reader).content
        guard content.isFragmented else { return Array(receipt[content.range.indices]) }
        var joined: [UInt8] = []
        try reader.appendBytes(of: content, to: &joined)
        return joined
    }

    private static func minted() throws -> [[UInt8]] {
        var parameters = MintParameters()
        parameters.count = 60
        return try MintedChunk(0, parameters, authority: Authority.shared(seed: 3)).submissions.map(\.receipt)
            .filter(\.isReadable).map { try payload(of: $0.encoded) }
    }

    /// Types that Apple's page "Receipt Fields" names.
    private static let documented: Set<Int64> = [2, 3, 4, 5, 12, 17, 19, 21]
    private static let documentedOfPurchases: Set<Int64> = [
        1701, 1702, 1703, 1704, 1705, 1706, 1708, 1711, 1712, 1719,
    ]

    // MARK: Tests

    @Test("of the mint, purchases included")
    func agreesOnMintedPayloads() throws {
        let payloads = try Self.minted()
        #expect(payloads.count > 40)
        var purchases = 0
        for payload in payloads { purchases += try compare(payload, "minted") }
        #expect(purchases > 20)
    }

    @Test("of real receipts, purchases included")
    func agreesOnRealPayloads() throws {
        var compared = 0
        for name in Corpus.names() {
            let expected = try Corpus.expectation(name)
            guard expected["kind"] as? String == "app_receipt" else { continue }
            let count = try compare(Self.payload(of: Corpus.receipt(name)), name)
            let purchases = (expected["receipt"] as? [String: Any])?["purchases"] as? [Any]
            #expect(count == purchases?.count, "\(name)")
            compared += 1
        }
        #expect(compared > (Corpus.isWhole ? 25 : 10))
    }

    /// Compares a payload and its purchases, and both with what ``AppReceipt`` keeps.
    ///
    /// - Returns: the number of purchases.
    private func compare(_ payload: [UInt8], _ name: String) throws -> Int {
        #expect(Self.difference(payload) == nil, "\(name)")
        let attributes = try Self.theirs(payload).get()
        let inApp = attributes.filter { $0.type == 17 }.map(\.value)
        for purchase in inApp { #expect(Self.difference(purchase) == nil, "\(name)") }

        var reader = ByteReader(payload.span)
        var purchases: [InAppPurchase] = []
        let app = try AppReceipt(parsing: &reader, purchases: &purchases)
        func value(_ type: Int64) -> [UInt8]? {
            attributes.first { $0.type == type }.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
        #expect(app.opaqueValue.map { Array(payload[$0.indices]) } == value(4), "\(name)")
        #expect(app.sha1Hash.map { Array(payload[$0.indices]) } == value(5), "\(name)")
        #expect(app.bundleIdentifierBytes.map { Array(payload[$0.indices]) } == value(2), "\(name)")
        #expect(purchases.count == inApp.count, "\(name)")
        let own = Set(attributes.map(\.type)).subtracting(Self.documented)
        #expect(app.undocumentedTypes.types == own.sorted(), "\(name)")
        let ofPurchases = try Set(inApp.flatMap { try Self.theirs($0).get().map(\.type) })
            .subtracting(Self.documentedOfPurchases)
        #expect(app.undocumentedPurchaseTypes.types == ofPurchases.sorted(), "\(name)")
        for (purchase, bytes) in zip(purchases, inApp) {
            let own = String(decoding: payload[purchase.transactionIdentifier.indices], as: UTF8.self)
            let stated = try #require(try Self.theirs(bytes).get().first { $0.type == 1703 })
            let text = try ASN1UTF8String(berEncoded: SwiftASN1.BER.parse(stated.value))
            #expect(own == String(text), "\(name)")
        }
        return inApp.count
    }

    @Test("with bytes changed, added or taken away, or differs by a rule that is named")
    func agreesOnMutations() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("let payloadSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        // Some with every header in reach of a mutation, and one as Xcode writes.
        var originals = try Self.minted().filter { $0.count < 3_000 }.prefix(4).map { $0 }
        originals.append(
            Bytes.indefinite(
                0x31,
                Bytes.indefinite(
                    0x30, Bytes.integer(0) + Bytes.integer(1) + Bytes.indefinite(0x24, Bytes.octets(Bytes.utf8("x"))))
                    + Bytes.attribute(17, Bytes.set(Bytes.attribute(1703, Bytes.utf8("1"))))))
        let significant: [UInt8] = [0x00, 0x02, 0x04, 0x1f, 0x24, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xff]
        var read = 0
        for round in 0..<1_000 {
            var bytes = originals[round % originals.count]
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                let byte = significant.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[index] = byte
                case 2: bytes.insert(byte, at: index)
                default: bytes.remove(at: index)
                }
            }
            if let found = Self.difference(bytes) {
                #expect(found.explained != nil, "seed \(seed), round \(round): \(found.what)")
            }
            if case .success = Self.ours(bytes) { read += 1 }
        }
        #expect((50..<950).contains(read), "\(read) readable mutants are too many or too few to say anything")
    }

    @Test("except for three rules", arguments: Difference.allCases)
    func differsOnPurpose(_ rule: Difference) {
        let (type, version) = (Bytes.integer(3), Bytes.integer(1))
        let chunk = Bytes.octets([1])
        let bytes: [UInt8]
        switch rule {
        case .fragmentedValue: bytes = Bytes.set(Bytes.sequence(type, version, Bytes.element(0x24, chunk + chunk)))
        case .nestedValue:
            let nest = (0...OctetString.maximumDepth).reduce(chunk) { inner, _ in Bytes.element(0x24, inner) }
            bytes = Bytes.set(Bytes.sequence(type, version, nest))
        case .wideInteger:
            let wide = Bytes.element(0x02, [UInt8](repeating: 0, count: 12) + [3])
            bytes = Bytes.set(Bytes.sequence(wide, version, Bytes.octets([])))
        }
        #expect(Self.difference(bytes)?.explained == rule)
    }
}
