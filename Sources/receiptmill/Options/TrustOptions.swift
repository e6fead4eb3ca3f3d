internal import ArgumentParser
internal import MillConfiguration
internal import ReceiptTrust

/// The trust anchors and intermediate certificates, for commands that verify.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("trust"),
        help: .everyday(
            "A root that chains must lead to, in place of Apple's: apple, sha256:HEX, or a certificate file.",
            details: "Repeatable. Of a certificate (PEM or DER) name and key count. To keep Apple's, name apple too.",
            valueName: "anchor"), completion: .file())
    var anchors: [String] = []

    @Option(name: .customLong("trust-without-markers"), help: Self.unmarkedHelp)
    var unmarkedAnchors: [String] = []

    @Option(
        name: .customLong("intermediate"),
        help: .rare(
            "A certificate between signer and root (PEM or DER), which receipts of iOS 6 and before need and don't "
                + "carry. Repeatable. It is not trusted for being given: the chain over it must lead to an anchor.",
            valueName: "file"), completion: .file())
    var intermediates: [String] = []

    /// Shared with `check`, which has only this option of the group.
    static let unmarkedHelp = ArgumentHelp.rare(
        "A further root, of a test store of your own, below which signers need not bear Apple's markers: the "
            + "holder of a key of any certificate below it can sign receipts that are trusted. Repeatable.",
        valueName: "anchor")

    /// - Throws: ``MillError`` for a text that names no anchor, and for Apple's root without markers.
    func resolvedAnchors() throws -> TrustAnchors {
        try TrustAnchors(arguments: anchors, withoutMarkers: unmarkedAnchors)
    }

    /// - Throws: ``MillError`` for a file that holds no certificate.
    func resolvedIntermediates() throws -> CertificatePool {
        try CertificatePool(files: intermediates)
    }

    /// Sets what the command line names; the rest keeps its value.
    func apply(to trust: inout TrustSection) {
        if !anchors.isEmpty { trust.anchors = anchors }
        if !unmarkedAnchors.isEmpty { trust.anchorsWithoutMarkers = unmarkedAnchors }
        if !intermediates.isEmpty { trust.intermediates = intermediates }
    }
}
