package import MillDatabase
internal import MillSystem

/// What the file says of cases of fraud.
package struct FraudSection: Section {
    package var allowed = AllowedSubjects()

    static var keys: [Key<FraudSection>] {
        [
            Key(
                "allow", \.allowed, .section,
                "Subjects that make no case, such as testers'. Their signals stay as they are. Replaces what the "
                    + "database holds.")
        ]
    }
}

extension AllowedSubjects: Section {
    static var keys: [Key<AllowedSubjects>] {
        [
            Key(
                "accounts", \.accounts, .list("accounts", of: .text("an account")),
                "Accounts, as lines state them, also under pseudonym_key."),
            Key("devices", \.devices, .list("devices", of: .text("a device")), "Devices, in any notation."),
            Key(
                "installations", \.installations, .list("installations", of: .text("a lineage")),
                "Installations: lineage, as the view receipts has it."),
            Key(
                "receipts", \.receipts, .list("receipts", of: .text("a SHA-256")),
                "Receipts: SHA-256 of their bytes, in hexadecimal."),
        ]
    }
}
