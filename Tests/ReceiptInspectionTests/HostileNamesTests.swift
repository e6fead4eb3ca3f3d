internal import Foundation
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// What `inspect` and `verify` look up are the names that a stranger gave to fields.
@Suite("A document whose fields have names of combining characters")
struct HostileNamesTests {
    private static let name = HostileText.combining(bytes: 150_000)

    @Test("that is a signed string is shown and verified in no time", arguments: [ListingFormat.text, .json])
    func signedString(format: ListingFormat) throws {
        let store = try SignedStringStore()
        let members = ",\"\(Self.name)\":\"\(Self.name)\",\"environment2\":1"
        let string = try store.string(SignedStringStore.transaction(more: members)).with { $0.more = members }.text
        let time = try HostileText.processorTime {
            let shown = try inspected(string, format)
            #expect(shown.isReadable)
            let answer = try store.run { $0.expectation.environment = .production }.answer(to: string)
            #expect(answer["accepted"] as? Bool == true)
        }
        #expect(time < 30, "\(time) s")
    }

    @Test("that is a transaction receipt is shown and answered in no time")
    func transactionReceipt() throws {
        let store = try LegacyStore()
        // As long as a property list may be.
        let name = HostileText.combining(bytes: 40_000)
        let receipt = try store.receipt(Array("{\"transaction-id\" = \"1\"; \"\(name)\" = \"a\";}".utf8))
        let text = Data(receipt).base64EncodedString()
        let time = try HostileText.processorTime {
            for format in [ListingFormat.text, .json] {
                let shown = try inspected(text, format)
                #expect(shown.isReadable)
            }
        }
        #expect(time < 5, "\(time) s")
    }
}
