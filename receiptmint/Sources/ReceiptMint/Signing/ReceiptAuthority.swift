/// The authority of receipts, on RSA.
extension Authority {
    /// When the store, and so the mint, went over to the second signer and to SHA-256.
    static let changeover = CalendarTime(2023, 2, 1)
    /// When the first signer and its intermediate ran out.
    static let firstSignerEnd = CalendarTime(2023, 2, 7)

    /// The first era's times are Apple's. The second era's hold for every receipt that the mint
    /// makes, so that a defective chain of it has one defect only.
    static let ofReceipts = Shape(
        stream: "", root: ("Throw-away Root CA", "root"),
        foreignRoot: ("Throw-away Foreign Root CA", "foreign root"), issuer: ("G5", "second intermediate"),
        signerName: "Throw-away Mac App Store and iTunes Store Receipt Signing",
        firstIssuer: ("G1", CalendarTime(2013, 2, 7)...firstSignerEnd),
        roots: CalendarTime(2006, 4, 25)...CalendarTime(2035, 2, 9),
        issuers: CalendarTime(2018, 1, 1)...CalendarTime(2030, 12, 10),
        first: CalendarTime(2015, 11, 13)...firstSignerEnd, second: secondEra, signed: secondEra,
        key: { try RSAKey(bits: $0 == "weak signer" ? 1_024 : 2_048, random: &$1) })
    private static let secondEra = CalendarTime(2018, 1, 1)...CalendarTime(2030, 12, 9)
}
