internal import ArgumentParser
internal import ReceiptPipeline
internal import ReceiptTrust

/// `--trust`, wherever receipts are judged.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "A root that chains must lead to: apple, sha256:HEX, or a certificate file (PEM or DER). Repeatable; "
                + "replaces the default, which is apple, so name apple too to keep it.",
            valueName: "anchor"))
    var anchors: [String] = []

    /// - Throws: ``MillError`` for what is no anchor.
    func resolved() throws -> TrustAnchors {
        try TrustAnchors(arguments: anchors)
    }
}
