import GRDB
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// Expected values are what was put; SQLite's own `quote()` says what it read.
@Suite("Rows that wait to be inserted")
struct RowBufferTests {
    private func queue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            try RowBuffer.register(db)
            try db.execute(sql: "CREATE TABLE t (number INTEGER, text TEXT, blob BLOB, any ANY) STRICT")
        }
        return queue
    }

    /// Inserts rows, and reads the table as SQL literals.
    private func stored(_ rows: RowBuffer, in places: [Int32]? = nil) throws -> [String] {
        try queue().inDatabase { db in
            let statement = try LoaderStatement(db, RowWriter.insert(into: "t", ["number", "text", "blob", "any"]))
            try statement.run(rows, in: places?[...])
            return try String.fetchAll(
                db,
                sql: "SELECT quote(number) || ' ' || quote(text) || ' ' || quote(blob) || ' ' || quote(any) "
                    + "FROM t ORDER BY rowid")
        }
    }

    private func put(_ bytes: [UInt8], into rows: inout RowBuffer) {
        bytes.withUnsafeBufferPointer { rows.putBlob($0) }
    }

    @Test("arrive as they were put: numbers to their limits, texts, blobs and nulls")
    func valuesArrive() throws {
        var rows = RowBuffer(columnCount: 4)
        rows.begin()
        rows.put(Int64.max)
        rows.putText("año 🍏")
        put([0, 255, 7], into: &rows)
        rows.put(Int64.min)
        rows.begin()
        rows.put(nil as Int64?)
        rows.putText(nil as String?)
        rows.putNull()
        rows.putText("12")
        rows.begin()
        rows.put(0)
        rows.putText("")
        put([], into: &rows)
        put([1], into: &rows)
        #expect(
            try stored(rows) == [
                "9223372036854775807 'año 🍏' X'00FF07' -9223372036854775808", "NULL NULL NULL '12'", "0 '' X'' X'01'",
            ])
    }

    @Test("hold each number in as few bytes as keep its sign")
    func numbersOfAllSizes() throws {
        let numbers = (0...62).flatMap { bits in
            let power = Int64(1) << bits
            return [power - 1, power, -power, -power - 1]
        }
        var rows = RowBuffer(columnCount: 4)
        for number in numbers {
            rows.begin()
            rows.put(number)
            for _ in 2...4 { rows.putNull() }
        }
        #expect(try stored(rows) == numbers.map { "\($0) NULL NULL NULL" })
        rows.removeAll()
        rows.begin()
        for number in [0, -128, 127, 128] as [Int64] { rows.put(number) }
        let cellBytes = 1 + 2 + 2 + 3, placeBytes = 4
        #expect(rows.size == cellBytes + placeBytes)
    }

    @Test("are there once all their cells are put")
    func unfinishedRow() {
        var rows = RowBuffer(columnCount: 2)
        rows.begin()
        rows.put(1)
        #expect(rows.count == 0)
        rows.putText("x")
        #expect(rows.count == 1)
    }

    @Test("that are rewritten keep nothing of what they held")
    func rewrittenRows() throws {
        var rows = RowBuffer(columnCount: 4)
        for number in 1...3 as ClosedRange<Int64> {
            rows.begin()
            rows.put(number)
            rows.putText("old")
            rows.putNull()
            rows.put(number)
        }
        rows.rewrite(1)
        rows.put(20)
        rows.putNull()
        put([2], into: &rows)
        rows.putText("new")
        #expect(try stored(rows) == ["1 'old' NULL 1", "20 NULL X'02' 'new'", "3 'old' NULL 3"])
    }

    @Test("that are rewritten take more memory only where they are longer")
    func rewrittenRowsInPlace() throws {
        var rows = RowBuffer(columnCount: 4)
        func put(_ number: Int64, _ text: String) {
            rows.put(number)
            rows.putText(text)
            rows.putNull()
            rows.put(-number)
        }
        for number in 1...3 as ClosedRange<Int64> {
            rows.begin()
            put(number, "text")
        }
        let size = rows.size
        for number in 4...100 as ClosedRange<Int64> {
            rows.rewrite(1)
            put(number, number < 50 ? "twin" : "y")
        }
        #expect(rows.size == size)
        rows.rewrite(0)
        put(1_000, "longer")
        #expect(rows.size > size)
        #expect(
            try stored(rows) == ["1000 'longer' NULL -1000", "100 'y' NULL -100", "3 'text' NULL -3"])
    }

    @Test("are inserted in the order that is asked for")
    func orderedRows() throws {
        var rows = RowBuffer(columnCount: 4)
        for number in 1...3 as ClosedRange<Int64> {
            rows.begin()
            rows.put(number)
            for _ in 2...4 { rows.putNull() }
        }
        #expect(try stored(rows, in: [2, 0, 1]).map { $0.prefix(1) } == ["3", "1", "2"])
    }

    @Test("are put in order by a column's numbers, and where these are equal as they came")
    func orderByColumn() throws {
        var rows = RowBuffer(columnCount: 4)
        for (number, key) in [(1, 50), (2, -7), (3, 50), (4, Int64.max), (5, 0)] as [(Int64, Int64)] {
            rows.begin()
            rows.put(number)
            rows.putNull()
            rows.putNull()
            rows.put(key)
        }
        #expect(try stored(rows, in: rows.order(by: 3)).map { $0.prefix(1) } == ["2", "5", "1", "3", "4"])
    }

    @Test("are put in order by the first bytes of a column's blobs, as SQLite orders them")
    func orderByBlobs() throws {
        var rows = RowBuffer(columnCount: 4)
        let blobs: [[UInt8]] = [[0xff, 0, 0, 0], [0x7f, 0xff], [], [0x80, 0, 0, 1], [0x80, 0, 0, 0]]
        for (place, blob) in blobs.enumerated() {
            rows.begin()
            rows.put(Int64(place))
            rows.putNull()
            rows.putNull()
            blob.withUnsafeBufferPointer { rows.putBlob($0) }
        }
        #expect(try stored(rows, in: rows.order(by: 3)).map { $0.prefix(1) } == ["2", "1", "4", "3", "0"])
    }

    @Test("are none where there are none, and after they were removed")
    func noRows() throws {
        var rows = RowBuffer(columnCount: 4)
        #expect(try stored(rows).isEmpty)
        rows.begin()
        rows.put(1)
        rows.removeAll()
        #expect(try stored(rows).isEmpty)
    }

    @Test("may have 32 columns")
    func mostColumns() throws {
        var rows = RowBuffer(columnCount: 32)
        rows.begin()
        for column in 0..<32 as Range<Int64> { rows.put(column * 1_000_000_007) }
        let read = try queue().inDatabase { db in
            let columns = (0..<32).map { "n\($0)" }
            try db.execute(sql: "CREATE TABLE wide (\(columns.joined(separator: ", ")))")
            try LoaderStatement(db, RowWriter.insert(into: "wide", columns)).run(rows)
            return try Row.fetchAll(db, sql: "SELECT * FROM wide").flatMap { row in
                (0..<32).map { row[$0] as Int64 }
            }
        }
        #expect(read == (0..<32).map { $0 * 1_000_000_007 })
    }

    @Test("are not to be had without being bound, and no other value passes for them")
    func foreignValues() throws {
        let queue = try queue()
        let foreign = try queue.inDatabase { db in
            try Row.fetchAll(db, sql: "SELECT c0 FROM row_buffer(?)", arguments: [123])
                + Row.fetchAll(db, sql: "SELECT c0 FROM row_buffer('x')")
        }
        #expect(foreign.isEmpty)
        #expect(throws: DatabaseError.self) {
            try queue.inDatabase { db in _ = try Row.fetchAll(db, sql: "SELECT c0 FROM row_buffer") }
        }
    }
}
