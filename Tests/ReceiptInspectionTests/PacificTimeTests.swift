internal import Foundation
internal import Testing

@testable import MillJSON
@testable import MillSystem
@testable import ReceiptInspection

/// The store's second time zone, against Foundation's time zone files and dates
/// that the endpoint is known to have answered.
@Suite struct PacificTimeTests {
    @Test("Agrees with the time zone files around every change since the Uniform Time Act")
    func agreesWithZoneFiles() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"), "no time zone files on this machine")
        // Both sides of every change from 1976 to 2037, and every noon between.
        var moments = Array(stride(from: Int64(189_302_400), to: 2_145_916_800, by: 86_400))
        var change = Date(timeIntervalSince1970: 189_302_400)
        while let next = zone.nextDaylightSavingTimeTransition(after: change),
            next.timeIntervalSince1970 < 2_145_916_800
        {
            let seconds = Int64(next.timeIntervalSince1970)
            moments += [seconds - 1, seconds]
            change = next
        }
        #expect(moments.count > 22_000 + 200)
        let differences = moments.filter { seconds in
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            return PacificTime.offset(atSeconds: seconds) != Int64(expected)
        }
        #expect(differences.isEmpty, "first difference at \(differences.first ?? 0)")
    }

    @Test(
        "A date is written in the endpoint's three forms",
        arguments: [
            // Summer, as Apple's documentation shows it.
            (1_595_439_548_000, "2020-07-22 17:39:08 Etc/GMT", "2020-07-22 10:39:08 America/Los_Angeles"),
            // The summer of 2013's first sandbox purchase, in every sandbox receipt.
            (1_375_340_400_000, "2013-08-01 07:00:00 Etc/GMT", "2013-08-01 00:00:00 America/Los_Angeles"),
            // Winter.
            (1_489_195_343_000, "2017-03-11 01:22:23 Etc/GMT", "2017-03-10 17:22:23 America/Los_Angeles"),
            // The last second of standard time, and the first of daylight time.
            (1_583_661_599_000, "2020-03-08 09:59:59 Etc/GMT", "2020-03-08 01:59:59 America/Los_Angeles"),
            (1_583_661_600_000, "2020-03-08 10:00:00 Etc/GMT", "2020-03-08 03:00:00 America/Los_Angeles"),
            // The hour that comes twice.
            (1_604_221_199_000, "2020-11-01 08:59:59 Etc/GMT", "2020-11-01 01:59:59 America/Los_Angeles"),
            (1_604_221_200_000, "2020-11-01 09:00:00 Etc/GMT", "2020-11-01 01:00:00 America/Los_Angeles"),
            // A fraction of a second shows in the milliseconds alone.
            (1_601_208_439_686, "2020-09-27 12:07:19 Etc/GMT", "2020-09-27 05:07:19 America/Los_Angeles"),
        ])
    func threeForms(milliseconds: Int64, gmt: String, pacific: String) throws {
        var json = JSONWriter()
        json.open()
        json.member("purchase_date", .date(milliseconds), [UInt8]().span)
        json.close()
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String])
        #expect(object["purchase_date"] == gmt)
        #expect(object["purchase_date_ms"] == String(milliseconds))
        #expect(object["purchase_date_pst"] == pacific)
    }

    @Test(
        "A date is written in ISO 8601",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_827_696_000, "2000-02-29T12:34:56Z"),
            (64_092_211_200_000, "4001-01-01T00:00:00Z"), (1_601_208_439_086, "2020-09-27T12:07:19.086Z"),
        ])
    func iso8601(milliseconds: Int64, text: String) {
        #expect(CivilTime.iso8601(milliseconds: milliseconds) == text)
    }
}
