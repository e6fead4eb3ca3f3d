internal import COpenSSL
internal import ReceiptFormat

/// The contents of a certificate that are read only to be shown.
extension Certificate {
    /// The serial number in two lower-case hexadecimal digits for each byte.
    var serialNumber: String {
        guard let number = X509_get0_serialNumber(x509), let bytes = ASN1_STRING_get0_data(number) else { return "" }
        let count = Int(ASN1_STRING_length(number))
        let isNegative = ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER
        return (isNegative ? "-" : "") + Hex.text(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// OpenSSL's long name of the signature's algorithm.
    var signatureAlgorithmName: String { Self.longName(X509_get_signature_nid(x509)) }

    /// OpenSSL's long name of the key's algorithm.
    var keyAlgorithmName: String {
        guard let key = X509_get0_pubkey(x509) else { return "unreadable" }
        return Self.longName(EVP_PKEY_get_base_id(key))
    }

    /// The dotted identifiers of all extensions, in their order.
    var extensionIdentifiers: [String] {
        (0..<max(0, X509_get_ext_count(x509))).compactMap { index in
            guard let found = X509_get_ext(x509, index), let object = X509_EXTENSION_get_object(found) else {
                return nil
            }
            return Self.text(object, isDotted: true)
        }
    }

    /// An object identifier in dotted form, or by its name if it has one.
    static func text(_ object: OpaquePointer, isDotted: Bool) -> String? {
        var text = [CChar](repeating: 0, count: 128)
        guard OBJ_obj2txt(&text, Int32(text.count), object, isDotted ? 1 : 0) > 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The text of a DER Name; nil if the bytes are not a Name.
    static func nameText(_ bytes: Span<UInt8>, in range: ByteRange) -> String? {
        bytes.extracting(range.indices).withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            guard let name = d2i_X509_NAME(nil, &next, buffer.count) else {
                ERR_clear_error()
                return nil
            }
            defer { X509_NAME_free(name) }
            return text(name)
        }
    }

    private static func longName(_ identifier: Int32) -> String {
        guard identifier != NID_undef, let name = OBJ_nid2ln(identifier) else { return "unknown" }
        return String(cString: name)
    }
}
