import Foundation
import Testing

@testable import ReceiptMint

/// Archives of signed strings, read back by Foundation and verified by `openssl`.
struct SignedMintTests {
    /// Made once: several tests look at it.
    private static let minted = Result { try MintedSet(parameters(800)) }

    private static func parameters(_ count: Int, signed: Double = 1) -> MintParameters {
        var parameters = MintParameters.small(count, seed: 11)
        parameters.signed = signed
        parameters.jobs = 2
        for defect in SignedDefect.allCases {
            parameters.signedShares[defect] = 0.01 * Double(defect.linesEach)
        }
        return parameters
    }

    @Test("equal options give equal bytes, whatever the number of threads, beside receipts, too")
    func repeats() throws {
        var parameters = Self.parameters(1_100, signed: 0.5)
        let first = try files(parameters)
        parameters.jobs = 1
        #expect(try files(parameters) == first)
        #expect(Set(first.keys) == Set(MintRun(parameters).fileNames))
        let anchors = String(decoding: first["root.pem"] ?? Data(), as: UTF8.self)
        #expect(anchors.split(separator: "-----BEGIN CERTIFICATE-----").count == 2)
        // The receipts' own authority and what it signs stay the same beside signed strings.
        let receiptsAlone = try files(.small(20, seed: 11))["root.pem"].map { String(decoding: $0, as: UTF8.self) }
        #expect(anchors.hasPrefix(receiptsAlone ?? "?"))
    }

    @Test("every kind of defect is planted on the share of lines that was asked for")
    func sharesAreMet() throws {
        let truth = try Self.minted.get().truth
        for defect in SignedDefect.allCases {
            let lines = truth.defects[defect.rawValue, default: [:]].values.reduce(0) { $0 + $1.count }
            #expect(abs(lines - 8 * defect.linesEach) <= 2 * defect.linesEach, "\(defect)")
        }
    }

    @Test("all kinds, and the notifications of a subscription's life, occur")
    func everythingOccurs() throws {
        let minted = try Self.minted.get()
        let kinds = Set(minted.documents.map(\.kind))
        #expect(kinds == ["signed_transaction", "signed_renewal", "app_transaction", "notification"])
        let types = Set(minted.notifications.map { [$0.notificationType, $0.subtype].compactMap(\.self) })
        for type in [
            ["SUBSCRIBED", "INITIAL_BUY"], ["DID_RENEW"], ["DID_FAIL_TO_RENEW", "GRACE_PERIOD"],
            ["EXPIRED", "VOLUNTARY"], ["REFUND"], ["DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"],
            ["ONE_TIME_CHARGE"],
        ] {
            #expect(types.contains(type), "\(type)")
        }
        #expect(Set(minted.lines.map(\.form)).isSuperset(of: ["member", "pair", "history", "notification_history"]))
        #expect(minted.purchases.contains { $0.ownership == "FAMILY_SHARED" && $0.priceMilliunits == nil })
        #expect(minted.purchases.contains { $0.isTrialPeriod == 1 && $0.priceMilliunits == 0 })
        #expect(Set(minted.purchases.compactMap(\.offerType)).contains(1))
    }

    /// Of each verdict some strings. OpenSSL knows nothing of Apple's markers,
    /// and is told not to look at dates.
    @Test("openssl verifies signatures and chains as the truth says")
    func opensslAgrees() throws {
        let minted = try Self.minted.get()
        try withTemporaryFolder { folder in
            let authority = try Authority.shared(StoreAuthority.shape, seed: 11)
            try pem(Data(authority.root)).write(to: folder.appending(path: "root.pem"))
            var seen: [String: Int] = [:]
            for document in minted.documents where seen[document.verdict, default: 0] < 3 {
                seen[document.verdict, default: 0] += 1
                let text = try #require(minted.strings[document.receiptSha256])
                #expect(text.utf8.count == document.bytes)
                let (isSigned, isChained) = try verify(text, in: folder)
                let mayBeForged: Set = ["bad_signature", "unsupported_algorithm"]
                #expect(isSigned != mayBeForged.contains(document.verdict), "\(document)")
                #expect(isChained != ["untrusted_root", "broken_chain"].contains(document.verdict), "\(document)")
            }
            #expect(seen.count == 7)
        }
    }

