internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Text as a range of the batch's bytes; empty counts as absent.
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

/// Text that no batch holds; empty counts as absent.
enum StringMember: MemberFormat {
    static func write(_ text: String, to writer: inout MemberWriter) { writer.json.value(text) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> String? {
        try TextMember.read(from: &reader).map { String(decoding: reader.contents.bytes.bytes[$0.indices], as: UTF8.self) }
    }
}

enum IntegerMember: MemberFormat {
    static func write(_ number: Int64, to writer: inout MemberWriter) { writer.json.value(number) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Int64? { try reader.cursor.readInteger() }
}

/// Milliseconds since 1970 UTC, of the years that dates of receipts may have.
enum TimeMember: MemberFormat {
    static func write(_ time: Int64, to writer: inout MemberWriter) { writer.json.value(time) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Int64? {
        guard let time = try reader.cursor.readInteger() else { return nil }
        guard ReceiptDate.range.contains(time) else {
            throw reader.cursor.failure("a time beyond the years 1 to 9999")
        }
        return time
    }
}

/// True; false counts as absent.
enum TrueMember: MemberFormat {
    static func write(_ flag: Bool, to writer: inout MemberWriter) { writer.json.value(flag) }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> Bool? {
        try reader.cursor.readFlag() ? true : nil
    }
}

/// One of the raw values of an enumeration.
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

/// Bytes as hexadecimal digits.
enum HexMember: MemberFormat {
    static func write(_ range: ByteRange, to writer: inout MemberWriter) {
        writer.string(at: range) { $0.appendHex($1) }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> ByteRange? {
        guard let token = try reader.cursor.readText() else { return nil }
        guard let bytes = bytes(of: token.range, reader.cursor.bytes) else {
            throw reader.cursor.failure("expected hexadecimal")
        }
        return reader.contents.bytes.append(bytes)
    }

    static func bytes(of digits: Range<Int>, _ text: Span<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: digits.lowerBound, to: digits.upperBound, by: 2) {
            guard let high = JSONCursor.hexValue(text[index]), let low = JSONCursor.hexValue(text[index + 1]) else {
                return nil
            }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

enum DigestMember: MemberFormat {
    static func write(_ digest: SHA256Digest, to writer: inout MemberWriter) {
        writer.json.string { json in digest.withBytes { json.appendHex($0) } }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> SHA256Digest? {
        guard let token = try reader.cursor.readText(), token.range.count == 2 * SHA256Digest.count,
            let bytes = HexMember.bytes(of: token.range, reader.cursor.bytes), let digest = SHA256Digest(bytes: bytes)
        else { throw reader.cursor.failure("expected 64 hexadecimal digits") }
        return digest
    }
}

/// The digest of a key.
enum FingerprintMember: MemberFormat {
    static func write(_ fingerprint: [UInt8], to writer: inout MemberWriter) {
        writer.json.string { $0.appendHex(fingerprint) }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> [UInt8]? {
        try DigestMember.read(from: &reader)?.bytes
    }
}

/// A receipt in base64; empty counts as absent.
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

/// A line in base64, which may be empty.
enum RejectedLineMember: MemberFormat {
    static func write(_ line: [UInt8], to writer: inout MemberWriter) {
        writer.json.string { json in line.withUnsafeBufferPointer { json.appendBase64($0) } }
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> [UInt8]? {
        try OctetsMember.read(from: &reader).map { Array(reader.contents.bytes.bytes[$0.indices]) } ?? []
    }
}

/// The types of attributes of receipts.
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
        try reader.remembered(in: \.types, where: { $0.level == level }) { (reader) throws(InvalidJSON) in
            var types = UndocumentedTypes(level)
            try reader.elements { (reader) throws(InvalidJSON) in
                guard let type = try reader.cursor.readInteger() else {
                    throw reader.cursor.failure("an attribute's type is missing")
                }
                types.insert(type)
            }
            return types
        }
    }
}
