internal import Foundation
internal import ReceiptTrust

extension Pipeline {
    /// Refuses what the file names and what can't be used: anchors, certificates,
    /// the key of the pseudonyms, a folder of reports.
    func checkReferences(_ written: WrittenSection) throws(MillError) {
        for (place, anchor) in trust.anchors.enumerated() {
            try check(anchor, at: ["trust", "anchors", .place(place)], written) { try TrustAnchors(arguments: [$0]) }
        }
        for (place, anchor) in trust.anchorsWithoutMarkers.enumerated() {
            try check(anchor, at: ["trust", "anchors_without_markers", .place(place)], written) {
                try TrustAnchors.withoutMarkers(arguments: [$0])
            }
        }
        for (place, file) in trust.intermediates.enumerated() {
            _ = try written.checking(["trust", "intermediates", .place(place)]) {
                try IssuerCertificates(files: [file])
            }
        }
        if let pseudonymKey {
            _ = try written.checking(["pseudonym_key"]) { try Pseudonyms(keyFile: pseudonymKey) }
        }
        if reportFolder != nil { _ = try written.checking(["report_folder"]) { try catalog() } }
    }

    private func check(
        _ anchor: String, at way: [ConfigurationStep], _ written: WrittenSection,
        _ read: (String) throws -> TrustAnchors
    ) throws(MillError) {
        _ = try written.checking(way) {
            do {
                return try read(anchor)
            } catch var error as MillError where error.exitStatus == .missingInput {
                // A word that is no file was meant for the one word there is.
                let word = (anchor as NSString).lastPathComponent.lowercased()
                let near = nearestNames(to: word, among: ["apple"], limit: 1).first
                error.hint =
                    (near.map { "did you mean \($0)? " } ?? "")
                    + "give apple, sha256:HEX or a certificate file (PEM or DER)"
                throw error
            }
        }
    }

    /// Attribute 0 of receipts as the store writes it.
    private static let knownEnvironments = [
        "Production", "ProductionSandbox", "ProductionVPP", "ProductionVPPSandbox", "Sandbox", "Xcode", "LocalTesting",
    ]

    /// Refuses environments that no receipt has: one misspelled would raise an
    /// alarm every night. A test store of one's own may name its as it likes.
    func checkEnvironments(_ written: WrittenSection) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty else { return }
        let known = Self.knownEnvironments
        for (place, name) in environments.enumerated() where !known.contains(name) {
            let names = Dictionary(uniqueKeysWithValues: known.map { ($0.lowercased(), $0) })
            let near = nearestNames(to: name.lowercased(), among: Array(names.keys), limit: 1).first
            _ = try written.checking(["environments", .place(place)]) { () throws in
                throw MillError(
                    stage: .configuring,
                    what: "expected one of \(known.joined(separator: ", ")), found '\(name)'",
                    hint: near.flatMap { names[$0] }.map { "did you mean \($0)?" }, exitStatus: .configuration)
            }
        }
    }
}
