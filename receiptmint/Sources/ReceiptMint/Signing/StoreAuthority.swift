/// The authority of signed strings, shaped as the store's: root and intermediate on P-384, signers on P-256.
enum StoreAuthority {
    /// When the store, and so the mint, went over to the second signer: some
    /// weeks in which both are valid.
    static let changeover = CalendarTime(2025, 9, 27)
    /// When the first signer ran out.
    static let firstSignerEnd = CalendarTime(2025, 10, 11)

    private static let signed = CalendarTime(2023, 9, 12)...CalendarTime(2027, 10, 13)
    static let shape = Authority.Shape(
        stream: "store ", root: ("Throw-away Root CA - G3", "Throw-away Root CA - G3"),
        foreignRoot: ("Throw-away Foreign Root CA - G3", "Throw-away Foreign Root CA - G3"),
        issuer: ("G6", "intermediate"), signerName: "Throw-away ECC Mac App Store and iTunes Store Receipt Signing",
        roots: CalendarTime(2014, 4, 30)...CalendarTime(2039, 4, 30),
        issuers: CalendarTime(2021, 3, 17)...CalendarTime(2036, 3, 19), first: signed.lowerBound...firstSignerEnd,
        second: CalendarTime(2025, 9, 19)...signed.upperBound, signed: signed,
        key: { try ECKey($0.hasSuffix("signer") || $0 == "impostor" ? .p256 : .p384, random: &$1) })
}
