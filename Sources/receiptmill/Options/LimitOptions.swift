internal import ArgumentParser
internal import ReceiptArchive

/// Options that bound the contents of archives.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Longest line of text that is read, in bytes; longer ones are rejected as line_too_long. Receipts given "
                + "as their bytes have no lines: --max-receipt holds for them. (default: \(Limits().lineBytes))",
            valueName: "bytes"))
    var maxLine: Int?

    @Option(
        help: ArgumentHelp(
            "Largest receipt that is read, in bytes decoded; larger ones are rejected. (default: \(Limits().receiptBytes))",
            valueName: "bytes"))
    var maxReceipt: Int?

    @Option(
        help: ArgumentHelp(
            "How many times larger than a gzip file its text may be; more is taken for damage. (default: \(Limits().inflation))",
            valueName: "times"))
    var maxInflation: Int?

    @Option(
        help: ArgumentHelp(
            "How many documents of an archive may be rejected while fewer of them are loaded, a line without any counting "
                + "as one; beyond, its loading ends. (default: \(Limits().rejections))",
            valueName: "documents"))
    var maxRejections: Int?

    func validate() throws {
        try check("--max-line", maxLine, in: Self.bytes)
        try check("--max-receipt", maxReceipt, in: Self.bytes)
        guard maxRejections ?? 1 > 0 else { throw ValidationError("--max-rejections must be positive") }
        guard maxInflation ?? 1 > 0 else { throw ValidationError("--max-inflation must be positive") }
    }

    /// The bound is one GiB, because a line and the values made of the line must fit into memory several times.
    static let bytes = 1...(1 << 30)

    var resolved: Limits {
        var limits = Limits()
        apply(to: &limits)
        return limits
    }

    /// Sets the limits that the command line names; the others keep their values.
    func apply(to limits: inout Limits) {
        for (option, path) in [
            (maxLine, \Limits.lineBytes), (maxReceipt, \.receiptBytes), (maxInflation, \.inflation),
            (maxRejections, \.rejections),
        ] {
            if let option { limits[keyPath: path] = option }
        }
    }
}
