internal import MillDatabase

extension AllowedSubjects: ConfigurationSection {
    /// The keys of the section `fraud` of a pipeline file.
    static var keysOfFraud: [Key] {
        [
            Key(
                "allow", \.self, .section,
                "Subjects that make no case, such as testers'. Their signals stay as they are. Replaces what the "
                    + "database holds.")
        ]
    }

    static var keys: [Key] {
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

extension SignalThresholds: ConfigurationSection {
    static var keys: [Key] {
        known.map { threshold in
            Key(
                threshold.name, \.values[threshold.name], .number(threshold.range, threshold.unit),
                "\(threshold.meaning.prefix(1).uppercased())\(threshold.meaning.dropFirst()); "
                    + "\(threshold.value) where absent.")
        }
    }
}
