public import Foundation

/// Signed strings that others published, kept beside the receipts of ``Corpus``: a
/// folder `corpus-jws` of `NAME.jws` beside `NAME.expected.json`, and `wycheproof`.
public enum SignedCorpus {
    /// The folder; nil where it does not exist.
    public static let folder: URL? = beside("corpus-jws")
    /// The file of test vectors for ECDSA with P-256 and SHA-256, r and s in 32 bytes each;
    /// nil where it does not exist.
    public static let vectors: URL? = beside("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json")

    /// Whether the tests must not be skipped.
    public static let isRequired = ProcessInfo.processInfo.environment["RECEIPTMILL_REQUIRE_CORPUS"] == "1"

    /// Whether tests of published strings can run; says so where they can't.
    public static let isPresent: Bool = isThere(folder, "published signed strings")
    /// Whether tests by published vectors can run; says so where they can't.
    public static let hasVectors: Bool = isThere(vectors, "published vectors for ECDSA")

    private static func beside(_ name: String) -> URL? {
        guard let file = Corpus.folder?.deletingLastPathComponent().appending(path: name) else { return nil }
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    private static func isThere(_ file: URL?, _ what: String) -> Bool {
        if file == nil {
            FileHandle.standardError.write(
                Data("SKIPPED: tests of \(what), which are not beside the folder RECEIPTMILL_CORPUS\n".utf8))
        }
        return file != nil
    }

    /// Names of the strings, in order.
    public static func names() -> [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return files.filter { $0.hasSuffix(".jws") }.map { String($0.dropLast(4)) }.sorted()
    }

    /// A signed string.
    public static func text(_ name: String) throws -> String {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try String(contentsOf: folder.appending(path: "\(name).jws"), encoding: .utf8)
            .filter { !$0.isWhitespace }
    }

    /// What an independent reader made of a string, or of one that it holds.
    public struct Expectation {
        /// In the words of the database; nil where it is of no known kind.
        public let kind: String?
        public let verdict: String
        /// As receipts name it.
        public let environment: String?
        public let sha256: String
        public let payload: [String: Any]
        /// The same of what a notification holds, by the words of the database.
        public let inner: [String: Expectation]

        private static let kinds = ["transaction": "signed_transaction", "renewal": "signed_renewal"]
        private static let parts = [
            "signedTransactionInfo": "transaction", "signedRenewalInfo": "renewal",
            "signedAppTransactionInfo": "app_transaction",
        ]

        /// - Parameter part: the place in the notification that holds it, which tells the
        ///   kind there; the payload tells the environment.
        init(_ json: [String: Any], part: String? = nil) throws {
            guard let verdict = json["verdict"] as? String, let sha256 = json["sha256"] as? String,
                let payload = json["payload"] as? [String: Any]
            else { throw CocoaError(.fileReadCorruptFile) }
            kind = (part ?? json["kind"] as? String).map { Self.kinds[$0] ?? $0 }
            (self.verdict, self.sha256, self.payload) = (verdict, sha256, payload)
            environment = ((part == nil ? json : payload)["environment"] as? String)
                .map { $0 == "Sandbox" ? "ProductionSandbox" : $0 }
            inner = try (json["inner"] as? [String: [String: Any]] ?? [:]).reduce(into: [:]) { parts, member in
                let part = Self.parts[member.key] ?? member.key
                parts[part] = try Expectation(member.value, part: part)
            }
        }
    }

    public static func expectation(_ name: String) throws -> Expectation {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        let data = try Data(contentsOf: folder.appending(path: "\(name).expected.json"))
        return try Expectation(try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }
}
