internal import Foundation
import ReceiptArchive
import ReceiptFormat
internal import Testing

@testable import MillSystem
@testable import ReceiptInspection
@testable import ReceiptVerification

/// The forms in which people pass receipts on, told by content alone.
@Suite struct PresentedReceiptTests {
    /// Looks like a container: what is read is the form, not the receipt.
    private static let receipt = Data([0x30, 0x82, 0x01, 0x00] + (0..<256).map { UInt8($0) })
    private static let base64 = receipt.base64EncodedString()

    private func read(_ file: Data) throws -> [(line: Int?, bytes: Data?, reason: RejectionReason?)] {
        let path = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)").path
        try file.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var found: [(line: Int?, bytes: Data?, reason: RejectionReason?)] = []
        try PresentedReceiptReader(keys: LineKeys(), limits: Limits()).read(path) { presented in
            switch presented.content {
            case .success(let line):
                found.append((presented.line, Data(presented.buffer.bytes[line.receipt.indices]), nil))
            case .failure(let fault): found.append((presented.line, nil, fault.reason))
            }
        }
        return found
    }

    @Test(
        "The one receipt of a file is read",
        arguments: [
            receipt,
            Data(base64.utf8),
            Data((base64 + "\n").utf8),
            Data(receipt.base64EncodedString(options: .lineLength64Characters).utf8),
            Data(base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "").utf8),
            Data(("-----BEGIN PKCS7-----\r\n" + base64 + "\r\n-----END PKCS7-----\r\n").utf8),
            Data("\u{feff}{\"receipt\":\"\(base64)\"}".utf8),
            Data("{\n  \"receipt-data\": \"\(base64)\",\n  \"password\": \"secret\"\n}\n".utf8),
        ])
    func oneReceipt(file: Data) throws {
        let found = try read(file)
        #expect(found.count == 1)
        #expect(found.first?.bytes == Self.receipt)
    }

    @Test("Receipts of JSON lines are read with their line numbers")
    func jsonLines() throws {
        let file = """
            {"receipt":"\(Self.base64)"}
            "\(Self.base64)"

            {"other":1}
            \(Self.base64)
            """
        let found = try read(Data(file.utf8))
        #expect(found.map(\.line) == [1, 2, 3, 4, 5])
        #expect(found.map(\.reason) == [nil, nil, .noReceipt, .noReceipt, nil])
        #expect(found.compactMap(\.bytes) == [Self.receipt, Self.receipt, Self.receipt])
    }

    @Test("Each line of base64 is one receipt", arguments: ["", "{\"receipt\":\"\(base64)\"}\n"])
    func base64Lines(rest: String) throws {
        let found = try read(Data("\(Self.base64)\n\(Self.base64)\n\(rest)".utf8))
        #expect(found.map(\.line) == Array([1, 2, 3].prefix(rest.isEmpty ? 2 : 3)))
        #expect(found.allSatisfy { $0.bytes == Self.receipt })
    }

    @Test(
        "Unusual property lists are distinguished from JSON",
        arguments: [
            "{ /* a: b */ \"signature\" = \"Ar\"; }", "{ // a: b\n pod = 50; }", "{ \"a:b\" = 1; }",
            "{ a /* : */ = 1; }",
            "{" + String(repeating: " ", count: 1000) + "pod = 50; }",
        ])
    func oddPropertyLists(text: String) {
        #expect(PresentedReceiptReader.form(of: Array(text.utf8)) == .binary)
    }

    @Test(
        "What is no property list is taken for JSON",
        arguments: ["{", "{}", "{not json", "{\"receipt\" \"a=\"}", "{\"a", "{/*", "{ a : \"b=\" }"])
    func jsonOtherwise(text: String) {
        #expect(PresentedReceiptReader.form(of: Array(text.utf8)) == .json)
    }

    @Test("A property list is distinguished from JSON")
    func propertyList() {
        #expect(PresentedReceiptReader.form(of: Array("{\n\t\"signature\" = \"Ar\";}".utf8)) == .binary)
        #expect(PresentedReceiptReader.form(of: Array("{ pod = 50; }".utf8)) == .binary)
        #expect(PresentedReceiptReader.form(of: Array("{\"receipt\":\"a=\"}".utf8)) == .json)
    }

    @Test("An empty file holds no receipt")
    func emptyFile() throws {
        #expect(try read(Data()).map(\.reason) == [.noReceipt])
    }
}
