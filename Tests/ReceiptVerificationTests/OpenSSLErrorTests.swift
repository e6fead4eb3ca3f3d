import MillSystem
import ReceiptTrust
import ReceiptVerification
import Testing

@Suite("A failure of OpenSSL")
struct OpenSSLErrorTests {
    @Test("that tables of a key caused ends the process as a fault of the program, and says what to do")
    func differenceOfTables() throws {
        let document = try #require(SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)))
        let error = #expect(throws: MillError.self) {
            try MillError.wrapping { () throws(OpenSSLError) in throw OpenSSLError(acceptedByTablesAlone: document) }
        }
        #expect(error?.exitStatus.rawValue == 70)
        #expect(error?.what.contains(document.hex) == true)
        #expect(error?.hint == "set RECEIPTMILL_KEY_TABLES=off, which verifies without tables, and report this")
    }
}
