package import GRDB
package import MillSystem
package import ReceiptFormat
package import ReceiptVerification

/// The loader's numbers for what repeats: apps, versions, products, signers, sets
/// of attribute types. What is new becomes a row.
package struct Catalog {
    /// Environments have numbers of their own here, so that an app is found by
    /// its bundle identifier in its environment's table.
    private var environments = InternTable()
    private var apps: [InternTable] = []
    private var versions = InternTable()
    private var products = InternTable()
    private var signers = InternTable()
    private var attributeSets: AttributeSets
    private let statements: Statements

    private struct Statements {
        let findApp, addApp, findVersion, addVersion, findProduct, addProduct, findSigner, addSigner: LoaderStatement
    }

    init(_ db: Database) throws(MillError) {
        attributeSets = try AttributeSets(db)
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
    package mutating func app(
        environment: UnsafeBufferPointer<UInt8>, bundle: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> Int64 {
        let (find, add) = (statements.findApp, statements.addApp)
        if apps.count >= Self.greatestEnvironmentCount {
            apps = []
            environments = InternTable()
        }
        let place = try environments.number(of: environment) { () throws(MillError) in
            apps.append(InternTable())
            return Int64(apps.count - 1)
        }
        return try apps[Int(place)].number(of: bundle) { () throws(MillError) in
            find.bindText(1, orEmpty: environment)
            find.bindText(2, orEmpty: bundle)
            if let known = try find.queryInteger() { return known }
            add.bindText(1, orEmpty: environment)
            add.bindText(2, orEmpty: bundle)
            try add.run()
            return add.lastInsertedRow
        }
    }

    /// The store knows some eight; a flood of made-up ones must not fill the memory.
    private static let greatestEnvironmentCount = 64

    package mutating func version(_ text: UnsafeBufferPointer<UInt8>?) throws(MillError) -> Int64? {
        guard let text else { return nil }
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

    package mutating func product(_ text: UnsafeBufferPointer<UInt8>?) throws(MillError) -> Int64? {
        guard let text else { return nil }
        return try Self.number(text, in: &products, statements.findProduct, statements.addProduct)
    }

    package mutating func signer(_ subject: String?) throws(MillError) -> Int64? {
        guard var subject else { return nil }
        let (find, add) = (statements.findSigner, statements.addSigner)
        var result: Result<Int64, MillError> = .success(0)
        subject.withUTF8 { text in
            result = Result { () throws(MillError) in try Self.number(text, in: &signers, find, add) }
        }
        return try result.get()
    }

    mutating func attributeSet(_ types: UndocumentedTypes) throws(MillError) -> Int64? {
        try attributeSets.number(of: types)
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
}
