/// Reads members of JSON objects by known keys, and values of one type. A null counts as an absent value.
extension JSONCursor {
    /// Moves past an object's next key and its colon, and past the preceding brace or comma.
    ///
    /// - Parameter isFirst: whether no key was read yet; the caller starts with true.
    /// - Returns: nil after the closing brace.
    @_lifetime(self: copy self)
    @usableFromInline package mutating func nextKey(_ isFirst: inout Bool) throws(InvalidJSON) -> JSONToken? {
        if isFirst { try expect(UInt8(ascii: "{"), "an object") }
        skipWhitespace()
        if skip(UInt8(ascii: "}")) { return nil }
        if !isFirst {
            try expect(UInt8(ascii: ","), "a comma or a brace")
            skipWhitespace()
        }
        isFirst = false
        let key = try readString()
        skipWhitespace()
        try expect(UInt8(ascii: ":"), "a colon")
        skipWhitespace()
        return key
    }

    /// Moves to an array's next value; returns false after the closing bracket.
    @_lifetime(self: copy self)
    package mutating func nextValue(_ isFirst: inout Bool) throws(InvalidJSON) -> Bool {
        if isFirst { try expect(UInt8(ascii: "["), "an array") }
        skipWhitespace()
        if skip(UInt8(ascii: "]")) { return false }
        if !isFirst {
            try expect(UInt8(ascii: ","), "a comma or a bracket")
            skipWhitespace()
        }
        isFirst = false
        return true
    }

    /// Reads a string; returns nil if it is empty.
    @_lifetime(self: copy self)
    package mutating func readText() throws(InvalidJSON) -> JSONToken? {
        let token = try readValue(depth: 1)
        switch token.kind {
        case .null: return nil
        case .string: return token.range.isEmpty ? nil : token
        default: throw failure("expected a string")
        }
    }

    /// Reads a 64-bit integer.
    @_lifetime(self: copy self)
    package mutating func readInteger() throws(InvalidJSON) -> Int64? {
        let token = try readValue(depth: 1)
        if token.kind == .null { return nil }
        guard token.kind == .number, let value = JSONNumber.integer(bytes, in: token.range) else {
            throw failure("expected an integer of 64 bits")
        }
        return value
    }

    @_lifetime(self: copy self)
    package mutating func readFlag() throws(InvalidJSON) -> Bool {
        let token = try readValue(depth: 1)
        if token.kind == .null { return false }
        guard token.kind == .boolean else { throw failure("expected true or false") }
        return token.range.count == "true".utf8.count
    }
}
