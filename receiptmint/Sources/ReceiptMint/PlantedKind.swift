/// What is planted by share. The raw values name the kinds in options and in `truth.json`.
public protocol PlantedKind: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The share of a kind unless set; nil where there is none.
    var defaultShare: Double? { get }
}

extension PlantedKind {
    static var defaultShares: [Self: Double] {
        Dictionary(uniqueKeysWithValues: allCases.compactMap { kind in kind.defaultShare.map { (kind, $0) } })
    }
}
