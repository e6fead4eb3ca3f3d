package import MillDatabase
internal import MillSystem

/// The section `fraud` of a pipeline file.
package struct FraudSection: ConfigurationSection {
    package var allowed = AllowedSubjects()

    static var keys: [ConfigurationKey<FraudSection>] {
        [
            ConfigurationKey(
                "allow", \.allowed, .section,
                "Subjects that make no case, such as testers'. Their signals stay as they are. Replaces what the "
                    + "database holds.")
        ]
    }
}

extension AllowedSubjects: ConfigurationSection {
    static var keys: [ConfigurationKey<AllowedSubjects>] {
        [
            ConfigurationKey(
                "accounts", \.accounts, .list("accounts", of: .text("an account")),
                "Accounts, as lines state them, also under pseudonym_key."),
            ConfigurationKey(
                "devices", \.devices, .list("devices", of: .text("a device")), "Devices, in any notation."),
            ConfigurationKey(
                "installations", \.installations, .list("installations", of: .text("a lineage")),
                "Installations: lineage, as the view receipts has it."),
            ConfigurationKey(
                "receipts", \.receipts, .list("receipts", of: .text("a SHA-256")),
                "Receipts: SHA-256 of their bytes, in hexadecimal."),
        ]
    }
}
