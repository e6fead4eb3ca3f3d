internal import GRDB
internal import MillBytes
package import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// The loader's identifiers of repeated values: apps, versions, products, signers, sets of attribute types and of
/// unknown members. A new value becomes a row.
package struct DimensionKeys {
    /// Indices into ``apps``. Each environment has a separate table, in which an app is found by its bundle identifier.
    private var environments = InternTable()
    private var apps: [InternTable] = []
    private let app: (find: LoaderStatement, add: LoaderStatement)
    private var versions: TextIdentifiers
    private var products: TextIdentifiers
    private var signers: TextIdentifiers
    private var attributeSets: AttributeSetKeys
    private var unknownSets: UnknownSets

    init(_ db: Database) throws(MillError) {
        app = (
            try LoaderStatement(db, "SELECT app_id FROM app WHERE environment = ? AND bundle_id = ?"),
            try LoaderStatement(db, "INSERT INTO app (environment, bundle_id) VALUES (?, ?)")
        )
        versions = try TextIdentifiers(
            db, find: "SELECT version_id FROM version WHERE version = ?",
            add: "INSERT INTO version (version, version_key) VALUES (?, ?)"
        ) { (add, text) throws(MillError) in
            try add.run(LentText(text), VersionKey.key(DocumentText(decoding: text)).string)
        }
        products = try TextIdentifiers(
            db, find: "SELECT product_number FROM product WHERE product_id = ?",
            add: "INSERT INTO product (product_id) VALUES (?)")
        signers = try TextIdentifiers(
            db, find: "SELECT signer_id FROM signer WHERE subject = ?", add: "INSERT INTO signer (subject) VALUES (?)")
        attributeSets = try AttributeSetKeys(db)
        unknownSets = try UnknownSets(db)
    }

    /// The identifier of an app, by its environment and its bundle identifier; either is empty if absent.
    package mutating func app(
        environment: UnsafeBufferPointer<UInt8>, bundle: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> Int64 {
        let (find, add) = app
        if apps.count >= Self.maximumEnvironmentCount {
            apps = []
            environments = InternTable()
        }
        let index = try environments.number(of: environment) { () throws(MillError) in
            apps.append(InternTable())
            return Int64(apps.count - 1)
        }
        return try apps[Int(index)].number(of: bundle) { () throws(MillError) in
            if let known = try find.queryInteger(LentText(environment), LentText(bundle)) { return known }
            try add.run(LentText(environment), LentText(bundle))
            return add.lastInsertedRow
        }
    }

    /// The maximum number of cached environments. Apple has some eight, and a flood of invented ones must not fill the
    /// memory.
    private static let maximumEnvironmentCount = 64

    package mutating func version(_ text: UnsafeBufferPointer<UInt8>?) throws(MillError) -> Int64? {
        try versions.id(of: text)
    }

    package mutating func product(_ text: UnsafeBufferPointer<UInt8>?) throws(MillError) -> Int64? {
        try products.id(of: text)
    }

    package mutating func signer(_ subject: String?) throws(MillError) -> Int64? {
        guard var subject else { return nil }
        var result: Result<Int64?, MillError> = .success(nil)
        subject.withUTF8 { text in
            result = Result { () throws(MillError) in try signers.id(of: text) }
        }
        return try result.get()
    }

    mutating func attributeSet(_ types: UndocumentedTypes) throws(MillError) -> Int64? {
        try attributeSets.id(of: types)
    }

    mutating func unknownSet(_ members: UnknownMembers?) throws(MillError) -> Int64? {
        try unknownSets.id(of: members)
    }
}

/// The identifiers of the texts in one table.
private struct TextIdentifiers {
    private var known = InternTable()
    private let find, add: LoaderStatement
    /// Inserts a new text by running ``add``.
    private let insert: (LoaderStatement, UnsafeBufferPointer<UInt8>) throws(MillError) -> Void

    init(
        _ db: Database, find: String, add: String,
        insert: @escaping (LoaderStatement, UnsafeBufferPointer<UInt8>) throws(MillError) -> Void = {
            (add, text) throws(MillError) in try add.run(LentText(text))
        }
    ) throws(MillError) {
        self.find = try LoaderStatement(db, find)
        self.add = try LoaderStatement(db, add)
        self.insert = insert
    }

    mutating func id(of text: UnsafeBufferPointer<UInt8>?) throws(MillError) -> Int64? {
        guard let text else { return nil }
        let (find, add, insert) = (find, add, insert)
        return try known.number(of: text) { () throws(MillError) in
            if let known = try find.queryInteger(LentText(text)) { return known }
            try insert(add, text)
            return add.lastInsertedRow
        }
    }
}
