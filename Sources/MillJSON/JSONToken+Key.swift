package import MillBytes

extension JSONToken {
    /// The number of the known key that the token is, however its characters are escaped; nil where it is
    /// none.
    package func number(in keys: KeyTable, _ bytes: Span<UInt8>) -> Int? {
        guard hasEscapes else { return keys.number(bytes, range) }
        guard let name = JSONString.unescaped(bytes, in: range) else { return nil }
        return keys.number(name.span, name.indices)
    }
}
