internal import Foundation
internal import MillSystem
internal import ReceiptReports
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
                let word = PathParts.name(of: anchor).lowercased()
                let near = nearestNames(to: word, among: ["apple"], limit: 1).first
                error.hint =
                    (near.map { "did you mean \($0)? " } ?? "")
                    + "give apple, sha256:HEX or a certificate file (PEM or DER)"
                throw error
            }
        }
    }

    /// Refuses environments that no receipt has: one misspelled would raise an
    /// alarm every night. A test store of one's own may name its as it likes.
    func checkEnvironments(_ written: WrittenSection) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty else { return }
        for (place, name) in environments.enumerated() {
            try checkEnvironment(name, at: ["environments", .place(place)], written)
        }
    }

    /// The same of a report's parameter, whose text has been read.
    func checkEnvironments(
        of value: ReportValue, at way: [ConfigurationStep], _ written: WrittenSection
    ) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty, case .text(let text) = value, text != "all" else { return }
        for name in text.split(separator: ",") { try checkEnvironment(String(name), at: way, written) }
    }

    private func checkEnvironment(
        _ name: String, at way: [ConfigurationStep], _ written: WrittenSection
    ) throws(MillError) {
        guard !EnvironmentNames.ofStore.contains(name) else { return }
        _ = try written.checking(way) { () throws in
            throw MillError(
                stage: .configuring,
                what: "expected one of \(EnvironmentNames.ofStore.joined(separator: ", ")), found '\(name)'",
                hint: EnvironmentNames.nearest(to: name).map { "did you mean \($0)?" }, exitStatus: .configuration)
        }
    }
}
