internal import GRDB
package import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptWarehouse

extension LoadDatabase {
    /// Stores which subjects make no case, in place of those stored.
    ///
    /// - Parameter pseudonyms: the key by which the database names persons, where it does.
    package func save(_ allowed: AllowedSubjects, under pseudonyms: Pseudonyms?) throws(MillError) {
        var subjects = allowed.installations.map { (Decision.Kind.installation, $0.lowercased()) }
        subjects += allowed.receipts.map { (.receipt, $0.lowercased()) }
        for account in allowed.accounts { subjects.append((.account, try StoredName.ofAccount(account, pseudonyms))) }
        for device in allowed.devices { subjects.append((.device, try StoredName.ofDevice(device, pseudonyms))) }
        try access { db in
            try db.inTransaction(.immediate) {
                try db.execute(sql: "DELETE FROM allowed_subject")
                for (kind, subject) in subjects {
                    try db.execute(
                        sql: """
                            INSERT OR IGNORE INTO allowed_subject (subject_kind, subject)
                            SELECT ?1, CASE WHEN ?1 = 'device' AND length(?2) NOT IN (8, 22, 24)
                                THEN lower(replace(replace(replace(?2, '-', ''), ':', ''), '.', '')) ELSE ?2 END
                            """, arguments: [kind.rawValue, subject])
                }
                return .commit
            }
        }
    }
}

/// How a database holds what a person is known by: as it is, or under a key by its name.
enum StoredName {
    static func ofAccount(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in try pseudonyms.name(ofAccount: Array(text.utf8)) }
    }

    static func ofAccountToken(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in try pseudonyms.name(ofAccountToken: Array(text.utf8)) }
    }

    static func ofDevice(_ text: String, _ pseudonyms: Pseudonyms?) throws(MillError) -> String {
        guard let pseudonyms else { return text }
        return try named { () throws(OpenSSLError) in
            try pseudonyms.name(ofDevice: device(text).map { .device($0) } ?? .unreadable, writtenAs: Array(text.utf8))
        }
    }

    /// The device that a text names, in any notation; nil where it names none.
    static func device(_ text: String) -> DeviceIdentifier? {
        let bytes = Array(text.utf8)
        return DeviceIdentifier(parsing: bytes.span, in: ByteRange(offset: 0, count: bytes.count))
    }

    private static func named(_ name: () throws(OpenSSLError) -> [UInt8]) throws(MillError) -> String {
        String(decoding: try MillError.wrapping(at: .loading, name), as: UTF8.self)
    }
}
