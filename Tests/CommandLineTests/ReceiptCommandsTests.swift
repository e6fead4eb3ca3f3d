internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill inspect` and `receiptmill verify` as a user runs them, on a minted
/// receipt.
@Suite struct ReceiptCommandsTests {
    private static func golden(_ name: String) -> String {
        Repository.file("Tests/CommandLineTests/Golden/\(name)").path
    }

    private let receipt = golden("receipt.b64")
    private let anchor = Repository.file("data-samples/root.pem").path

    private func expected(_ name: String) throws -> String {
        try String(contentsOfFile: Self.golden(name), encoding: .utf8)
    }

    @Test("inspect shows every attribute and certificate")
    func inspect() throws {
        let result = try Mill.run(["inspect", receipt])
        #expect(result.status == 0)
        #expect(result.output == receipt + "\n" + (try expected("receipt.inspect.txt")))
    }

    @Test("verify answers as Apple's endpoint did, in any time zone")
    func verifyReceiptFormat() throws {
        let arguments = ["verify", receipt, "--trust", anchor, "--format", "verify-receipt"]
        let result = try Mill.run(arguments)
        #expect(result.status == 0)
        #expect(result.output == (try expected("receipt.verify-receipt.json")))
    }

    @Test("A document is taken as an argument, and from standard input where no file is named")
    func pasted() throws {
        let text = try String(contentsOfFile: receipt, encoding: .utf8).filter { !$0.isWhitespace }
        let trust = ["--trust", anchor, "--format", "verify-receipt"]
        let wanted = try expected("receipt.verify-receipt.json")
        #expect(try Mill.run(["verify", text] + trust).output == wanted)
        #expect(try Mill.run(["verify", #"{"receipt":"\#(text)"}"#] + trust).output == wanted)
        #expect(try Mill.run(["verify"] + trust, input: receipt).output == wanted)
        let inspected = try Mill.run(["inspect", text])
        #expect(inspected.status == 0 && inspected.output.hasPrefix("the argument"), "\(inspected)")
        #expect(try Mill.run(["verify", text, "--batch"]).status == 64)
        // What begins otherwise is a file's name.
        #expect(try Mill.run(["verify", "MI.b64"]).status == 66)
    }

    @Test("inspect shows what is left of a damaged receipt and ends with status 65")
    func inspectDamaged() throws {
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

    @Test(
        "verify takes the three steps and gives a reason",
        arguments: [
            (["--bundle", "com.example.tideline", "--version", "1.9"], Int32(0), "2 app and device: ok"),
            (["--device", "88630631-BD59-47D3-8750-31E7134243E9"], 0, "device        match"),
            (["--device", "00:17:f2:c4:bc:c0"], 1, "because       mismatch: "),
            (["--bundle", "com.example.other"], 1, "because       unexpected_bundle: "),
            (["--version", "2"], 1, "because       unexpected_version: "),
            (["--environment", "sandbox"], 1, "because       unexpected_environment: "),
            (["--environment", "production"], 0, "environment   Production"),
        ])
    func verifySteps(options: [String], status: Int32, line: String) throws {
        let result = try Mill.run(["verify", receipt, "--trust", anchor] + options)
        #expect(result.status == status)
        #expect(result.output.contains(line))
        #expect(result.output.contains("1 signature and chain: ok"))
        #expect(result.output.contains("3 purchases: ok"))
    }

    @Test("verify trusts no chain to another root")
    func verifyOtherRoot() throws {
        let result = try Mill.run(["verify", receipt])
        #expect(result.status == 1)
        #expect(result.output.contains("because       untrusted_root: "))
        let answer = try Mill.run(["verify", receipt, "--format", "verify-receipt"])
        #expect(answer.status == 1)
        #expect(answer.output == "{\n  \"status\": 21003\n}\n")
    }

    @Test(
        "inspect and verify end with the documented exit statuses",
        arguments: [
            ("verify /nonexistent", Int32(66)), ("inspect /nonexistent", 66), ("verify", 64), ("inspect", 64),
            ("verify x --device none", 64), ("verify x --device-verification-id none", 64),
            ("verify x --at tomorrow", 64), ("verify x --batch --format text", 64),
            ("verify x --trust sha256:12", 64), ("verify x --intermediate /nonexistent", 66),
            ("verify -", 1), ("inspect -", 65),
        ])
    func statuses(command: String, status: Int32) throws {
        #expect(try Mill.run(command.split(separator: " ").map(String.init)).status == status)
    }

    @Test("Signed strings are verified and inspected, with the exit statuses of receipts")
    func signedStrings() throws {
        let store = try SignedStringStore()
        let workdir = try Workdir()
        let root = try workdir.write(store.root.der, to: "root.der")
        let string = try workdir.write(try store.sign() + "\n", to: "transaction.jws")
        let cut = try workdir.write(String(try store.sign().dropLast(200)), to: "cut.jws")
        for (arguments, status, line) in [
            (["verify", string, "--trust", root], Int32(0), "rule 10       ok  "),
            (["verify", string], 1, "rule 7        FAILED  "),
            (["verify", string, "--trust", root, "--bundle", "com.example.other"], 1, "unexpected_bundle: "),
            (
                [
                    "verify", string, "--trust", root, "--device-verification-id",
                    "3E2A7A1C-0000-4000-8000-0123456789AB",
                ],
                1, "because       no_hash: "
            ),
            (["verify", cut, "--trust", root], 1, "unreadable    malformed_"),
            (["inspect", string], 0, "    transactionId               2000000123456789  (the transaction)"),
            (["inspect", cut], 65, "  error         malformed_"),
        ] {
            let result = try Mill.run(arguments)
            #expect(result.status == status, "\(arguments.dropFirst(2)): \(result)")
            #expect(result.output.contains(line), "\(arguments.dropFirst(2)): \(result)")
        }
    }

    @Test("verify --batch reports members that are not known, and ends with 0")
    func unknownMembers() throws {
        let store = try SignedStringStore()
        let workdir = try Workdir()
        let root = try workdir.write(store.root.der, to: "root.der")
        let lines = try ["", #","fare":1"#, #","fare":2,"price":"1990""#].map {
            try store.sign(SignedStringStore.transaction(more: $0)) + "\n"
        }
        let file = try workdir.write(lines.joined(), to: "lines.jsonl")
        let result = try Mill.run(["verify", file, "--batch", "--trust", root])
        #expect(result.status == 0)
        #expect(
            result.errors == """
                receiptmill: warning: 2 documents with members or values that are not known:
                  fare: number
                  price: string
                hint: receiptmill inspect shows them where they stand

                """)
        #expect(result.output.contains(#""unknown_members":[{"path":"fare","value_type":"number"}]"#))
        let known = try workdir.write(lines[0], to: "known.jsonl")
        #expect(try Mill.run(["verify", known, "--batch", "--trust", root]).errors.isEmpty)
    }

    @Test("verify --help-all lists what is unknown offline")
    func verifyHelp() throws {
        let help = try Mill.run(["verify", "--help-all"]).output
        for key in ["request_date", "latest_receipt_info", "pending_renewal_info", "in_app_ownership_type"] {
            #expect(help.contains(key))
        }
    }

    @Test("--version is the program's, but verify's is the app's")
    func version() throws {
        func offers(_ arguments: [String]) throws -> [Substring] {
            try Mill.run(arguments).output.split(separator: "\n").filter { $0.hasPrefix("  --version") }
        }
        #expect(try offers(["verify", "--help"]).map { $0.hasPrefix("  --version <v>") } == [true])
        #expect(try offers(["help", "verify"]).count == 1)
        #expect(try offers(["--help"]).count == 1 && offers(["ingest", "--help"]).count == 1)
        let version = try Mill.run(["--version"])
        #expect(version.status == 0 && version.output.split(separator: ".").count == 3)
        #expect(try Mill.run(["verify", "--version"]).status == 64)
    }

    @Test("verify trusts a transaction receipt whose intermediate is given")
    func givenIntermediate() throws {
        let store = try LegacyStore()
        let info = LegacyStore.purchaseInfo(transaction: "1000000123")
        let file = try store.workdir.write(try store.receipt(info, environment: "Sandbox"), to: "receipt.plist")
        let arguments = ["verify", file, "--trust", store.workdir.path("root.pem")]
        let without = try Mill.run(arguments)
        #expect(without.status == 1)
        #expect(without.output.contains("because       broken_chain: "))
        let given = arguments + ["--intermediate", store.workdir.path("intermediate.pem")]
        let found = try Mill.run(given + ["--bundle", "com.example.app", "--version", "1.2"])
        #expect(found.status == 0)
        #expect(found.output.contains("1 signature and chain: ok"))
        #expect(found.output.contains("1000000123  "))
        let asEndpoint = try Mill.run(given + ["--format", "verify-receipt", "--environment", "production"])
        #expect(asEndpoint.output == "{\n  \"status\": 21007\n}\n")
        let device = try Mill.run(given + ["--device", "00:17:f2:c4:bc:c0"])
        #expect(device.status == 1)
        #expect(device.output.contains("because       no_hash: a transaction receipt holds no hash"))
        let shown = try Mill.run(["inspect", file])
        #expect(shown.status == 0)
        #expect(shown.output.contains("bid (bundle_id): \"com.example.app\""))
    }

    @Test("verify takes a Mac's hardware address in any form")
    func hardwareAddress() throws {
        for name in Corpus.names() {
            let hex = try Corpus.expectation(name)["device_id_hex"] as? String ?? ""
            guard hex.count == 12 else { continue }
            let octets = stride(from: 0, to: 12, by: 2).map { hex.dropFirst($0).prefix(2) }
            let file = try Corpus.file(name).path
            for address in [octets.joined(separator: ":"), octets.joined(separator: "-").uppercased(), hex] {
                let result = try Mill.run(["verify", file, "--device", address])
                #expect(result.output.contains("device        match\n"), "\(name)")
            }
        }
    }

    @Test("verify checks a volume purchase at the time given")
    func volumePurchase() throws {
        let samples = Repository.file("data-samples/receipts-001.jsonl.gz").path
        func expired(at date: String) throws -> Int {
            let result = try Mill.run(["verify", samples, "--batch", "--trust", anchor, "--at", date])
            return result.output.split(separator: "\n").count { $0.contains("\"app_check\":\"expired\"") }
        }
        #expect(try expired(at: "2024-04-20T04:39:47Z") == 0)
        #expect(try expired(at: "2024-04-20T04:39:48Z") > 0)
        #expect(try expired(at: "2024-04-21") > 0)
    }
}
