import Foundation
import Testing

@testable import ReceiptMint

/// The store's report files, held against the signed documents and against their own totals.
struct StoreReportTests {
    /// Made once: several tests look at it.
    private static let minted = Result { try MintedSet(parameters()) }

    private static func parameters(_ count: Int = 4_000) -> MintParameters {
        var parameters = MintParameters.small(count, seed: 13)
        parameters.signed = 1
        parameters.signedShares = [:]
        parameters.bareLines = 0
        parameters.writesStoreReports = true
        for kind in [StoreClass.settledLater, .priceChanged, .notInReport] { parameters.storeShares[kind] = 0.04 }
        parameters.jobs = 2
        return parameters
    }

    private func truth() throws -> Truth.StoreReports { try #require(try Self.minted.get().truth.storeReports) }

    /// Rows of a report by the names of its columns.
    private func rows(_ prefix: String, header: Int = 0) throws -> [[String: String]] {
        try Self.minted.get().reports.filter { $0.key.hasPrefix(prefix) }.flatMap { _, lines in
            let names = lines[header].split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return lines.dropFirst(header + 1).map { line in
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                return Dictionary(uniqueKeysWithValues: zip(names, cells))
            }
        }
    }

    /// Without downloads, which are no purchases in an app.
    private func sales() throws -> [[String: String]] { try rows("S_D_").filter { $0["SKU"]?.contains(".") == true } }

    /// In thousandths; texts have two or three digits behind the point.
    private static func milliunits(_ text: String?) -> Int {
        let value = Decimal(string: text ?? "") ?? .nan
        return NSDecimalNumber(decimal: value * 1_000).intValue
    }

    @Test("columns are those of the store's real files")
    func headers() throws {
        let shared =
            ProcessInfo.processInfo.environment["RECEIPTMILL_CORPUS"].map { URL(filePath: $0 + "/../apple-reports") }
            ?? URL(filePath: #filePath + "/../../../../../shared/apple-reports")
        let widths = [
            ("S_D_", 0, 28, "SALES\t1_0"), ("FD_", 3, 18, "FINANCE_DETAIL"),
            ("Subscription_8", 0, 35, "SUBSCRIPTION\t35"),
            ("Subscription_Event_", 0, 29, "SUBSCRIPTION_EVENT\t1_3"), ("Subscriber_", 0, 26, "SUBSCRIBER\t1_3"),
            ("85012345_", 0, 22, "FINANCIAL"),
        ]
        let known = try? String(contentsOf: shared.standardizedFileURL.appending(path: "HEADERS.tsv"), encoding: .utf8)
        for (prefix, line, width, start) in widths {
            let files = try Self.minted.get().reports.filter { $0.key.hasPrefix(prefix) }
            #expect(!files.isEmpty, "\(prefix)")
            for (name, lines) in files {
                let names = lines[line].split(separator: "\t", omittingEmptySubsequences: false)
                #expect(names.count == width, "\(name)")
                guard let known else { continue }
                let real = try #require(known.split(separator: "\n").first { $0.hasPrefix(start) })
                #expect(names.joined(separator: "|") == String(real.split(separator: "\t")[3]), "\(name)")
            }
        }
        #expect(try Self.minted.get().reports.keys.count { $0.hasPrefix("S_D_") } == 364)
    }

    @Test("quantity times share is the extended share, and trailers count their rows")
    func finance() throws {
        for row in try rows("FD_", header: 3) {
            let quantity = try #require(row["Quantity"].flatMap { Int($0) })
            #expect(
                Self.milliunits(row["Extended Partner Share"]) == quantity * Self.milliunits(row["Partner Share"]))
            #expect((quantity < 0) == (row["Sale or Return"] == "R"))
            #expect((Self.milliunits(row["Customer Price"]) < 0) == (quantity < 0))
            #expect(Self.milliunits(row["Partner Share"]) > 0)
        }
        var (units, proceeds): (Int, [String: Int]) = (0, [:])
        for (name, lines) in try Self.minted.get().reports where name.hasPrefix("85012345_") {
            let table = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            let rows = table.filter { $0.count == 22 && $0[0] != "Start Date" }
            let ofFile = rows.reduce(0) { $0 + (Int($1[5]) ?? 0) }
            units += ofFile
            for row in rows { proceeds[row[8], default: 0] += Self.milliunits(row[7]) }
            let amount = rows.reduce(0) { $0 + Self.milliunits($1[7]) }
            let totals = table.filter { $0.count == 2 }
            #expect(totals.map { $0[0] } == ["Total_Rows", "Total_Amount", "Total_Units"], "\(name)")
            #expect(totals.count == 3 && totals[0][1] == String(rows.count) && totals[2][1] == String(ofFile))
            #expect(Self.milliunits(totals[1][1]) == amount, "\(name)")
            guard name.hasSuffix("ZZ.txt") else { continue }
            let summary = table.filter { $0.count == 4 }.dropFirst()
            #expect(summary.reduce(0) { $0 + (Int($1[2]) ?? 0) } == ofFile)
            #expect(summary.reduce(0) { $0 + Self.milliunits($1[3]) } == amount)
        }
        let truth = try truth()
        #expect(units == Int(truth.financeDetail.storeUnits))
        #expect(proceeds == truth.settled.proceeds.mapValues { Int($0) })
    }

    @Test("what is settled later stands in the two dates of the detail")
    func settled() throws {
        var (later, total, byMonth): (Int, Int, [String: Int]) = (0, 0, [:])
        for (name, lines) in try Self.minted.get().reports where name.hasPrefix("FD_") {
            let month = lines[1].split(separator: "\t")[1].split(separator: "/")
            for line in lines.dropFirst(4) {
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                #expect(cells.count == 19 && cells[18].isEmpty)
                let quantity = try #require(Int(cells[8]))
                total += quantity
                if cells[0] != cells[1] { later += quantity }
                byMonth["\(month[2])-\(month[0])-\(month[1])", default: 0] += quantity
            }
        }
        let truth = try truth()
        #expect(Int(truth.settled.unitsLater) == later && later > 50)
        #expect(Int(truth.financeDetail.storeUnits) == total)
        #expect(truth.settled.unitsAcrossFiscalMonths > 0)
        #expect(truth.settled.unitsByFiscalMonth.mapValues { Int($0) }.filter { $0.value != 0 } == byMonth)
    }

    /// What both sides have of one product, country, currency, price, sort and day.
    private struct Place: Hashable {
        var day, product, country, currency: String
        var price: Int
        var isRefund: Bool
    }

    @Test("each row is a signed sale or a planted difference, and each signed sale a row or a planted difference")
    func balance() throws {
        let minted = try Self.minted.get()
        var left: [Place: Int] = [:]
        var (units, gross): (Int, [String: Int]) = (0, [:])
        for row in try sales() {
            let date = try #require(row["Begin Date"]).split(separator: "/")
            let (count, price) = (
                try #require(row["Units"].flatMap { Int($0) }), Self.milliunits(row["Customer Price"])
            )
            #expect(price == 0 || (price < 0) == (count < 0))
            let place = Place(
                day: "\(date[2])-\(date[0])-\(date[1])", product: row["SKU"] ?? "", country: row["Country Code"] ?? "",
                currency: row["Customer Currency"] ?? "", price: abs(price), isRefund: count < 0)
            left[place, default: 0] += count
            units += count
            gross[place.currency, default: 0] += count * abs(price)
        }
        for (place, count) in try own() { left[place, default: 0] -= count }
        for line in minted.differences {
            func place(_ day: String, _ price: Int64?) -> Place {
                Place(
                    day: day, product: line.productId, country: line.country, currency: line.currency,
                    price: Int(price ?? 0), isRefund: line.isRefund)
            }
            if let day = line.storeDay {
                left[place(day, line.storePriceMilliunits), default: 0] -= Int(line.storeUnits)
            }
            if let day = line.ownDay { left[place(day, line.ownPriceMilliunits), default: 0] += Int(line.ownUnits) }
        }
        let unexplained = left.filter { $0.value != 0 }
        #expect(unexplained.isEmpty, "\(unexplained.prefix(5))")
        let sides = try truth().sales
        #expect(units == Int(sides.storeUnits))
        #expect(gross == sides.storeGross.mapValues { Int($0) })
        let classes = sides.classes.values
        #expect(classes.reduce(0) { $0 + $1.storeUnits } == sides.storeUnits)
        #expect(classes.reduce(0) { $0 + $1.ownUnits } == sides.ownUnits)
    }

    @Test("the archive's side and its zone edges are those of the documents")
    func ownSide() throws {
        let own = try own()
        let sides = try truth().sales
        #expect(own.values.reduce(0, +) == Int(sides.ownUnits))
        let edges = try Self.minted.get().differences.filter { $0.class == "day_edge" }
        #expect(edges.count == sides.classes["day_edge"]?.events && edges.count > 100)
        for edge in edges {
            // At Greenwich the day is never earlier than in California.
            #expect(try #require(edge.utcDay) > #require(edge.ownDay))
        }
    }

    /// Sales and refunds of the year by the signed documents alone; a refund's price by its share, before rounding.
    private func own() throws -> [Place: Int] {
        var latest: [String: [String: Any]] = [:]
        var prices: [String: Int] = [:]
        for payload in try Self.minted.get().payloads("signed_transaction")
        where payload["environment"] as? String == "Production"
            && payload["inAppOwnershipType"] as? String == "PURCHASED"
        {
            let id = try #require(payload["transactionId"] as? String)
            if let price = payload["price"] as? Int { prices[id] = price }
            let (signed, known) = (payload["signedDate"] as? Int ?? 0, latest[id]?["signedDate"] as? Int ?? 0)
            if signed >= known { latest[id] = payload }
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        func day(_ milliseconds: Int) -> String {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
            return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        }
        let short = ["DEU": "DE", "FRA": "FR", "JPN": "JP", "TUR": "TR", "KOR": "KR", "GBR": "GB", "BRA": "BR"]
        var own: [Place: Int] = [:]
        func add(_ milliseconds: Int, _ payload: [String: Any], price: Int, isRefund: Bool) throws {
            let day = day(milliseconds)
            guard day >= "2025-09-28", day <= "2026-09-26" else { return }
            let country = try #require(payload["storefront"] as? String)
            let quantity = payload["quantity"] as? Int ?? 1
            let place = Place(
                day: day, product: payload["productId"] as? String ?? "",
                country: short[country] ?? String(country.prefix(2)), currency: payload["currency"] as? String ?? "",
                price: price / quantity, isRefund: isRefund)
            own[place, default: 0] += isRefund ? -quantity : quantity
        }
        for (id, payload) in latest {
            guard let price = prices[id] else { continue }
            try add(try #require(payload["purchaseDate"] as? Int), payload, price: price, isRefund: false)
            guard let revoked = payload["revocationDate"] as? Int, price > 0 else { continue }
            let share = payload["revocationPercentage"] as? Int ?? 100_000
            try add(revoked, payload, price: (price * share + 50_000) / 100_000, isRefund: true)
        }
        return own
    }

    @Test("each class is planted, most of it where it can be told from every other")
    func classes() throws {
        let (truth, minted) = (try truth(), try Self.minted.get())
        for kind in StoreClass.allCases {
            let planted = try #require(truth.sales.classes[kind.rawValue], "\(kind)")
            #expect(planted.events == minted.differences.count { $0.class == kind.rawValue })
            #expect(planted.mixed == minted.differences.count { $0.class == kind.rawValue && $0.isMixed })
            #expect(planted.mixed * 2 <= planted.events, "\(kind)")
        }
        let silent = Double(truth.sales.classes["not_in_archive"]?.events ?? 0)
        let known = try own().filter { !$0.key.isRefund && $0.key.price > 0 }.count
        #expect(abs(silent / (silent + Double(known)) - 0.1) < 0.02)
        // A payment that failed is told by a notification on the day of the store's row, and not before.
        let recovered = minted.differences.filter { $0.class == "billing_retry" && !$0.isMixed }
        #expect(recovered.count > 3)
        for line in recovered {
            let told = minted.notifications.filter {
                $0.transactionId == line.transactionId && $0.notificationType == "DID_RENEW"
                    && $0.subtype == "BILLING_RECOVERY"
            }
            #expect(told.count == 1 && line.storeDay.map { $0 > line.ownDay ?? "~" } == true)
        }
    }

    @Test("equal options give equal reports, and without them an archive is as it was")
    func repeats() throws {
        var parameters = Self.parameters(600)
        let first = try MintedSet(parameters)
        parameters.jobs = 1
        let second = try MintedSet(parameters)
        #expect(first.reports == second.reports && first.differences == second.differences)
        #expect(first.truth == second.truth)
        #expect(try MintedSet(MintParameters(first.truth.parameters)).truth == first.truth)
        parameters.storeShares[.notInArchive] = 0
        #expect(try MintedSet(parameters).lines == first.lines)
        parameters.writesStoreReports = false
        #expect(try MintedSet(parameters).truth.storeReports == nil)
    }
}
