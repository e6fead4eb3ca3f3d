import Foundation
import MillSystem
import TestSupport
import Testing

@testable import ReceiptPipeline

/// Nights that reject lines, and somebody who mends the rejects file between them.
@Suite("A rejects file that is mended while nights go on")
struct MendedNightsTests {
    private let nights: Nights

    init() throws { nights = try Nights() }

    @Test("is loaded for what it was written with, though more was rejected since")
    func moreRejected() throws {
        try nights.load("1.jsonl", ["{bad one"])
        try nights.mend { _ in [try nights.good("mended")] }
        #expect(try nights.load("2.jsonl", ["{bad two"]) == [.cannotCreate])
        #expect(try nights.loadMended() == [])
        #expect(try nights.accounts() == ["mended"] && nights.rejections() == ["2.jsonl|1"])
    }

    @Test("clears no other rejection where a half line in it has come whole since, and tells")
    func halfLineCameWhole() throws {
        let whole = try nights.good("whole")
        try nights.write("1.jsonl", String(whole.prefix(500)))
        try nights.load(["1.jsonl"])
        try nights.load("2.jsonl", ["{bad two"])
        try nights.mend { _ in [try nights.good("late", isOther: true), try nights.good("mended")] }
        try nights.write("1.jsonl", whole + "\n")
        try nights.write("3.jsonl", "{bad three\n")
        #expect(try nights.load(["1.jsonl", "3.jsonl"]) == [.cannotCreate])
        let told = Told()
        #expect(try nights.loadMended { if case .tooLate(_, let lines) = $0 { told.lines += lines } } == [])
        #expect(told.lines == 1)
        #expect(try nights.accounts() == ["mended", "whole"] && nights.rejections() == ["3.jsonl|1"])
        // Nor does the late one leave a receipt that nobody presented.
        #expect(try nights.broken() == [])
    }

    private final class Told: @unchecked Sendable {
        var lines = 0
    }

    @Test("leaves an older copy of it that fits as well refused, as a whole")
    func olderCopy() throws {
        let whole = try nights.good("whole")
        try nights.write("1.jsonl", "{bad one\n" + whole.prefix(500))
        try nights.load(["1.jsonl"])
        let copy = try nights.write("copy/rejects.gz", try nights.good("mended") + "\n" + whole + "\n")
        try nights.write("1.jsonl", "{bad one\n" + whole + "\n{bad two\n")
        try nights.load(["1.jsonl"])
        #expect(try nights.loadMended(copy) == [.badData])
        #expect(try nights.accounts() == ["whole"] && nights.rejections() == ["1.jsonl|1", "1.jsonl|3"])
    }

    /// A night that rejects two lines, of which one is mended and loaded.
    private func loadOneOfTwo() throws {
        try nights.load("1.jsonl", ["{bad one", "{bad two"])
        try nights.mend { [try nights.good("one"), $0[1]] }
        #expect(try nights.loadMended() == [])
    }

    @Test("is refused where a run was killed while it wrote it, unless one edition alone fits")
    func killedWhileWriting() throws {
        try loadOneOfTwo()
        try nights.load("2.jsonl", ["{bad three"])
        try nights.execute("UPDATE rejects_file SET is_written = 0")
        try nights.mend { _ in [try nights.good("two"), try nights.good("three")] }
        #expect(try nights.loadMended() == [.badData])
        try nights.mend { [$0[0], "{bad three"] }
        #expect(try nights.loadMended() == [])
        #expect(try nights.accounts() == ["one", "two"] && nights.rejections() == ["2.jsonl|1"])
    }

    @Test("is loaded where a run was killed before it had written it anew")
    func killedBeforeWriting() throws {
        try loadOneOfTwo()
        let former = try #require(nights.text("rejects.gz"))
        try nights.load("2.jsonl", ["{bad three"])
        try nights.execute("UPDATE rejects_file SET is_written = 0")
        try nights.write("rejects.gz", former)
        try nights.mend { [$0[0], try nights.good("two")] }
        #expect(try nights.loadMended() == [])
        #expect(try nights.accounts() == ["one", "two"] && nights.rejections() == ["2.jsonl|1"])
    }

    @Test("is loaded where a line was mended as its twin of a former night was")
    func mendedAsTwin() throws {
        try loadOneOfTwo()
        try nights.load("2.jsonl", ["{bad three", "{bad one"])
        try nights.mend { [try nights.good("two"), $0[1], try nights.good("one")] }
        #expect(try nights.loadMended() == [])
        #expect(try nights.accounts() == ["one", "two"])
        #expect(try nights.broken() == [])
    }

    @Test("ends with each line loaded once and for its own rejection", arguments: 0..<5, [false, true])
    func anyNights(seed: UInt64, hasTwins: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var (expected, bad, count) = ([String](), 0, 0)
        func good(_ what: String) throws -> String {
            count += 1
            expected.append("\(what) \(count)")
            return try nights.good("\(what) \(count)")
        }
        /// Whole lines, by what their archive ended with at first.
        var halves: [String: String] = [:]
        for night in 0..<5 {
            // An archive of the night before that ended within a line.
            if let (half, whole) = halves.first(where: { nights.text("\(night - 1).jsonl")?.hasSuffix($0.key) == true })
            {
                let former = nights.text("\(night - 1).jsonl") ?? ""
                try nights.write("\(night - 1).jsonl", former.dropLast(half.count) + whole + "\n")
            }
            var lines: [String] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                if Int.random(in: 0..<10, using: &random) < 3 {
                    lines.append(try good("read"))
                } else {
                    (bad, count) = (bad + 1, count + 1)
                    lines.append("{bad \(hasTwins ? Int.random(in: 1...3, using: &random) : count)")
                }
            }
            var text = lines.map { $0 + "\n" }.joined()
            if Bool.random(using: &random) {
                let whole = try good("half")
                halves[String(whole.prefix(500))] = whole
                text += whole.prefix(500)
            }
            try nights.write("\(night).jsonl", text)
            let failures = try nights.load(night == 0 ? ["0.jsonl"] : ["\(night - 1).jsonl", "\(night).jsonl"])
            #expect(failures == [] || failures == [.cannotCreate], "night \(night)")

            for _ in 0..<Int.random(in: 0...2, using: &random) where nights.text("rejects.gz") != nil {
                try nights.mend { lines in
                    try lines.map { line in
                        guard !line.hasPrefix("{\"") || halves[line] != nil, Int.random(in: 0..<3, using: &random) == 0
                        else { return line }
                        if let whole = halves[line] { return whole }
                        if Int.random(in: 0..<4, using: &random) == 0 {
                            count += 1
                            return "{still bad \(count)"
                        }
                        bad -= 1
                        return try good("mended")
                    }
                }
                if Bool.random(using: &random) {
                    #expect(try nights.loadMended(refusing: "still can't be read") == [], "night \(night)")
                }
            }
        }
        if let (half, whole) = halves.first(where: { nights.text("4.jsonl")?.hasSuffix($0.key) == true }) {
            try nights.write("4.jsonl", (nights.text("4.jsonl") ?? "").dropLast(half.count) + whole + "\n")
        }
        _ = try nights.load(["4.jsonl"])
        #expect(try nights.loadMended(refusing: "still can't be read") == [])
        #expect(try nights.accounts() == expected.sorted() && nights.rejections().count == bad)
        let broken = try nights.broken()
        #expect(broken.isEmpty, "\(broken)")
    }
}
