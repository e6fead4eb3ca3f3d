internal import Foundation

/// The rounds and sizes of tests: by day few, all where RECEIPTMILL_NIGHTLY is
/// set, which `.ci/nightly` does.
public enum Nightly {
    public static let isOn: Bool = {
        let isOn = ProcessInfo.processInfo.environment["RECEIPTMILL_NIGHTLY"] != nil
        if !isOn {
            FileHandle.standardError.write(
                Data("REDUCED: rounds and sizes of tests by day; RECEIPTMILL_NIGHTLY=1 runs all\n".utf8))
        }
        return isOn
    }()

    public static func rounds(day: Int, night: Int) -> Int { isOn ? night : day }
}
