/// Some hundreds of lines, with everything about them: whatever belongs
/// together (an installation's receipts, a purchase's states, an account)
/// stays within one chunk, so chunks can be minted in any order and released.
struct MintedChunk: Minted {
    /// Lines of every chunk but the last.
    static let lines = 512

    /// In order of submission.
    let submissions: [Submission]
    let texts: [[UInt8]]
    let receipts: [PresentedReceipt]
    let purchases: [LatestPurchase]
    let facts: [(name: String, lines: [UInt8])]
    var sales: [OwnSale] { [] }

    /// - Parameter index: 0 for the first chunk.
    init(_ index: Int, _ parameters: MintParameters, authority: Authority) throws {
        let part = ChunkPart(index, of: parameters.receiptCount)
        var scenarios = ScenarioGenerator<Submission>(
            parameters: parameters, authority: authority, random: parameters.random("scene", index),
            numbers: TransactionNumbers(chunk: index), accountPrefix: "u\(index)-")
        var random = parameters.random("lines", index)

        var defective: [Submission] = []
        for defect in Defect.allCases {
            switch defect.planting {
            case .receipt:
                for _ in 0..<part.quota(parameters.shares[defect] ?? 0) { defective.append(try scenarios.solo(defect)) }
            case .scenario(let lines, let play):
                let scenes = part.quota(parameters.shares[defect] ?? 0, linesEach: lines)
                for _ in 0..<scenes { defective += try play(&scenarios) }
            case .line: break
            }
        }
        var ordinary: [Submission] = []
        while ordinary.count + defective.count < part.count {
            ordinary += try scenarios.ordinary(most: part.count - ordinary.count - defective.count)
        }
        var order = Array(ordinary.indices)
        random.shuffle(&order)
        for defect in Defect.allCases {
            guard case .line = defect.planting else { continue }
            for _ in 0..<min(order.count, part.quota(parameters.shares[defect] ?? 0)) {
                Self.plant(defect, in: &ordinary[order.removeLast()], random: &random)
            }
        }
        for _ in 0..<min(order.count, part.quota(parameters.bareLines)) {
            ordinary[order.removeLast()].form = random.chance(0.5) ? .bare : .jsonString
        }
        for _ in 0..<min(order.count, part.quota(parameters.oddForms)) {
            ordinary[order.removeLast()].form = random.pick(LineForm.odd)
        }

        submissions = (ordinary + defective).prefix(part.count).stablySorted(by: \.at)
        var writer = LineWriter(random: parameters.random("text", index))
        texts = submissions.map { writer.line($0) }
        receipts = Self.distinctReceipts(submissions)
        purchases = Self.latestPurchases(receipts)
        facts = [
            (MintRun.receiptsName, receipts.map(\.receipt.truth).truthLines),
            (MintRun.purchasesName, purchases.map(\.truth).truthLines),
        ]
    }

    /// Names of devices that are no identifiers: each holds a character that
    /// neither hexadecimal nor base64 nor their separators know.
    private static let invalidDeviceIDs = ["(null)", "<unknown>", "device#17", "{idfv}"]

    private static func plant(_ defect: Defect, in submission: inout Submission, random: inout SeededRandom) {
        submission.defect = defect
        switch defect {
        case .hashMismatch:
            submission.presenter.deviceID =
                Device(platform: submission.receipt.claims.app.platform, random: &random).text
            submission.check = .mismatch
        case .noDeviceID:
            submission.presenter.deviceID = nil
        case .invalidDeviceID:
            submission.presenter.deviceID = random.pick(invalidDeviceIDs)
            submission.check = .invalidDeviceID
        case .creationAfterSubmission:
            let lead = random.days(3...30)
            submission.at = submission.receipt.claims.createdAt.truncated - lead
        default: break
        }
    }
}
