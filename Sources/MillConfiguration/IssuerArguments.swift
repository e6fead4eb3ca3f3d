package import MillSystem
package import ReceiptTrust

extension IssuerCertificates {
    /// Reads the certificate files that a user gives as intermediates, in DER or
    /// PEM.
    package init(files: [String]) throws(MillError) {
        self.init()
        for path in files {
            try UserFile.insertCertificates(of: path, hint: "give a certificate file (PEM or DER)") {
                (bytes) throws(OpenSSLError) in try insertCertificates(of: bytes)
            }
        }
    }
}
