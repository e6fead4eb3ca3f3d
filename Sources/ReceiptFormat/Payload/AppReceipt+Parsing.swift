extension AppReceipt {
    /// Reads a payload and appends its purchases, in the receipt's order.
    ///
    /// ```
    /// Payload ::= SET OF ReceiptAttribute
    /// ```
    /// Apple, Receipt Validation Programming Guide, "Parse the Receipt". Members may be in any order. For attributes
    /// not in ``AppAttribute``, only the types are kept.
    ///
    /// - Throws: `.duplicateAttribute`, `.tooManyAttributes`, `.tooManyPurchases` or `.missingTransactionIdentifier`;
    ///   `.overlongName`, `.invalidText`, `.invalidInteger` or `.invalidDate` if a value does not have its attribute's
    ///   type; and the errors of ``ByteReader/readAttribute()``. The error names the attribute if it is known.
    ///   Purchases before the fault remain appended.
    public init(
        parsing reader: inout ByteReader, purchases: inout [InAppPurchase]
    ) throws(MalformedReceipt) {
        var set = try Self.payloadSet(&reader)
        self.init()
        var seen = AttributeSet(firstType: AppAttribute.environment)
        var purchaseTypes = UndocumentedTypes(.purchase)
        var purchaseCount = 0
        var attributeCount = 0
        while !set.isAtEnd {
            let attribute = try set.readAttribute()
            do throws(MalformedReceipt) {
                if attribute.type == AppAttribute.inAppPurchaseReceipt {
                    purchaseCount += 1
                    guard purchaseCount <= Self.maximumPurchases else {
                        throw MalformedReceipt(.tooManyPurchases, at: attribute.value.offset)
                    }
                    var value = set.reader(in: attribute.value)
                    purchases.append(try InAppPurchase(parsing: &value, noting: &purchaseTypes))
                } else {
                    attributeCount += 1
                    guard attributeCount <= Self.maximumAttributes else {
                        throw MalformedReceipt(.tooManyAttributes, at: attribute.value.offset)
                    }
                    try seen.insert(attribute)
                    try read(attribute, from: set.reader(in: attribute.value))
                }
            } catch {
                throw error.naming(attribute)
            }
        }
        undocumentedTypes.formUnion(seen)
        undocumentedPurchaseTypes = purchaseTypes
    }

    /// Reads a payload's own attributes and skips its purchases, for device checks of receipts that are already known.
    ///
    /// - Throws: the errors of ``init(parsing:purchases:)``, except those of purchases.
    public init(parsingOwnAttributes reader: inout ByteReader) throws(MalformedReceipt) {
        var set = try Self.payloadSet(&reader)
        self.init()
        var seen = AttributeSet(firstType: AppAttribute.environment)
        var attributeCount = 0
        while !set.isAtEnd {
            let attribute = try set.readAttribute()
            guard attribute.type != AppAttribute.inAppPurchaseReceipt else { continue }
            attributeCount += 1
            guard attributeCount <= Self.maximumAttributes else {
                throw MalformedReceipt(.tooManyAttributes, at: attribute.value.offset)
            }
            try seen.insert(attribute)
            try read(attribute, from: set.reader(in: attribute.value))
        }
        undocumentedTypes.formUnion(seen)
    }

    /// A cursor over the members of the payload's SET, which must be the whole content. An octet string instead of it
    /// would be a second wrapping, which Apple never writes.
    @_lifetime(copy reader)
    private static func payloadSet(_ reader: inout ByteReader) throws(MalformedReceipt) -> ByteReader {
        let set = try reader.readElement(Tag.set)
        try reader.requireEnd()
        return reader.reader(in: set.content)
    }

    private mutating func read(
        _ attribute: Attribute, from value: consuming ByteReader
    ) throws(MalformedReceipt) {
        switch attribute.type {
        // The values of both types are raw bytes, which may look like ASN.1 but are not.
        case AppAttribute.opaqueValue:
            opaqueValue = attribute.value.isEmpty ? nil : attribute.value
            return
        case AppAttribute.sha1Hash:
            sha1Hash = attribute.value.isEmpty ? nil : attribute.value
            return
        default: break
        }
        guard !value.isAtEnd else { return }
        switch attribute.type {
        case AppAttribute.environment: environment = try value.readName()
        case AppAttribute.appItemID: appItemID = try value.readInteger()
        case AppAttribute.bundleIdentifier:
            bundleIdentifier = try value.readName()
            bundleIdentifierBytes = attribute.value
        case AppAttribute.appVersion: appVersion = try value.readName()
        case AppAttribute.receiptCreationDate: receiptCreationDate = try value.readDate()
        case AppAttribute.downloadID: downloadID = try value.readInteger()
        case AppAttribute.versionExternalIdentifier:
            versionExternalIdentifier = try value.readInteger()
        case AppAttribute.originalPurchaseDate: originalPurchaseDate = try value.readDate()
        case AppAttribute.originalApplicationVersion:
            originalApplicationVersion = try value.readName()
        case AppAttribute.expirationDate: expirationDate = try value.readDate()
        case AppAttribute.preorderDate: preorderDate = try value.readDate()
        default: return
        }
        try value.requireEnd()
    }
}

extension ByteReader {
    /// Reads the text of an environment, bundle identifier or version; nil if it is empty.
    ///
    /// - Throws: `.overlongName` if it exceeds ``AppReceipt/maximumNameBytes``, and the errors of ``readText()``.
    @_lifetime(self: copy self)
    mutating func readName() throws(MalformedReceipt) -> ByteRange? {
        guard let text = try readText() else { return nil }
        guard text.count <= AppReceipt.maximumNameBytes else {
            throw MalformedReceipt(.overlongName(text.count), at: text.offset)
        }
        return text
    }

    /// Reads an INTEGER, or a text of decimal digits; nil if it is any other text.
    @_lifetime(self: copy self)
    mutating func readOptionalNumber() throws(MalformedReceipt) -> Int64? {
        if next == Tag.integer { return try readInteger() }
        guard let text = try readText() else { return nil }
        return decimal(in: text)
    }

    /// The value of decimal digits; nil if there is any other byte, or if the value doesn't fit into 64 bits.
    func decimal(in range: ByteRange) -> Int64? {
        var value: Int64 = 0
        for index in range.indices {
            let digit = self[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}
