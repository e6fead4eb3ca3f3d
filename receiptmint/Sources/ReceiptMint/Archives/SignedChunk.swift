/// Some hundreds of lines of signed strings; see `MintedChunk`.
struct SignedChunk: Minted {
    /// In order of time.
    let submissions: [SignedSubmission]
    let texts: [[UInt8]]
    let documents: [PresentedString]
    let purchases: [LatestPurchase]
    let renewals: [LatestRenewal]
    /// Distinct and trusted, as they were signed first.
    let notifications: [State<NotificationClaims>]
    let facts: [(name: String, lines: [UInt8])]
    private(set) var sales: [OwnSale] = []
    /// What its stories add to the truth about what the store signs since 2026.
    let counts2026: [Story.Count]

    /// - Parameters:
    ///   - index: 0 for the first chunk of signed strings.
    ///   - numbersChunk: an index that no other chunk of any sort has.
    init(_ index: Int, numbersChunk: Int, _ parameters: MintParameters, authority: Authority) throws {
        let part = ChunkPart(index, of: parameters.signedCount)
        var scenarios = StoreScenarioGenerator(
            parameters: parameters, authority: authority, random: parameters.random("store", index),
            numbers: TransactionNumbers(chunk: numbersChunk), accountPrefix: "s\(index)-")
        var random = parameters.random("store lines", index)
        var defective: [SignedSubmission] = []
        for defect in SignedDefect.allCases {
            for _ in 0..<part.quota(parameters.signedShares[defect] ?? 0, linesEach: defect.linesEach) {
                defective += try scenarios.play(defect)
            }
        }
        let stories = try scenarios.stories(ofChunk: index, most: part.count - defective.count) {
            part.quota(parameters.shares2026[$0] ?? 0, linesEach: $0.plan.linesEach)
        }
        counts2026 = stories.flatMap(\.counts)
        defective += stories.flatMap(\.lines)
        var ordinary: [SignedSubmission] = []
        if parameters.writesStoreReports {
            let count = part.quota(parameters.storeShares[.sandbox] ?? 0)
            ordinary = try (0..<count).map { _ in try scenarios.testFlight() }
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
        var writer = SignedLineWriter(random: parameters.random("store text", index))
        texts = submissions.map { writer.line($0) }
        documents = Self.distinctDocuments(submissions)
        purchases = Self.latestPurchases(documents)
        renewals = Self.latestRenewals(documents)
        notifications = Self.firstNotifications(documents)
        facts = [
            (MintRun.purchasesName, purchases.map(\.truth).truthLines),
            (MintRun.signedName, documents.map(\.truth).truthLines),
            (MintRun.renewalsName, renewals.map { $0.claims.truth(bundleID: $1, sha256: $0.sha256) }.truthLines),
            (MintRun.notificationsName, notifications.map(\.truth).truthLines),
        ]
        if parameters.writesStoreReports { sales = OwnSale.all(of: self) }
    }
}
