internal import ArgumentParser
internal import MillConfiguration
internal import ReceiptTrust

/// `--intermediate`, wherever transaction receipts are verified.
struct IntermediateOptions: ParsableArguments {
    @Option(
        name: .customLong("intermediate"),
        help: ArgumentHelp(
            "A certificate between signer and root (PEM or DER), which receipts of iOS 6 and before need and don't "
                + "carry. Repeatable. It is not trusted for being given: the chain over it must lead to an anchor.",
            valueName: "file"))
    var files: [String] = []

    /// - Throws: ``MillError`` for what is no certificate.
    func resolved() throws -> IssuerCertificates {
        try IssuerCertificates(files: files)
    }
}
