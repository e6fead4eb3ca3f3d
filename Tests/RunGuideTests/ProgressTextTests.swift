import Testing

@testable import RunGuide

@Suite("The line of progress")
struct ProgressTextTests {
    private func loading() -> ProgressState {
        var state = ProgressState()
        (state.name, state.place, state.places, state.share) = ("night.jsonl.gz", 2, 7, 0.349)
        (state.lines, state.rate, state.secondsLeft) = (1_234_567, 9_800.4, 95.2)
        (state.newReceipts, state.knownReceipts, state.rejected) = (8_000, 999, 12)
        return state
    }

    @Test("states all that is known where there is space")
    func whole() {
        #expect(
            ProgressText.line(loading(), width: 200)
                == "2/7  night.jsonl.gz  34 %  1,234,567 lines  9,800 lines/s  8,000 new  999 known  12 rejected  1 min 36 s left"
        )
    }

    // The parts with their gaps are 3, 14, 4, 15, 13, 9, 9, 11 and 15 columns long, and 2 lie between each two.
    @Test(
        "leaves out the least useful part first, and keeps the last column free",
        arguments: [
            (
                110,
                "2/7  night.jsonl.gz  34 %  1,234,567 lines  9,800 lines/s  8,000 new  999 known  12 rejected  1 min 36 s left"
            ),
            (
                109,
                "night.jsonl.gz  34 %  1,234,567 lines  9,800 lines/s  8,000 new  999 known  12 rejected  1 min 36 s left"
            ),
            (104, "night.jsonl.gz  34 %  1,234,567 lines  9,800 lines/s  8,000 new  12 rejected  1 min 36 s left"),
            (93, "night.jsonl.gz  34 %  9,800 lines/s  8,000 new  12 rejected  1 min 36 s left"),
            (76, "34 %  9,800 lines/s  8,000 new  12 rejected  1 min 36 s left"),
            (60, "34 %  9,800 lines/s  12 rejected  1 min 36 s left"),
            (49, "34 %  9,800 lines/s  1 min 36 s left"),
            (36, "34 %  1 min 36 s left"),
            (21, "34 %"), (5, "34 %"), (4, "34…"),
        ])
    func narrow(width: Int, line: String) {
        #expect(ProgressText.line(loading(), width: width) == line)
    }

    @Test("is never wider than the terminal, whatever an archive is called", arguments: 1...140)
    func width(columns: Int) {
        for name in [
            "", "a", String(repeating: "领收书", count: 40), "a\u{1b}[2Jb", String(repeating: "e\u{301}", count: 90),
        ] {
            var state = loading()
            state.name = name
            let line = ProgressText.line(state, width: columns)
            // Independent of the program's own measure: each ideograph takes two columns.
            let taken = line.reduce(0) { $0 + ($1.unicodeScalars.first.map { $0.value >= 0x2e80 } == true ? 2 : 1) }
            #expect(taken < max(columns, 2), "\(columns): \(line)")
            #expect(!line.contains("\u{1b}"))
        }
    }

    @Test("cuts a long name before anything else is left out")
    func longName() {
        var state = loading()
        state.name = String(repeating: "x", count: 300)
        let line = ProgressText.line(state, width: 120)
        #expect(line.hasPrefix("2/7  xxxxxxxxxxxxxxx") && line.hasSuffix("  1 min 36 s left") && line.count == 119)
    }

    @Test("leaves out what can't be known, as of standard input")
    func unknown() {
        var state = ProgressState()
        (state.name, state.place, state.lines) = ("-", 1, 5)
        #expect(ProgressText.line(state, width: 80) == "1  -  5 lines")
    }

    @Test(
        "rounds what is left up, in two units",
        arguments: [
            (0.2, "1 s"), (59, "59 s"), (59.5, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"),
            (100_000, "27 h 46 min"), (.infinity, "277777 h 46 min"),
        ])
    func durations(seconds: Double, text: String) { #expect(ProgressText.duration(seconds) == text) }

    @Test("groups digits", arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_000, "-1,000"), (-999, "-999")])
    func digits(number: Int, text: String) { #expect(ProgressText.grouped(number) == text) }
}
