import Foundation
import ReceiptFormat
import TestSupport
import Testing

@Suite("A date of the store")
struct ReceiptDateTests {
    private func milliseconds(_ text: String) -> Int64? {
        let bytes = Array("[\(text)]".utf8)
        return milliseconds(bytes, offset: 1, count: bytes.count - 2)
    }

    private func milliseconds(_ bytes: [UInt8], offset: Int, count: Int) -> Int64? {
        ReceiptDate.milliseconds(bytes.span, in: ByteRange(offset: offset, count: count))
    }

    /// The right sides are of `date -u -d TEXT +%s`.
    @Test(
        "is read in the three forms that occur in receipts",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2016-06-13T12:07:19Z", 1_465_819_639_000),
            ("2013-08-01T07:00:00Z", 1_375_340_400_000), ("2020-09-27T12:07:19.686Z", 1_601_208_439_686),
            ("2020-07-22T18:33:15+0100", 1_595_439_195_000), ("2020-07-22T18:33:15-0730", 1_595_469_795_000),
            ("1969-12-31T23:59:59.500Z", -500),
        ] as [(String, Int64)])
    func readsStoreForms(text: String, expected: Int64) {
        #expect(milliseconds(text) == expected)
    }

    @Test("is read in the forms that servers write")
    func readsServerForms() {
        #expect(milliseconds("2016-06-13 12:07:19Z") == 1_465_819_639_000)
        #expect(milliseconds("2016-06-13T12:07:19") == 1_465_819_639_000)
        #expect(milliseconds("2016-06-13T14:07:19+02:00") == 1_465_819_639_000)
        #expect(milliseconds("2016-06-13T12:07:19.1-00:00") == 1_465_819_639_100)
        #expect(milliseconds("2016-06-14T00:07:19.123456789+12:00") == 1_465_819_639_123)
        #expect(milliseconds("2016-06-13T12:07:19.9999Z") == 1_465_819_639_999)
    }

    /// The .NET epoch, 0001-01-01, is 62,135,596,800 s before 1970; MySQL's
    /// TO_DAYS('1970-01-01') is 719,528; Foundation's distant future is 4001-01-01.
    @Test("reaches from year 1 to 9999")
    func readsFarYears() throws {
        let first = try #require(milliseconds("0001-01-01T00:00:00Z"))
        #expect(first == -62_135_596_800_000)
        #expect(first == (-719_528 + 366) * 86_400_000)
        let distant = try #require(milliseconds("4001-01-01T00:00:00Z"))
        #expect(distant == Int64(Date.distantFuture.timeIntervalSince1970) * 1000)
        let last = try #require(milliseconds("9999-12-31T23:59:59.999Z"))
        #expect(last == 253_402_300_799_999)
    }

    @Test("is refused where an offset carries it beyond these years, or it states year 0")
    func refusesYearsBeyond() throws {
        for text in ["0000-12-31T23:59:59Z", "0001-01-01T00:00:00+0001", "9999-12-31T23:59:59-0001"] {
            #expect(milliseconds(text) == nil, "\(text)")
        }
        let edge = try #require(milliseconds("9999-12-31T23:59:59.999-0000"))
        #expect(edge == 253_402_300_799_999)
        let back = try #require(milliseconds("0000-12-31T23:59:00-0001"))
        #expect(back == -62_135_596_800_000)
    }

    @Test("knows leap years by 4, 100 and 400")
    func knowsLeapYears() {
        for year in ["1904", "2000", "2024", "2400", "1600"] {
            #expect(milliseconds("\(year)-02-29T00:00:00Z") != nil, "\(year)")
            #expect(milliseconds("\(year)-02-30T00:00:00Z") == nil, "\(year)")
        }
        for year in ["1900", "2023", "2100", "2200", "2300"] {
            #expect(milliseconds("\(year)-02-28T00:00:00Z") != nil, "\(year)")
            #expect(milliseconds("\(year)-02-29T00:00:00Z") == nil, "\(year)")
        }
    }

    @Test("counts a leap second as the next minute's first")
    func readsLeapSeconds() {
        #expect(milliseconds("2016-12-31T23:59:60Z") == milliseconds("2017-01-01T00:00:00Z"))
        #expect(milliseconds("2016-12-31T23:59:61Z") == nil)
    }

    @Test(
        "is no other text",
        arguments: [
            "", "2016", "2016-06-13", "2016-06-13T12:07:1Z", "2016-06-13T12:07Z", "2016-00-13T12:07:19Z",
            "2016-13-13T12:07:19Z", "2016-06-00T12:07:19Z", "2016-06-31T12:07:19Z", "2016-04-31T12:07:19Z",
            "2016-09-31T12:07:19Z", "2016-11-31T12:07:19Z", "2016-01-32T12:07:19Z", "2016-06-13T24:00:00Z",
            "2016-06-13T12:60:19Z", "2016-06-13t12:07:19Z", "2016-06-13T12:07:19z", "2016/06/13T12:07:19Z",
            "2016-06-13T12.07.19Z", "2016-06-13T12:07:19ZZ", "2016-06-13T12:07:19 Z", " 2016-06-13T12:07:19Z",
            "2016-06-13T12:07:19.Z", "2016-06-13T12:07:19,5Z", "2016-06-13T12:07:19.5.5Z", "2016-06-13T12:07:19+",
            "2016-06-13T12:07:19+1", "2016-06-13T12:07:19+010", "2016-06-13T12:07:19+2400",
            "2016-06-13T12:07:19+0160", "2016-06-13T12:07:19+01:0", "2016-06-13T12:07:19+01:000",
            "2016-06-13T12:07:19+0-00", "2016-06-13T12:07:19+01000", "2016-06-13T12:07:19Z+0100",
            "-016-06-13T12:07:19Z", "+2016-06-13T12:07:19Z", "20160613T120719Z", "2016-06-13T12:07:19 Etc/GMT",
            "２０１６-06-13T12:07:19Z", "2016-06-13T12:07:19.000000000000000000000Z", "2016-06-13T12:07:19\u{7f}",
        ])
    func refusesOtherTexts(text: String) {
        #expect(milliseconds(text) == nil)
    }

    @Test("ends at most where its bytes end")
    func keepsToTheBytes() {
        let bytes = Array("2016-06-13T12:07:19Z".utf8)
        #expect(milliseconds(bytes, offset: 0, count: 21) == nil)
        #expect(milliseconds(bytes, offset: 1, count: 20) == nil)
    }

    @Test("means what Foundation reads, for thousands of random dates")
    func agreesWithFoundation() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let plain = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<5_000 {
            func two(_ range: ClosedRange<Int>) -> String {
                let value = Int.random(in: range, using: &random)
                return value < 10 ? "0\(value)" : "\(value)"
            }
            // Foundation's calendar is Julian before the reform of 1582.
            let year = Int.random(in: 1600...4001, using: &random)
            let moment = "\(year)-\(two(1...12))-\(two(1...28))T\(two(0...23)):\(two(0...59)):\(two(0...59))"
            let whole = try plain.parse(moment + "Z").timeIntervalSince1970
            #expect(milliseconds(moment + "Z") == Int64(whole) * 1000, "seed \(seed): \(moment)")

            let fraction = Int.random(in: 100...999, using: &random)
            let fine = try fractional.parse(moment + ".\(fraction)Z").timeIntervalSince1970
            #expect(
                milliseconds(moment + ".\(fraction)Z") == Int64((fine * 1000).rounded()), "seed \(seed): \(moment)")

            let sign = Bool.random(using: &random) ? "+" : "-"
            let offset = (two(0...14), two(0...59))
            let shifted = try plain.parse("\(moment)\(sign)\(offset.0):\(offset.1)").timeIntervalSince1970
            for text in ["\(moment)\(sign)\(offset.0)\(offset.1)", "\(moment)\(sign)\(offset.0):\(offset.1)"] {
                #expect(milliseconds(text) == Int64(shifted) * 1000, "seed \(seed): \(text)")
            }
        }
    }

    @Test("is empty where there is none")
    func readsEmptyDates() throws {
        func date(_ bytes: [UInt8]) throws -> Int64? {
            var reader = ByteReader(bytes.span)
            return try reader.readDate()
        }
        #expect(try date([0x16, 0]) == nil)
        #expect(try date([0x0c, 0]) == nil)
        #expect(try date(BER.ia5("1970-01-01T00:00:01Z")) == 1000)
        #expect(fault { try date(BER.ia5("yesterday")) } == .invalidDate)
    }
}
