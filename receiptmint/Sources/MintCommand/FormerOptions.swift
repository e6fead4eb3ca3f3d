internal import Foundation
internal import ReceiptMint

/// Options of earlier versions, which named one defect each. They still work, with a warning.
enum FormerOptions {
    static func replaced(in arguments: [String]) -> [String] {
        var (replaced, rest) = ([String](), arguments[...])
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard let (option, kind) = present(parts.first ?? ""),
                let share = parts.count > 1 ? parts[1] : rest.popFirst()
            else {
                replaced.append(argument)
                continue
            }
            FileHandle.standardError.write(
                Data("receiptmint: warning: \(parts[0]) is now \(option) \(kind)=\(share)\n".utf8))
            replaced += [option, "\(kind)=\(share)"]
        }
        return replaced
    }

    private static func present(_ argument: String) -> (option: String, kind: String)? {
        if argument == "--lacking" { return ("--store-share", StoreClass.notInArchive.rawValue) }
        guard argument.hasPrefix("--") else { return nil }
        // The options had their names in the plural: --hash-mismatches, --expiries-before-purchase.
        let words = argument.dropFirst(2).split(separator: "-").map(singular)
        return Defect.allCases.first { $0.rawValue.split(separator: "_").map(singular) == words }
            .map { ("--defect", $0.rawValue) }
    }

    private static func singular(_ word: Substring) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return String(word.hasSuffix("ches") ? word.dropLast(2) : word.hasSuffix("s") ? word.dropLast() : word)
    }
}
