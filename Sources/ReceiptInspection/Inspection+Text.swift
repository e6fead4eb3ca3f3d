internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

extension Inspection {
    /// Everything for people to read; long hex is cut.
    ///
    /// - Parameter place: the file, and the line where there is one.
    func text(of place: String, _ octets: Span<UInt8>) -> String {
        var sheet = TextSheet()
        sheet.line(0, place)
        sheet.field(1, "kind", kind.rawValue)
        sheet.field(1, "bytes", String(receipt.count))
        sheet.field(1, "sha256", digest.hex)
        if kind == .appReceipt {
            sheet.field(1, "encoding", outline.isBasicEncoded ? "BER" : "DER")
            writeContainer(to: &sheet, octets)
            for (index, signer) in outline.signers.enumerated() {
                let number = outline.signers.count == 1 ? "" : " \(index + 1) of \(outline.signers.count)"
                write(signer, "signer\(number)", to: &sheet, octets)
            }
            for (index, certificate) in certificates.enumerated() {
                sheet.line(1, "certificate \(index + 1) of \(certificates.count)")
                if let certificate {
                    certificate.write(to: &sheet)
                } else {
                    let range = outline.certificates[index]
                    sheet.field(2, "unreadable", "\(range.count) bytes at byte \(range.offset - receipt.offset)")
                }
            }
            sheet.line(1, "attributes: \(attributes.count)")
            for attribute in attributes { attribute.write(to: &sheet, depth: 2, octets) }
        }
        transaction?.write(to: &sheet, octets)
        for fault in faults { sheet.field(1, "error", "\(fault.reason.rawValue): \(fault.what)") }
        return sheet.text
    }

    private func writeContainer(to sheet: inout TextSheet, _ octets: Span<UInt8>) {
        sheet.line(1, "container")
        sheet.field(2, "type", outline.contentType.map { octets.object($0) })
        sheet.field(2, "version", outline.version.map { String($0) })
        for algorithm in outline.digestAlgorithms { sheet.field(2, "digest", octets.object(algorithm)) }
        sheet.field(2, "content type", outline.encapsulatedContentType.map { octets.object($0) })
        sheet.field(2, "content", content.map { "\($0.count) bytes" + (isContentJoined ? ", in chunks" : "") })
        if outline.hasRevocationLists { sheet.field(2, "crls", "revocation lists, not shown") }
    }

    private func write(_ signer: SignerOutline, _ title: String, to sheet: inout TextSheet, _ octets: Span<UInt8>) {
        sheet.line(1, title)
        sheet.field(2, "version", signer.version.map { String($0) })
        switch signer.identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            sheet.field(2, "issuer", CertificateDescription.name(octets, in: issuer) ?? "unreadable")
            sheet.field(2, "serial", octets.hex(serialNumber))
        case .subjectKeyIdentifier(let range): sheet.field(2, "key", octets.hex(range))
        case nil: break
        }
        sheet.field(2, "digest", signer.digestAlgorithm.map { octets.object($0) })
        sheet.field(2, "algorithm", signer.signatureAlgorithm.map { octets.object($0) })
        if let attributes = signer.signedAttributes {
            for attribute in attributes {
                sheet.field(2, "signs", "\(octets.object(attribute.type)): \(octets.cutHex(attribute.values))")
            }
        } else {
            sheet.field(2, "signs", "the content; no signed attributes")
        }
        sheet.field(2, "signature", signer.signature.map { octets.cutHex($0) })
        if signer.hasUnsignedAttributes { sheet.field(2, "unsigned", "attributes, not shown") }
    }
}

extension CertificateDescription {
    package func write(to sheet: inout TextSheet) {
        sheet.field(2, "subject", subject)
        sheet.field(2, "issuer", issuer)
        sheet.field(2, "serial", serialNumber)
        let dates = validity.map { [$0.lowerBound, $0.upperBound].map(CivilTime.iso8601).joined(separator: " to ") }
        sheet.field(2, "valid", dates ?? "unreadable dates")
        sheet.field(2, "key", keyAlgorithm + (keyBits.map { ", \($0) bits" } ?? ""))
        sheet.field(2, "signed with", signatureAlgorithm)
        if isCertificateAuthority {
            sheet.field(2, "authority", "yes" + (pathLength.map { ", path length \($0)" } ?? ""))
        }
        for marker in markers {
            sheet.field(2, "marker", marker.identifier + (marker.name.map { " \($0)" } ?? ""))
        }
        if markers.isEmpty { sheet.field(2, "marker", "none") }
        sheet.field(2, "sha256", sha256.hex)
    }
}

extension InspectedAttribute {
    fileprivate func write(to sheet: inout TextSheet, depth: Int, _ octets: Span<UInt8>) {
        let title = name.map { $0.text + ($0.source == .observed ? " (not documented)" : "") } ?? "unknown"
        var line = "\(attribute.type) \(title), version \(attribute.version), \(value.form.rawValue)"
        if let shown { line += ": \(shown)" }
        sheet.line(depth, line)
        if let nested {
            for attribute in nested { attribute.write(to: &sheet, depth: depth + 1, octets) }
        }
        if nested?.isEmpty ?? true, !attribute.value.isEmpty {
            sheet.line(depth + 2, octets.cutHex(attribute.value))
        }
    }

    private var shown: String? {
        if let integer = value.integer { return String(integer) + (spelled.map { " (\"\($0)\")" } ?? "") }
        guard let text else { return nil }
        let written = date.map(CivilTime.iso8601)
        return "\"\(text)\"" + (written == nil || written == text ? "" : " = \(written ?? "")")
    }
}

extension Span<UInt8> {
    fileprivate func object(_ range: ByteRange) -> String {
        let named = NamedObject(self, in: range)
        return named.name.map { "\($0) (\(named.identifier))" } ?? named.identifier
    }

    fileprivate func hex(_ range: ByteRange) -> String {
        range.indices.reduce(into: "") { text, index in
            text += (self[index] < 16 ? "0" : "") + String(self[index], radix: 16)
        }
    }

    /// The first 32 bytes, and how many there are beyond.
    func cutHex(_ range: ByteRange) -> String {
        guard range.count > 32 else { return hex(range) }
        return hex(ByteRange(offset: range.offset, count: 32)) + "… (\(range.count) bytes)"
    }
}
