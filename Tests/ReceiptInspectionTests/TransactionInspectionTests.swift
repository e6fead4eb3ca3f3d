internal import Foundation
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// The dump of transaction receipts.
@Suite struct TransactionInspectionTests {
    private typealias Object = [String: Any]

    private func shown(_ path: String, _ format: ListingFormat) throws -> (text: String, readable: Int) {
        var run = InspectRun(inputs: [path])
        run.format = format
        var text = ""
        let outcome = try run.run { text += $0 }
        return (text, outcome.accepted)
    }

    private func dump(_ path: String) throws -> Object {
        let text = try shown(path, .json).text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    }

    private func dump(_ receipt: [UInt8]) throws -> Object {
        let workdir = try Workdir()
        return try dump(try workdir.write(Data(receipt).base64EncodedString(), to: "receipt.b64"))
    }

    private func members(_ dump: Object, _ key: String) -> [Object] { dump[key] as? [Object] ?? [] }

    private func errors(_ dump: Object) -> [String] {
        members(dump, "errors").map { "\($0["reason"] ?? ""): \($0["detail"] ?? "")" }
    }

    /// A receipt whose parts are what is given, signed by nobody.
    private func unsigned(signature: [UInt8] = [2], info: String) -> [UInt8] {
        let parts = [Data(signature), Data(info.utf8)].map { $0.base64EncodedString() }
        return Array("{ signature = \"\(parts[0])\"; \"purchase-info\" = \"\(parts[1])\"; }".utf8)
    }

    @Test(
        "inspect shows every key that an independent reader found",
        arguments: RealReceipts.names(ofKind: "transaction_receipt"))
    func keys(name: String) throws {
        let expected = try RealReceipts.expectation(name)
        let wanted = try #require(expected["purchase_info"] as? [String: String])
        let dump = try dump(RealReceipts.path(name))
        #expect(dump["sha256"] as? String == expected["sha256"] as? String)
        let info = members(dump, "purchase_info")
        let found = Dictionary(info.map { ($0["key"] as? String ?? "", $0["value"] as? String ?? "") }) { $1 }
        #expect(found == wanted)
        #expect(info.count == wanted.count)
        #expect(info.allSatisfy { $0["name"] is String })
        guard let signature = dump["signature"] as? Object else {
            #expect(errors(dump) == ["malformed_container: the transaction receipt has no signature (byte 0)"])
            return
        }
        #expect(errors(dump).isEmpty)
        #expect(signature["version"] as? Int == 2)
        #expect(signature["signature_bytes"] as? Int == 128)
        let certificate = try #require(signature["certificate"] as? Object)
        let markers = (certificate["markers"] as? [Object] ?? []).map { $0["oid"] as? String }
        #expect(markers == [LegacyStore.Marker.purchaseReceiptSigning.rawValue])
        let text = try shown(RealReceipts.path(name), .text).text
        for (key, value) in wanted { #expect(text.contains("\(key)") && text.contains("\"\(value)\"")) }
    }

    @Test("inspect describes the signer as OpenSSL does", arguments: [UInt8(2), 3])
    func signer(version: UInt8) throws {
        let store = try LegacyStore(version: version)
        let dump = try dump(try store.receipt(LegacyStore.purchaseInfo(transaction: "1"), environment: "Sandbox"))
        let signature = try #require(dump["signature"] as? Object)
        #expect(signature["version"] as? Int == Int(version))
        #expect(signature["signature_bytes"] as? Int == (version == 2 ? 128 : 256))
        let certificate = try #require(signature["certificate"] as? Object)
        let fingerprint = try store.workdir.openssl("x509", "-in", "signer.pem", "-noout", "-fingerprint", "-sha256")
        let said = fingerprint?.split(separator: "=").last?.replacing(":", with: "").lowercased()
        #expect(certificate["sha256"] as? String == said?.trimmingCharacters(in: .newlines))
        #expect(certificate["bytes"] as? Int == (try store.signer.count))
        #expect(certificate["subject"] as? String == "CN=Throw-away signer")
        #expect(
            members(dump, "property_list").map { $0["key"] as? String }
                == ["signature", "purchase-info", "environment", "pod", "signing-status"])
        #expect(errors(dump).isEmpty)
    }

