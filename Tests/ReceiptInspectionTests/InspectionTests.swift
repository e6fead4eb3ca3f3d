internal import Foundation
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// The dump as JSON, against what independent readers say of the same receipts.
@Suite
struct InspectionTests {
    private typealias Object = [String: Any]

    private func dump(_ name: String) throws -> Object {
        var run = InspectRun(inputs: [RealReceipts.path(name)])
        run.format = .json
        var text = ""
        _ = try run.run { text += $0 }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    }

    private func value(_ type: Int, of attributes: [Object]) -> Any? {
        let found = attributes.first { $0["type"] as? Int == type }
        let value = found?["date"] ?? found?["value"]
        return value is NSNull || value as? String == "" ? nil : value
    }

    private func attributes(of dump: Object) -> [Object] { dump["attributes"] as? [Object] ?? [] }

    @Test(
        "inspect shows every value that an independent reader found",
        arguments: RealReceipts.names(ofKind: "app_receipt"))
    func values(name: String) throws {
        let expected = try RealReceipts.expectation(name)
        let receipt = try #require(expected["receipt"] as? Object)
        let dump = try dump(name)
        let attributes = attributes(of: dump)
        #expect(dump["sha256"] as? String == expected["sha256"] as? String)
        #expect(dump["bytes"] as? Int == expected["bytes"] as? Int)
        #expect((dump["errors"] as? [Object])?.isEmpty == true)
        let fields = [
            "environment": 0, "bundle_id": 2, "app_version": 3, "original_application_version": 19,
            "original_purchase_date": 18, "receipt_creation_date": 12, "expiration_date": 21, "app_item_id": 1,
            "version_external_identifier": 16, "download_id": 15,
        ]
        for (key, type) in fields { expectEqual(value(type, of: attributes), receipt[key], "\(key) of \(name)") }

        // The other reader has an order of its own.
        let transaction = { (purchase: [Object]) in value(1703, of: purchase) as? String ?? "" }
        let purchases = attributes.filter { $0["type"] as? Int == 17 }.map { $0["attributes"] as? [Object] ?? [] }
            .sorted { transaction($0) < transaction($1) }
        let expectedPurchases = try #require(receipt["purchases"] as? [Object])
            .sorted { ($0["transaction_id"] as? String ?? "") < ($1["transaction_id"] as? String ?? "") }
        #expect(purchases.count == expectedPurchases.count)
        let purchaseFields = [
            "quantity": 1701, "product_id": 1702, "transaction_id": 1703, "original_transaction_id": 1705,
            "web_order_line_item_id": 1711, "purchase_date": 1704, "original_purchase_date": 1706,
            "expires_date": 1708, "cancellation_date": 1712, "is_trial_period": 1713, "is_in_intro_offer_period": 1719,
        ]
        for (purchase, expected) in zip(purchases, expectedPurchases) {
            for (key, type) in purchaseFields {
                expectEqual(value(type, of: purchase), expected[key], "\(key) of a purchase of \(name)")
            }
        }
    }

    private func expectEqual(_ found: Any?, _ expected: Any?, _ what: String) {
        let expected = expected is NSNull ? nil : expected
        switch (found, expected) {
        case (nil, nil): break
        case (let found as String, let expected as String):
            // The other reader cuts fractions of a second, or writes them.
            #expect(found == expected || found.prefix(19) == expected.prefix(19), "\(what)")
        case (let found as NSNumber, let expected as NSNumber): #expect(found == expected, "\(what)")
        default: Issue.record("\(what): \(String(describing: found)) where \(String(describing: expected)) is expected")
        }
    }

