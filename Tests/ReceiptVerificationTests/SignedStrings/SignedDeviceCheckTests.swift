import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import ReceiptVerification

/// Expected hashes are of Python's hashlib:
/// `b64encode(sha384((nonce.lower() + device.lower()).encode()).digest())`.
@Suite("The device check of a signed string")
struct SignedDeviceCheckTests {
    typealias Store = SignedStringStore
    private let store: SignedStringStore
    private static let nonce = "7EDEA87D-98F0-42D0-9682-49CA81022F73"
    private static let device = "0F9619FF-8B86-D011-B42D-00C04FC964FF"
    private static let hash = "gIRaH/opPHLS8AHKvII2QoTfikk/QV/pti6CjDH17nOPuBYDeg5FQlpqrAhOf+7D"
    /// Of the two texts in the other order, and as they are written.
    private static let reversed = "hz8gGSypI6lZYEyjuZ65f1HGyIAGR4sbYQzN+EBa14Oi2RogKZsm+RrwjpT82JGb"
    private static let upperCase = "8sXppS4xFbNg+Yb/6l03vykWjfvWjGclk2BcaBWf63VvrtGRlHI7BLG/bn4EmbIl"

    init() throws { store = try SignedStringStore() }

    private func check(
        hash: String? = "\"\(hash)\"", nonce: String? = "\"\(nonce)\"", line: String = ""
    ) throws -> DeviceCheck? {
        let more =
            (hash.map { ",\"deviceVerification\":\($0)" } ?? "")
            + (nonce.map { ",\"deviceVerificationNonce\":\($0)" } ?? "")
        let string = try store.sign(Store.transaction(more: more))
        let verified = try verify(line: "{\"jws\":\"\(string)\"\(line)}", trusting: store.anchors)
        // It is never stored.
        #expect(
            !String(decoding: verified.bytes, as: UTF8.self).lowercased().contains("8b86-d011")
                || line.contains("device_id"))
        return verified.submissions.first?.deviceCheck
    }

    @Test("compares SHA-384 over nonce and verification id")
    func compares() throws {
        for key in ["device_verification_id", "deviceVerificationID"] {
            for device in [Self.device, Self.device.lowercased()] {
                for nonce in [Self.nonce, Self.nonce.lowercased()] {
                    #expect(try check(nonce: "\"\(nonce)\"", line: ",\"\(key)\":\"\(device)\"") == .match)
                }
            }
        }
        let line = ",\"device_verification_id\":\"\(Self.device)\""
        let other = ",\"device_verification_id\":\"1F9619FF-8B86-D011-B42D-00C04FC964FF\""
        #expect(try check(line: other) == .mismatch)
        for hash in [
            Self.reversed, Self.upperCase, "x" + Self.hash.dropFirst(), String(Self.hash.dropLast()), Self.hash + "=",
            Self.hash.replacing("+", with: "-").replacing("/", with: "_"), Self.hash.lowercased(),
        ] { #expect(try check(hash: "\"\(hash)\"", line: line) == .mismatch, "\(hash)") }
        #expect(try check(nonce: "\"8edea87d-98f0-42d0-9682-49ca81022f73\"", line: line) == .mismatch)
        // Escaped, as some encoders write slashes.
        #expect(try check(hash: "\"\(Self.hash.replacing("/", with: #"\/"#))\"", line: line) == .match)
    }

    @Test("says what is missing: the string's hash first, then the line's id")
    func missing() throws {
        let line = ",\"device_verification_id\":\"\(Self.device)\""
        for absent in [nil, "null", "\"\"", "1"] as [String?] {
            #expect(try check(hash: absent, line: line) == .noHash)
            #expect(try check(nonce: absent, line: line) == .noHash)
            #expect(try check(hash: absent) == .noHash)
        }
        #expect(try check() == .noDeviceID)
        for absent in ["\"\"", "null"] {
            #expect(try check(line: ",\"device_verification_id\":\(absent)") == .noDeviceID, "\(absent)")
        }
        // The device's own identifier is another.
        #expect(try check(line: ",\"device_id\":\"\(Self.device)\"") == .noDeviceID)
        for wrong in [
            "\"x\"", "\"\(Self.device)0\"", "\"\(Self.device.replacing("-", with: ""))\"", "\"{\(Self.device)}\"", "12",
        ] {
            #expect(try check(line: ",\"device_verification_id\":\(wrong)") == .invalidDeviceID, "\(wrong)")
        }
    }

    /// Xcode's local store hashes as documented; the id itself is published nowhere.
    @Test("of each document of a line is its own")
    func several() throws {
        let (with, without) = (
            try store.sign(
                Store.transaction(
                    "1", more: ",\"deviceVerification\":\"\(Self.hash)\",\"deviceVerificationNonce\":\"\(Self.nonce)\"")
            ),
            try store.sign(Store.transaction("2"))
        )
        let line = #"{"signedTransactions":["\#(without)","\#(with)"],"device_verification_id":"\#(Self.device)"}"#
        let verified = try verify(line: line, trusting: store.anchors)
        #expect(verified.submissions.map(\.deviceCheck) == [.noHash, .match])
    }
}
