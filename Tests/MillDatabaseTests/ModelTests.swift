import MillSystem
import ReceiptSQL
import Testing

@testable import MillDatabase

@Suite("A model's file")
struct ModelTests {
    private static let text = """
        -- What a row is,
        -- and one rule.
        --
        -- Another rule.
        --
        -- Grain: one row per thing
        -- Key: a, b
        -- Index: b
        -- Index: c, a WHERE b IS NULL
        -- Slice: b
        -- Reference: a, b = model_other(x, y)
        --
        -- Columns:
        --   a  INTEGER!  ms  when it
        --                    began
        --   b  ANY       –   the thing
        --   c  TEXT      –   a text  of two
        -- This is no column.
        SELECT a, b, c FROM purchase JOIN model_other ON x = a
        """

    @Test("states key, indices, references and columns in its header")
    func header() throws {
        let model = try Model("model_thing", Self.text)
        #expect(
            model.name == "model_thing" && model.key == ["a", "b"]
                && model.indices.map(\.columns) == [["b"], ["c", "a"]])
        #expect(model.indices.map(\.condition) == [nil, "b IS NULL"] && model.slice == ["b"])
        #expect(model.references.map(\.columns) == [["a", "b"]] && model.references.map(\.targets) == [["x", "y"]])
        let columns = model.header.columns
        #expect(columns.map(\.name) == ["a", "b", "c"] && columns.map(\.type) == ["INTEGER", "ANY", "TEXT"])
        #expect(columns.map(\.isRequired) == [true, false, false] && columns.map(\.unit) == ["ms", "–", "–"])
        #expect(columns.map(\.meaning) == ["when it began", "the thing", "a text  of two"])
    }

    @Test(
        "is refused where its header contradicts itself",
        arguments: [
            ("-- Key: a, b", "-- Key: d", "a column d"), ("-- Key: a, b", "-- Kay: a", "no key"),
            ("c  TEXT ", "c  text ", "c has no type"), ("model_other(x, y)", "model_other", "no reference"),
        ])
    func contradictions(part: String, wrong: String, what: String) {
        let text = Self.text.replacing(part, with: wrong)
        let error = #expect(throws: MillError.self) { _ = try Model("model_x", text) }
        #expect(error?.what.contains(what) == true, "\(String(describing: error))")
    }

    @Test("reads from what stands behind FROM and JOIN, but for its own queries")
    func sources() {
        let sql = """
            -- FROM a_comment
            WITH own AS (SELECT 1 FROM first), /* JOIN no */ other AS (SELECT * FROM own JOIN "Second" ON 'FROM x')
            SELECT extract(1), (SELECT 2 FROM third) FROM other AS fourth LEFT JOIN (SELECT * FROM fifth) AS sixth
            CROSS JOIN seventh
            """
        #expect(TableNames.read(by: sql) == ["first", "second", "third", "fifth", "seventh"])
    }

    @Test("comes behind those that it reads, also through views; every file of the project can be read")
    func order() throws {
        let models = try ModelCatalog.all()
        let files = SQLFile.all.filter { $0.path.hasPrefix("core/") || $0.path.hasPrefix("marts/") }
        #expect(Set(models.map(\.name)) == Set(files.map(\.name)) && models.count == files.count)
        let places = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1.name, $0) })
        #expect(try #require(places["model_copies"]) < #require(places["model_sales"]))
        #expect(try #require(places["model_presentations"]) < #require(places["model_users"]))
        #expect(try #require(places["model_sales"]) < #require(places["model_periods"]))
    }

    @Test("is known to be read by a report that names it, or the calendar, and not by one that reads the loader's rows")
    func readers() {
        #expect(ModelCatalog.areRead(by: "SELECT 1 FROM model_sales"))
        #expect(ModelCatalog.areRead(by: "SELECT 1 FROM purchase JOIN model_days ON 1"))
        #expect(!ModelCatalog.areRead(by: "SELECT model_sales FROM receipts"))
    }

    @Test("a query for a moment's local day compares the moment with the midnight in its UTC day")
    func localDays() {
        let join = /JOIN model_(?:utc|pacific)_days AS (\w+)/
        for file in SQLFile.all {
            for alias in file.text.matches(of: join).map(\.output.1) {
                #expect(file.text.contains("< \(alias).midnight_ms"), "\(file.path): \(alias)")
            }
        }
    }
}
