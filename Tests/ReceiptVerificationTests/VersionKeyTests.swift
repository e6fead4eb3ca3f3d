import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("A version's key")
struct VersionKeyTests {
    /// The order of SQLite's BINARY collation.
    private func isBefore(_ left: String, _ right: String) -> Bool {
        VersionKey.key(DocumentText(left)) < VersionKey.key(DocumentText(right))
    }

    @Test("sorts as the versions do")
    func sortsAsVersions() {
        let ascending = [
            "", "0.0.1", "0.1", "0.9", "0.10", "1", "1.0.1", "1.1", "1.2", "1.9", "1.10", "1.10.1", "1.10b2", "1.10b10",
            "1.11",
            "1.100", "2", "2.0b1", "9", "10", "10.0.1", "99", "100", "2015.1", "20150101", "1234567890123",
        ]
        for (index, left) in ascending.enumerated() {
            for right in ascending[(index + 1)...] {
                #expect(isBefore(left, right), "\(left) < \(right)")
                #expect(!isBefore(right, left), "\(right) < \(left)")
            }
        }
    }

    @Test(
        "is one for versions that differ in nothing that counts",
        arguments: [
            ["2", "2.0", "2.0.0", "02", "2.", "2.00"], ["1.1", "1.01", "01.1.0"], ["1.0B2", "1.0b2"], ["0", "0.0", ""],
        ])
    func equalVersions(versions: [String]) {
        #expect(Set(versions.map { VersionKey.key(DocumentText($0)) }).count == 1)
    }

    @Test("orders numbers as a comparison of number by number does")
    func agreesWithComparisonOfNumbers() {
        var random = SeededGenerator(seed: 11)
        func version() -> [Int] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int.random(in: 0...([3, 12, 120, 1 << 40].randomElement(using: &random) ?? 3), using: &random)
            }
        }
        func significant(_ parts: [Int]) -> ArraySlice<Int> {
            parts[..<((parts.lastIndex { $0 != 0 } ?? -1) + 1)]
        }
        func text(_ parts: [Int]) -> String { parts.map(String.init).joined(separator: ".") }
        for _ in 0..<2_000 {
            let (left, right) = (version(), version())
            let expected = significant(left).lexicographicallyPrecedes(significant(right))
            #expect(isBefore(text(left), text(right)) == expected, "\(left) \(right)")
        }
    }

    @Test("never holds what would break the columns it is joined into")
    func holdsNoTabOrNewline() {
        for version in ["1.2\t3", "1 .2", "1\n", "\u{a0}1", "1\u{2028}2"] {
            #expect(
                !VersionKey.key(DocumentText(version)).string.contains { $0 == "\t" || $0.isNewline },
                "\(version.debugDescription)")
        }
    }
}
