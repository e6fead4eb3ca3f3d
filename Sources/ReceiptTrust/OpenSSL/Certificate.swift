internal import COpenSSL
internal import ReceiptFormat

/// An X.509 certificate. It owns one reference to OpenSSL's object. Not for use by two threads at once.
final class Certificate {
    let x509: OpaquePointer
    /// The SHA-256 of the certificate's DER.
    let fingerprint: SHA256Digest
    /// The certificate's key; nil if it is unreadable.
    let publicKey: PublicKey?
    /// The SHA-256 of the key with its algorithm and parameters (SubjectPublicKeyInfo in DER; RFC
    /// 5280, 4.1.2.7).
    let keyDigest: SHA256Digest

    /// Reads a certificate and requires that its DER fills `range`.
    init?(_ bytes: Span<UInt8>, in range: ByteRange, digest: MessageDigest) throws(OpenSSLError) {
        let parsed = bytes.extracting(range.indices).withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let start = next, let parsed = d2i_X509(nil, &next, buffer.count) else { return nil }
            guard next == start + buffer.count else {
                X509_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else {
            ERR_clear_error()
            return nil
        }
        x509 = parsed
        fingerprint = try digest.sha256(bytes, in: range.indices)
        publicKey = PublicKey(of: parsed)
        let key = Self.keyInfo(of: parsed)
        keyDigest = try digest.sha256(key.span, in: key.indices)
        // The call fills OpenSSL's cache of extensions, which the getters below read.
        _ = X509_check_purpose(parsed, -1, 0)
        ERR_clear_error()
    }

    /// Reads a certificate and requires that it fills `der`.
    convenience init?(der: [UInt8], digest: MessageDigest) throws(OpenSSLError) {
        try self.init(der.span, in: ByteRange(offset: 0, count: der.count), digest: digest)
    }

    deinit { X509_free(x509) }

    /// The subject's name in the form of RFC 2253, with UTF-8 unescaped.
    var subject: String { Self.text(X509_get_subject_name(x509)) }
    /// The issuer's name in the form of RFC 2253, with UTF-8 unescaped.
    var issuer: String { Self.text(X509_get_issuer_name(x509)) }

    func subjectName() throws(OpenSSLError) -> DistinguishedName {
        try DistinguishedName(copying: X509_get_subject_name(x509))
    }

    func issuerName() throws(OpenSSLError) -> DistinguishedName {
        try DistinguishedName(copying: X509_get_issuer_name(x509))
    }

    /// The first and the last moment of validity, in milliseconds since 1970; nil if a date is unreadable, or the first
    /// is after the last.
    var validity: ClosedRange<Int64>? {
        guard let from = Self.milliseconds(X509_get0_notBefore(x509)),
            let until = Self.milliseconds(X509_get0_notAfter(x509)), from <= until
        else { return nil }
        return from...until
    }

    /// Whether subject and issuer have the same name (RFC 5280, 6.1).
    var isSelfIssued: Bool {
        X509_NAME_cmp(X509_get_subject_name(x509), X509_get_issuer_name(x509)) == 0
    }

    /// Whether this certificate states `issuer`'s name as its issuer.
    func names(_ issuer: Certificate) -> Bool {
        X509_NAME_cmp(X509_get_issuer_name(x509), X509_get_subject_name(issuer.x509)) == 0
    }

    /// Whether the subject, and the key with its algorithm and parameters, equal those of `other`.
    func hasNameAndKey(of other: Certificate) -> Bool {
        keyDigest == other.keyDigest
            && X509_NAME_cmp(X509_get_subject_name(x509), X509_get_subject_name(other.x509)) == 0
    }

    private static func keyInfo(of x509: OpaquePointer) -> [UInt8] {
        let info = X509_get_X509_PUBKEY(x509)
        var bytes = [UInt8](repeating: 0, count: Int(max(0, i2d_X509_PUBKEY(info, nil))))
        bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = i2d_X509_PUBKEY(info, &next)
        }
        return bytes
    }

