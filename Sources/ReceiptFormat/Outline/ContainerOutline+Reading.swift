extension ContainerOutline {
    /// Reads as far as it can; the grammar is that of ``Container/init(parsing:)``.
    public init(reading reader: consuming ByteReader) {
        self.init()
        isBasicEncoded = reader.isBasicEncoded()
        guard let contentInfo = reader.readClippedElement(Tag.sequence) else { return }
        var info = reader.reader(in: contentInfo.content)
        guard let kind = info.readClippedElement(Tag.objectIdentifier) else { return }
        contentType = kind.content
        guard info.matches(kind.content, ObjectIdentifier.signedData),
            let explicit = info.readClippedElement(Tag.context0)
        else { return }
        var wrapper = info.reader(in: explicit.content)
        guard let signedData = wrapper.readClippedElement(Tag.sequence) else { return }
        readSignedData(wrapper.reader(in: signedData.content))
    }

    private mutating func readSignedData(_ reader: consuming ByteReader) {
        version = reader.readClippedInteger()
        if let set = reader.readClippedElement(Tag.set) {
            var algorithms = reader.reader(in: set.content)
            while hasRoom(for: digestAlgorithms), let algorithm = algorithms.readClippedAlgorithm() {
                digestAlgorithms.append(algorithm)
            }
            isCut = isCut || (!hasRoom(for: digestAlgorithms) && !algorithms.isAtEnd)
        }
        if let info = reader.readClippedElement(Tag.sequence) {
            readContent(reader.reader(in: info.content))
        }
        if let set = reader.readClippedElement(Tag.context0) {
            var members = reader.reader(in: set.content)
            while hasRoom(for: certificates), let certificate = members.readClippedElement() {
                certificates.append(certificate.whole)
            }
            isCut = isCut || (!hasRoom(for: certificates) && !members.isAtEnd)
        }
        hasRevocationLists = reader.readClippedElement(Tag.context1) != nil
        if let set = reader.readClippedElement(Tag.set) {
            var members = reader.reader(in: set.content)
            while hasRoom(for: signers), let signer = members.readClippedElement(Tag.sequence) {
                signers.append(SignerOutline(reading: members.reader(in: signer.content)))
            }
            isCut = isCut || (!hasRoom(for: signers) && !members.isAtEnd)
        }
        isCut = isCut || signers.contains(where: \.isCut)
    }

    private func hasRoom<Member>(for members: [Member]) -> Bool { members.count < Self.maximumMembers }

    private mutating func readContent(_ reader: consuming ByteReader) {
        guard let kind = reader.readClippedElement(Tag.objectIdentifier) else { return }
        encapsulatedContentType = kind.content
        guard let explicit = reader.readClippedElement(Tag.context0) else { return }
        var whole = reader.reader(in: explicit.content)
        if let string = try? whole.readOctetString() {
            content = string
            return
        }
        var clipped = reader.reader(in: explicit.content)
        guard let element = clipped.readClippedElement() else { return }
        switch element.tag {
        case Tag.octetString: content = OctetString(range: element.content, isFragmented: false)
        case Tag.constructedOctetString: content = OctetString(range: element.content, isFragmented: true)
        default: return
        }
    }
}

extension SignerOutline {
    /// Reads as far as it can; the grammar is that of ``SignerInfo``.
    init(reading reader: consuming ByteReader) {
        self.init()
        version = reader.readClippedInteger()
        if let keyIdentifier = reader.readClippedElement(Tag.primitiveContext0) {
            identifier = .subjectKeyIdentifier(keyIdentifier.content)
        } else if let sid = reader.readClippedElement(Tag.sequence) {
            var names = reader.reader(in: sid.content)
            if let issuer = names.readClippedElement(Tag.sequence),
                let serialNumber = names.readClippedElement(Tag.integer)
            {
                identifier = .issuerAndSerialNumber(issuer: issuer.whole, serialNumber: serialNumber.content)
            }
        }
        digestAlgorithm = reader.readClippedAlgorithm()
        if let set = reader.readClippedElement(Tag.context0) {
            var members = reader.reader(in: set.content)
            var found: [SignedAttribute] = []
            while found.count < ContainerOutline.maximumMembers,
                let member = members.readClippedElement(Tag.sequence)
            {
                var attribute = members.reader(in: member.content)
                guard let type = attribute.readClippedElement(Tag.objectIdentifier),
                    let values = attribute.readClippedElement(Tag.set)
                else { break }
                found.append(SignedAttribute(type: type.content, values: values.content))
            }
            isCut = found.count == ContainerOutline.maximumMembers && !members.isAtEnd
            signedAttributes = found
        }
        signatureAlgorithm = reader.readClippedAlgorithm()
        signature = reader.readClippedElement(Tag.octetString)?.content
        hasUnsignedAttributes = reader.readClippedElement(Tag.context1) != nil
    }
}
