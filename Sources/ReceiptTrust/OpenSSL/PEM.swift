internal import COpenSSL

/// Certificates in textual encoding (RFC 7468).
enum PEM {
    /// The certificates in a file's bytes, each with its DER: one in DER, or any number in PEM; empty if the bytes
    /// contain none.
    static func certificates(
        in file: [UInt8], digest: MessageDigest
    ) throws(OpenSSLError) -> [(certificate: Certificate, der: [UInt8])] {
        var found: [(certificate: Certificate, der: [UInt8])] = []
        for der in decoded(file) ?? [file] {
            if let certificate = try Certificate(der: der, digest: digest) { found.append((certificate, der)) }
        }
        return found
    }

    /// The DER of every certificate in PEM; nil if there is none.
    private static func decoded(_ file: [UInt8]) -> [[UInt8]]? {
        let found = file.withUnsafeBytes { bytes in
            var found: [[UInt8]] = []
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return found }
            defer {
                BIO_free(bio)
                ERR_clear_error()
            }
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
                defer { X509_free(certificate) }
                found.append(Certificate.der(of: certificate))
            }
            return found
        }
        return found.isEmpty ? nil : found
    }
}
