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
        let words = beginnings(of: argument.dropFirst(2).split(separator: "-"))
        return Defect.allCases.first { beginnings(of: $0.rawValue.split(separator: "_")) == words }
            .map { ("--defect", $0.rawValue) }
    }

    private static func beginnings(of words: [Substring]) -> [Substring] { words.map { $0.prefix(3) } }
}
