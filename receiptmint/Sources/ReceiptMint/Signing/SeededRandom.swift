internal import Foundation

/// Numbers that follow from a seed alone: SplitMix64 (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
///
/// The standard library's `random(in:using:)` and `shuffled(using:)` promise
/// no particular algorithm, so the draws are spelled out here: an archive has
/// to come out the same after an update of the toolchain.
struct SeededRandom: Sendable {
    var state: UInt64

    /// A stream of its own for each name and number under one seed, so that
    /// what one part draws never shifts another's draws.
    init(seed: UInt64, stream: String, number: UInt64 = 0) {
        var mixed: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in stream.utf8 {
            mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        state = seed
        state = next() ^ mixed
        state = next() ^ number
    }

    /// 64 bits, any as likely as any other.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A value from 0 up to, not including, `bound`; 0 where there is none.
    mutating func below(_ bound: Int) -> Int {
        bound > 1 ? Int(next().multipliedFullWidth(by: UInt64(bound)).high) : 0
    }

    /// A number of the range, its ends included.
    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// So many whole seconds, in milliseconds, as the next two.
    mutating func seconds(_ range: ClosedRange<Int>) -> Int64 { .seconds(int(range)) }
    mutating func wholeHours(_ range: ClosedRange<Int>) -> Int64 { .hours(int(range)) }
    mutating func days(_ range: ClosedRange<Int>) -> Int64 { .days(int(range)) }

    /// Whether something of this probability happens.
    mutating func chance(_ probability: Double) -> Bool {
        Double(next() >> 11) * 0x1p-53 < probability
    }

    /// So many random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: next().littleEndian) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    /// A random UUID: version 4, variant 1 (RFC 9562 5.4).
    mutating func version4() -> UUID {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The text of a random UUID in lower case.
    mutating func uuid() -> String { version4().uuidString.lowercased() }

    /// One of the elements, which must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// An index, drawn in proportion to its weight.
    mutating func weighted(_ weights: [Int]) -> Int {
        var remaining = below(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if remaining < weight { return index }
            remaining -= weight
        }
        return weights.count - 1
    }

    /// One of the elements, which must not be empty, drawn in proportion to its weight.
    mutating func pick<Element>(_ elements: [Element], by weight: (Element) -> Int) -> Element {
        elements[weighted(elements.map(weight))]
    }

    /// Puts the elements into a random order (Fisher and Yates).
    mutating func shuffle<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(last, below(last + 1))
        }
    }
}
