internal import Foundation
internal import ReceiptFormat
internal import ReceiptTrust

/// The spellings of a person's identifier.
///
/// Bytes are compared, never texts by canonical equivalence: the searched texts are hostile, and normalising one could
/// take very long. The identifier is normalised instead.
struct PersonSpellings {
    /// The spellings in lower-case ASCII; searched bytes are converted in the same way.
    private let spellings: [[UInt8]]
    /// The identifier if it is a device, or a token in the form of a UUID; nil for an account, or an identifier of
    /// another form.
    private let device: DeviceIdentifier?
    /// Whether the identifier is a number as JSON writes one.
    private let isNumber: Bool
    /// The identifier's value; nil if the identifier is not a number, or has too many digits.
    private let number: Decimal?
    /// The number of bytes of the shortest spelling.
    let shortest: Int

    /// Shorter identifiers occur in many lines by chance, as a number or within a text. They count only as a whole
    /// value under a key that may name a person.
    private static let minimumClear = 4
    /// Identifiers of at least this many bytes count as a word within a longer text, too.
    private static let minimumClearWithin = 6
    /// Identifiers of at least this many bytes count wherever they occur, even within a word.
    private static let minimumUnmistakable = 8

    init(_ identifier: Erasure.Identifier) {
        let text = identifier.text
        let device: DeviceIdentifier? =
            switch identifier.kind {
            case .account, .subscriber: nil
            case .device: StoredName.device(text)
            case .appAccountToken: StoredName.device(text).flatMap { $0.count == 16 ? $0 : nil }
            }
        self.device = device
        var spellings = Set(Self.spellings(ofText: text))
        if let device { spellings.formUnion(Self.spellings(of: device)) }
        spellings = Set(spellings.map(Self.lowered))
        spellings.remove([])
        self.spellings = spellings.sorted { $0.count < $1.count }
        isNumber = text.wholeMatch(of: /-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,9})?/) != nil
        number = isNumber ? Self.number(Array(text.utf8)) : nil
        shortest = self.spellings.first?.count ?? 1
    }

    private static func spellings(ofText text: String) -> [[UInt8]] {
        let forms = [
            text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
            text.precomposedStringWithCompatibilityMapping, text.decomposedStringWithCompatibilityMapping,
        ]
        return forms.flatMap { [$0, $0.lowercased(), $0.uppercased()] }.flatMap { form -> [[UInt8]] in
            let encoded = [String.Encoding.isoLatin1, .windowsCP1252, .utf16LittleEndian, .utf16BigEndian]
                .compactMap { form.data(using: $0).map(Array.init) }
            return [Array(form.utf8)] + encoded
        }
    }

    private static func spellings(of device: DeviceIdentifier) -> [[UInt8]] {
        let bytes = device.bytes
        let pairs = bytes.map { Hex.text([$0]) }
        let digits = pairs.joined()
        var texts = [digits, String(decoding: Base64.text(bytes), as: UTF8.self).filter { $0 != "=" }]
        texts.append(texts[1].replacing("+", with: "-").replacing("/", with: "_"))
        if bytes.count == 6 {
            let short = bytes.map { String($0, radix: 16) }
            texts += [":", "-", ".", " "].flatMap { [pairs.joined(separator: $0), short.joined(separator: $0)] }
            texts.append(groups(of: [2, 2, 2], pairs).joined(separator: "."))
        } else {
            texts.append(groups(of: [4, 2, 2, 2, 6], pairs).joined(separator: "-"))
        }
        let wide = texts.flatMap { text in
            [String.Encoding.utf16LittleEndian, .utf16BigEndian].compactMap { text.data(using: $0).map(Array.init) }
        }
        return texts.map { Array($0.utf8) } + wide + [bytes]
    }

    private static func groups(of counts: [Int], _ pairs: [String]) -> [String] {
        var rest = pairs[...]
        return counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).joined()
        }
    }

    // MARK: Values

    /// Whether a text is the identifier, in any spelling.
    ///
    /// - Parameter isPersonal: whether the text is under a key that may name a person.
    func isIdentifier(_ text: [UInt8], isPersonal: Bool) -> Bool {
        guard isPersonal || shortest >= Self.minimumClear else { return false }
        if let device, DeviceIdentifier(parsing: text.span, in: ByteRange(offset: 0, count: text.count)) == device {
            return true
        }
        guard text.count <= (spellings.last?.count ?? 0) + Self.maximumPadding else { return false }
        let trimmed = Self.lowered(text).drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return spellings.contains { $0.elementsEqual(trimmed) }
    }

    /// The maximum number of bytes of white space around a value.
    private static let maximumPadding = 64

    func isIdentifier(number text: [UInt8], isPersonal: Bool) -> Bool {
        guard isNumber, isPersonal || shortest >= Self.minimumClear else { return false }
        if let number, Self.number(text) == number { return true }
        return spellings.contains(Self.lowered(text))
    }

    /// A `Decimal` rounds a number with more digits, so such a number is compared as text.
    private static let maximumDigits = 38

    /// The value of a JSON number; nil if a `Decimal` would round it.
    private static func number(_ text: [UInt8]) -> Decimal? {
        guard text.count(where: { (0x30...0x39).contains($0) }) <= maximumDigits else { return nil }
        return Decimal(string: String(decoding: text, as: UTF8.self), locale: nil)
    }

    /// Whether a longer text contains the identifier, and the identifier is long enough that this is no accident.
    func occurUnambiguously(in text: [UInt8]) -> Bool { shortest >= Self.minimumClearWithin && occur(in: text) }

    private static let personalKeys = [
        "account", "user", "customer", "client", "member", "player", "person", "owner", "subscriber", "login", "device",
        "token", "uid", "idfv", "guid", "mail",
    ].map { Array($0.utf8) }

    /// Whether a key of this name may hold a person or a device.
    static func mayNamePerson(key: [UInt8]) -> Bool {
        let key = lowered(key)
        return key.elementsEqual("id".utf8) || personalKeys.contains { ByteSearch.contains(key[...], $0) }
    }

    // MARK: Bytes

    /// Whether the identifier occurs in bytes, by the rules for its length.
    func occur(in bytes: [UInt8]) -> Bool {
        let bytes = Self.lowered(bytes)
        return spellings.contains { spelling in
            if spelling.count >= Self.minimumUnmistakable { return ByteSearch.contains(bytes[...], spelling) }
            return stands(spelling, alone: spelling.count < Self.minimumClear, in: bytes)
        }
    }

    /// Whether a short spelling occurs as a word.
    ///
    /// - Parameter isAlone: whether the spelling has to be a whole value.
    private func stands(_ spelling: [UInt8], alone isAlone: Bool, in bytes: [UInt8]) -> Bool {
        guard let first = spelling.first else { return false }
        var start = 0
        while let found = ByteSearch.firstIndex(of: first, in: bytes.span, start..<bytes.count) {
            start = found + 1
            let end = found + spelling.count
            guard end <= bytes.count else { return false }
            guard ByteSearch.isEqual(bytes.span, found..<end, spelling) else { continue }
            let before = found > 0 ? bytes[found - 1] : UInt8(ascii: " ")
            let after = end < bytes.count ? bytes[end] : UInt8(ascii: " ")
            if isAlone ? Self.begins(before) && Self.ends(after) : !Self.isWord(before) && !Self.isWord(after) {
                return true
            }
        }
        return false
    }

    private static func begins(_ byte: UInt8) -> Bool { byte <= 0x20 || "\":[,=(;|".utf8.contains(byte) }
    private static func ends(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"]},)&;|".utf8.contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte)
    }

    /// Whether bytes begin or end with at least half of the identifier, as in a cut line.
    func areCut(atAnEndOf bytes: [UInt8]) -> Bool {
        let bytes = Self.lowered(bytes)
        return spellings.contains { spelling in
            let minimum = max(Self.minimumClear, (spelling.count + 1) / 2)
            guard minimum < spelling.count else { return false }
            return (minimum..<spelling.count).contains { count in
                bytes.count >= count
                    && (bytes.suffix(count).elementsEqual(spelling.prefix(count))
                        || bytes.prefix(count).elementsEqual(spelling.suffix(count)))
            }
        }
    }

    private static func lowered(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    }
}