    /// The store's own receipts of the sandbox, and what is left of them without
    /// the one line that says so.
    @Test(
        "inspect states where the transaction number contradicts the environment",
        arguments: RealReceipts.names(ofKind: "transaction_receipt"))
    func contradiction(name: String) throws {
        let receipt = [UInt8](try RealReceipts.bytes(name))
        let text = String(decoding: receipt, as: UTF8.self)
        let line = "\t\"environment\" = \"Sandbox\";\n"
        guard text.contains(line) else { return }
        let whole = try dump(receipt)
        #expect(whole["environment"] as? String == "Sandbox")
        #expect(whole["is_environment_contradicted"] as? Bool == false)
        let workdir = try Workdir()
        for other in ["", "\tenvironment = Production;\n"] {
            let path = try workdir.write(text.replacing(line, with: other), to: "stripped.plist")
            let stripped = try dump(path)
            #expect(stripped["environment"] as? String == "Sandbox")
            #expect(stripped["is_environment_contradicted"] as? Bool == true)
            #expect(
                try shown(path, .text).text.contains("environment: Sandbox; outside the signature it says otherwise"))
        }
    }

    @Test("inspect marks unknown keys and shows values as they stand")
    func unknownKeys() throws {
        let info =
            #"{ bid = a; new-key = "x\"y"; more = { b = c; }; purchase-date-ms = "1354432554000"; "#
            + #"expires-date = "-9223372036854775808"; }"#
        let workdir = try Workdir()
        let path = try workdir.write(unsigned(info: info), to: "receipt.plist")
        let text = try shown(path, .text).text
        #expect(text.contains("\n    bid (bundle_id): a\n"))
        #expect(text.contains("\n    new-key (unknown): \"x\\\"y\"\n"))
        #expect(text.contains("\n    more (unknown): { b = c; }\n"))
        #expect(text.contains(" = 2012-12-02T07:15:54Z\n"))
        let found = members(try dump(path), "purchase_info")
        #expect(found.map { $0["value"] as? String }.prefix(3) == ["a", "x\"y", nil])
        #expect(found.map { $0["written"] as? String }.prefix(3) == [nil, #""x\"y""#, "{ b = c; }"])
        #expect(found.map { $0["name"] as? String }.prefix(3) == ["bundle_id", nil, nil])
        #expect(found.last?["date"] == nil)
    }

    @Test("inspect shows a damaged receipt up to its fault")
    func damaged() throws {
        let cut = try dump(unsigned(info: #"{ bid = "com.example.app"; bvrs = "1"#))
        #expect(members(cut, "purchase_info").map { $0["value"] as? String } == ["com.example.app"])
        #expect(errors(cut).contains { $0.hasPrefix("malformed_payload: purchase-info: a string") })
        #expect(errors(cut).contains { $0.hasPrefix("malformed_container: signature: ") })
        #expect((cut["signature"] as? Object)?["version"] as? Int == 2)

        let other = try dump(unsigned(signature: [9, 1], info: "{ transaction-id = 1; }"))
        #expect(
            errors(other) == [
                "malformed_container: signature: a transaction receipt's signature of version 9, not 2 or 3 (byte 0)"
            ])
        let whole = try Workdir()
        let half = unsigned(info: "{ bid = a; }").prefix(16)
        let damaged = try dump(try whole.write(Array(half), to: "cut.plist"))
        #expect(damaged["signature"] is NSNull)
        #expect(errors(damaged).count == 1)
    }

    /// Whatever is wrong with a value, the mill's own reason is among the errors.
    @Test(
        "inspect states why the receipt is rejected",
        arguments: ["{ bid = a; }", "{ transaction-id = 1; quantity = many; }", "{ transaction-id = 1; bid = { }; }"])
    func rejection(info: String) throws {
        let store = try LegacyStore()
        let dump = try dump(try store.receipt(Array(info.utf8)))
        #expect(errors(dump).count == 1)
        #expect(errors(dump).first?.hasPrefix("malformed_payload: purchase-info: ") == true)
        #expect(members(dump, "purchase_info").isEmpty == false)
    }

    @Test("inspect states that the store never wrote JSON")
    func json() throws {
        let dump = try dump(Array(#"{"signature":"AA==","purchase-info":"e30="}"#.utf8))
        #expect(errors(dump).first?.contains("forgery tools") == true)
    }
}
