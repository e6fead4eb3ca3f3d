internal import ArgumentParser
internal import MillSystem
internal import ReceiptArchive
package import ReceiptInspection

/// `receiptmill inspect`: writes the contents of single documents to standard output.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show every field and certificate of a document.",
        discussion: HelpText.of(
            "inspect",
            examples: """
                receiptmill inspect receipt.b64
                receiptmill inspect notification.json
                pbpaste | receiptmill inspect - --format json
                """,
            details: """
                A file holds a receipt as base64 or as its bytes, a signed string of StoreKit 2 (JWS), or JSON: an object \
                or a list with either, as servers log them (docs/line-forms.md), or a string, one on each line. It is \
                recognised by its content. Nothing is verified: receiptmill verify does that.

                Names of attributes that Apple doesn't document are marked; unknown attributes are shown as they \
                stand. Of a damaged receipt, what can be read is shown, then what is wrong and at which byte.

                app_version and original_application_version are builds (CFBundleVersion) on iOS and short versions \
                (CFBundleShortVersionString) on macOS; receipts before 2013-06-20 lack the original one.

                Of a receipt of iOS 6 and before, the property list, its signature with the signer's certificate, and \
                the keys and values of its purchase-info are shown; keys that are not known are marked.

                Of a signed string, the fields of header and payload are shown under Apple's names, each with its meaning: \
                dates also as ISO 8601, prices also in units of the currency, numbers that stand for something also in words, \
                unknown fields as they stand. A field that is not known in its place is marked, and so is a value of \
                another type than is known, or one that is not among the known values (in JSON, unknown is member, type \
                or value; unknown_members lists all). What a notification holds is opened below it, one level deep. Of a string \
                that is cut short or damaged, the fields before the fault are shown.

                --format json holds all hex whole: one object for one receipt, and one on each line for many. A line \
                with several documents has them in documents, a list in the order of the line.

                Exit status: 0 all is shown; 64 usage; 65 something is neither, or damaged; 66 a file is missing.
                """))

    @Argument(
        help: ArgumentHelp(
            "Files with receipts or signed data, or a document itself; - is standard input. If no file is named, a pipe or file at standard input is read.",
            valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: "How to show it: text unless set.")
    var format: ListingFormat?

    @Flag(help: .json)
    var json = false

    @OptionGroup(title: "Keys of the input's JSON objects", visibility: .hidden) var keys: LineKeyOptions

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: LimitOptions

    /// The files of the command line; without any, standard input if it is a pipe, a socket or a file.
    private var inputs: [String] { files.isEmpty && Console.isInputGiven ? ["-"] : files }

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("name at least one file, or - for standard input") }
        try checkInputs(files)
        if json, format == .text { throw ValidationError("--json goes with no --format text") }
    }

    func run() throws {
        var run = InspectRun(inputs: inputs)
        run.format = json ? .json : format ?? .text
        run.keys = keys.resolved
        run.limits = limits.resolved
        let counts = try run.run(Console.write)
        for failure in counts.failures { Console.complain(failure.description) }
        if let failure = counts.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
        if counts.refused > 0 { throw ExitCode(ExitStatus.badData.rawValue) }
    }
}

extension ListingFormat: ExpressibleByArgument {}
