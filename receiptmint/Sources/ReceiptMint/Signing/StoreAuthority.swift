/// The authority of signed strings, shaped as the store's: root and intermediate on P-384, signers on P-256.
enum StoreAuthority {
    /// When the store, and so the mint, went over to the second signer: some
    /// weeks in which both are valid.
    static let changeover = CalendarTime(2025, 9, 27)
    /// When the first signer ran out.
    static let firstSignerEnd = CalendarTime(2025, 10, 11)

    static func shared(seed: UInt64) throws -> Authority {
        try Authority.shared("strings \(seed)") { try make(seed: seed) }
    }

    private static func make(seed: UInt64) throws -> Authority {
        func key(_ name: String, _ curve: ECKey.Curve) throws -> ECKey {
            var random = SeededRandom(seed: seed, stream: "store key " + name)
            return try ECKey(curve, random: &random)
        }
        var office = Authority.Office(serials: SeededRandom(seed: seed, stream: "store serials"))
        let always = CalendarTime(2014, 4, 30)...CalendarTime(2039, 4, 30)
        let issuing = CalendarTime(2021, 3, 17)...CalendarTime(2036, 3, 19)
        // Defective chains are valid for all that the mint signs, so that each has one defect only.
        let signed = CalendarTime(2023, 9, 12)...CalendarTime(2027, 10, 13)
        func root(_ name: String) throws -> Authority.Chain { try office.root(name, key(name, .p384), always) }
        func signer(_ validity: ClosedRange<CalendarTime>, marked: Bool = true) -> CertificateRequest {
            office.signer("Throw-away ECC Mac App Store and iTunes Store Receipt Signing", validity, marked: marked)
        }

        let genuine = try root("Throw-away Root CA - G3")
        let foreign = try root("Throw-away Foreign Root CA - G3")
        let issuer = try genuine.issue(office.intermediate("G6", issuing), key("intermediate", .p384))
        let unmarked = try genuine.issue(
            office.intermediate("G6", issuing, marked: false), key("unmarked intermediate", .p384))
        let abroadKey = try key("foreign intermediate", .p384)
        let abroad = try foreign.issue(office.intermediate("G6", issuing), abroadKey)
        let second = try key("second signer", .p256)
        return Authority(
            root: genuine,
            chains: [
                .first: try issuer.issue(signer(signed.lowerBound...firstSignerEnd), key("first signer", .p256)),
                .second: try issuer.issue(signer(CalendarTime(2025, 9, 19)...signed.upperBound), second),
                .unmarked: try issuer.issue(signer(signed, marked: false), second),
                .underUnmarkedIntermediate: try unmarked.issue(signer(signed), second),
                .foreign: try abroad.issue(signer(signed), key("foreign signer", .p256)),
                .impostor: try issuer.issue(signer(signed), key("impostor", .p256), signedWith: abroadKey),
            ])
    }
}