    @Test("inspect shows every attribute that OpenSSL counts", arguments: RealReceipts.names(ofKind: "app_receipt"))
    func attributeTypes(name: String) throws {
        let dump = try dump(name)
        let attributes = attributes(of: dump)
        let payload = try payload(of: name, bytes: (dump["container"] as? Object)?["content_bytes"] as? Int ?? 0)
        #expect(try typesCounted(in: payload) == attributes.compactMap { $0["type"] as? Int })
        let purchases = attributes.filter { $0["type"] as? Int == 17 }
        // One process for each.
        for attribute in purchases.prefix(Nightly.rounds(day: 3, night: .max)) {
            let value = try #require(Data(hexadecimal: attribute["hex"] as? String ?? ""))
            let nested = attribute["attributes"] as? [Object] ?? []
            #expect(try typesCounted(in: value) == nested.compactMap { $0["type"] as? Int })
        }
    }

    /// Types of a SET's members by `openssl asn1parse`: of every SEQUENCE at depth
    /// 1 the first INTEGER.
    private func typesCounted(in set: Data) throws -> [Int] {
        var types: [Int] = []
        var isFirst = false
        for line in try OpenSSLTool.text(["asn1parse", "-inform", "DER"], input: set).split(separator: "\n") {
            if line.contains("d=1 "), line.contains("SEQUENCE") {
                isFirst = true
            } else if isFirst, line.contains("INTEGER"), let hex = line.split(separator: ":").last {
                types.append(try #require(Int(hex, radix: 16)))
                isFirst = false
            }
        }
        return types
    }

    /// The payload as `openssl cms` takes it out.
    private func payload(of name: String, bytes: Int) throws -> Data {
        let content = try OpenSSLTool.run(
            ["cms", "-verify", "-noverify", "-nosigs", "-inform", "DER", "-binary"], input: RealReceipts.bytes(name))
        #expect(content.count == bytes)
        return content
    }

    @Test("inspect describes certificates as OpenSSL does", arguments: RealReceipts.names(ofKind: "app_receipt"))
    func certificates(name: String) throws {
        let found = try #require(try dump(name)["certificates"] as? [Object])
        let printed = try OpenSSLTool.text(
            ["pkcs7", "-inform", "DER", "-print_certs"], input: RealReceipts.bytes(name))
        let blocks = printed.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map {
            "-----BEGIN CERTIFICATE-----" + $0.components(separatedBy: "-----END CERTIFICATE-----")[0]
                + "-----END CERTIFICATE-----\n"
        }
        #expect(blocks.count == found.count)
        for (block, certificate) in zip(blocks, found) {
            let text = try OpenSSLTool.text(
                [
                    "x509", "-noout", "-subject", "-issuer", "-serial", "-dates", "-fingerprint", "-sha256", "-nameopt",
                    "RFC2253", "-dateopt", "iso_8601",
                ], input: Data(block.utf8))
            var said: [String: String] = [:]
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                if parts.count == 2 { said[parts[0].lowercased()] = parts[1] }
            }
            #expect(certificate["subject"] as? String == said["subject"])
            #expect(certificate["issuer"] as? String == said["issuer"])
            #expect(certificate["serial"] as? String == said["serial"]?.lowercased())
            #expect(certificate["not_before"] as? String == said["notbefore"]?.replacing(" ", with: "T"))
            #expect(certificate["not_after"] as? String == said["notafter"]?.replacing(" ", with: "T"))
            #expect(
                certificate["sha256"] as? String
                    == said["sha256 fingerprint"]?.replacing(":", with: "").lowercased())
        }
    }

    @Test(
        "inspect shows what is left of a damaged receipt and where it ends",
        arguments: RealReceipts.names(ofKind: "malformed"))
    func damaged(name: String) throws {
        let dump = try dump(name)
        #expect(attributes(of: dump).isEmpty == false)
        #expect((dump["certificates"] as? [Object])?.isEmpty == false)
        let error = try #require((dump["errors"] as? [Object])?.first)
        #expect(error["reason"] as? String == (try RealReceipts.expectation(name)["rejection"] as? String))
        #expect(error["offset"] is Int)
    }
}

extension Data {
    /// Two hexadecimal digits for each byte.
    init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
