internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

extension Inspection {
    /// Writes the content of the report, all but the faults. Offsets count from the
    /// receipt's first byte, or from the first of joined content; in text long hex is cut.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.field("kind", kind.rawValue)
        report.field("bytes", receipt.count)
        report.field("sha256", digest.hex)
        if kind == .appReceipt { writeContainer(to: &report, bytes) }
        transaction?.write(to: &report, bytes)
    }

    private func writeContainer(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.field("encoding", outline.isBasicEncoded ? "BER" : "DER")
        report.section("container", "container") { report in
            report.object("content_type", as: "type", outline.contentType, bytes)
            report.field("version", outline.version)
            report.list("digest_algorithms", outline.digestAlgorithms) { $0.object(as: "digest", $1, bytes) }
            report.object("encapsulated_content_type", as: "content type", outline.encapsulatedContentType, bytes)
            report.member("content_bytes", content.map(\.count))
            report.member("content_in_chunks", isContentJoined)
            report.text("content", content.map { "\($0.count) bytes" + (isContentJoined ? ", in chunks" : "") })
            report.flag("has_revocation_lists", as: "crls", outline.hasRevocationLists, "revocation lists, not shown")
        }
        let signers = outline.signers.count
        report.list("signers", outline.signers, title: { signers == 1 ? "signer" : "signer \($0 + 1) of \(signers)" }) {
            write($1, to: &$0, bytes)
        }
        let entries = Array(zip(outline.certificates, certificates))
        report.list("certificates", entries, title: { "certificate \($0 + 1) of \(entries.count)" }) { report, entry in
            let (range, certificate) = entry
            let offset = range.offset - receipt.offset
            report.member("offset", offset)
            report.member("bytes", range.count)
            if certificate == nil { report.member("readable", false) }
            certificate?.write(to: &report)
            report.text("unreadable", certificate == nil ? "\(range.count) bytes at byte \(offset)" : nil)
        }
        let base = isContentJoined ? content?.offset ?? 0 : receipt.offset
        InspectedAttribute.write(attributes, heading: "attributes: \(attributes.count)", to: &report, bytes, base: base)
    }

    private func write(_ signer: SignerOutline, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.field("version", signer.version)
        switch signer.identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            let name = CertificateDescription.name(bytes, in: issuer)
            report.field("issuer", report.isText ? name ?? "unreadable" : name)
            report.field("serial", bytes.hex(serialNumber))
        case .subjectKeyIdentifier(let range): report.field("subject_key_identifier", as: "key", bytes.hex(range))
        case nil: break
        }
        report.object("digest_algorithm", as: "digest", signer.digestAlgorithm, bytes)
        report.object("signature_algorithm", as: "algorithm", signer.signatureAlgorithm, bytes)
        if let attributes = signer.signedAttributes {
            report.list("signed_attributes", attributes) { report, attribute in
                report.object("type", attribute.type, bytes)
                report.hex("values_hex", attribute.values, bytes)
                let type = NamedObject(bytes, in: attribute.type).text
                report.text("signs", "\(type): \(bytes.cutHex(attribute.values))")
            }
        } else {
            report.field("signed_attributes", as: "signs", report.isText ? "the content; no signed attributes" : nil)
        }
        report.member("signature_bytes", signer.signature.map(\.count))
        if let signature = signer.signature { report.hex("signature_hex", signature, bytes) }
        report.text("signature", signer.signature.map { bytes.cutHex($0) })
        report.flag("has_unsigned_attributes", as: "unsigned", signer.hasUnsignedAttributes, "attributes, not shown")
    }
}

extension CertificateDescription {
    func write(to report: inout ReportWriter) {
        report.field("subject", subject)
        report.field("issuer", issuer)
        report.field("serial", serialNumber)
        report.date("not_before", validity?.lowerBound)
        report.date("not_after", validity?.upperBound)
        report.member("key_algorithm", keyAlgorithm)
        report.member("key_bits", keyBits)
        let dates = validity.map { [$0.lowerBound, $0.upperBound].map(CivilTime.iso8601).joined(separator: " to ") }
        report.text("valid", dates ?? "unreadable dates")
        report.text("key", keyAlgorithm + (keyBits.map { ", \($0) bits" } ?? ""))
        report.field("signature_algorithm", as: "signed with", signatureAlgorithm)
        let limit = pathLength.map { ", path length \($0)" } ?? ""
        report.flag("is_certificate_authority", as: "authority", isCertificateAuthority, "yes" + limit)
        report.member("path_length", pathLength)
        report.member("sha256", sha256.hex)
        report.list("markers", markers) { report, marker in
            report.member("oid", marker.identifier)
            report.member("name", marker.name)
            report.text("marker", marker.identifier + (marker.name.map { " \($0)" } ?? ""))
        }
        report.text("marker", markers.isEmpty ? "none" : nil)
        report.text("sha256", sha256.hex)
    }
}

