internal import Foundation
internal import Testing

/// `receiptmill inspect` and `receiptmill verify` as a user runs them, on a minted
/// receipt.
@Suite struct ReceiptCommandsTests {
    private static let root: URL = {
        var place = URL(filePath: #filePath)
        for _ in 0..<3 { place.deleteLastPathComponent() }
        return place
    }()

    private static func golden(_ name: String) -> String {
        root.appending(path: "Tests/CommandLineTests/Golden/\(name)").path
    }

    private let receipt = golden("receipt.b64")
    private let anchor = root.appending(path: "data-samples/root.pem").path

    private func expected(_ name: String) throws -> String {
        try String(contentsOfFile: Self.golden(name), encoding: .utf8)
    }

    @Test func inspectShowsEveryAttributeAndCertificate() throws {
        let result = try Mill.run(["inspect", receipt])
        #expect(result.status == 0)
        #expect(result.output == receipt + "\n" + (try expected("receipt.inspect.txt")))
    }

    @Test func verifyAnswersAsTheEndpointDidWhateverTheTimeZone() throws {
        let arguments = ["verify", receipt, "--trust", anchor, "--format", "verify-receipt"]
        let result = try Mill.run(arguments)
        #expect(result.status == 0)
        #expect(result.output == (try expected("receipt.verify-receipt.json")))
    }

    @Test func inspectEndsWith65AfterShowingWhatIsLeftOfADamagedReceipt() throws {
        let folder = FileManager.default.temporaryDirectory
        let damaged = folder.appending(path: "receiptmill-\(UUID().uuidString).b64")
        defer { try? FileManager.default.removeItem(at: damaged) }
        let text = try String(contentsOfFile: receipt, encoding: .utf8)
        try String(text.prefix(text.count / 4)).write(to: damaged, atomically: true, encoding: .utf8)
        let result = try Mill.run(["inspect", damaged.path])
        #expect(result.status == 65)
        #expect(result.output.contains("bundle_id, version 1, UTF8String: \"com.example.tideline\""))
        #expect(result.output.contains("error         invalid_base64: "))
        #expect(result.output.contains("error         malformed_container: "))
        #expect(result.output.contains("(byte "))
    }

    @Test(arguments: [
        (["--bundle", "com.example.tideline", "--version", "1.9"], Int32(0), "2 app and device: ok"),
        (["--device", "88630631-BD59-47D3-8750-31E7134243E9"], 0, "device        match"),
        (["--device", "00:17:f2:c4:bc:c0"], 1, "because       mismatch: "),
        (["--bundle", "com.example.other"], 1, "because       unexpected_bundle: "),
        (["--version", "2"], 1, "because       unexpected_version: "),
        (["--environment", "sandbox"], 1, "because       unexpected_environment: "),
        (["--environment", "production"], 0, "environment   Production"),
    ])
    func verifyTakesTheThreeStepsAndGivesAReason(options: [String], status: Int32, line: String) throws {
        let result = try Mill.run(["verify", receipt, "--trust", anchor] + options)
        #expect(result.status == status)
        #expect(result.output.contains(line))
        #expect(result.output.contains("1 signature and chain: ok"))
        #expect(result.output.contains("3 purchases: ok"))
    }

    @Test func verifyTrustsNothingThatLeadsToAnotherRoot() throws {
        let result = try Mill.run(["verify", receipt])
        #expect(result.status == 1)
        #expect(result.output.contains("because       untrusted_root: "))
        let answer = try Mill.run(["verify", receipt, "--format", "verify-receipt"])
        #expect(answer.status == 1)
        #expect(answer.output == "{\n  \"status\": 21003\n}\n")
    }

    @Test(arguments: [
        ("verify /nonexistent", Int32(66)), ("inspect /nonexistent", 66), ("verify", 64), ("inspect", 64),
        ("verify x --device none", 64), ("verify x --at tomorrow", 64), ("verify x --batch --format text", 64),
        ("verify x --trust sha256:12", 64), ("verify -", 1), ("inspect -", 65),
    ])
    func endsWithTheStatusOfTheContract(command: String, status: Int32) throws {
        #expect(try Mill.run(command.split(separator: " ").map(String.init)).status == status)
    }

    @Test func verifyHelpListsWhatIsUnknownOffline() throws {
        let help = try Mill.run(["verify", "--help"]).output
        for key in ["request_date", "latest_receipt_info", "pending_renewal_info", "in_app_ownership_type"] {
            #expect(help.contains(key))
        }
    }

    @Test func verifyJudgesAVolumePurchaseAtTheTimeGiven() throws {
        let samples = Self.root.appending(path: "data-samples/receipts-001.jsonl.gz").path
        func expired(at date: String) throws -> Int {
            let result = try Mill.run(["verify", samples, "--batch", "--trust", anchor, "--at", date])
            return result.output.split(separator: "\n").count { $0.contains("\"app_check\":\"expired\"") }
        }
        #expect(try expired(at: "2026-07-06T04:31:11Z") == 0)
        #expect(try expired(at: "2026-07-06T04:31:12Z") > 0)
        #expect(try expired(at: "2026-07-07") > 0)
    }
}
