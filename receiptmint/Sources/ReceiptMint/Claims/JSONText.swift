/// A value as JSON states it (RFC 8259).
protocol JSONValue {
    var json: [UInt8] { get }
}

/// Writes JSON objects member by member, compact and in the order given, as the store does. A member
/// without a value is left out.
struct JSONText: JSONValue, ExpressibleByDictionaryLiteral {
    var members: [(key: String, value: [UInt8])] = []

    init() {}

    /// The members of several objects, one after another.
    init(joining objects: JSONText...) { members = objects.flatMap(\.members) }

    init(dictionaryLiteral elements: (String, (any JSONValue)?)...) {
        for (key, value) in elements { add(key, value) }
    }

    var json: [UInt8] { text() }

    func text(open: String = "{", comma: String = ",", colon: String = ":", close: String = "}") -> [UInt8] {
        var bytes = Array(open.utf8)
        for (index, member) in members.enumerated() {
            if index > 0 { bytes += comma.utf8 }
            bytes += member.key.json
            bytes += colon.utf8
            bytes += member.value
        }
        return bytes + close.utf8
    }

    mutating func add(_ key: String, _ value: (any JSONValue)?) {
        if let value { members.append((key, value.json)) }
    }

    /// As `add`, in the place of the member that has the name, if there is one.
    mutating func put(_ key: String, _ value: any JSONValue) {
        guard let index = members.firstIndex(where: { $0.key == key }) else { return add(key, value) }
        members[index].value = value.json
    }

    /// With its members by name, as truth is written.
    var sorted: JSONText {
        var json = self
        json.members.sort { $0.key < $1.key }
        return json
    }

    /// Text in quotes. All that the mint writes is free of control characters.
    static func string(_ text: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        bytes.reserveCapacity(text.count + 2)
        for byte in text {
            if byte == quote || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return bytes + [quote]
    }
}

/// JSON that is written already.
struct WrittenJSON: JSONValue {
    let json: [UInt8]
}

extension String: JSONValue {
    var json: [UInt8] { JSONText.string(Array(utf8)) }
}

extension JSONValue where Self: BinaryInteger {
    var json: [UInt8] { Array(String(self).utf8) }
}

extension Int: JSONValue {}
extension Int64: JSONValue {}

extension Double: JSONValue {
    /// Whole numbers have no fraction.
    var json: [UInt8] { Array((Int64(exactly: self)?.description ?? description).utf8) }
}

extension Bool: JSONValue {
    var json: [UInt8] { Array(String(self).utf8) }
    /// As views show it.
    var number: Int { self ? 1 : 0 }
    /// The store states some members only if they are true.
    var ifTrue: Bool? { self ? true : nil }
}

/// Milliseconds since 1970, as the store writes dates.
extension CalendarTime: JSONValue {
    var json: [UInt8] { milliseconds.json }
}

extension Array: JSONValue where Element: JSONValue {
    var json: [UInt8] { [UInt8]("[".utf8) + [UInt8](map(\.json).joined(separator: [UInt8(ascii: ",")])) + "]".utf8 }
}