extension InspectedAttribute {
    fileprivate static func write(
        _ attributes: [InspectedAttribute], heading: String?, to report: inout ReportWriter, _ bytes: Span<UInt8>,
        base: Int
    ) {
        report.list("attributes", heading: heading, attributes, title: { attributes[$0].line }) { report, attribute in
            attribute.write(to: &report, bytes, base: base)
        }
    }

    private func write(to report: inout ReportWriter, _ bytes: Span<UInt8>, base: Int) {
        report.member("type", attribute.type)
        report.member("name", name?.text)
        report.member("name_source", name?.source.rawValue)
        report.member("version", attribute.version)
        report.member("offset", attribute.value.offset - base)
        report.member("bytes", attribute.value.count)
        report.member("form", value.form.rawValue)
        if let integer = value.integer { report.member("value", integer) } else { report.member("value", text) }
        if let spelled { report.member("spelled", spelled) }
        if let date { report.date("date", date) }
        report.hex("hex", attribute.value, bytes)
        if let nested { Self.write(nested, heading: nil, to: &report, bytes, base: base) }
        if nested?.isEmpty ?? true, !attribute.value.isEmpty {
            report.line(bytes.cutHex(attribute.value), indent: 1)
        }
    }

    private var line: String {
        let title = name.map { $0.text + ($0.source == .observed ? " (not documented)" : "") } ?? "unknown"
        let line = "\(attribute.type) \(title), version \(attribute.version), \(value.form.rawValue)"
        return line + (shown.map { ": \($0)" } ?? "")
    }

    private var shown: String? {
        if let integer = value.integer { return String(integer) + (spelled.map { " (\"\($0)\")" } ?? "") }
        guard let text else { return nil }
        let written = date.map(CivilTime.iso8601)
        return "\"\(text)\"" + (written == nil || written == text ? "" : " = \(written ?? "")")
    }
}

extension InspectedTransaction {
    /// Long values, such as the base64 of both parts, are cut in text.
    fileprivate func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let heading = "property list, of which purchase-info alone is signed: \(Self.keys(envelope))"
        report.list("property_list", heading: heading, envelope) { $1.write(to: &$0) }
        if let signature {
            report.section("signature", "signature: \(signature.bytes.count) bytes") { signature.write(to: &$0, bytes) }
        } else {
            report.member("signature", nil as String?)
        }
        report.member("purchase_info_bytes", purchaseInfoCount)
        let title = purchaseInfoCount.map { "purchase-info: \(Self.keys(purchaseInfo)), \($0) bytes" }
        report.list("purchase_info", heading: title, purchaseInfo) { $1.write(to: &$0) }
        report.member("environment", environment?.name)
        report.member("is_environment_contradicted", environment?.isContradicted)
        if let environment, environment.isContradicted {
            report.line("environment: \(environment.name); outside the signature it says otherwise")
        }
    }

    private static func keys(_ members: [InspectedMember]) -> String {
        members.count == 1 ? "1 key" : "\(members.count) keys"
    }
}

extension InspectedMember {
    private static let longest = 80

    fileprivate func write(to report: inout ReportWriter) {
        report.line(line)
        report.member("key", key)
        report.member("name", name)
        report.member("value", value)
        if isWrittenOtherwise { report.member("written", written) }
        if let date { report.date("date", date) }
    }

    private var line: String {
        let isPlain = name.map { $0 ~= key || $0 ~= key.replacing("-", with: "_") } ?? false
        let title = isPlain ? key.string : "\(key) (\(name ?? "unknown"))"
        let shown = written.shortened(over: Self.longest, to: Self.longest)
        return "\(title): \(shown)" + (date.map { " = " + CivilTime.iso8601(milliseconds: $0) } ?? "")
    }
}

extension InspectedSignature {
    fileprivate func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.member("bytes", self.bytes.count)
        report.field("version", version)
        report.member("digest_algorithm", blob == nil ? nil : DigestAlgorithm.sha1.rawValue)
        report.member("signature_bytes", blob.map { Int64($0.signature.count) })
        if let blob { report.hex("signature_hex", blob.signature, bytes) }
        report.text("digest", blob == nil ? nil : "sha1, over the version and purchase-info")
        report.text("signature", blob.map { bytes.cutHex($0.signature) })
        if let range = blob?.certificate {
            if certificate != nil {
                report.line("certificate of the signer; those of its issuers are not in the receipt", indent: -1)
            }
            report.section("certificate", nil) { report in
                report.member("offset", range.offset - self.bytes.offset)
                report.member("bytes", range.count)
                if certificate == nil { report.member("readable", false) }
                certificate?.write(to: &report)
            }
            report.text("certificate", certificate == nil ? "unreadable, \(range.count) bytes" : nil)
        } else {
            report.member("certificate", nil as String?)
        }
        if blob == nil { report.hex("hex", self.bytes, bytes) }
    }
}
