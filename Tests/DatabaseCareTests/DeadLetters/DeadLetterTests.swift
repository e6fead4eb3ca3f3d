import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import DatabaseCare
@testable import DecodedLines
@testable import MillDatabase
@testable import MillJSON
@testable import MillRun
@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification
@testable import ReceiptWarehouse

@Suite("A dead letter")
struct DeadLetterTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private static let digest = String(repeating: "4f", count: 32)

    private func letter(_ text: String) throws(InvalidJSON) -> DeadLetter {
        let bytes = Array(text.utf8)
        return try DeadLetter(parsing: bytes.span, in: bytes.indices)
    }

    /// Whoever writes both marks into an archive's first line has it read as a dead-letter file.
    @Test("is read in no time, whatever a stranger calls its members")
    func hostileNames() throws {
        let text = HostileText.combining(bytes: 700_000)
        let time = try HostileText.processorTime {
            let found = try letter(
                #"{"\#(text)":1,"rejected":{"\#(text)":"x","archive_sha256":"\#(Self.digest)","line":1},"line":"a"}"#)
            #expect(found.line == 1)
            #expect(throws: InvalidJSON.self) {
                try letter(#"{"rejected":{"archive_sha256":"\#(text)","line":1},"line":"a"}"#)
            }
        }
        #expect(time < 4, "\(time) s")
    }

    private func written(_ text: [UInt8]) throws -> [String: Any] {
        let line = KeptLine(
            id: 7 << 32 | 152, archive: try #require(SHA256Digest(hex: Self.digest)), archiveName: "a \"b\".gz",
            reason: "invalid_json", detail: "tab \t", document: nil, text: text)
        var json = JSONWriter()
        DeadLetter.write(line, to: &json)
        #expect(json.bytes.last == 10 && json.bytes.count { $0 == 10 } == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    }

    /// Lines that JSON can hold: every control character, quotes, two, three and four bytes of UTF-8.
    private static let lines = [
        "", " ", "{\"receipt\":\"\\u0041\"}",
        String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init))),
        "\u{7f}\u{80}é\u{7ff}\u{800}\u{ffff}\u{10000}😀\u{10ffff}", "\u{2028}\u{feff}\\u0000\\", "\r",
    ]

    @Test("holds a line as it is, which Foundation reads", arguments: lines)
    func writesUTF8(line: String) throws {
        let object = try written(Array(line.utf8))
        #expect(object["line"] as? String == line && object.count == 2)
        let rejected = try #require(object["rejected"] as? [String: Any])
        #expect(rejected["archive_sha256"] as? String == Self.digest && rejected["line"] as? Int == 152)
        #expect(rejected["archive"] as? String == "a \"b\".gz" && rejected["reason"] as? String == "invalid_json")
        #expect(rejected["detail"] as? String == "tab \t" && rejected.count == 5)
    }

    @Test(
        "holds what is no UTF-8 as base64",
        arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x7b, 0xf0, 0x9f, 0x98]] as [[UInt8]])
    func writesBase64(line: [UInt8]) throws {
        let object = try written(line)
        #expect(object["line"] == nil)
        #expect([UInt8](try #require(Data(base64Encoded: object["line_base64"] as? String ?? ""))) == line)
        let text = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        #expect(try letter(text).text == line)
    }

    @Test("is read as Foundation writes it, in any order of members", arguments: lines)
    func readsFoundation(line: String) throws {
        let object: [String: Any] = [
            "line": line, "note": ["by": "me", "at": [1, 2, NSNull()]],
            "rejected": ["line": 9, "archive_sha256": Self.digest.uppercased(), "document": 3, "reason": NSNull()],
        ]
        for options: JSONSerialization.WritingOptions in [[], .sortedKeys, .withoutEscapingSlashes] {
            let data = try JSONSerialization.data(withJSONObject: object, options: options)
            let letter = try letter(String(decoding: data, as: UTF8.self))
            #expect(letter.line == 9 && letter.archive.hex == Self.digest)
            #expect(letter.text == line.utf8.map { $0 == 10 ? 32 : $0 })
        }
    }

    @Test("is read as Python writes it: each character beyond ASCII as escapes", .enabled(if: Python.isInstalled))
    func readsPython() throws {
        for line in Self.lines {
            try workdir.write(line, to: "line")
            let text = try Python.run(
                """
                import json, sys
                line = open(sys.argv[1], encoding="utf-8", newline="").read()
                print(json.dumps({"line": line, "rejected": {"archive_sha256": sys.argv[2], "line": 1}}))
                """, workdir.path("line"), Self.digest)
            #expect(try letter(text.trimmingCharacters(in: .newlines)).text == line.utf8.map { $0 == 10 ? 32 : $0 })
        }
    }

    private static let rejected = "\"rejected\":{\"archive_sha256\":\"\(digest)\",\"line\":1}"

    @Test(
        "that is none is refused, and says why",
        arguments: [
            ("", "an object"), ("[]", "an object"), ("null", "an object"), ("{}", "no rejected"),
            ("{\(rejected)}", "neither line"), ("{\"line\":\"x\"}", "no rejected"),
            ("{\(rejected),\"line\":1}", "has to be a string"), ("{\(rejected),\"line\":null}", "has to be a string"),
            ("{\(rejected),\"line\":[\"x\"]}", "has to be a string"),
            ("{\(rejected),\"line\":\"x\",\"line\":\"y\"}", "more than one"),
            ("{\(rejected),\"line\":\"x\",\"line_base64\":\"eA==\"}", "more than one"),
            ("{\(rejected),\"line_base64\":\"e\"}", "no base64"),
            ("{\(rejected),\"line_base64\":\"*A==\"}", "no base64"),
            ("{\(rejected),\(rejected),\"line\":\"x\"}", "twice"),
            ("{\(rejected),\"line\":\"x\"} x", "text follows"), ("{\(rejected),\"line\":\"x\"", "a comma or a brace"),
            ("{\(rejected),\"line\":\"\\ud83d\"}", "surrogate"), ("{\(rejected),\"line\":\"\\ude00\"}", "surrogate"),
            ("{\(rejected),\"line\":\"\t\"}", "control character"), ("{\(rejected),\"line\":\"\\x\"}", "escape"),
            ("{\"rejected\":[],\"line\":\"x\"}", "an object"), ("{\"rejected\":null,\"line\":\"x\"}", "an object"),
            ("{\"rejected\":{\"line\":1},\"line\":\"x\"}", "archive_sha256"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)\"},\"line\":\"x\"}", "archive_sha256 and line"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)0\",\"line\":1},\"line\":\"x\"}", "64 hexadecimal"),
            ("{\"rejected\":{\"archive_sha256\":7,\"line\":1},\"line\":\"x\"}", "a string"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)\",\"line\":0},\"line\":\"x\"}", "a line's number"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)\",\"line\":4294967296},\"line\":\"x\"}", "a line's number"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)\",\"line\":1.5},\"line\":\"x\"}", "an integer"),
            ("{\"rejected\":{\"archive_sha256\":\"\(digest)\",\"line\":\"1\"},\"line\":\"x\"}", "an integer"),
            ("{\"a\":" + String(repeating: "[", count: 100_000), "nested deeper"),
            ("{\"a\":" + String(repeating: "{\"b\":", count: 100_000), "nested deeper"),
        ])
    func refuses(text: String, what: String) {
        let fault = #expect(throws: InvalidJSON.self) { try letter(text) }
        #expect(fault?.what.contains(what) == true, "\(String(describing: fault))")
    }

    @Test("changed anywhere is read or refused, and nothing else")
    func mutations() throws {
        let whole = Array("{\(Self.rejected),\"line\":\"a\\u00e9\\ud83d\\ude00\\n\",\"x\":[1,{\"y\":null}]}".utf8)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
                }
            }
            guard let letter = try? DeadLetter(parsing: bytes.span, in: bytes.indices) else { continue }
            #expect(letter.line > 0 && letter.text.count <= bytes.count && !letter.text.contains(10))
        }
    }

    // MARK: Files of letters

    private static let line = "{\(rejected),\"line\":\"x\"}"

    private func reader(_ text: String, lineBytes: Int = 100) throws -> DeadLetterReader {
        var limits = Limits()
        limits.lineBytes = lineBytes
        return try DeadLetterReader(InputFile(path: workdir.write(text, to: "letters")), limits: limits)
    }

    @Test("keeps its line's number behind blank lines, faults and letters that are too long")
    func numbers() throws {
        let long = "{\(Self.rejected),\"line\":\"" + String(repeating: "\\u0041", count: 101) + "\"}"
        let beyond = "{\(Self.rejected),\"line\":\"" + String(repeating: "x", count: 1_000_000) + "\"}"
        let reader = try reader("\n\r\n\(Self.line)\n{}\n\(long)\n\(beyond)\n \t\n\(Self.line)")
        var found: [String] = []
        while let letter = try reader.next() {
            switch letter {
            case .success: found.append("\(reader.line)")
            case .failure(let fault):
                #expect(fault.line == reader.line && fault.exitStatus == .badData)
                found.append("\(reader.line) \(fault.what.prefix(18))")
            }
        }
        #expect(found == ["3", "4 is not a line of a", "5 its line has 101 b", "6 is longer than any", "8"])
    }

    @Test(
        "is recognised by the file's beginning",
        arguments: [
            (line + "\n", "lines"), (line, "lines"), ("\n\n  " + line, "lines"), (line + "\nno letter", "lines"),
            // One whose first letter an editor has damaged is no archive either.
            (line.dropLast() + "\n" + line, "lines"), ("{\"line\":\"x\",\(rejected)}\n", "lines"),
            ("{\"line\":\"\(String(repeating: "y", count: 200_000))\",\(rejected)}\n", "lines"),
            ("{\n \"line\": \"x\",\n \(rejected)\n}\n", "formatted"), ("[\(line)]", "formatted"),
            ("[\n{\n\(rejected)}]", "formatted"),
            ("", "none"), ("\n", "none"), ("{}\n" + line, "none"), ("{\n}\n", "none"), ("MIIB", "none"), ("[", "none"),
            ("{\"receipt\":\"AAAA\"}\n\(line)\n", "none"),
            // A letter within a line is text.
            ("{\"receipt\":\"{\\\"rejected\\\":{\\\"archive_sha256\\\":1}}\"}\n", "none"),
        ])
    func recognised(text: String, form: String) throws {
        for isGzip in [false, true] {
            let bytes = isGzip ? try Gzip.compress(Array(text.utf8), in: workdir) : Array(text.utf8)
            let file = try InputFile(path: workdir.write(bytes, to: "file"))
            let found = try DeadLetterForm.of(file, limits: Limits())
            #expect(found.map { "\($0)" } ?? "none" == form)
        }
    }
}

/// The python3 of the machine, as somebody else's JSON.
enum Python {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    @discardableResult
    static func run(_ script: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }
}
