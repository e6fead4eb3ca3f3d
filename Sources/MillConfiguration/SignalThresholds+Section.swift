internal import MillDatabase

extension SignalThresholds: Section {
    static var keys: [Key<SignalThresholds>] {
        known.map { threshold in
            Key(
                threshold.name, \.values[threshold.name], .optional(.number(threshold.range, threshold.unit)),
                "\(threshold.meaning.prefix(1).uppercased())\(threshold.meaning.dropFirst()); "
                    + "\(threshold.value) where absent.")
        }
    }
}
