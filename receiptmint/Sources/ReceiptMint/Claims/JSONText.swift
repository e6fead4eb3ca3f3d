/// Writes JSON objects (RFC 8259) member by member, compact and in the order
/// given, as the store does.
struct JSONText {
    private(set) var members: [(key: String, value: [UInt8])] = []

    var encoded: [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Self.string(member.key)
            bytes.append(UInt8(ascii: ":"))
            bytes += member.value
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    mutating func add(_ key: String, _ text: String?) {
        if let text { members.append((key, Self.string(text))) }
    }

    mutating func add(_ key: String, _ number: Int64?) {
        if let number { members.append((key, Array(String(number).utf8))) }
    }

    mutating func add(_ key: String, _ isTrue: Bool) {
        members.append((key, Array((isTrue ? "true" : "false").utf8)))
    }

    /// Milliseconds since 1970, as the store writes dates.
    mutating func add(_ key: String, _ time: CalendarTime?) { add(key, time?.milliseconds) }

    mutating func add(_ key: String, _ object: JSONText) { members.append((key, object.encoded)) }

    /// JSON text as it is.
    mutating func add(_ key: String, json: [UInt8]) { members.append((key, json)) }

    /// As `add`, in the place of the member that has the name, if there is one.
    mutating func put(_ key: String, json: [UInt8]) {
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index].value = json
        } else {
            add(key, json: json)
        }
    }

    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + Array(elements.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }

    /// All that the mint writes is free of control characters.
    static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }

    static func string(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(text.count + 2)
        if text.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for byte in text {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        } else {
            bytes += text
        }
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }
}
