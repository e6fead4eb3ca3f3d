internal import ArgumentParser
internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
package import ReceiptInspection
internal import ReceiptTrust

/// `receiptmill verify`: verifies single documents, and writes the answers to standard output.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify receipts and signed data.",
        usage: "receiptmill verify [<file>...] [<options>]",
        discussion: HelpText.of(
            "verify",
            examples: """
                receiptmill verify 'eyJhbGciOiJFUzI1NiIs…'
                receiptmill verify receipt.b64 --bundle com.example.app
                zcat night.jsonl.gz | receiptmill verify - --batch
                """,
            details: """
                A file holds a receipt as base64 or as its bytes, a signed string of StoreKit 2 (JWS), or JSON: an object \
                or a list with either, as servers log them (docs/line-forms.md), or a string, one on each line. It is \
                recognised by its content. Three steps are \
                shown, each with a reason where it fails: 1 signature and chain, 2 app and device, 3 purchases.

                A device that a JSON line names is checked too, unless --device names another. An expiration date is \
                checked at --at, else at the line's time of submission, else now.

                Receipts of iOS 6 and before take the same steps. Their chain needs intermediates that they don't carry: \
                give them with --intermediate. They hold no hash of a device, so that a receipt is refused as no_hash \
                where a device is asked for. What certificates other receipts carry is not used. Their environment is not \
                signed: one whose transaction has a number of the sandbox is the sandbox's, whatever it states; any \
                other is production's, unless it states Sandbox.

                Signed strings take the same steps; the third is their content. Step 1 lists the ten rules of \
                docs/trust.md, "Signed data": ok, FAILED, or not reached, because the first that fails decides. What a notification \
                holds (transaction, renewal info, app transaction) is verified by itself and shown below it; the \
                notification is accepted only if all that it holds is. --device-verification-id, else \
                device_verification_id of a JSON line, is what their device check compares; --device is of receipts. Where \
                one of the two is given, what is checked by the other alone is refused as no_device_id or no_hash. \
                --version is stated by app transactions alone, no bundle by renewal infos that stand by themselves. \
                Members, types of values and values that this version doesn't know are named below the content, in JSON \
                as unknown_members (path, value_type). They refuse nothing.

                Where a line holds several documents, text shows one after the other, and JSON answers with \
                an object of accepted, which is true if all are, and documents, a list of answers in the order of the line.

                --format verify-receipt prints what the store's deprecated verifyReceipt endpoint would answer, as far \
                as a receipt alone says: status 0, 21002 (malformed), 21003 (not authenticated), and with \
                --environment 21007 (sandbox receipt in production) and 21008 (the reverse). Signed data, which \
                the endpoint never read, is answered 21002 with a note, and refused; of a line with several documents the \
                first receipt is answered. A receipt of Xcode's local store, \
                which the endpoint knew nothing of, counts as a sandbox's, and its environment reads Xcode; one that \
                states no environment has none in its answer, and with --environment is answered 21003, as is one whose \
                environment is not known. in_app has the receipt's order: \
                Apple says of the endpoint's only that it is not chronological. download_id is null if the receipt \
                states none, as it was in answers of the endpoint; every other key is absent then. \
                Of a receipt of iOS 6 and before, receipt is flat: its own keys with underscores, \
                every value a string as it stands; 21006, a subscription that has expired, is not stated, because a renewal \
                may have followed. These keys can't be known offline and are absent: \
                \(VerifyRun.keysUnknownOffline.joined(separator: ", ")); nor are renewals and refunds since the \
                receipt was signed.

                --batch reads JSON lines and answers each with one JSON line, in order, as they come. Where documents \
                have members or values that are not known, standard error says at the end how many documents, and which \
                members.

                More examples:
                  receiptmill verify receipt.b64 --bundle com.example.app --device 3E2A7A1C-0000-4000-8000-0123456789AB
                  receiptmill verify - --format verify-receipt --environment production < receipt.b64
                  receiptmill verify 2012.b64 --intermediate itunes-store-ca.pem --bundle com.example.app
                  receiptmill verify transaction.jws --bundle com.example.app --environment production
                  receiptmill verify notification.json --format json

                Exit status: 0 everything is trusted and matches all that was asked; 1 something does not; 64 usage; 65 a \
                file is damaged; 66 a file is missing.
                """))

    @Argument(
        help: ArgumentHelp(
            "Files with receipts or signed data, or a document itself; - is standard input. If no file is named, a pipe or file at standard input is read.",
            valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("Device that receipts must be of: a UUID, or a Mac's MAC address.", valueName: "id"))
    var device: String?

    @Option(
        name: .customLong("device-verification-id"),
        help: .rare(
            "Device verification identifier that signed data must have been made for (AppStore.deviceVerificationID): "
                + "a UUID.",
            valueName: "id"))
    var deviceVerificationID: String?

    @Option(help: ArgumentHelp("Bundle identifier that receipts must be of.", valueName: "id"))
    var bundle: String?

    @Option(
        name: .customLong("version"),
        help: .everyday(
            "App version that receipts must be of.",
            details: "On iOS the build (CFBundleVersion), on macOS the short version (CFBundleShortVersionString).",
            valueName: "v"))
    var appVersion: String?

    @Option(
        help: .everyday(
            "Environment that receipts must be of.",
            details: "One that states none, or none that is known, is refused. Xcode and LocalTesting count as sandbox."
        ))
    var environment: StoreEnvironment?

    @Option(
        help: ArgumentHelp(
            "Time at which expiration dates are checked, such as 2024-02-29T12:00:00Z or 2024-02-29.",
            valueName: "date"))
    var at: String?

    @OptionGroup var trust: TrustOptions

    @Option(help: "How to answer; --batch answers in json unless set.")
    var format: AnswerFormat?

    @Flag(help: .json)
    var json = false

    @Flag(help: "Answer each line of the input with one line.")
    var batch = false

    @Option(help: .jobs, transform: Workers.count)
    var jobs: Int?

    @OptionGroup(title: "Keys of the input's JSON objects", visibility: .hidden) var keys: LineKeyOptions

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: LimitOptions

    /// The files of the command line; without any, standard input if it is a pipe, a socket or a file.
    private var inputs: [String] { files.isEmpty && Console.isInputGiven ? ["-"] : files }

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("name at least one file, or - for standard input") }
        try checkInputs(files)
        if json, let format, format != .json { throw ValidationError("--json goes with no other --format") }
        if batch, format == .text { throw ValidationError("--batch answers in json or verify-receipt") }
        if batch, files.contains(where: VerifyRun.isDocument) {
            throw ValidationError("--batch reads files: give a document itself without --batch")
        }
        _ = try expectation()
    }

    func run() throws {
        var run = VerifyRun(inputs: inputs)
        run.anchors = try trust.resolvedAnchors()
        run.intermediates = try trust.resolvedIntermediates()
        run.keys = keys.resolved
        run.limits = limits.resolved
        run.expectation = try expectation()
        run.format = json ? .json : format ?? (batch ? .json : .text)
        if let jobs { run.jobs = jobs }
        let counts = batch ? try run.runBatch(Console.write) : try run.run(Console.write)
        if batch { Self.reportUnknownMembers(counts) }
        for failure in counts.failures { Console.complain(failure.description) }
        if let failure = counts.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
        if counts.refused > 0 { throw ExitCode(1) }
    }

    /// Reports how many documents of a batch have unknown members or values, and which.
    private static func reportUnknownMembers(_ counts: LineCounts) {
        let count = counts.documentsWithUnknownMembers
        guard count > 0 else { return }
        let members = counts.unknownMemberNames.map { "\n  \($0)" }.joined()
        Console.complain(
            "warning: \(Console.count(count, "document")) with members or values that are not known:\(members)\n"
                + "hint: receiptmill inspect shows them where they stand",
            as: .warning)
    }

    private func expectation() throws -> ReceiptExpectation {
        var expectation = ReceiptExpectation()
        if let deviceVerificationID {
            guard UUID(uuidString: deviceVerificationID) != nil else {
                throw ValidationError("'\(deviceVerificationID)' is no device verification identifier: give a UUID")
            }
            expectation.deviceVerificationID = deviceVerificationID
        }
        expectation.bundleID = bundle
        expectation.version = appVersion
        expectation.environment = environment
        if let device {
            let text = Array(device.utf8)
            guard let parsed = DeviceIdentifier(parsing: text.span, in: ByteRange(offset: 0, count: text.count)) else {
                throw ValidationError("'\(device)' is no device identifier: give a UUID or a MAC address")
            }
            expectation.device = parsed
        }
        if let at {
            let text = Array((at.utf8.count == 10 ? at + "T00:00:00Z" : at).utf8)
            guard let time = ReceiptDate.milliseconds(text.span, in: ByteRange(offset: 0, count: text.count)) else {
                throw ValidationError("'\(at)' is no date such as 2024-02-29T12:00:00Z")
            }
            expectation.time = time
        }
        return expectation
    }
}

extension AnswerFormat: ExpressibleByArgument {}
extension StoreEnvironment: ExpressibleByArgument {}
