/// Some hundreds of lines of signed strings; see `MintedChunk`.
struct SignedChunk: Sendable {
    /// In order of time.
    let submissions: [SignedSubmission]
    /// The text of each submission, in the same order.
    let texts: [[UInt8]]
    /// What its stories add to the truth about what the store signs since 2026.
    let counts2026: [Story.Count]

    /// - Parameters:
    ///   - index: 0 for the first chunk of signed strings.
    ///   - numbersChunk: an index that no other chunk of any sort has.
    init(_ index: Int, numbersChunk: Int, _ parameters: MintParameters, authority: Authority) throws {
        let part = ChunkPart(index, of: parameters.signedCount)
        var scenarios = StoreScenarioGenerator(
            authority: authority, random: SeededRandom(seed: parameters.seed, stream: "store", number: UInt64(index)),
            numbers: TransactionNumbers(chunk: numbersChunk), accountPrefix: "s\(index)-",
            keepsRecoveredStart: parameters.writesStoreReports, population: parameters.population)
        var random = SeededRandom(seed: parameters.seed, stream: "store lines", number: UInt64(index))
        var defective: [SignedSubmission] = []
        for defect in SignedDefect.allCases {
            for _ in 0..<part.quota(parameters.signedShare(defect), linesEach: defect.linesEach) {
                defective += try scenarios.play(defect)
            }
        }
        let stories = try Self.stories(
            parameters, isFirst: index == 0, turn: index, most: part.count - defective.count, from: &scenarios
        ) { part.quota(parameters.shares2026[$0] ?? 0, linesEach: $0.linesEach) }
        counts2026 = stories.flatMap(\.counts)
        defective += stories.flatMap(\.lines)
        var ordinary: [SignedSubmission] = []
        if parameters.writesStoreReports {
            let (first, last) = (StoreReportPlan.first, StoreReportPlan.last)
            for _ in 0..<part.quota(parameters.storeShares[.sandbox] ?? 0) {
                ordinary.append(
                    try scenarios.testFlight(
                        from: first.advanced(by: StoreReportPlan.longestLag + 2).midnight, until: last.midnight))
            }
        }
        while ordinary.count + defective.count < part.count {
            ordinary += try scenarios.ordinary(most: part.count - ordinary.count - defective.count)
        }
        var order = ordinary.indices.filter { ordinary[$0].layout == .member }
        random.shuffle(&order)
        for _ in 0..<min(order.count, part.quota(parameters.bareLines)) {
            ordinary[order.removeLast()].form = random.chance(0.5) ? .bare : .jsonString
        }

        submissions = (ordinary + defective).prefix(part.count).stablySorted(by: \.at)
        var writer = SignedLineWriter(
            random: SeededRandom(seed: parameters.seed, stream: "store text", number: UInt64(index)))
        texts = submissions.map { writer.line($0) }
    }

    /// Whole stories of what the store signs since 2026, since a part has no known outcome.
    private static func stories(
        _ parameters: MintParameters, isFirst: Bool, turn: Int, most: Int, from scenarios: inout StoreScenarioGenerator,
        quota: (Feature2026) -> Int
    ) throws -> [Story] {
        guard parameters.holds2026 else { return [] }
        let end = parameters.lastDay.end
        var stories: [Story] = []
        var left = most
        func keep(_ story: Story) {
            guard story.lines.count <= left else { return }
            left -= story.lines.count
            stories.append(story)
        }
        if isFirst { for app in parameters.closingApps { keep(try scenarios.closing(of: app, end: end)) } }
        for feature in Feature2026.allCases {
            let count = quota(feature)
            for variant in 0..<count { keep(try scenarios.story(feature, variant: turn * count + variant, end: end)) }
        }
        return stories
    }
}
