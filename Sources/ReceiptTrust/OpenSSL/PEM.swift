internal import COpenSSL

/// Certificates in textual encoding (RFC 7468).
enum PEM {
    /// DER of every certificate in a file; nil where the file holds none.
    static func certificates(in file: [UInt8]) -> [[UInt8]]? {
        guard let bio = BIO_new_mem_buf(file, Int32(clamping: file.count)) else { return nil }
        defer {
            BIO_free(bio)
            ERR_clear_error()
        }
        var found: [[UInt8]] = []
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            defer { X509_free(certificate) }
            var der = [UInt8](repeating: 0, count: Int(max(0, i2d_X509(certificate, nil))))
            der.withUnsafeMutableBufferPointer { buffer in
                var next = buffer.baseAddress
                _ = i2d_X509(certificate, &next)
            }
            found.append(der)
        }
        return found.isEmpty ? nil : found
    }
}