    @Test("headers are the same, byte for byte, for all that one certificate signs")
    func headersRepeat() throws {
        let minted = try Self.minted.get()
        let headers = minted.documents.filter { $0.verdict == "trusted" }
            .compactMap { minted.strings[$0.receiptSha256]?.prefix { $0 != "." } }
        #expect(Set(headers).count == 2)
        let header = try MintedSet.object(#require(headers.first))
        #expect(Set(header.keys) == ["alg", "x5c"])
    }

    /// From the strings alone: of each transaction, the state that was signed last.
    @Test("sums of prices and numbers of notifications are those of the payloads")
    func sumsAgree() throws {
        let minted = try Self.minted.get()
        var latest: [String: (signedAt: Int, price: Int?, currency: String?)] = [:]
        var types: [String: [String: String]] = [:]
        for document in minted.documents where document.verdict == "trusted" {
            let payload = try MintedSet.payload(#require(minted.strings[document.receiptSha256]))
            if let uuid = payload["notificationUUID"] as? String, let type = payload["notificationType"] as? String {
                let name = (payload["subtype"] as? String).map { type + "/" + $0 } ?? type
                types[name, default: [:]][uuid] = uuid
            }
            guard payload["environment"] as? String == "Production", let id = payload["transactionId"] as? String,
                let signedAt = payload["signedDate"] as? Int
            else { continue }
            let known = latest[id]
            let isNewer = known.map { $0.signedAt < signedAt } ?? true
            // A price is kept where a newer string states none.
            let (price, currency) = (payload["price"] as? Int, payload["currency"] as? String)
            let keepsPrice = price == nil || (!isNewer && known?.price != nil)
            latest[id] = (
                max(signedAt, known?.signedAt ?? 0), keepsPrice ? known?.price : price,
                keepsPrice ? known?.currency : currency
            )
        }
        var gross: [String: Int] = [:]
        for case (_, let price?, let currency?) in latest.values { gross[currency, default: 0] += price }
        let signed = try #require(minted.truth.signed)
        #expect(signed.moneyByCurrency.mapValues { Int($0.gross) } == gross)
        #expect(signed.notifications == types.mapValues(\.count))
        #expect(signed.purchases == minted.purchases.count)
        #expect(signed.renewals == minted.renewals.count)
    }

    @Test("refunds are known from their date on, and whole where no share is stated")
    func refundsAreDated() throws {
        let transaction = try #require(
            try Self.minted.get().purchases.first { $0.cancellationDate != nil && $0.ownership == "PURCHASED" })
        #expect(transaction.priceMilliunits != nil)
        let money = try #require(try Self.minted.get().truth.signed).moneyByCurrency.values
        #expect(money.contains { $0.refunded > 0 })
        #expect(money.allSatisfy { $0.refunded <= $0.gross })
    }

    /// Whether `openssl` finds the signature to be the first certificate's, and the chain to reach the root.
    private func verify(_ text: String, in folder: URL) throws -> (isSigned: Bool, isChained: Bool) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let x5c = try #require(try MintedSet.object(parts[0])["x5c"] as? [String])
        let certificates = try x5c.map { try #require(Data(base64Encoded: $0)) }
        for (index, certificate) in certificates.enumerated() {
            try pem(certificate).write(to: folder.appending(path: "\(index).pem"))
        }
        let signature = Array(try MintedSet.bytes(parts[2]))
        let encoded = DER.sequence(
            DER.unsignedInteger(Array(signature.prefix(32))), DER.unsignedInteger(Array(signature.dropFirst(32))))
        try Data(encoded).write(to: folder.appending(path: "signature.der"))
        try Data((parts[0] + "." + parts[1]).utf8).write(to: folder.appending(path: "signed"))
        let key = try run("openssl", ["x509", "-in", "0.pem", "-noout", "-pubkey"], in: folder).output
        try key.write(to: folder.appending(path: "key.pem"))
        let verified = try run(
            "openssl", ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature.der", "signed"], in: folder)
        let chained = try run(
            "openssl",
            ["verify", "-no_check_time", "-CAfile", "root.pem", "-untrusted", "1.pem", "0.pem"], in: folder)
        return (verified.status == 0, chained.status == 0)
    }

    private func pem(_ certificate: Data) -> Data {
        let text = certificate.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Data("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }

    private func files(_ parameters: MintParameters) throws -> [String: Data] {
        try withTemporaryFolder { folder in
            _ = try MintRun(parameters).run(into: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
        }
    }
}
