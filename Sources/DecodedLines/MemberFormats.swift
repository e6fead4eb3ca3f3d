internal import MillBytes
internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// A text in the batch's bytes; an empty text counts as absent.
enum TextMember: MemberFormat {
    static func write(_ text: ByteRange, to writer: inout MemberWriter) {
        writer.string(at: text) { $0.appendEscaped($1) }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> ByteRange? {
        guard let token = try reader.cursor.readText() else { return nil }
        guard token.hasEscapes else { return reader.contents.bytes.append(reader.cursor.bytes, in: token.range) }
        // A lone surrogate, which decode never writes, counts as absent.
        guard let text = JSONString.unescaped(reader.cursor.bytes, in: token.range) else { return nil }
        return reader.contents.bytes.append(text)
    }
}

/// A separate text, outside the batch's bytes; an empty text counts as absent.
enum StringMember: MemberFormat {
    static func write(_ text: String, to writer: inout MemberWriter) { writer.json.value(text) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> String? {
        guard let token = try reader.cursor.readText() else { return nil }
        let bytes = reader.cursor.bytes
        guard token.hasEscapes else {
            return bytes.extracting(token.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
        return JSONString.unescaped(bytes, in: token.range).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A 64-bit integer within bounds.
protocol BoundedNumber: MemberFormat where Value == Int64 {
    static var bounds: ClosedRange<Int64> { get }
    /// The message about a number outside the bounds.
    static var fault: String { get }
}

extension BoundedNumber {
    static func write(_ number: Int64, to writer: inout MemberWriter) { writer.json.value(number) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Int64? {
        guard let number = try reader.cursor.readInteger() else { return nil }
        guard bounds.contains(number) else { throw reader.cursor.failure(fault) }
        return number
    }
}

enum IntegerMember: BoundedNumber {
    static var bounds: ClosedRange<Int64> { .min ... .max }
    static var fault: String { "expected an integer of 64 bits" }
}

/// Milliseconds since 1970 UTC, within the years that dates of receipts may have.
enum TimeMember: BoundedNumber {
    static var bounds: ClosedRange<Int64> { ReceiptDate.range }
    static var fault: String { "a time beyond the years 1 to 9999" }
}

/// A flag, written as 0 or 1.
enum BinaryMember: BoundedNumber {
    static var bounds: ClosedRange<Int64> { 0...1 }
    static var fault: String { "expected 0 or 1" }
}

/// A number from 0 to 1.
enum ShareMember: MemberFormat {
    static func write(_ share: Double, to writer: inout MemberWriter) {
        // Swift writes the shortest text that reads back as the same number.
        writer.json.written(Array("\(share)".utf8))
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Double? {
        let token = try reader.cursor.readValue(depth: 1)
        if token.kind == .null { return nil }
        guard token.kind == .number, let share = JSONNumber.double(reader.cursor.bytes, in: token.range),
            (0...1).contains(share)
        else { throw reader.cursor.failure("expected a number from 0 to 1") }
        return share
    }
}

/// The flag `true`; `false` counts as absent.
enum TrueMember: MemberFormat {
    static func write(_ flag: Bool, to writer: inout MemberWriter) { writer.json.value(flag) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Bool? {
        try reader.cursor.readFlag() ? true : nil
    }
}

/// The raw value of a case of an enumeration.
enum WordMember<Word: CaseIterable & RawRepresentable<String>>: MemberFormat {
    static func write(_ word: Word, to writer: inout MemberWriter) { writer.json.value(word.rawValue) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Word? {
        if let token = try reader.cursor.readText() {
            let text = reader.cursor.bytes.extracting(token.range)
            let word = text.withUnsafeBufferPointer { text in
                Word.allCases.first { $0.rawValue.utf8.elementsEqual(text) }
            }
            if let word { return word }
        }
        throw reader.cursor.failure("a word that this version does not know")
    }
}

/// Bytes in hexadecimal digits.
enum HexMember: MemberFormat {
    static func write(_ range: ByteRange, to writer: inout MemberWriter) {
        writer.string(at: range) { $0.appendHex($1) }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> ByteRange? {
        guard let token = try reader.cursor.readText() else { return nil }
        guard let bytes = Hex.bytes(reader.cursor.bytes, in: token.range) else {
            throw reader.cursor.failure("expected hexadecimal")
        }
        return reader.contents.bytes.append(bytes)
    }
}

enum DigestMember: MemberFormat {
    static func write(_ digest: SHA256Digest, to writer: inout MemberWriter) {
        writer.json.string { json in digest.withBytes { json.appendHex($0) } }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> SHA256Digest? {
        guard let token = try reader.cursor.readText(), token.range.count == 2 * SHA256Digest.count,
            let bytes = Hex.bytes(reader.cursor.bytes, in: token.range), let digest = SHA256Digest(bytes: bytes)
        else { throw reader.cursor.failure("expected 64 hexadecimal digits") }
        return digest
    }
}

/// The bytes of a receipt in base64; an empty text counts as absent.
enum OctetsMember: MemberFormat {
    static func write(_ octets: ByteRange, to writer: inout MemberWriter) {
        writer.string(at: octets) { $0.appendBase64($1) }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> ByteRange? {
        guard let token = try reader.cursor.readText() else { return nil }
        guard !token.hasEscapes, let range = reader.contents.bytes.appendBase64(reader.cursor.bytes, in: token.range)
        else { throw reader.cursor.failure("octets have to be base64") }
        return range
    }
}

/// The bytes of a rejected line in base64, which may be empty.
enum RejectedLineMember: MemberFormat {
    static func write(_ line: [UInt8], to writer: inout MemberWriter) {
        writer.json.string { json in line.withUnsafeBufferPointer { json.appendBase64($0) } }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> [UInt8]? {
        try OctetsMember.read(from: &reader).map { Array(reader.contents.bytes.bytes[$0.indices]) } ?? []
    }
}

/// The types of undocumented attributes of receipts.
enum AppTypesMember: MemberFormat {
    static func write(_ types: UndocumentedTypes, to writer: inout MemberWriter) {
        writer.json.written(writer.memory.types.value(for: types) { Array("[\(types.list)]".utf8) })
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> UndocumentedTypes? {
        try read(from: &reader, .app)
    }

    static func read(
        from reader: inout MemberReader, _ level: UndocumentedTypes.Level
    ) throws(InvalidJSON) -> UndocumentedTypes {
        if let known = reader.contents.types.skip(&reader.cursor, where: { $0.level == level }) { return known }
        let start = reader.cursor.position
        var types = UndocumentedTypes(level)
        var isFirst = true
        while try reader.cursor.nextValue(&isFirst) {
            guard let type = try reader.cursor.readInteger() else {
                throw reader.cursor.failure("an attribute's type is missing")
            }
            types.insert(type)
        }
        reader.contents.types.remember(reader.cursor, from: start, types)
        return types
    }
}

/// The types of undocumented attributes of purchases.
enum PurchaseTypesMember: MemberFormat {
    static func write(_ types: UndocumentedTypes, to writer: inout MemberWriter) {
        AppTypesMember.write(types, to: &writer)
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> UndocumentedTypes? {
        try AppTypesMember.read(from: &reader, .purchase)
    }
}

/// Certificates in base64. Reading adds them to the batch's contents.
enum IssuersMember: MemberFormat {
    static func write(_ issuers: [IssuerCertificate], to writer: inout MemberWriter) {
        writer.json.openArray()
        for issuer in issuers {
            writer.json.written(
                writer.memory.issuers.value(for: issuer.fingerprint) {
                    var json = JSONWriter()
                    json.string { json in issuer.der.withUnsafeBufferPointer { json.appendBase64($0) } }
                    return json.bytes
                })
        }
        writer.json.closeArray()
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> [IssuerCertificate]? {
        var isFirst = true
        while try reader.cursor.nextValue(&isFirst) {
            if reader.contents.knownIssuers.skip(&reader.cursor) != nil { continue }
            let start = reader.cursor.position
            guard let token = try reader.cursor.readText() else { throw reader.cursor.failure("an issuer is empty") }
            guard !token.hasEscapes,
                let range = reader.contents.bytes.appendBase64(reader.cursor.bytes, in: token.range),
                case let certificate = Array(reader.contents.bytes.bytes[range.indices]),
                let found = try? reader.contents.issuers.insertCertificates(of: certificate), found == 1
            else { throw reader.cursor.failure("an issuer is no certificate in base64") }
            reader.contents.knownIssuers.remember(reader.cursor, from: start, ())
        }
        return nil
    }
}

/// An archive. Its text is cached, because thousands of lines have the same one.
enum ArchiveMember: MemberFormat {
    static func write(_ archive: ArchiveID, to writer: inout MemberWriter) { writer.json.written(writer.archive) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> ArchiveID? {
        if let known = reader.contents.archives.skip(&reader.cursor) { return known }
        let start = reader.cursor.position
        var members = ArchiveObject()
        try reader.read(&members)
        if let id = members.id { reader.contents.archives.remember(reader.cursor, from: start, id) }
        return members.id
    }
}

/// The purchases of a document, as a range of the batch's.
enum PurchasesMember: MemberFormat {
    static func write(_ purchases: Range<Int>, to writer: inout MemberWriter) {
        writer.json.openArray()
        for index in purchases {
            var purchase = writer.batch.purchases[index]
            writer.write(&purchase)
        }
        writer.json.closeArray()
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Range<Int>? {
        let start = reader.contents.purchases.count
        var isFirst = true
        while try reader.cursor.nextValue(&isFirst) {
            guard reader.contents.purchases.count - start < AppReceipt.maximumPurchases else {
                throw reader.cursor.failure("more than \(AppReceipt.maximumPurchases) purchases")
            }
            var purchase = InAppPurchase()
            try reader.read(&purchase)
            reader.contents.purchases.append(purchase)
        }
        return start..<reader.contents.purchases.count
    }
}

enum ObjectMember<Object: DecodedObject>: MemberFormat {
    static func write(_ object: Object, to writer: inout MemberWriter) {
        var object = object
        writer.write(&object)
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Object? {
        var object = Object()
        try reader.read(&object)
        return object
    }
}

enum ObjectsMember<Object: DecodedObject>: MemberFormat {
    static func write(_ objects: [Object], to writer: inout MemberWriter) {
        writer.json.openArray()
        for object in objects { ObjectMember.write(object, to: &writer) }
        writer.json.closeArray()
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> [Object]? {
        var objects: [Object] = []
        var isFirst = true
        while try reader.cursor.nextValue(&isFirst) {
            var object = Object()
            try reader.read(&object, behind: objects)
            objects.append(object)
        }
        return objects
    }
}

/// A value that is computed from others. `decode` writes it, and `load` computes it again.
protocol DerivedMember: MemberFormat {}

extension DerivedMember {
    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Value? {
        _ = try reader.cursor.readValue(depth: 1)
        return nil
    }
}

enum DerivedWordMember<Word: RawRepresentable<String>>: DerivedMember {
    static func write(_ word: Word, to writer: inout MemberWriter) { writer.json.value(word.rawValue) }
}

/// The key by which a version is sorted, which is computed from the version.
enum VersionKeyMember: DerivedMember {
    static func write(_ version: ByteRange, to writer: inout MemberWriter) { writer.versionKey(of: version) }
}
