import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Rows of tables, as databases and services export them.
@Suite("A row of a table")
struct TableRowTests {
    private let store: SignedStringStore
    private let string: String

    init() throws {
        store = try SignedStringStore()
        string = try store.sign(SignedStringStore.transaction("1"))
    }

    private func header(_ line: String) -> TableHeader? { TableHeader(Array(line.utf8).span) }

    @Test("has a header of names, and another line is none")
    func headers() {
        for (line, names) in [
            ("app_user_id,receipt", ["app_user_id", "receipt"]), ("id\tuser_id\tjws\r\n", ["id", "user_id", "jws"]),
            ("\u{feff}\"id\";\"receipt-data\"", ["id", "receipt-data"]), ("a.b,_c\n", ["a.b", "_c"]),
        ] { #expect(header(line)?.names.map { String(decoding: $0, as: UTF8.self) } == names, "\(line)") }
        for line in [
            "", "receipt", "MIIT", "{\"a\":1,\"b\":2}", "a,a", "a,", "1,b", "a b,c", "[1,2]", "\"a\",\"b",
            "u-1,MIIT/+==",
            "2026-11-02,INFO", "null,12",
        ] { #expect(header(line) == nil, "\(line)") }
    }

    @Test("has the documents of its fields, and who presented them by the names of its columns")
    func rows() throws {
        let json = #"{"body":"{\"note\":\"a, b\",\"jws\":\"\#(string)\"}"}"#
        let quoted = json.replacing("\"", with: "\"\"")
        let escaped = json.replacing("\\", with: #"\\"#)
        for (names, row, account) in [
            ("app_user_id,receipt", "u-1,\(string)", "u-1"),
            ("app_user_id,receipt", "\"u, \"\"1\"\"\",\"\(string)\"\r", "u, \"1\""),
            // RFC 4180, semicolons, MySQL's and PostgreSQL's tabs, MySQL's quotes, a tab-separated text without escapes.
            ("user_id,payload,note", "u-1,\"\(quoted)\",", "u-1"), ("user_id;payload", "u-1;\"\(quoted)\"", "u-1"),
            ("user_id\tpayload\tx", "u-1\t\(escaped)\t\\N", "u-1"), ("user_id\tpayload", "u-1\t\(json)", "u-1"),
            ("user_id,payload", "\"u-1\",\"\(escaped.replacing("\"", with: #"\""#))\"", "u-1"),
            ("user_id,payload", "NULL,\(string)", nil), ("user_id,payload", "\\N,\(string)", "\\N"),
            ("user_id\tpayload", "\\N\t\(string)", nil),
            // Another number of fields than the header has: the text is searched.
            ("user_id,payload", "u-1,\(string),x", nil),
        ] as [(String, String, String?)] {
            let verified = try LineVerifier(
                keys: LineKeys(), limits: Limits(), anchors: store.anchors, issuers: IssuerCertificates(), known: nil
            ).verify(LineBatch(sequence: 0, content: .lines(Array((row + "\n").utf8)), header: header(names)))
            #expect(verified.outcome == .verdict(.trusted), "\(row.prefix(20)): \(verified.detail)")
            let found = verified.submissions.first?.account.map {
                String(decoding: verified.bytes[$0.indices], as: UTF8.self)
            }
            #expect(found == account, "\(names): \(row.prefix(30))")
        }
    }

    @Test("is counted from the first behind the header, wherever reading begins", arguments: [0, 1, 2])
    func numbers(skipped: Int64) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("user_id,jws\nu-1,a\nu-2,b\nuser_id,jws\n".utf8).write(to: file)
        var reader = try ArchiveReader(
            file: InputFile(path: file.path), skippingLines: skipped, limits: Limits(), batchSize: 16)
        var text: [UInt8] = []
        while let content = try reader.next() {
            guard case .lines(let lines) = content else { continue }
            #expect(reader.header?.names.count == 2)
            text += lines
        }
        let lines = ["u-1,a\n", "u-2,b\n", "user_id,jws\n"]
        #expect(String(decoding: text, as: UTF8.self) == lines.dropFirst(Int(skipped)).joined())
    }
}
