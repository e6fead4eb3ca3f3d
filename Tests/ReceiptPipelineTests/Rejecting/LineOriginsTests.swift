import ReceiptTrust
import Testing

@testable import ReceiptPipeline

@Suite("A line of a mended rejects file stands for")
struct LineOriginsTests {
    /// A rejected line, written `digest`, `digest>mended` where it was settled, and the
    /// editions that hold it: `7>8@1-3` was mended, and stands in the first and the second.
    private static func rejection(_ number: Int, _ text: Substring) throws -> RejectedLine {
        let match = try #require(text.wholeMatch(of: /(\d+)(?:>(\d+))?(?:@(\d+)-(\d*))?/))
        let first = match.3.flatMap { Int64($0) }
        return RejectedLine(
            number: Int64(number), sha256: try digest(match.1), mended: try match.2.map(digest),
            editions: first.map { $0..<(match.4.flatMap { Int64($0) } ?? .max) } ?? 0..<0)
    }

    private static func digest(_ number: Substring) throws -> SHA256Digest {
        let bytes = [UInt8](repeating: 0, count: 31) + [try #require(UInt8(number))]
        return try #require(SHA256Digest(bytes: bytes))
    }

    /// What each line stands for: the number of a rejection, with `*` where it was changed;
    /// `-` where it is passed over, `?` for nothing.
    private static func answer(_ lines: String, _ rejected: String, edition: Int64, isInPlace: Bool) throws -> String {
        let lines = try lines.split(separator: " ").map { try digest($0) as SHA256Digest? }
        var written = WrittenRejects(edition: edition)
        for (place, text) in rejected.split(separator: " ").enumerated() {
            written.rejected.append(try rejection(place + 1, text))
        }
        let origins = LineOrigins(of: lines, among: written, isInPlace: isInPlace)
        return (1...lines.count).map { line in
            switch origins[Int64(line)] {
            case .rejection(let number, _, let isChanged): "\(number)" + (isChanged ? "*" : "")
            case .settled: "-"
            case nil: "?"
            }
        }.joined(separator: " ")
    }

    @Test(
        "the rejection that its place was written with, whatever was rejected or settled since",
        arguments: [
            ("the last came since", "11 12", "1@1- 2@1- 3", "1* 2*"),
            ("the first was settled since", "11 12", "1>9@1- 2@1- 3", "- 2*"),
            ("one that was settled before is no longer in it", "11 12", "1>9@1-2 2@2- 3@2-", "2* 3*"),
            ("lines were removed", "1 11", "1@1- 2@1- 3@1-", "1 ?"),
            ("one was mended as its twin was before", "11 12 9", "1>9@1-2 2@1- 3@2- 1@2-", "2* 3* 4*"),
        ])
    func inPlace(why: String, lines: String, rejected: String, expected: String) throws {
        #expect(try Self.answer(lines, rejected, edition: 2, isInPlace: true) == expected, "\(why)")
    }

    @Test(
        "its own rejection, also where others are alike",
        arguments: [
            ("the first of twins was changed", "11 1 2", "1@1- 1@1- 2@1-", "1* 2 3"),
            ("the second", "1 11 2", "1@1- 1@1- 2@1-", "1 2* 3"),
            ("the first was loaded, the second is changed", "9 11 2", "1>9@1- 1@1- 2@1-", "- 2* 3"),
            ("the first was settled as it was", "1 11 2", "1>1@1- 1@1- 2@1-", "- 2* 3"),
            ("another stands in its place", "11 1", "1@1- 2@1-", "? 1"),
            ("one too many", "1 1 1", "1@1- 1@1-", "1 2 ?"),
        ])
    func twins(why: String, lines: String, rejected: String, expected: String) throws {
        #expect(try Self.answer(lines, rejected, edition: 2, isInPlace: true) == expected, "\(why)")
    }

    @Test(
        "nothing in a copy that may be an older one",
        arguments: [
            ("as many stood before, of which one is open", "11 12", "1>9@1-2 2@1- 3@2-", "? ?"),
            ("none of them is open", "11", "1>9@1-2 2@2-", "?"),
            ("fewer stood before", "11 12", "1@1- 2@2-", "1* 2*"),
            ("it is an older one, and no other had as many", "11 12", "1@1- 2@1- 3@2-", "1* 2*"),
            ("a line as it was tells them apart", "11 3", "1>9@1-2 2@1- 3@2-", "2* 3"),
            ("what it mends was settled since", "11 12", "1>9@1- 2@1-", "? 2*"),
            ("what was loaded from it is known", "9 11 3", "1>9@1-2 2@1- 3@1-", "- 2* 3"),
        ])
    func copy(why: String, lines: String, rejected: String, expected: String) throws {
        #expect(try Self.answer(lines, rejected, edition: 2, isInPlace: false) == expected, "\(why)")
    }

    @Test("what it does in a copy, where a line that only older editions held lies in the place of the newest")
    func olderCopyInPlace() throws {
        let rejected = "1>9@1-2 2@1- 3@1- 4@2-"
        #expect(try Self.answer("1 11 12", rejected, edition: 2, isInPlace: true) == "- 2* 3*")
        #expect(try Self.answer("10 11 12", rejected, edition: 2, isInPlace: true) == "2* 3* 4*")
    }
}
