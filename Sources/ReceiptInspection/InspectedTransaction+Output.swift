internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

extension InspectedTransaction {
    /// Long values, such as the base64 of both parts, are cut.
    func write(to sheet: inout TextSheet, _ octets: Span<UInt8>) {
        sheet.line(1, "property list, of which purchase-info alone is signed: \(Self.keys(envelope))")
        for member in envelope { sheet.line(2, member.line) }
        if let signature {
            sheet.line(1, "signature: \(signature.bytes.count) bytes")
            sheet.field(2, "version", signature.version.map { String($0) })
            sheet.field(2, "digest", signature.blob.map { _ in "sha1, over the version and purchase-info" })
            sheet.field(2, "signature", signature.blob.map { octets.cutHex($0.signature) })
            if let certificate = signature.certificate {
                sheet.line(1, "certificate of the signer; those of its issuers are not in the receipt")
                certificate.write(to: &sheet)
            } else if let range = signature.blob?.certificate {
                sheet.field(2, "certificate", "unreadable, \(range.count) bytes")
            }
        }
        if let purchaseInfoCount {
            sheet.line(1, "purchase-info: \(Self.keys(purchaseInfo)), \(purchaseInfoCount) bytes")
            for member in purchaseInfo { sheet.line(2, member.line) }
        }
        if let environment, environment.isContradicted {
            sheet.line(
                1, "environment: \(environment.name); outside the signature it says otherwise")
        }
    }

    private static func keys(_ members: [InspectedMember]) -> String {
        members.count == 1 ? "1 key" : "\(members.count) keys"
    }

    func write(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.openArray("property_list")
        for member in envelope { member.write(to: &json) }
        json.closeArray()
        if let signature { signature.write(to: &json, octets) } else { json.member("signature", nil as String?) }
        json.member("purchase_info_bytes", purchaseInfoCount.map(Int64.init))
        json.openArray("purchase_info")
        for member in purchaseInfo { member.write(to: &json) }
        json.closeArray()
        json.member("environment", environment?.name)
        json.member("is_environment_contradicted", environment?.isContradicted)
    }
}

extension InspectedMember {
    private static let longest = 80

    fileprivate var line: String {
        var title = key
        if let name {
            if name != key.replacing("-", with: "_"), name != key { title += " (\(name))" }
        } else {
            title += " (unknown)"
        }
        return "\(title): \(Self.cut(written))" + (date.map { " = " + CivilTime.iso8601(milliseconds: $0) } ?? "")
    }

    private static func cut(_ text: String) -> String {
        guard text.count > longest else { return text }
        return "\(text.prefix(longest))… (\(text.count) characters)"
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        json.member("key", key)
        json.member("name", name)
        json.member("value", value)
        if isWrittenOtherwise { json.member("written", written) }
        if let date { json.isoDate("date", date) }
        json.close()
    }
}

extension InspectedSignature {
    fileprivate func write(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.open("signature")
        json.member("bytes", bytes.count)
        json.member("version", version.map(Int64.init))
        json.member("digest_algorithm", blob == nil ? nil : DigestAlgorithm.sha1.rawValue)
        json.member("signature_bytes", blob.map { Int64($0.signature.count) })
        if let blob { json.hex("signature_hex", blob.signature, octets) }
        if let range = blob?.certificate {
            json.open("certificate")
            json.member("offset", range.offset - bytes.offset)
            json.member("bytes", range.count)
            if let certificate { certificate.write(to: &json) } else { json.member("readable", false) }
            json.close()
        } else {
            json.member("certificate", nil as String?)
        }
        if blob == nil { json.hex("hex", bytes, octets) }
        json.close()
    }
}
