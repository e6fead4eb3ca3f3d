internal import ArgumentParser
internal import MillConfiguration
internal import ReceiptTrust

/// `--trust`, wherever receipts are verified.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "A root that chains must lead to: apple, sha256:HEX, or a certificate file (PEM or DER). Repeatable; "
                + "replaces the default, which is apple, so name apple too to keep it.",
            valueName: "anchor"))
    var anchors: [String] = []

    @OptionGroup var unmarked: UnmarkedTrustOptions

    /// - Throws: ``MillError`` for what is no anchor.
    func resolved() throws -> TrustAnchors {
        var resolved = try TrustAnchors(arguments: anchors)
        resolved.formUnion(try unmarked.resolved())
        return resolved
    }
}

/// `--trust-without-markers`: anchors of test stores.
struct UnmarkedTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust-without-markers"),
        help: ArgumentHelp(
            "A further root, of a test store of your own, below which signers need not bear Apple's markers: the "
                + "holder of a key of any certificate below it can sign receipts that are trusted. Repeatable.",
            valueName: "anchor"))
    var anchors: [String] = []

    /// - Throws: ``MillError`` for what is no anchor, and for Apple's.
    func resolved() throws -> TrustAnchors {
        try TrustAnchors.withoutMarkers(arguments: anchors)
    }
}
