internal import COpenSSL
public import Foundation

/// A certificate made by OpenSSL's library, part by part, for tests.
public struct ThrowAwayCertificate: Sendable {
    /// What a certificate is made of.
    public struct Request: Sendable {
        public var subject: String
        public var key = ThrowAwayKey.Kind.p256
        /// In the words of OpenSSL's configuration, `name=value`.
        public var extensions: [String]
        public var begins: Date
        public var ends: Date
        public var digest = "SHA384"
        public var serial = 7

        public init(_ subject: String, extensions: [String], from begins: Date, to ends: Date) {
            (self.subject, self.extensions, self.begins, self.ends) = (subject, extensions, begins, ends)
        }

        /// The same with one thing changed.
        public func with(_ change: (inout Request) -> Void) -> Request {
            var changed = self
            change(&changed)
            return changed
        }

        /// The same with another line in place of those that begin with `name`; nil removes them.
        public func replacing(_ name: String, with line: String?) -> Request {
            with { $0.extensions = $0.extensions.filter { !$0.hasPrefix(name) } + (line.map { [$0] } ?? []) }
        }
    }

    public let der: [UInt8]
    public let key: ThrowAwayKey

    /// - Parameters:
    ///   - issuer: who signs; nil signs itself.
    ///   - key: in place of a new one.
    public init(_ request: Request, issuer: ThrowAwayCertificate? = nil, key: ThrowAwayKey? = nil) throws {
        let key = try key ?? ThrowAwayKey(request.key)
        self.key = key
        let certificate = X509_new()
        defer { X509_free(certificate) }
        let issuing = try issuer.map { try Self.parsed($0.der) }
        defer { X509_free(issuing) }
        try ThrowAwayKey.check(X509_set_version(certificate, 2), "X509_set_version")
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), request.serial)
        ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(request.begins.timeIntervalSince1970))
        ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(request.ends.timeIntervalSince1970))
        let subject = X509_get_subject_name(certificate)
        // MBSTRING_UTF8 is a macro of another macro.
        try ThrowAwayKey.check(
            X509_NAME_add_entry_by_txt(subject, "CN", 0x1000, request.subject, -1, -1, 0), "X509_NAME_add_entry_by_txt")
        X509_set_issuer_name(certificate, issuing.map { X509_get_subject_name($0) } ?? subject)
        try key.withKey { try ThrowAwayKey.check(X509_set_pubkey(certificate, $0), "X509_set_pubkey") }
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuing ?? certificate, certificate, nil, nil, 0)
        for line in request.extensions {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let made = X509V3_EXT_nconf(nil, &context, parts[0], parts[1]) else {
                throw ThrowAwayKey.Failure(what: "X509V3_EXT_nconf \(line)")
            }
            X509_add_ext(certificate, made, -1)
            X509_EXTENSION_free(made)
        }
        try (issuer?.key ?? key).withKey { signer in
            guard X509_sign(certificate, signer, EVP_get_digestbyname(request.digest)) > 0 else {
                throw ThrowAwayKey.Failure(what: "X509_sign")
            }
        }
        der = ThrowAwayKey.bytes { i2d_X509(certificate, $0) }
    }

    private static func parsed(_ der: [UInt8]) throws -> OpaquePointer {
        let certificate = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_X509(nil, &start, der.count)
        }
        guard let certificate else { throw ThrowAwayKey.Failure(what: "d2i_X509") }
        return certificate
    }
}
