import Foundation
import ReceiptFormat
import TestSupport
import Testing

@Suite("A transaction receipt")
struct TransactionReceiptTests {
    private func info(_ text: String) throws -> TransactionReceipt {
        let bytes = Array(text.utf8)
        var reader = ByteReader(bytes.span)
        return try TransactionReceipt(parsing: &reader)
    }

    private func fault(_ text: String) -> MalformedReceipt.Code? {
        do {
            _ = try info(text)
            return nil
        } catch {
            return (error as? MalformedReceipt)?.code
        }
    }

    @Test("dates a purchase by milliseconds, else by text in GMT")
    func readsDates() throws {
        let both = try info(
            "{transaction-id = 1; purchase-date-ms = 1354432554123; \"purchase-date\" = \"2012-12-02 07:15:54 Etc/GMT\";}"
        )
        #expect(both.purchaseDate == 1_354_432_554_123)
        let text = try info("{transaction-id = 1; \"purchase-date\" = \"2012-12-02 07:15:54 Etc/GMT\";}")
        #expect(text.purchaseDate == 1_354_432_554_000)
        let expiring = try info("{transaction-id = 1; expires-date = 1354436154000;}")
        #expect(expiring.expiresDate == 1_354_436_154_000)
        let none = try info("{transaction-id = 1;}")
        #expect(none.purchaseDate == nil)
    }

    @Test("holds integers and flags as the store writes them, empty for absent")
    func readsNumbers() throws {
        let receipt = try info(
            """
            {transaction-id = "abc.1"; quantity = "3"; app-item-id = 379968583; web-order-line-item-id = "";
             is-trial-period = "true"; is-in-intro-offer-period = false; version-external-identifier = 818322555;}
            """)
        #expect(receipt.quantity == 3)
        #expect(receipt.appItemID == 379_968_583)
        #expect(receipt.versionExternalIdentifier == 818_322_555)
        #expect(receipt.webOrderLineItemID == nil)
        #expect(receipt.isTrialPeriod == 1)
        #expect(receipt.isInIntroOfferPeriod == 0)
    }

    @Test(
        "is refused where a value is not of its key's form",
        arguments: [
            ("quantity = many;", TransactionKey.quantity), ("quantity = 99999999999999999999;", .quantity),
            ("purchase-date-ms = 253402300800000;", .purchaseDateMilliseconds),
            ("purchase-date = \"2012-12-02 07:15:54 Europe/Copenhagen\";", .purchaseDate),
            ("purchase-date = \"2012-13-02 07:15:54 Etc/GMT\";", .purchaseDate),
            ("is-trial-period = 2;", .isTrialPeriod),
            ("bid = {};", .bundleIdentifier),
        ])
    func refusesOtherForms(member: String, key: TransactionKey) {
        #expect(fault("{transaction-id = 1; \(member)}") == .propertyList(.invalidValue(key)))
    }

    @Test("is refused without transaction identifier, signature or purchase-info")
    func refusesMissing() {
        #expect(fault("{bid = a;}") == .propertyList(.missing(.transactionIdentifier)))
        #expect(fault("{transaction-id = \"\";}") == .propertyList(.missing(.transactionIdentifier)))
        func envelope(_ text: String) -> MalformedReceipt.Code? {
            let bytes = Array(text.utf8)
            var reader = ByteReader(bytes.span)
            do throws(MalformedReceipt) {
                _ = try TransactionEnvelope(parsing: &reader)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(envelope("{purchase-info = e30;}") == .propertyList(.missing(.signature)))
        #expect(envelope("{signature = Ag;}") == .propertyList(.missing(.purchaseInfo)))
        #expect(envelope("{signature = Ag; purchase-info = e30;}") == nil)
    }

    @Test("has a signature of version 2 or 3 and one certificate that ends it")
    func readsSignatureBlobs() {
        func blob(_ version: UInt8, _ signature: Int, _ stated: [UInt8], _ certificate: Int) -> Result<
            SignatureBlob, MalformedReceipt
        > {
            let bytes =
                [version] + Array(repeating: 7, count: signature) + stated + Array(repeating: 9, count: certificate)
            var reader = ByteReader(bytes.span)
            return Result { () throws(MalformedReceipt) in try SignatureBlob(parsing: &reader) }
        }
        let two = try? blob(2, 128, [0, 0, 1, 4], 260).get()
        #expect(two?.version == .two)
        #expect(two?.signature == ByteRange(offset: 1, count: 128))
        #expect(two?.certificate == ByteRange(offset: 133, count: 260))
        let three = try? blob(3, 256, [0, 0, 0, 0], 0).get()
        #expect(three?.version == .three)
        #expect(three?.certificate == ByteRange(offset: 261, count: 0))
        func code(_ result: Result<SignatureBlob, MalformedReceipt>) -> MalformedReceipt.Code? {
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(code(blob(1, 128, [0, 0, 0, 1], 1)) == .propertyList(.signatureVersion(1)))
        #expect(code(blob(2, 128, [0, 0, 0, 2], 1)) == .truncated)
        #expect(code(blob(2, 128, [0xff, 0xff, 0xff, 0xff], 1)) == .truncated)
        #expect(code(blob(2, 128, [0, 0, 0, 1], 2)) == .trailingBytes)
        #expect(code(blob(2, 90, [], 0)) == .truncated)
    }

    @Test(
        "of the store holds exactly the expected purchase-info",
        arguments: Corpus.names("ios6-"))
    func readsRealReceipts(name: String) throws {
        let expected = try #require(try Corpus.expectation(name)["purchase_info"] as? [String: String])
        let receipt = try Corpus.receipt(name)
        var reader = ByteReader(receipt.span)
        let outer = try PropertyList(parsing: &reader)
        let member = try #require(
            outer.members.first { String(decoding: receipt[$0.key.indices], as: UTF8.self) == "purchase-info" })
        let text = try #require(member.value)
        let info = [UInt8](try #require(Data(base64Encoded: Data(receipt[text.range.indices]))))
        var infoReader = ByteReader(info.span)
        var found: [String: String] = [:]
        for member in try PropertyList(parsing: &infoReader).members {
            let value = try #require(member.value)
            found[String(decoding: info[member.key.indices], as: UTF8.self)] =
                String(decoding: info[value.range.indices], as: UTF8.self)
        }
        #expect(found == expected)
        var fieldReader = ByteReader(info.span)
        let fields = try TransactionReceipt(parsing: &fieldReader)
        #expect(fields.purchaseDate.map(String.init) == expected["purchase-date-ms"])
        #expect(fields.originalPurchaseDate.map(String.init) == expected["original-purchase-date-ms"])
        #expect(fields.expiresDate.map(String.init) == expected["expires-date"])
    }
}
