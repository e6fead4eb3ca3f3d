internal import Foundation
package import MillSystem
package import ReceiptTrust

extension IssuerCertificates {
    /// Reads the certificate files that a user gives as intermediates, in DER or
    /// PEM.
    package init(files: [String]) throws(MillError) {
        self.init()
        for path in files {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw MillError(
                    stage: .verifying, path: path, what: "can't be read",
                    hint: "give a certificate file (PEM or DER)", exitStatus: .missingInput)
            }
            let found = try MillError.wrapping { () throws(OpenSSLError) in
                try insertCertificates(of: [UInt8](data))
            }
            guard found > 0 else {
                throw MillError(
                    stage: .verifying, path: path, what: "holds no certificate",
                    hint: "give a certificate in DER or PEM", exitStatus: .badData)
            }
        }
    }
}
