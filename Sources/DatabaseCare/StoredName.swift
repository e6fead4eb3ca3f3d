package import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust

extension AllowedSubjects {
    /// The subjects by their names in the database.
    ///
    /// - Parameter pseudonyms: the pseudonym key; nil if the database has identifiers in clear.
    package func stored(under pseudonyms: Pseudonyms?) throws(MillError) -> [(kind: String, subject: String)] {
        let subjects = [
            (Decision.SubjectKind.installation, installations.map { $0.lowercased() }),
            (.receipt, receipts.map { $0.lowercased() }),
            (
                .account,
                try accounts.map { (account) throws(MillError) in try StoredName.ofAccount(account, pseudonyms) }
            ),
            (.device, try devices.map { (device) throws(MillError) in try StoredName.ofDevice(device, pseudonyms) }),
        ]
        return subjects.flatMap { kind, names in names.map { (kind.rawValue, $0) } }
    }
}

/// The name of a person in a database: the identifier itself, or a pseudonym made with a key.
package enum StoredName {
    package static func ofAccount(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in try pseudonyms.name(ofAccount: Array(text.utf8)) }
    }

    package static func ofAccountToken(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in try pseudonyms.name(ofAccountToken: Array(text.utf8)) }
    }

    package static func ofAppTransaction(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in try pseudonyms.name(ofAppTransaction: Array(text.utf8)) }
    }

    package static func ofDevice(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in
            try pseudonyms.name(ofDevice: device(text).map { .device($0) } ?? .unreadable, writtenAs: Array(text.utf8))
        }
    }

    /// The device that a text names, in any notation; nil if it names none.
    static func device(_ text: String) -> DeviceIdentifier? {
        let bytes = Array(text.utf8)
        return DeviceIdentifier(parsing: bytes.span, in: ByteRange(offset: 0, count: bytes.count))
    }

    private static func named(_ name: () throws(OpenSSLError) -> [UInt8]) throws(MillError) -> String {
        String(decoding: try MillError.wrapping(at: .loading, name), as: UTF8.self)
    }
}
