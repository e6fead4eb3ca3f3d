internal import ArgumentParser
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse
internal import RefundAnswers

/// `receiptmill consumption-answers`: writes answers to refund requests.
struct ConsumptionAnswersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "consumption-answers", "Write answers to Apple's refund requests.",
        usage: """
            receiptmill consumption-answers --policy <file> --consents <file> [<options>]
            receiptmill consumption-answers --sent <file> [<options>]
            """,
        examples: """
            receiptmill consumption-answers --policy refund-policy.yaml \\
              --consents consents.csv > answers.jsonl
            receiptmill consumption-answers --sent answers.jsonl
            """,
        details: """
            From cron every hour: write the answers, send each body, and record with --sent what was sent, for the \
            report refund-requests.

            Where a customer asks for a refund, the store sends a notification of type CONSUMPTION_REQUEST, and waits \
            twelve hours for an answer. For each refund request that is open this command writes a line of JSON: the \
            transaction, how many hours are left (rounded down), the evidence, the rule of your policy that decided, \
            and last the body of the App Store Server API, Send Consumption Information (PUT \
            /inApps/v2/transactions/consumption/{transactionId}). It sends nothing, and changes nothing.

            A policy is a YAML file of rules; the first that fits decides, and nothing is answered without one:
              rules:
                - name: delivered, and long used
                  when: {kinds: [subscription], used_share: {at_least: 0.5}}
                  answer: {delivery_status: DELIVERED, sample_content_provided: false, refund_preference: DECLINE}
            pipelines/refund-policy.yaml is an example with every key.

            The list of consents names customers who agreed that the store is told: CSV with one of the columns \
            account, app_account_token and app_transaction_id or more, or lines of JSON such as {"account":"4711"}. \
            Requests of others are counted on standard error, and never written. An account counts as the holder of a \
            purchase in three cases: it is the only account that presented the purchase on the device of the document; \
            it presented the purchase's app transaction in this way; or it is the purchase's app account token. \
            Purchases that several accounts hold are left to a person.

            Exit status: 0 with answers or without; 65 the list of consents, or a line of --sent, can't be read, or no \
            models were computed yet; 66 an input is missing; 75 with --sent, a run is at work; 78 the policy can't \
            be read, or the key is not the database's.
            """)

    @OptionGroup var target: DatabaseOption

    @Option(help: ArgumentHelp("The rules of answers, in YAML.", valueName: "file"), completion: .file())
    var policy: String?

    @Option(
        help: ArgumentHelp("Customers who consented: CSV or lines of JSON.", valueName: "file"), completion: .file())
    var consents: String?

    @Option(help: ArgumentHelp("The key by which the database names persons.", valueName: "file"), completion: .file())
    var pseudonymKey: String?

    @Option(
        help: ArgumentHelp(
            "Count the hours from this moment, such as 2026-02-28T12:00:00Z; with --sent, when lines were sent that have "
                + "no answered_at. Else the present.", valueName: "time"))
    var now: String?

    @Flag(help: "Also write answers to open requests older than twelve hours, and to those that were answered before.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Record the answers of these lines, which were sent; - is standard input.", valueName: "file"),
        completion: .file())
    var sent: String?

    @Option(help: "How to write answers: lines of JSON, or text for a person.")
    var format: ConsumptionAnswerFormat = .jsonl

    @Flag(help: "Say nothing on standard error unless something is wrong.")
    var quiet = false

    func validate() throws {
        if let now, AnswerTime.milliseconds(now) == nil {
            throw ValidationError("--now takes a time such as 2026-02-28T12:00:00Z")
        }
        if sent != nil {
            guard policy == nil, consents == nil, !all, pseudonymKey == nil else {
                throw ValidationError("--sent goes with --database, --now and --quiet alone")
            }
        } else {
            guard policy != nil, consents != nil else {
                throw ValidationError("give --policy and --consents, or --sent")
            }
        }
    }

    func run() throws {
        let database = try target.path
        if let sent { return try record(sent, in: database) }
        guard let policy, let consents else { return }
        var answers = RefundAnswering(
            database: database, policy: try RefundPolicy(path: policy), consents: consents)
        if let pseudonymKey { answers.pseudonyms = try Pseudonyms(keyFile: pseudonymKey) }
        if let moment = now.flatMap(AnswerTime.milliseconds) { answers.now = moment }
        answers.answersAll = all
        let summary = try answers.run()
        if let time = summary.staleSince {
            Console.complain(
                "warning: the models are of \(CivilTime.iso8601(milliseconds: time / 1000 * 1000)), and evidence is too"
                    + "\nhint: receiptmill refresh --database \(database)")
        }
        for answer in summary.answers {
            try Console.write((format == .jsonl ? answer.json : answer.text) + "\n")
        }
        guard !quiet else { return }
        for remark in summary.remarks { Console.complain(remark) }
    }

    private func record(_ file: String, in database: String) throws {
        try DatabaseName.refuseMissing(database)
        let text = try Self.text(of: file)
        let moment = now.flatMap(AnswerTime.milliseconds) ?? Int64(Date().timeIntervalSince1970 * 1000)
        let summary = try SentAnswers(Warehouse(path: database)).record(linesOf: text, from: file, now: moment)
        guard !quiet else { return }
        try Console.write("\(Console.count(summary.recorded, "answer")) recorded, \(summary.known) known before\n")
        if summary.unknown > 0 {
            Console.complain(
                "warning: \(Console.count(summary.unknown, "answer")) passed over: the database does not know the "
                    + "transaction")
        }
    }

    private static func text(of file: String) throws(MillError) -> String {
        do throws(TextFile.Fault) {
            return file == "-"
                ? try TextFile.text(of: Array(FileHandle.standardInput.readDataToEndOfFile()))
                : try TextFile.read(file, atMost: 1 << 30)
        } catch {
            throw MillError(
                stage: .loading, path: file, line: error.line, what: error.what, hint: error.hint,
                exitStatus: error.isMissing ? .missingInput : .badData)
        }
    }
}

enum ConsumptionAnswerFormat: String, ExpressibleByArgument, CaseIterable {
    case jsonl, text
}
