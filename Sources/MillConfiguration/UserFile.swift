internal import Foundation
internal import MillSystem
internal import ReceiptTrust

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
