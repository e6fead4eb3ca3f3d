package import MillJSON
package import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

extension Inspection {
    /// Writes the inspection's members; the caller has begun the object. Offsets
    /// count from the receipt's first byte, or from the first of joined content.
    func write(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.member("kind", kind.rawValue)
        json.member("bytes", receipt.count)
        json.key("sha256")
        json.string { json in digest.withBytes { json.appendHex($0) } }
        if kind == .appReceipt {
            json.member("encoding", outline.isBasicEncoded ? "BER" : "DER")
            writeContainer(to: &json, octets)
            json.openArray("signers")
            for signer in outline.signers { write(signer, to: &json, octets) }
            json.closeArray()
            json.openArray("certificates")
            for (range, certificate) in zip(outline.certificates, certificates) {
                json.open()
                json.member("offset", range.offset - receipt.offset)
                json.member("bytes", range.count)
                if let certificate { certificate.write(to: &json) } else { json.member("readable", false) }
                json.close()
            }
            json.closeArray()
            json.openArray("attributes")
            for attribute in attributes { attribute.write(to: &json, octets, base: contentBase) }
            json.closeArray()
        }
        transaction?.write(to: &json, octets)
        json.openArray("errors")
        for fault in faults {
            json.open()
            json.member("reason", fault.reason.rawValue)
            json.member("detail", fault.what)
            json.member("offset", fault.offset.map(Int64.init))
            json.close()
        }
        json.closeArray()
    }

    private var contentBase: Int { isContentJoined ? content?.offset ?? 0 : receipt.offset }

    private func writeContainer(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.open("container")
        json.object("content_type", outline.contentType, octets)
        json.member("version", outline.version)
        json.openArray("digest_algorithms")
        for algorithm in outline.digestAlgorithms { json.object(algorithm, octets) }
        json.closeArray()
        json.object("encapsulated_content_type", outline.encapsulatedContentType, octets)
        json.member("content_bytes", content.map { Int64($0.count) })
        json.member("content_in_chunks", isContentJoined)
        json.member("has_revocation_lists", outline.hasRevocationLists)
        json.close()
    }

    private func write(_ signer: SignerOutline, to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.open()
        json.member("version", signer.version)
        switch signer.identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            json.member("issuer", CertificateDescription.name(octets, in: issuer))
            json.hex("serial", serialNumber, octets)
        case .subjectKeyIdentifier(let range): json.hex("subject_key_identifier", range, octets)
        case nil: break
        }
        json.object("digest_algorithm", signer.digestAlgorithm, octets)
        json.object("signature_algorithm", signer.signatureAlgorithm, octets)
        if let attributes = signer.signedAttributes {
            json.openArray("signed_attributes")
            for attribute in attributes {
                json.open()
                json.object("type", attribute.type, octets)
                json.hex("values_hex", attribute.values, octets)
                json.close()
            }
            json.closeArray()
        } else {
            json.member("signed_attributes", nil as String?)
        }
        json.member("signature_bytes", signer.signature.map { Int64($0.count) })
        if let signature = signer.signature { json.hex("signature_hex", signature, octets) }
        json.member("has_unsigned_attributes", signer.hasUnsignedAttributes)
        json.close()
    }
}

extension CertificateDescription {
    package func write(to json: inout JSONWriter) {
        json.member("subject", subject)
        json.member("issuer", issuer)
        json.member("serial", serialNumber)
        json.isoDate("not_before", validity?.lowerBound)
        json.isoDate("not_after", validity?.upperBound)
        json.member("key_algorithm", keyAlgorithm)
        json.member("key_bits", keyBits.map(Int64.init))
        json.member("signature_algorithm", signatureAlgorithm)
        json.member("is_certificate_authority", isCertificateAuthority)
        json.member("path_length", pathLength.map(Int64.init))
        json.member("sha256", sha256.hex)
        json.openArray("markers")
        for marker in markers {
            json.open()
            json.member("oid", marker.identifier)
            json.member("name", marker.name)
            json.close()
        }
        json.closeArray()
    }
}

extension InspectedAttribute {
    fileprivate func write(to json: inout JSONWriter, _ octets: Span<UInt8>, base: Int) {
        json.open()
        json.member("type", attribute.type)
        json.member("name", name?.text)
        json.member("name_source", name?.source.rawValue)
        json.member("version", attribute.version)
        json.member("offset", attribute.value.offset - base)
        json.member("bytes", attribute.value.count)
        json.member("form", value.form.rawValue)
        json.key("value")
        if let integer = value.integer {
            json.value(integer)
        } else if let text {
            json.value(text)
        } else {
            json.null()
        }
        if let spelled { json.member("spelled", spelled) }
        if let date { json.isoDate("date", date) }
        json.hex("hex", attribute.value, octets)
        if let nested {
            json.openArray("attributes")
            for attribute in nested { attribute.write(to: &json, octets, base: base) }
            json.closeArray()
        }
        json.close()
    }
}

extension JSONWriter {
    package mutating func hex(_ name: StaticString, _ range: ByteRange, _ octets: Span<UInt8>) {
        key(name)
        let part = octets.extracting(range.indices)
        string { json in part.withUnsafeBufferPointer { json.appendHex($0) } }
    }

    fileprivate mutating func object(_ name: StaticString, _ range: ByteRange?, _ octets: Span<UInt8>) {
        key(name)
        if let range { object(range, octets) } else { null() }
    }

    fileprivate mutating func object(_ range: ByteRange, _ octets: Span<UInt8>) {
        let named = NamedObject(octets, in: range)
        open()
        member("oid", named.identifier)
        member("name", named.name)
        close()
    }
}
