internal import GRDB

/// The loader's numbers for texts that repeat: apps, versions, products,
/// signers. A text that is new becomes a row.
struct Catalog {
    private var apps = InternTable()
    private var versions = InternTable()
    private var products = InternTable()
    private var signers = InternTable()
    private let statements: Statements

    private struct Statements {
        let findApp, addApp, findVersion, addVersion, findProduct, addProduct, findSigner, addSigner: LoaderStatement
    }

    init(_ db: Database) throws(MillError) {
        statements = Statements(
            findApp: try LoaderStatement(db, "SELECT app_id FROM app WHERE environment = ? AND bundle_id = ?"),
            addApp: try LoaderStatement(db, "INSERT INTO app (environment, bundle_id) VALUES (?, ?)"),
            findVersion: try LoaderStatement(db, "SELECT version_id FROM version WHERE version = ?"),
            addVersion: try LoaderStatement(db, "INSERT INTO version (version, version_key) VALUES (?, ?)"),
            findProduct: try LoaderStatement(db, "SELECT product_number FROM product WHERE product_id = ?"),
            addProduct: try LoaderStatement(db, "INSERT INTO product (product_id) VALUES (?)"),
            findSigner: try LoaderStatement(db, "SELECT signer_id FROM signer WHERE subject = ?"),
            addSigner: try LoaderStatement(db, "INSERT INTO signer (subject) VALUES (?)"))
    }

    /// The number of an environment and a bundle identifier, empty where absent.
    mutating func app(
        environment: UnsafeBufferPointer<UInt8>, bundle: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> Int64 {
        let statements = statements
        // NUL, which texts of receipts don't hold, keeps the two apart.
        return try withJoined(environment, bundle) { (key) throws(MillError) in
            try apps.number(of: key) { () throws(MillError) in
                statements.findApp.bindText(1, orEmpty: environment)
                statements.findApp.bindText(2, orEmpty: bundle)
                if let known = try statements.findApp.queryInteger() { return known }
                statements.addApp.bindText(1, orEmpty: environment)
                statements.addApp.bindText(2, orEmpty: bundle)
                try statements.addApp.run()
                return statements.addApp.lastInsertedRow
            }
        }
    }

    mutating func version(_ text: UnsafeBufferPointer<UInt8>) throws(MillError) -> Int64 {
        let statements = statements
        return try versions.number(of: text) { () throws(MillError) in
            statements.findVersion.bindText(1, text)
            if let known = try statements.findVersion.queryInteger() { return known }
            statements.addVersion.bindText(1, text)
            statements.addVersion.bindCopy(2, VersionKey.key(String(decoding: text, as: UTF8.self)))
            try statements.addVersion.run()
            return statements.addVersion.lastInsertedRow
        }
    }

    mutating func product(_ text: UnsafeBufferPointer<UInt8>) throws(MillError) -> Int64 {
        try Self.number(text, in: &products, statements.findProduct, statements.addProduct)
    }

    mutating func signer(_ subject: String) throws(MillError) -> Int64 {
        var subject = subject
        let (find, add) = (statements.findSigner, statements.addSigner)
        var result: Result<Int64, MillError> = .success(0)
        subject.withUTF8 { text in
            result = Result { () throws(MillError) in try Self.number(text, in: &signers, find, add) }
        }
        return try result.get()
    }

    private static func number(
        _ text: UnsafeBufferPointer<UInt8>, in table: inout InternTable, _ find: LoaderStatement, _ add: LoaderStatement
    ) throws(MillError) -> Int64 {
        try table.number(of: text) { () throws(MillError) in
            find.bindText(1, text)
            if let known = try find.queryInteger() { return known }
            add.bindText(1, text)
            try add.run()
            return add.lastInsertedRow
        }
    }

    private func withJoined<Result>(
        _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) throws(MillError) -> Result
    ) throws(MillError) -> Result {
        let joined = [UInt8](first) + [0] + [UInt8](second)
        return try joined.span.withUnsafeBufferPointer { (key) throws(MillError) in try body(key) }
    }
}
