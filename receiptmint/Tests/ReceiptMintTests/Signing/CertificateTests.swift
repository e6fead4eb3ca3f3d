import Foundation
import Testing

@testable import ReceiptMint

/// Certificates as the `openssl` command line tool reads them.
struct CertificateTests {
    @Test("certificates carry purpose, validity and Apple's markers")
    func certificates() throws {
        let authority = try Authority.shared(seed: 3)
        let unmarked = try text(authority.chain(.unmarked).certificates[0])
        let marked = try text(authority.chain(.second).certificates[0])
        #expect(marked.contains("1.2.840.113635.100.6.11.1"))
        #expect(!unmarked.contains("1.2.840.113635.100.6.11.1"))
        #expect(marked.contains("CA:FALSE") && marked.contains("Digital Signature"))
        let intermediate = try text(authority.chain(.first).certificates[1])
        #expect(intermediate.contains("1.2.840.113635.100.6.2.1"))
        #expect(intermediate.contains("CA:TRUE, pathlen:0"))
        #expect(intermediate.contains("Not After : Feb  7 00:00:00 2023 GMT"))
        let weak = try text(authority.chain(.weak).certificates[0])
        #expect(weak.contains("(1024 bit)"))
    }

    @Test("keys that follow from a seed are sound RSA keys")
    func keys() throws {
        var random = SeededRandom(seed: 9, stream: "test")
        let key = try RSAKey(bits: 2_048, random: &random)
        let other = try RSAKey(bits: 2_048, random: &random)
        #expect(key.publicKey != other.publicKey)
        // SEQUENCE, INTEGER of 257 octets (a zero before the top bit), INTEGER 65537.
        #expect(key.publicKey.count == 270)
        #expect(Array(key.publicKey.suffix(5)) == [0x02, 0x03, 0x01, 0x00, 0x01])
        #expect(try key.sign([1, 2, 3], digest: .sha256).count == 256)
    }

    private func text(_ certificate: Certificate) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "receiptmint-test-\(UUID().uuidString).der")
        try Data(certificate.encoded).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl", "x509", "-inform", "DER", "-in", file.path, "-noout", "-text"]
        process.standardOutput = pipe
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }
}