    /// The certificate in DER.
    var der: [UInt8] { Self.der(of: x509) }

    /// An OpenSSL object in DER.
    static func der(of x509: OpaquePointer) -> [UInt8] {
        defer { ERR_clear_error() }
        var bytes = [UInt8](repeating: 0, count: Int(max(0, i2d_X509(x509, nil))))
        bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = i2d_X509(x509, &next)
        }
        return bytes
    }

    /// Whether this certificate's signature was made with `issuer`'s key.
    func isSigned(by issuer: Certificate) -> Bool {
        guard let key = X509_get0_pubkey(issuer.x509), issuer.publicKey?.isAffordable ?? false else { return false }
        defer { ERR_clear_error() }
        return X509_verify(x509, key) == 1
    }

    /// Whether the name by which a container identifies its signer matches this certificate.
    func isNamed(by name: ChainInput.SignerName) -> Bool {
        defer { ERR_clear_error() }
        switch name {
        case .subjectKeyIdentifier(let stated):
            guard !stated.isEmpty, let own = X509_get0_subject_key_id(x509), let actual = ASN1_STRING_get0_data(own),
                Int(ASN1_STRING_length(own)) == stated.count
            else { return false }
            return memcmp(actual, stated, stated.count) == 0
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            return issuerEquals(issuer) && serialNumberEquals(serialNumber)
        }
    }

    private func issuerEquals(_ issuer: [UInt8]) -> Bool {
        issuer.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            guard let name = d2i_X509_NAME(nil, &next, buffer.count) else { return false }
            defer { X509_NAME_free(name) }
            return X509_NAME_cmp(name, X509_get_issuer_name(x509)) == 0
        }
    }

    private func serialNumberEquals(_ serialNumber: [UInt8]) -> Bool {
        // RFC 5280, 4.1.2.2, allows 20 bytes.
        guard serialNumber.count < 0x80 else { return false }
        let der = [Tag.integer, UInt8(serialNumber.count)] + serialNumber
        return der.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            guard let number = d2i_ASN1_INTEGER(nil, &next, buffer.count) else { return false }
            defer { ASN1_INTEGER_free(number) }
            return ASN1_INTEGER_cmp(number, X509_get0_serialNumber(x509)) == 0
        }
    }

    // MARK: Constraints (RFC 5280, 4.2.1)

    /// The maximum number of extensions in a certificate; Apple's have eleven at most. Each extension is compared with
    /// every other.
    private static let maximumExtensions = 64

    /// The first violation of a rule that RFC 5280 makes for every certificate and that OpenSSL does not enforce: an
    /// extension that is unreadable or repeated (4.2), extensions in another version than 3 (4.1.2.9), a negative
    /// serial number (4.1.2.2); nil if there is none.
    var malformation: String? {
        if X509_get_extension_flags(x509) & UInt32(EXFLAG_INVALID) != 0 { return "unreadable extensions" }
        let count = max(0, X509_get_ext_count(x509))
        if count > Self.maximumExtensions { return "more than \(Self.maximumExtensions) extensions" }
        if count > 0, X509_get_version(x509) != X509_VERSION_3 { return "extensions in another version than 3" }
        for index in 0..<count {
            let object = X509_EXTENSION_get_object(X509_get_ext(x509, index))
            if X509_get_ext_by_OBJ(x509, object, index) >= 0 {
                return "an extension twice (\(object.flatMap { Self.text($0, isDotted: false) } ?? "unnamed"))"
            }
        }
        if let serial = X509_get0_serialNumber(x509), ASN1_STRING_type(serial) == V_ASN1_NEG_INTEGER {
            return "a negative serial number"
        }
        return nil
    }

    /// The first critical extension that none of ``ChainRules`` processes, by OpenSSL's name or in dotted form; nil if
    /// there is none.
    var unprocessedCriticalExtension: String? {
        for index in 0..<max(0, X509_get_ext_count(x509)) {
            guard let found = X509_get_ext(x509, index), X509_EXTENSION_get_critical(found) == 1 else { continue }
            let object = X509_EXTENSION_get_object(found)
            switch OBJ_obj2nid(object) {
            case NID_basic_constraints, NID_key_usage, NID_ext_key_usage: continue
            default: break
            }
            if AppleMarker.allCases.contains(where: { index == position(of: $0) }) { continue }
            return object.flatMap { Self.text($0, isDotted: false) } ?? "unnamed"
        }
        return nil
    }

    /// Whether a critical extended key usage lacks "any purpose" (RFC 5280, 4.2.1.12). Signing receipts is not one of
    /// the purposes that have names.
    var isForOtherPurposesAlone: Bool {
        let index = X509_get_ext_by_NID(x509, NID_ext_key_usage, -1)
        guard index >= 0, X509_EXTENSION_get_critical(X509_get_ext(x509, index)) == 1 else { return false }
        return X509_get_extended_key_usage(x509) & UInt32(XKU_ANYEKU) == 0
    }

    /// Whether the basic constraints make this certificate an authority.
    var isCertificateAuthority: Bool {
        X509_get_extension_flags(x509) & UInt32(EXFLAG_CA) != 0
    }

    /// The maximum number of intermediates below this certificate; nil if it is not limited.
    var pathLength: Int? {
        let length = X509_get_pathlen(x509)
        return length < 0 ? nil : length
    }

    /// Whether the key usage permits signing certificates; without one, everything is permitted.
    var maySignCertificates: Bool { X509_get_key_usage(x509) & UInt32(KU_KEY_CERT_SIGN) != 0 }
    /// Whether the key usage permits signing content.
    var maySignContent: Bool {
        X509_get_key_usage(x509) & UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) != 0
    }

    /// Whether this certificate's own signature is RSASSA-PKCS1-v1_5 or ECDSA, with SHA-1 or SHA-2.
    var hasAcceptedSignatureAlgorithm: Bool {
        isSignedWithSHA2 || [NID_sha1WithRSAEncryption, NID_ecdsa_with_SHA1].contains(X509_get_signature_nid(x509))
    }

    /// Whether this certificate's own signature is RSASSA-PKCS1-v1_5 or ECDSA, with SHA-2.
    var isSignedWithSHA2: Bool {
        [
            NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption,
            NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384, NID_ecdsa_with_SHA512,
        ].contains(X509_get_signature_nid(x509))
    }

    func has(_ marker: AppleMarker) -> Bool { position(of: marker) >= 0 }

    private func position(of marker: AppleMarker) -> Int32 {
        guard let object = OBJ_txt2obj(marker.rawValue, 1) else { return -1 }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(x509, object, -1)
    }

    // MARK: Conversion of OpenSSL's values

    /// A name in the form of RFC 2253, with UTF-8 unescaped; empty if it can't be written.
    static func text(_ name: OpaquePointer?) -> String {
        guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        // Escaping bytes above 127 would make names in other alphabets unreadable.
        let flags = receiptmill_name_flags_rfc2253 & ~UInt(ASN1_STRFLGS_ESC_MSB)
        guard X509_NAME_print_ex(bio, name, 0, flags) >= 0 else { return "" }
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard receiptmill_bio_read_all(bio, &start, &count) == 1, let start else { return "" }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Int64(timegm(&parts)) * 1000
    }
}

/// The extensions with which Apple marks the purpose of a certificate. If they were not required, anyone with a
/// developer's certificate would have a chain to the root.
enum AppleMarker: String, CaseIterable {
    /// The marker of an intermediate of Worldwide Developer Relations.
    case intermediate = "1.2.840.113635.100.6.2.1"
    /// The marker of a signer of receipts of the App Stores.
    case receiptSigning = "1.2.840.113635.100.6.11.1"
    /// The marker of a signer of the iTunes Store's purchase receipts until 2016.
    case purchaseReceiptSigning = "1.2.840.113635.100.6.5.1"
}
