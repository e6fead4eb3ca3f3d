internal import GRDB
internal import MillDatabase

/// Holds models to what their headers say: that a key stands once, that a column always has a value, and that what is
/// referred to is there.
enum ModelCheck {
    /// - Parameter listed: offences that are listed.
    static func finding(_ db: Database, listed: Int) throws -> DatabaseCheck.Finding {
        var offences: [String] = []
        func expect(none sql: String, _ what: (Int) -> String) throws {
            let count = try Int.fetchOne(db, sql: sql) ?? 0
            if count > 0 { offences.append(what(count)) }
        }
        // Outdated models may refer to rows that are gone.
        for model in try ModelState(db)?.isCurrent == true ? Models.all() : [] {
            let key = model.key.joined(separator: ", ")
            try expect(none: "SELECT count(*) FROM (SELECT 1 FROM \(model.name) GROUP BY \(key) HAVING count(*) > 1)") {
                "\(model.name): \($0) keys (\(key)) stand more than once"
            }
            for column in model.header.columns where column.isRequired {
                try expect(none: "SELECT count(*) FROM \(model.name) WHERE \(column.name) IS NULL") {
                    "\(model.name): \($0) rows have no \(column.name)"
                }
            }
            for reference in model.references {
                let pairs = zip(reference.columns, reference.targets)
                let isSame = pairs.map { "target.\($1) = model.\($0)" }.joined(separator: " AND ")
                let isGiven = reference.columns.map { "model.\($0) IS NOT NULL" }.joined(separator: " AND ")
                try expect(
                    none: """
                        SELECT count(*) FROM \(model.name) AS model
                        WHERE \(isGiven) AND NOT EXISTS (SELECT 1 FROM \(reference.table) AS target WHERE \(isSame))
                        """
                ) { "\(model.name): \($0) rows refer to no row of \(reference.table)" }
            }
        }
        return DatabaseCheck.Finding(
            name: "model_differs_from_header", offences: Array(offences.prefix(listed)), count: offences.count)
    }
}
