internal import Foundation
internal import MillSystem
internal import ReceiptReports
internal import ReceiptTrust

extension Pipeline {
    /// Refuses files that the pipeline names and that can't be used: anchors,
    /// certificates, the key of the pseudonyms, a folder of reports.
    func checkReferences(_ written: WrittenSection) throws(MillError) {
        try written.checkingEach(trust.anchors, of: ["trust", "anchors"]) { anchor in
            try Self.check(anchor) { try TrustAnchors(arguments: [$0]) }
        }
        try written.checkingEach(trust.anchorsWithoutMarkers, of: ["trust", "anchors_without_markers"]) { anchor in
            try Self.check(anchor) { try TrustAnchors.withoutMarkers(arguments: [$0]) }
        }
        try written.checkingEach(trust.intermediates, of: ["trust", "intermediates"]) {
            _ = try IssuerCertificates(files: [$0])
        }
        if let pseudonymKey { _ = try written.checking(["pseudonym_key"]) { try Pseudonyms(keyFile: pseudonymKey) } }
        if reportFolder != nil { _ = try written.checking(["report_folder"]) { try catalog() } }
    }

    private static func check(_ anchor: String, _ read: (String) throws -> TrustAnchors) throws {
        do {
            _ = try read(anchor)
        } catch var error as MillError where error.exitStatus == .missingInput {
            // A misspelt word was meant for the only one that is allowed.
            let near = nearestNames(to: PathParts.name(of: anchor).lowercased(), among: ["apple"], limit: 1).first
            error.hint =
                (near.map { "did you mean \($0)? " } ?? "")
                + "give apple, sha256:HEX or a certificate file (PEM or DER)"
            throw error
        }
    }

    /// Refuses environments that no receipt has: one misspelled would raise an
    /// alarm every night. A test store of one's own may name its as it likes.
    func checkEnvironments(_ written: WrittenSection) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty else { return }
        for (index, name) in environments.enumerated() {
            try Self.checkEnvironment(name, at: ["environments", .index(index)], written)
        }
    }

    /// The same of a report's parameter, whose text has been read.
    func checkEnvironments(
        of value: ReportValue, at way: [ConfigurationStep], _ written: WrittenSection
    ) throws(MillError) {
        guard trust.anchorsWithoutMarkers.isEmpty, case .text(let text) = value, text != "all" else { return }
        for name in text.split(separator: ",") { try Self.checkEnvironment(String(name), at: way, written) }
    }

    private static func checkEnvironment(
        _ name: String, at way: [ConfigurationStep], _ written: WrittenSection
    ) throws(MillError) {
        guard !EnvironmentNames.ofStore.contains(name) else { return }
        throw written.node(at: way).fault(
            "expected one of \(EnvironmentNames.ofStore.joined(separator: ", ")), found '\(name)'",
            hint: EnvironmentNames.nearest(to: name).map { "did you mean \($0)?" })
    }
}
