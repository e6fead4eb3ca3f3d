internal import Foundation
internal import Synchronization

/// Throw-away keys and certificates of OpenSSL's command-line tool, each made
/// once in a process: a key takes a tenth of a second or more, and most stores of
/// tests differ in one certificate. Certificates are valid for a day.
struct ThrowAwayCertificates {
    struct ToolFailed: Error { let what: String }

    /// Where files are made and written to, as `NAME.key`, `NAME.pem` and `NAME.der`.
    let workdir: Workdir
    /// Stores of one owner share keys, those of two never do.
    let owner: String

    private static let made = Mutex<[[String]: [String: [UInt8]]]>([:])

    /// Makes a certificate; its issuer must have been made before.
    func make(_ name: String, _ request: ReceiptStore.Request) throws {
        let key = request.key ?? ["-newkey", "rsa:2048"]
        try once(["key", name] + key, ["\(name).key", "\(name).csr"]) {
            try run(
                ["req", "-new"] + key + ["-nodes", "-keyout", "\(name).key", "-out", "\(name).csr"]
                    + ["-subj", "/CN=Throw-away \(name)"])
        }
        let issuer = try request.issuer.map { String(decoding: try workdir.read("\($0).pem"), as: UTF8.self) }
        let properties = [request.serial, request.digest] + request.extensions
        try workdir.write(request.extensions.joined(separator: "\n") + "\n", to: "\(name).ext")
        try once(["certificate", name, issuer ?? ""] + key + properties, ["\(name).pem", "\(name).der"]) {
            let signing =
                request.issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? ["-signkey", "\(name).key"]
            try run(
                ["x509", "-req", "-in", "\(name).csr", "-days", "1", "-extfile", "\(name).ext", "-set_serial"]
                    + [request.serial, request.digest, "-out", "\(name).pem"] + signing)
            try run(["x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"])
        }
    }

    /// Writes files that were made before into the folder, or makes them there.
    private func once(_ description: [String], _ names: [String], make: () throws -> Void) throws {
        try Self.made.withLock { made in
            if let files = made[[owner] + description] {
                for (name, bytes) in files { try workdir.write(bytes, to: name) }
                return
            }
            try make()
            made[[owner] + description] = try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try workdir.read($0)) })
        }
    }

    private func run(_ arguments: [String]) throws {
        guard try workdir.openssl(arguments) != nil else {
            throw ToolFailed(what: arguments.joined(separator: " "))
        }
    }
}
