/// Writes elements as X.690 says, for tests that build their bytes by hand. It
/// shares nothing with the reader or with the mint.
public enum BER {
    /// Definite length in the fewest octets (8.1.3.3 to 8.1.3.5).
    public static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 128 { return [tag, UInt8(count)] + content }
        var octets: [UInt8] = []
        var rest = count
        while rest > 0 {
            octets.insert(UInt8(rest % 256), at: 0)
            rest /= 256
        }
        return [tag, 0x80 + UInt8(octets.count)] + octets + content
    }

    /// Indefinite length (8.1.3.6); `tag` must be constructed.
    public static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, 0x80] + content + [0, 0] }

    public static func sequence(_ members: [UInt8]...) -> [UInt8] { element(0x30, members.flatMap { $0 }) }
    public static func set(_ members: [UInt8]...) -> [UInt8] { element(0x31, members.flatMap { $0 }) }
    public static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    public static func utf8(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
    public static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }

    /// A number of one to four octets, not negative.
    public static func integer(_ value: Int) -> [UInt8] {
        var octets: [UInt8] = [UInt8(value % 256)]
        var rest = value / 256
        while rest > 0 || octets[0] > 127 {
            octets.insert(UInt8(rest % 256), at: 0)
            rest /= 256
        }
        return element(0x02, octets)
    }

    /// An attribute of a receipt: type, version 1, value.
    public static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        sequence(integer(type), integer(1), octets(value))
    }
}
