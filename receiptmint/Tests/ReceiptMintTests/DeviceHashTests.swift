import Foundation
import Testing

@testable import ReceiptMint

struct DeviceHashTests {
    /// Expected: the 16 octets 00 11 … ff, the 16 octets 00 01 … 0f and the
    /// octets 0c 11 "com.example.lumen", through `openssl dgst -sha1`.
    @Test("the hash covers identifier, opaque value, and bundle identifier with tag and length")
    func handWorked() throws {
        let hash = try Device.hash(
            identifier: (0..<16).map { $0 * 0x11 }, opaqueValue: Array(0..<16), bundleID: "com.example.lumen")
        #expect(hash.hexadecimal == "3a8658fe1aa9532984b4e1ed0eeb2b493b5f6192")
    }

    @Test("iOS devices have sixteen bytes, Macs six, and their texts say the same")
    func notations() {
        var random = SeededRandom(seed: 1, stream: "test")
        for _ in 0..<100 {
            for (platform, count) in [(App.Platform.ios, 16), (.macos, 6)] {
                let device = Device(platform: platform, random: &random)
                #expect(device.identifier.count == count)
                let digits = device.text.lowercased().filter { $0 != "-" && $0 != ":" }
                #expect(digits == device.identifier.hexadecimal)
            }
        }
    }

    /// The content as `openssl cms` takes it out, the hash as `openssl dgst` makes it.
    @Test("a signed receipt carries the hash of the device that matches, and of no other")
    func signedHash() throws {
        var parameters = MintParameters.small(120)
        parameters.shares = [.hashMismatch: 0.1]
        parameters.bareLines = 0
        try withTemporaryFolder { folder in
            let chunk = try MintedChunk(0, parameters, authority: Authority.shared(seed: 1))
            let matching = chunk.submissions.filter { $0.deviceCheck == .match }
            let mismatching = chunk.submissions.filter { $0.deviceCheck == .mismatch }
            #expect(mismatching.count == 12)
            for submission in matching.prefix(12) + mismatching {
                let carries = try content(of: submission, in: folder).contains(expectedHash(submission, in: folder))
                #expect(carries == (submission.deviceCheck == .match))
            }
        }
    }

    private func content(of submission: Submission, in folder: URL) throws -> Data {
        try Data(submission.receipt.encoded).write(to: folder.appending(path: "receipt.der"))
        let arguments = ["cms", "-verify", "-noverify", "-inform", "DER", "-in", "receipt.der", "-binary"]
        return try run("openssl", arguments, in: folder).output
    }

    /// From the device's text in the line, by hand: hexadecimal digits to bytes,
    /// then attribute 4, then tag 12, length and text of the bundle identifier.
    private func expectedHash(_ submission: Submission, in folder: URL) throws -> Data {
        let digits = (submission.shown.deviceID ?? "").utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        var bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        let bundleID = submission.receipt.claims.bundleID
        bytes += submission.receipt.claims.opaqueValue + [12, UInt8(bundleID.utf8.count)] + Array(bundleID.utf8)
        try Data(bytes).write(to: folder.appending(path: "hashed"))
        return try run("openssl", ["dgst", "-sha1", "-binary", "hashed"], in: folder).output
    }
}
