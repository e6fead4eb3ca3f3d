internal import Foundation
package import MillSystem
package import ReceiptTrust

/// Reads files that a user names, which have to be small enough to be read at once.
enum UserFile {
    static func bytes(
        _ path: String, whatIfMissing what: String = "can't be read", hint: String
    ) throws(MillError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MillError(stage: .configuring, path: path, what: what, hint: hint, exitStatus: .missingInput)
        }
        return [UInt8](data)
    }

    /// Reads a file of certificates.
    ///
    /// - Parameter insert: returns the number of certificates in the bytes.
    static func insertCertificates(
        of path: String, hint: String, _ insert: ([UInt8]) throws(OpenSSLError) -> Int
    ) throws(MillError) {
        let bytes = try bytes(path, hint: hint)
        guard try MillError.wrapping(at: .configuring, { () throws(OpenSSLError) in try insert(bytes) }) > 0 else {
            throw MillError(
                stage: .configuring, path: path, what: "holds no certificate",
                hint: "give a certificate in DER or PEM", exitStatus: .badData)
        }
    }
}

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

extension Pseudonyms {
    /// Reads a key file. Its bytes are the key, except for a newline at the end. It may contain several keys, the
    /// oldest first, separated by a line `---`.
    package init(keyFile path: String) throws(MillError) {
        let bytes = try UserFile.bytes(
            path, whatIfMissing: "the key can't be read", hint: "check the path and its permissions")
        let keys = Self.keys(in: bytes)
        guard let first = keys.first, var pseudonyms = Pseudonyms(key: first) else {
            throw Self.short(keys.first, path)
        }
        for key in keys.dropFirst() {
            guard let further = pseudonyms.followed(by: key) else { throw Self.short(key, path) }
            pseudonyms = further
        }
        self = pseudonyms
    }

    private static func keys(in bytes: [UInt8]) -> [[UInt8]] {
        let newline = UInt8(ascii: "\n")
        var keys: [[UInt8]] = [[]]
        for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
            if line.elementsEqual("---".utf8) || line.elementsEqual("---\r".utf8) {
                keys.append([])
            } else {
                keys[keys.count - 1] += line + [newline]
            }
        }
        return keys.map { key in
            Array(key.prefix((key.lastIndex { $0 != newline && $0 != UInt8(ascii: "\r") } ?? -1) + 1))
        }
    }

    private static func short(_ key: [UInt8]?, _ path: String) -> MillError {
        MillError(
            stage: .configuring, path: path,
            what: "the key is shorter than \(Self.minimumKeyBytes) bytes: it has \(key?.count ?? 0)",
            hint: "openssl rand -hex 32 makes one", exitStatus: .configuration)
    }
}
