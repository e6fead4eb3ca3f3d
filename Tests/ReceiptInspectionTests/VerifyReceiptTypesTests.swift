internal import Foundation
import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// Types of the endpoint's answer that no real receipt at hand shows; expected
/// values are those of answers that others recorded.
@Suite struct VerifyReceiptTypesTests {
    private func answer(
        _ attributes: [[UInt8]], environment: StoreEnvironment? = nil
    ) throws -> String {
        let store = try LegacyStore(version: 3)
        let created = PayloadBytes.attribute(12, PayloadBytes.date(Date() + 1))
        let receipt = try store.container(PayloadBytes.payload([created] + attributes))
        var run = try VerifyRun(of: store)
        run.format = .verifyReceipt
        run.expectation.environment = environment
        run.inputs = [try store.workdir.write(Data(receipt).base64EncodedString(), to: "receipt.b64")]
        var text = ""
        _ = try run.run { text += $0 }
        return text
    }

    /// As of apps that were downloaded once and are installed anew.
    @Test("A download that is not stated is null")
    func noDownload() throws {
        let text = try answer([PayloadBytes.attribute(16, PayloadBytes.integer(870_187_832))])
        #expect(text.contains("\"download_id\": null,"))
        #expect(text.contains("\"version_external_identifier\": 870187832,"))
        #expect(!text.contains("adam_id"))
    }

    /// As the command's help says; the endpoint knew neither.
    @Test("Xcode's receipts count as the sandbox's, receipts of no known environment as nobody's")
    func environments() throws {
        let xcode = [PayloadBytes.attribute(0, PayloadBytes.text("Xcode"))]
        #expect(try answer(xcode, environment: .production).contains("\"status\": 21007"))
        let sandbox = try answer(xcode, environment: .sandbox)
        #expect(sandbox.contains("\"status\": 0") && sandbox.contains("\"environment\": \"Xcode\""))
        for environment in StoreEnvironment.allCases {
            let staging = [PayloadBytes.attribute(0, PayloadBytes.text("Staging"))]
            for attributes in [[], staging] {
                #expect(try answer(attributes, environment: environment).contains("\"status\": 21003"))
            }
        }
        let unstated = try answer([])
        #expect(unstated.contains("\"status\": 0") && !unstated.contains("\"environment\""))
    }

    /// Numbers of the app are numbers, those of a purchase strings.
    @Test("Numbers are written as the endpoint wrote them, as strings or integers")
    func numbers() throws {
        let largest = 503_056_866_710_621_074
        let purchase = PayloadBytes.attribute(
            17,
            PayloadBytes.payload([
                PayloadBytes.attribute(1701, PayloadBytes.integer(1)),
                PayloadBytes.attribute(1703, PayloadBytes.text("190001836911451")),
                PayloadBytes.attribute(1711, PayloadBytes.integer(190_000_837_071_244)),
                PayloadBytes.attribute(1713, PayloadBytes.integer(1)),
                PayloadBytes.attribute(1719, PayloadBytes.integer(0)),
                PayloadBytes.attribute(1720, PayloadBytes.text("1")),
            ]))
        let text = try answer([
            PayloadBytes.attribute(1, PayloadBytes.integer(1_490_057_568)),
            PayloadBytes.attribute(15, PayloadBytes.integer(largest)), purchase,
            PayloadBytes.attribute(32, PayloadBytes.date("2022-07-08T18:47:46Z")),
        ])
        for member in [
            "\"adam_id\": 1490057568", "\"app_item_id\": 1490057568", "\"download_id\": 503056866710621074",
            "\"quantity\": \"1\"", "\"web_order_line_item_id\": \"190000837071244\"", "\"is_trial_period\": \"true\"",
            "\"is_in_intro_offer_period\": \"false\"", "\"cancellation_reason\": \"1\"",
            "\"preorder_date\": \"2022-07-08 18:47:46 Etc/GMT\"", "\"preorder_date_ms\": \"1657306066000\"",
            "\"preorder_date_pst\": \"2022-07-08 11:47:46 America/Los_Angeles\"",
        ] { #expect(text.contains(member), "\(member)") }
    }
}
