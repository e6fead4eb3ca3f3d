/// The authority of receipts, on RSA.
extension Authority {
    /// When the store, and so the mint, went over to the second signer and to SHA-256.
    static let changeover = CalendarTime(2023, 2, 1)
    /// When the first signer and its intermediate ran out.
    static let firstSignerEnd = CalendarTime(2023, 2, 7)

    static func shared(seed: UInt64) throws -> Authority {
        try shared("receipts \(seed)") { try Authority(seed: seed) }
    }

    /// Makes all keys and certificates anew.
    ///
    /// The first era's times are Apple's. The second era's hold for every receipt that the mint
    /// makes, so that a defective chain of it has one defect only.
    init(seed: UInt64) throws {
        func key(_ name: String, bits: Int = 2_048) throws -> RSAKey {
            var random = SeededRandom(seed: seed, stream: "key " + name)
            return try RSAKey(bits: bits, random: &random)
        }
        var office = Office(serials: SeededRandom(seed: seed, stream: "serials"))
        let always = CalendarTime(2006, 4, 25)...CalendarTime(2035, 2, 9)
        let firstEra = CalendarTime(2013, 2, 7)...Self.firstSignerEnd
        let secondEra = CalendarTime(2018, 1, 1)...CalendarTime(2030, 12, 10)
        let signed = CalendarTime(2018, 1, 1)...CalendarTime(2030, 12, 9)
        func signer(_ validity: ClosedRange<CalendarTime>, marked: Bool = true) -> CertificateRequest {
            office.signer("Throw-away Mac App Store and iTunes Store Receipt Signing", validity, marked: marked)
        }

        let genuine = try office.root("Throw-away Root CA", key("root"), always)
        let foreign = try office.root("Throw-away Foreign Root CA", key("foreign root"), always)
        let first = try genuine.issue(office.intermediate("G1", firstEra), key("first intermediate"))
        let second = try genuine.issue(office.intermediate("G5", secondEra), key("second intermediate"))
        let unmarked = try genuine.issue(
            office.intermediate("G6", secondEra, marked: false), key("unmarked intermediate"))
        let foreignKey = try key("foreign intermediate")
        let abroad = try foreign.issue(office.intermediate("G5", secondEra), foreignKey)
        let secondSigner = try key("second signer")
        self.init(
            root: genuine,
            chains: [
                .first: try first.issue(signer(CalendarTime(2015, 11, 13)...Self.firstSignerEnd), key("first signer")),
                .second: try second.issue(signer(signed), secondSigner),
                // The same key under another certificate: the certificate decides, not the key.
                .unmarked: try second.issue(signer(signed, marked: false), secondSigner),
                .underUnmarkedIntermediate: try unmarked.issue(signer(signed), secondSigner),
                .foreign: try abroad.issue(signer(signed), key("foreign signer")),
                .impostor: try second.issue(signer(signed), key("impostor"), signedWith: foreignKey),
                .weak: try second.issue(signer(signed), key("weak signer", bits: 1_024)),
            ])
    }
}
