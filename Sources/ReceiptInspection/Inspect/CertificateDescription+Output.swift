internal import ReceiptTrust

extension ReportWriter {
    /// Writes a certificate, or states that its bytes are not a certificate.
    ///
    /// - Parameters:
    ///   - count: the number of the certificate's bytes; nil if there are none.
    ///   - unreadable: the label and content of the line that is written in text for an unreadable certificate.
    mutating func certificate(_ found: CertificateDescription?, bytes count: Int?, unreadable: (String, String)) {
        member("bytes", count)
        guard let found else {
            member("readable", false)
            return text(unreadable.0, unreadable.1)
        }
        field("subject", found.subject)
        field("issuer", found.issuer)
        field("serial", found.serialNumber)
        member("not_before", found.validity?.lowerBound.date)
        member("not_after", found.validity?.upperBound.date)
        text("valid", found.validity.map { "\($0.lowerBound.date) to \($0.upperBound.date)" } ?? "unreadable dates")
        field("key_algorithm", as: "key", found.keyAlgorithm) { $0 + (found.keyBits.map { ", \($0) bits" } ?? "") }
        member("key_bits", found.keyBits)
        field("signature_algorithm", as: "signed with", found.signatureAlgorithm)
        field("is_certificate_authority", as: "authority", found.isCertificateAuthority) {
            $0 ? "yes" + (found.pathLength.map { ", path length \($0)" } ?? "") : nil
        }
        member("path_length", found.pathLength)
        member("sha256", found.sha256.hex)
        list("markers", found.markers) { report, marker in
            report.member("oid", marker.identifier)
            report.member("name", marker.name)
            report.text("marker", marker.identifier + (marker.name.map { " \($0)" } ?? ""))
        }
        text("marker", found.markers.isEmpty ? "none" : nil)
        text("sha256", found.sha256.hex)
    }
}
