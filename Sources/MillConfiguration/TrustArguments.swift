package import MillSystem
package import ReceiptTrust

extension TrustAnchors {
    /// Reads what a user trusts: `apple`, `sha256:HEX`, or a certificate file in
    /// DER or PEM. None at all means Apple.
    package init(arguments: [String]) throws(MillError) {
        self.init()
        if arguments.isEmpty { formUnion(.apple) }
        for argument in arguments {
            if argument == "apple" {
                formUnion(.apple)
            } else if !Self.isFile(argument) {
                guard let fingerprint = SHA256Digest(hex: argument.dropFirst("sha256:".count)) else {
                    throw MillError(
                        stage: .configuring, what: "'\(argument)' is no SHA-256 fingerprint",
                        hint: "write sha256: and 64 hexadecimal digits", exitStatus: .usage)
                }
                insert(fingerprint)
            } else {
                let hint = "--trust takes apple, sha256:HEX, or a certificate file"
                try UserFile.insertCertificates(of: argument, hint: hint) { (bytes) throws(OpenSSLError) in
                    try insertCertificates(of: bytes)
                }
            }
        }
    }

    /// Whether an argument names a file.
    package static func isFile(_ argument: String) -> Bool {
        argument != "apple" && !argument.lowercased().hasPrefix("sha256:")
    }

    /// Anchors below which signers need no markers: none where there is no argument.
    package static func withoutMarkers(arguments: [String]) throws(MillError) -> TrustAnchors {
        guard !arguments.isEmpty else { return TrustAnchors() }
        var anchors = try TrustAnchors(arguments: arguments)
        guard anchors.fingerprints.isDisjoint(with: TrustAnchors.apple.fingerprints) else {
            throw MillError(
                stage: .configuring, what: "Apple's root needs the markers: every developer's certificate leads to it",
                hint: "name it among the other anchors", exitStatus: .usage)
        }
        anchors.waiveMarkers()
        return anchors
    }
}
