internal import MillDatabase

extension SignalThresholds: ConfigurationSection {
    static var keys: [ConfigurationKey<SignalThresholds>] {
        known.map { threshold in
            ConfigurationKey(
                threshold.name, \.values[threshold.name], .number(threshold.range, threshold.unit),
                "\(threshold.meaning.prefix(1).uppercased())\(threshold.meaning.dropFirst()); "
                    + "\(threshold.value) where absent.")
        }
    }
}
