internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct VersionCommandTests {
    @Test("version names the libraries that the process runs with, as the tools do that belong to them")
    func version() throws {
        let text = try Mill.run(["version"])
        #expect(text.status == 0 && text.output.hasPrefix("receiptmill 0.1.0 ("), "\(text)")
        let result = try Mill.run(["version", "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let libraries = try #require(object["libraries"] as? [String: String])
        #expect(object["version"] as? String == "0.1.0" && object["schema"] as? Int == 5)
        let openssl = try Command("openssl", ["version"]).run().output.split(separator: " ")
        #expect(libraries["openssl"] == String(try #require(openssl.dropFirst().first)))
        let sqlite = try Command("sqlite3", ["--version"]).run().output.split(separator: " ")
        #expect(libraries["sqlite"] == String(try #require(sqlite.first)))
        #expect(libraries["zlib"]?.hasPrefix("1.") == true)
    }
}
