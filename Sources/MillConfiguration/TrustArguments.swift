package import MillSystem
package import ReceiptTrust

extension TrustAnchors {
    /// Reads trust anchors that a user names: `apple`, `sha256:HEX`, or a certificate file in DER or PEM. An empty list
    /// means Apple's.
    package init(arguments: [String]) throws(MillError) {
        self.init()
        if arguments.isEmpty { formUnion(.apple) }
        for argument in arguments {
            if insert(named: argument) { continue }
            guard Self.isFile(argument) else {
                throw MillError(
                    stage: .configuring, what: "'\(argument)' is no SHA-256 fingerprint",
                    hint: "write sha256: and 64 hexadecimal digits", exitStatus: .usage)
            }
            let hint = "--trust takes apple, sha256:HEX, or a certificate file"
            try UserFile.insertCertificates(of: argument, hint: hint) { (bytes) throws(OpenSSLError) in
                try insertCertificates(of: bytes)
            }
        }
    }

    /// Reads trust anchors that a user names, and further anchors whose signers need no markers (Apple's certificate
    /// extensions).
    package init(arguments: [String], withoutMarkers unmarked: [String]) throws(MillError) {
        try self.init(arguments: arguments)
        formUnion(try .withoutMarkers(arguments: unmarked))
    }

    /// Whether an argument names a file.
    package static func isFile(_ argument: String) -> Bool {
        argument != "apple" && !argument.lowercased().hasPrefix("sha256:")
    }

    /// Reads anchors whose signers need no markers (Apple's certificate extensions); an empty list means none.
    static func withoutMarkers(arguments: [String]) throws(MillError) -> TrustAnchors {
        guard !arguments.isEmpty else { return TrustAnchors() }
        var anchors = try TrustAnchors(arguments: arguments)
        guard !anchors.holdsRootOfApple else {
            throw MillError(
                stage: .configuring, what: "Apple's root needs the markers: every developer's certificate leads to it",
                hint: "name it among the other anchors", exitStatus: .usage)
        }
        anchors.waiveMarkers()
        return anchors
    }
}

extension CertificatePool {
    /// Reads the certificate files that a user names as intermediates, in DER or PEM.
    package init(files: [String]) throws(MillError) {
        self.init()
        for path in files {
            try UserFile.insertCertificates(of: path, hint: "give a certificate file (PEM or DER)") {
                (bytes) throws(OpenSSLError) in try insertCertificates(of: bytes)
            }
        }
    }
}
