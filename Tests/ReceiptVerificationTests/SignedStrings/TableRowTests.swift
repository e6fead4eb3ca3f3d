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

    private func header(_ text: String) -> TableHeader? { TableHeader(beginningOf: Array(text.utf8).span) }

    @Test("Bytes that are no text are no header, even if as many fields follow, unless a column has a known name")
    func noise() {
        func isConfirmed(_ bytes: [UInt8]) -> Bool? { TableHeader(beginningOf: bytes.span)?.isConfirmed }
        #expect(isConfirmed(Array("no\u{e9},name\n1,2\n".utf8)) == true)
        #expect(isConfirmed(Array("no".utf8) + [0xe9] + Array(",name\n1,2\n".utf8)) == false)
    }

    private func verify(_ text: String, _ keys: LineKeys = LineKeys()) throws -> VerifiedBatch {
        try LineVerifier(
            keys: keys, limits: Limits(), anchors: store.anchors, issuers: CertificatePool(), known: nil,
            keepsRejectedLines: true
        ).verify(LineBatch(sequence: 0, content: .lines(Array(text.utf8)), header: header(text)))
    }

    private func accounts(_ verified: VerifiedBatch) -> [String?] {
        verified.submissions.map { submission in
            submission.account.map { String(decoding: verified.bytes[$0.indices], as: UTF8.self) }
        }
    }

    @Test("has a header of names, and another line is none")
    func headers() {
        for (line, names) in [
            ("app_user_id,receipt", ["app_user_id", "receipt"]), ("id\tuser_id\tjws\r\n", ["id", "user_id", "jws"]),
            ("\u{feff}\"id\";\"receipt-data\"", ["id", "receipt-data"]), ("a.b,_c\n", ["a.b", "_c"]),
            ("App User ID,Käufer,$x", ["App User ID", "Käufer", "$x"]), ("a,a,", ["a", "a", ""]),
            (",user_id,jws", ["", "user_id", "jws"]), ("user_id\tjws\t", ["user_id", "jws", ""]),
        ] { #expect(header(line)?.names.map { String(decoding: $0, as: UTF8.self) } == names, "\(line)") }
        for line in [
            "", "receipt", "MIIT", "{\"a\":1,\"b\":2}", "a,", "1,b", "[1,2]", "\"a\",\"b", "u-1,MIIT/+==",
            "2026-11-02,INFO", "null,12", "Server starts, port 8080", "level=info,msg=x",
        ] { #expect(header(line) == nil, "\(line)") }
    }

    @Test("is read by a header with a known key, or with as many fields as the second line, and by no other")
    func recognised() throws {
        var own = LineKeys()
        own.account.insert("App User ID", at: 0)
        let quoted = #"{"user_id":"u-1","note":"a ""b""","jws":"\#(string)"}"#.replacing("\"", with: "\"\"")
        for (keys, text, account) in [
            (LineKeys(), "user_id,x\nu-1,\(string)\n", "u-1"), (own, "App User ID,x\nu-1,\(string)\n", "u-1"),
            (LineKeys(), "id,payload\n1,\"\(quoted.replacing("\"\"\"\"", with: "'"))\"\n", "u-1"),
            // The third line is no row: no account can be lost by that.
            (LineKeys(), "id,x\n1,2\n1,{\"user_id\":\"u-1\",\"jws\":\"\(string)\"}\n", "u-1"),
            // Lines of a log, and JSON behind a stray line.
            (LineKeys(), "start,port\nINFO {\"user_id\":\"u-1\",\"jws\":\"\(string)\"}\n", "u-1"),
            (LineKeys(), "start,user_id\n{\"user_id\":\"u-1\",\"jws\":\"\(string)\"}\n", "u-1"),
        ] {
            let verified = try verify(text, keys)
            #expect(accounts(verified) == [account], "\(text.prefix(40)): \(verified.detail)")
        }
    }

    @Test("that has another number of fields than the header is rejected, with both numbers")
    func misfits() throws {
        let rows = ["u-1,\(string),x", "\(string)", "\"u-1,\(string)", "", "user_id,jws", "u-2,\(string)"]
        let verified = try verify("user_id,jws\r\n" + rows.joined(separator: "\n") + "\n")
        #expect(
            verified.rejections.map(\.cause.detail) == [
                "the line is the header of a table", "3 fields where the header has 2",
                "1 field where the header has 2",
                "a field in quotes does not end where a field ends", "the line is empty",
                // A table that was appended to another.
                "the line is the header of a table",
            ])
        #expect(verified.rejections.map(\.line) == [0, 1, 2, 3, 4, 5] && verified.lineCount == 7)
        #expect(verified.rejections.map(\.isDismissed) == [true, false, false, false, false, true])
        // They are read again from their archive, by its header.
        #expect(verified.rejections.allSatisfy { $0.content == nil })
        #expect(accounts(verified) == ["u-2"])
    }

    @Test("keeps names with backslashes, and empty fields at its ends")
    func names() throws {
        for (text, account) in [
            ("user_id\tjws\nC:\\new\t\(string)\n", "C:\\new"), ("user_id\tjws\nC:\\Users\t\(string)\n", "C:\\Users"),
            ("user_id\tjws\nC:\\\\new\t\(string)\n", "C:\\new"), ("x\tuser_id\tjws\n\tu-1\t\(string)\r\n", "u-1"),
            ("user_id\tjws\tx\nu-1\t\(string)\t\n", "u-1"), ("user_id\tjws\n\\N\t\(string)\n", nil),
        ] as [(String, String?)] {
            let verified = try verify(text)
            #expect(accounts(verified) == [account], "\(text.prefix(30)): \(verified.detail)")
        }
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
            ("user_id,payload", "NULL,\(string)", nil), ("user_id,payload", "\\N,\(string)", nil),
            ("user_id\tpayload", "\\N\t\(string)", nil),
        ] as [(String, String, String?)] {
            let verified = try verify("\(names)\n\(row)\n")
            #expect(verified.receipts.first?.verification.verdict == .trusted, "\(verified.detail)")
            #expect(accounts(verified) == [account], "\(names): \(row.prefix(30)): \(verified.detail)")
        }
    }

    @Test("has the number of its line in the file, wherever reading begins", arguments: [0, 1, 2])
    func numbers(skipped: Int64) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        for last in ["u-2,b\n", "u-2," + String(repeating: "b", count: 1_000) + "\n"] {
            let lines = ["id,jws\n", last, "u-3,c\n"]
            try Data(lines.joined().utf8).write(to: file)
            var limits = Limits()
            limits.lineBytes = 500
            var reader = try ArchiveReader(
                file: InputFile(path: file.path), skippingLines: skipped, limits: limits, batchSize: 16)
            var text: [UInt8] = []
            while let content = try reader.next() {
                guard case .lines(let lines) = content else { continue }
                #expect(reader.header?.names.count == 2 && reader.header?.isConfirmed == (last.utf8.count < 500))
                text += lines
            }
            let read = lines.dropFirst(Int(skipped)).filter { $0.utf8.count < 500 }
            #expect(String(decoding: text, as: UTF8.self) == read.joined())
        }
    }
}
