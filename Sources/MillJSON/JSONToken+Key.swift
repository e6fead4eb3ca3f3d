package import MillBytes

extension JSONToken {
    /// The number of the known key in a token, even if characters are escaped; nil for an unknown key.
    package func number(in keys: KeyTable, _ bytes: Span<UInt8>) -> Int? {
        guard hasEscapes else { return keys.number(bytes, range) }
        guard let name = JSONString.unescaped(bytes, in: range) else { return nil }
        return keys.number(name.span, name.indices)
    }
}
