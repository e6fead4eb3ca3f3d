internal import MillSystem
internal import Testing

@Suite struct NearestNamesTests {
    @Test("A mistyped name is near to those that few edits lead to, nearest first")
    func mistyped() {
        #expect(nearestNames(to: "refnds", among: ["refunds", "revenue", "refund-owners"]) == ["refunds"])
    }

    /// A comparison takes time by the product of the lengths; names of archives are bounded by nothing that the operator
    /// typed.
    @Test("A name of a million characters is not compared, even where it contains the typed text")
    func longName() {
        let long = "com.example.lumen" + String(repeating: "x", count: 1_000_000)
        #expect(nearestNames(to: "com.example.lumen", among: [long, "com.example.lumens"]) == ["com.example.lumens"])
    }
}
