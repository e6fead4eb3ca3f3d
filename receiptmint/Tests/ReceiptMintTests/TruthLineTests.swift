import Foundation
import Testing

@testable import ReceiptMint

/// Lines of files of truth, and what they are made of.
struct TruthLineTests {
    @Test("a line has its members by name, whole numbers without a fraction, and nothing of what is absent")
    func members() {
        let absent: String? = nil
        let line: JSONText = [
            "b": 0.25, "c": 2.0, "a": "say \"\\\"", "absent": absent, "d": ["x", "y"], "e": true, "f": -3,
        ]
        let text = String(decoding: [line, [:]].truthLines, as: UTF8.self)
        #expect(text == #"{"a":"say \"\\\"","b":0.25,"c":2,"d":["x","y"],"e":true,"f":-3}"# + "\n{}\n")
    }

    @Test("distinct values stay in the order in which their keys first occur")
    func distinct() {
        var distinct = Distinct<[Int]>()
        for (key, value) in [("b", 1), ("a", 2), ("b", 3)] { distinct[key, default: []].append(value) }
        #expect(distinct.values == [[1, 3], [2]])
    }

    @Test("a line that shows nothing of its context presents its document alone")
    func withoutContext() throws {
        var parameters = MintParameters.small(40)
        (parameters.shares, parameters.bareLines) = ([:], 0)
        let chunk = try MintedChunk(0, parameters, authority: Authority.shared(seed: 1))
        let plain = try #require(chunk.submissions.first { $0.shown.accountID != nil })
        let names = plain.truth(archive: "a", number: 1).members.map(\.key)
        #expect(names.contains("account_id") && names.contains("device_id") && names.contains("submitted_at"))
        let bare = plain.with { $0.form = .bare }.truth(archive: "a", number: 1).members.map(\.key)
        #expect(bare == ["archive", "line", "form", "device_check", "receipt_sha256", "verdict"])
    }

    @Test("each app sells products of its own, at their prices")
    func products() {
        let lumen = App.all[0]
        #expect(lumen.products.count == 10 && lumen.product("pro.yearly").dollars == 49_990)
        #expect(App.of2026.product("team.monthly").id == "com.example.atlas.team.monthly")
        #expect(App.all.allSatisfy { app in app.products.allSatisfy { $0.id.hasPrefix(app.bundleID) } })
    }
}
