import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import ReceiptFormat
@testable import ReceiptTrust

/// Signatures of ECDSA with P-256 and SHA-256, r and s in 32 bytes each.
@Suite("ECDSA")
struct ECDSATests {
    /// A key as the verifier has it, and as OpenSSL has it.
    private final class Key {
        let own: PublicKey
        let tables: CurvePointTables
        let reference: OpaquePointer

        /// - Parameter der: a public key (RFC 5280, 4.1.2.7).
        init(_ der: [UInt8]) throws {
            reference = try #require(
                der.withUnsafeBufferPointer { buffer in
                    var start = buffer.baseAddress
                    return d2i_PUBKEY(nil, &start, der.count)
                })
            let certificate = try #require(X509_new())
            defer { X509_free(certificate) }
            #expect(X509_set_pubkey(certificate, reference) == 1)
            own = try #require(PublicKey(of: certificate))
            #expect(own.curve == .p256)
            let arithmetic = try #require(KeyTableArithmetic())
            let point = try #require(own.point)
            tables = try #require(CurvePointTables(of: point, arithmetic))
        }

        deinit { EVP_PKEY_free(reference) }

        /// As the verifier of signed data asks.
        func verifies(_ signature: [UInt8], of message: [UInt8]) throws -> Bool {
            guard let signature = try es256(signature, of: message) else { return false }
            let holds = try own.verify(signature)
            #expect(tables.verify([signature]) == [holds], "tables and OpenSSL differ")
            return holds
        }

        func es256(_ signature: [UInt8], of message: [UInt8]) throws -> ES256Signature? {
            let digest = try MessageDigest().sha256(message.span, in: message.indices)
            return ES256Signature(
                ByteRange(offset: 0, count: signature.count), in: signature.span, of: digest)
        }

        /// What EVP_DigestVerify says of the same integers in DER.
        func referenceVerifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            func number(_ bytes: ArraySlice<UInt8>) -> OpaquePointer? {
                Array(bytes).withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32($0.count), nil) }
            }
            guard signature.count == 64, let parsed = ECDSA_SIG_new() else { return false }
            defer { ECDSA_SIG_free(parsed) }
            guard ECDSA_SIG_set0(parsed, number(signature[..<32]), number(signature[32...])) == 1 else { return false }
            var der = [UInt8](repeating: 0, count: 80)
            let count = der.withUnsafeMutableBufferPointer { buffer in
                var start = buffer.baseAddress
                return i2d_ECDSA_SIG(parsed, &start)
            }
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, reference) == 1 else { return false }
            defer { ERR_clear_error() }
            return EVP_DigestVerify(context, der, Int(count), message, message.count) == 1
        }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        var (bytes, digits) = ([UInt8](), hex[...])
        while !digits.isEmpty {
            bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    private struct Vectors: Decodable {
        struct Group: Decodable {
            let publicKeyDer: String
            let tests: [Test]
        }
        struct Test: Decodable {
            let tcId: Int
            let comment, msg, sig, result: String
        }
        let numberOfTests: Int
        let testGroups: [Group]
    }

    @Test("holds and fails as Wycheproof's vectors say", .enabled(if: SignedCorpus.hasVectors))
    func wycheproof() throws {
        let file = try #require(SignedCorpus.vectors)
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        var counts: [String: Int] = [:]
        for group in vectors.testGroups {
            let key = try Key(Self.bytes(group.publicKeyDer))
            for test in group.tests {
                let (signature, message) = (Self.bytes(test.sig), Self.bytes(test.msg))
                #expect(["valid", "invalid"].contains(test.result))
                #expect(
                    try key.verifies(signature, of: message) == (test.result == "valid"),
                    "\(test.tcId): \(test.comment)")
                counts[test.result, default: 0] += 1
            }
        }
        #expect(counts.values.reduce(0, +) == vectors.numberOfTests && vectors.numberOfTests >= 262)
        #expect(counts["valid", default: 0] > 100 && counts["invalid", default: 0] > 50)
    }

    /// Integers that careless code reads otherwise: leading zeros, the order and its
    /// neighbours, none, all ones.
    private static let telling: [[UInt8]] = {
        let zero = [UInt8](repeating: 0, count: 32)
        return [
            zero, zero.dropLast() + [1], [UInt8](repeating: 0xff, count: 32), P256Order.n,
            P256Order.n.dropLast() + [0x50], P256Order.n.dropLast() + [0x52], [0x80] + zero.dropLast(),
            [0x7f] + [UInt8](repeating: 0xff, count: 31), [0, 0x80] + zero.dropLast(2),
            [0, 0] + [UInt8](repeating: 0xff, count: 30),
        ]
    }()

    private static func altered(
        _ genuine: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var signature = genuine
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: break
        case 2: signature.replaceSubrange(32..., with: P256Order.complement(Array(genuine[32...])))
        case 3: signature[Int.random(in: 0..<64, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 4:
            let start = Bool.random(using: &random) ? 0 : 32
            signature.replaceSubrange(
                start..<start + 32, with: telling[Int.random(in: telling.indices, using: &random)])
        case 5: signature = (0..<64).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        case 6: signature = Array(signature[32...] + signature[..<32])
        default:
            // Small integers, whose form in DER is shorter.
            let start = Bool.random(using: &random) ? 0 : 32
            for index in start..<start + Int.random(in: 1...31, using: &random) { signature[index] = 0 }
        }
        return signature
    }

    @Test("holds exactly where OpenSSL says so, of signatures that are right and of altered ones")
    func agreesWithOpenSSL() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("let ecdsaSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        let rounds = Nightly.rounds(day: 4_000, night: 1_000_000)
        var held = 0
        var (key, keys) = (try ThrowAwayKey(.p256), [Key]())
        var genuine: [(message: [UInt8], signature: [UInt8])] = []
        for round in 0..<rounds {
            if round % 1_000 == 0 {
                key = try ThrowAwayKey(.p256)
                keys = [try Key(key.publicKey), try Key(ThrowAwayKey(.p256).publicKey)]
                genuine = try (0..<40).map { number in
                    let message = Array("message \(round) \(number)".utf8)
                    return (message, try key.es256(message))
                }
            }
            let (message, right) = genuine[round % genuine.count]
            let signature = Self.altered(right, &random)
            let asked = keys[Int.random(in: 0..<16, using: &random) == 0 ? 1 : 0]
            let holds = try asked.verifies(signature, of: message)
            if holds { held += 1 }
            guard holds == asked.referenceVerifies(signature, of: message) else {
                Issue.record("seed \(seed), round \(round): \(signature)")
                continue
            }
        }
        #expect(held > rounds / 5 && held < rounds / 2)
    }

    @Test("of a batch that fails leaves its neighbours as they are")
    func neighboursOfFailures() throws {
        let signing = try ThrowAwayKey(.p256)
        let key = try Key(signing.publicKey)
        var random = SeededGenerator(seed: 7)
        var signatures: [ES256Signature] = []
        var expected: [Bool] = []
        // Batches are of 64: some have no valid signature, some no other.
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            var signature = try signing.es256(message)
            if number < 70 || number > 200 { signature = Self.altered(signature, &random) }
            let es256 = try key.es256(signature, of: message)
            signatures.append(try #require(es256))
            expected.append(key.referenceVerifies(signature, of: message))
        }
        #expect(key.tables.verify(signatures) == expected)
        #expect(key.tables.verify([]).isEmpty)
        #expect(expected.contains(true) && expected.contains(false))
    }
}
