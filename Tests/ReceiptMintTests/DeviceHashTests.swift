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
}
