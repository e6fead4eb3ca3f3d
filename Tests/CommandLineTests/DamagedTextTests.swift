internal import Foundation
internal import TestSupport
internal import Testing

/// Archives in which a flipped bit has changed a receipt. Gzip's checksum shows it only at the end of the member, when
/// the lines are loaded and the changed receipt looks forged.
@Suite struct DamagedTextTests: NightFolder {
    let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
    }

    private func shell(_ script: String) throws {
        let result = try Command("sh", ["-c", script, Samples.archive], in: workdir.url).run()
        try #require(result.status == 0, "\(result)")
    }

    private func night(_ archives: String = "in/*.gz") throws -> Mill.Result {
        try Mill.run([
            "run",
            try write(archives: "  - {path: \(archives), after: move, move_to: done, damaged_to: damaged}\n"),
        ])
    }

    /// Writes a gzip member whose text differs in one character from the text of its checksum: in the signature of the
    /// receipt of one line. The text is stored uncompressed (RFC 1951, 3.2.4), so that nothing else changes; `gzip`
    /// computes the checksum.
    private func writeDamaged(_ lines: String, changing line: Int, to name: String) throws {
        try shell("gzip -dc \"$0\" | sed -n \(lines) > text; gzip < text > whole.gz")
        var text = try workdir.read("text")
        let starts = [0] + text.indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        let receipt = try #require(text[starts[line - 1]...].firstRange(of: Array("\",\"".utf8)))
        let place = receipt.lowerBound - 200
        text[place] = text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        var file: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: text.count, by: 0xffff) {
            let block = text[start..<min(start + 0xffff, text.count)]
            let (low, high) = (UInt8(block.count & 0xff), UInt8(block.count >> 8))
            file += [block.endIndex == text.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        try workdir.write(file + workdir.read("whole.gz").suffix(8), to: name)
    }

    /// Signals, by account and line, of an archive whose lines are all unchanged.
    private func signalsOfWhole(_ lines: String, where condition: String = "true") throws -> [String] {
        try shell("gzip -dc \"$0\" | sed -n \(lines) | gzip > whole.gz")
        let database = workdir.path("whole.sqlite")
        let result = try Mill.run(
            ["ingest", workdir.path("whole.gz"), "--trust", Samples.root, "--database", database, "--quiet"])
        try #require(result.status == 0, "\(result)")
        return try Stored(database).lines(Self.signals + " WHERE \(condition)").sorted()
    }

    private static let signals =
        "SELECT DISTINCT signal || ' ' || coalesce(account_id, '') || ' ' || line FROM fraud_signals"

    @Test("A flipped bit raises no signal against the account, even after the archive is delivered again whole")
    func flippedBit() throws {
        try writeDamaged("1,60p", changing: 3, to: "in/a.gz")
        let damaged = try night()
        #expect(damaged.status == 65 && damaged.errors.contains("incorrect data check"), "\(damaged)")
        let stored = "FROM submissions WHERE line = 3"
        #expect(try lines("SELECT account_id, verdict \(stored)") == ["u0-74|bad_signature"])
        #expect(try lines(Self.signals) == [])
        #expect(try lines("SELECT count(*) FROM fraud_cases") == ["0"])
        let expected = try signalsOfWhole("1,60p")
        #expect(!expected.contains { $0.hasPrefix("forged_signature u0-74 ") } && !expected.isEmpty)
        try FileManager.default.copyItem(atPath: workdir.path("whole.gz"), toPath: workdir.path("in/a.gz"))
        _ = try night()
        #expect(try lines(Self.signals).sorted() == expected)
    }

    @Test("Lines of members before the damage raise signals, and lines of the damaged member do not")
    func members() throws {
        try shell("gzip -dc \"$0\" | sed -n 1,200p | gzip > sound.gz")
        try writeDamaged("201,280p", changing: 60, to: "second.gz")
        try shell("cat sound.gz second.gz > in/a.gz")
        #expect(try night().status == 65)
        #expect(try lines("SELECT sound_lines, lines FROM archive") == ["200|280"])
        let forged = "signal = 'forged_signature'"
        let found = try lines(Self.signals + " WHERE \(forged)").sorted()
        #expect(try found == signalsOfWhole("1,280p", where: "\(forged) AND line <= 200") && !found.isEmpty)
    }

    @Test("decode and load: no line of an archive that decode could not read to its end shows a signal")
    func decoded() throws {
        try writeDamaged("1,60p", changing: 3, to: "a.gz")
        let decode = try Mill.run(["decode", workdir.path("a.gz"), "--trust", Samples.root])
        #expect(decode.status == 65, "\(decode.errors)")
        try workdir.write(decode.output, to: "decoded.jsonl")
        _ = try Mill.run([
            "load", workdir.path("decoded.jsonl"), "--trust", Samples.root, "--database", workdir.path("mill.sqlite"),
            "--quiet",
        ])
        #expect(try lines("SELECT verdict FROM submissions WHERE line = 3") == ["bad_signature"])
        #expect(try lines(Self.signals) == [])
    }

    @Test("A truncated archive raises its signals once it is delivered whole")
    func cut() throws {
        let expected = try signalsOfWhole("1,200p")
        try shell("head -c 200000 whole.gz > in/a.gz")
        #expect(try night().status == 65)
        #expect(try lines("SELECT sound_lines, lines > 20 FROM archive") == ["0|1"])
        #expect(try lines(Self.signals) == [])
        try FileManager.default.copyItem(atPath: workdir.path("whole.gz"), toPath: workdir.path("in/a.gz"))
        #expect(try night().status == 0)
        #expect(try lines("SELECT coalesce(sound_lines, 'all') FROM archive") == ["all"])
        #expect(try lines(Self.signals).sorted() == expected)
    }
}
