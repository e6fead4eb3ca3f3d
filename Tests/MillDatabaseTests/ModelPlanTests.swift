import MillSystem
import Testing

@testable import MillDatabase

/// Which models a refresh computes by slices, and in which order.
@Suite("The plan of a refresh by slices")
struct ModelPlanTests {
    private func model(_ name: String, _ fields: String, from source: String) throws -> Model {
        try Model(
            name,
            """
            -- A row.
            --
            -- Key: purchase_id
            \(fields)
            --
            -- Columns:
            --   purchase_id  INTEGER  –  a purchase
            --   n            INTEGER  –  a number
            SELECT purchase_id, n FROM \(source)
            """)
    }

    @Test("computes whole what slices read before them, then slices with what they read, then sums, then the rest")
    func order() throws {
        let plan = try ModelPlan([
            model("model_clock", "-- Index: n", from: "receipt"),
            model("model_hidden", "-- Kept: no", from: "purchase"),
            model("model_part", "-- Slice: purchase_id", from: "model_hidden JOIN model_clock USING (n)"),
            model("model_sum", "-- Sums: n", from: "model_part"),
            model("model_rest", "-- Index: n", from: "model_sum JOIN model_hidden USING (n)"),
        ])
        #expect(plan.first.map(\.name) == ["model_clock"])
        #expect(plan.sliced.map(\.name) == ["model_hidden", "model_part"])
        #expect(plan.sums.map(\.name) == ["model_sum"])
        // A temporary model that a whole model reads is computed again, whole.
        #expect(plan.last.map(\.name) == ["model_hidden", "model_rest"])
    }

    @Test("refuses a slice by columns that are no thing's, and sums of a model without slices")
    func refusals() throws {
        #expect(throws: MillError.self) { try ModelPlan([model("model_part", "-- Slice: n", from: "purchase")]) }
        #expect(throws: MillError.self) {
            try ModelPlan([
                model("model_whole", "-- Index: n", from: "purchase"),
                model("model_sum", "-- Sums: n", from: "model_whole"),
            ])
        }
    }

    @Test("holds every model of this version once, and all that reads no other part of a slice")
    func present() throws {
        let plan = try ModelPlan.present()
        let kept = (plan.first + plan.sliced + plan.sums + plan.last).filter(\.isKept).map(\.name)
        #expect(try kept.sorted() == ModelCatalog.all().filter(\.isKept).map(\.name).sorted())
    }
}
